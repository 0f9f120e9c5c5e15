// Files of the desktop host: the only place that opens one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kvseats::host {

// The first `most` bytes and how large the file is; false when it cannot be read
// (`ui::HeadReader`).
bool read_head(std::string_view path, std::uint64_t most, std::string& bytes, std::uint64_t& size);
bool write_file(const std::string& path, std::string_view content);

// The part after the last slash or backslash.
std::string_view base_name(std::string_view path);

}  // namespace kvseats::host
