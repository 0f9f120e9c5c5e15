#include "host/desktop/files.h"

#include <array>
#include <cstdio>

namespace kvseats::host {

bool read_file(const std::string& path, std::vector<std::byte>& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  std::array<std::byte, 65536> part{};
  bytes.clear();
  std::size_t got = 0;
  while (bytes.size() < kLargestRead && (got = std::fread(part.data(), 1, part.size(), file)) > 0) {
    bytes.insert(bytes.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(got));
  }
  const bool read = std::ferror(file) == 0;
  std::fclose(file);
  return read;
}

bool write_file(const std::string& path, std::string_view content) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
  return std::fclose(file) == 0 && written;
}

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace kvseats::host
