// Files of the desktop host: the only place that opens one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kvseats::host {

// Model files can be hundreds of GiB; what describes them is at the front.
inline constexpr std::size_t kLargestRead = std::size_t{64} << 20U;

// The first `kLargestRead` bytes; false when it cannot be read.
bool read_file(const std::string& path, std::vector<std::byte>& bytes);
bool write_file(const std::string& path, std::string_view content);

// The part after the last slash or backslash.
std::string_view base_name(std::string_view path);

}  // namespace kvseats::host
