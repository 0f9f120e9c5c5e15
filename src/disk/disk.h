#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Files of the machine, for the faces that have some: the terminal and the window.
///
/// Nothing throws and nothing is logged: a file that cannot be read is `false`, and what that means
/// is said by whoever asked. Positions are of 64 bits: model files are larger than 2 GiB.
namespace kvseats::disk {

/// More than that is no log and no list of lengths.
inline constexpr std::size_t kMostBytes = std::size_t{64} * 1024 * 1024;

/// Appends a whole file (`-`: standard input) to `bytes`; false if it cannot be read or holds more
/// than `kMostBytes`.
[[nodiscard]] bool read_file(std::string_view path, std::string& bytes);

/// The first `most` bytes of a file and how large all of it is; false if it cannot be read.
[[nodiscard]] bool read_head(std::string_view path, std::uint64_t most, std::string& bytes,
                             std::uint64_t& size);

/// Replaces the file; false if not all of it could be written.
[[nodiscard]] bool write_file(const std::string& path, std::string_view content);

/// The part after the last slash or backslash.
[[nodiscard]] std::string_view base_name(std::string_view path);

}  // namespace kvseats::disk
