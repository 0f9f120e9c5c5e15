#include "host/desktop/files.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace kvseats::host {

// Through 64-bit positions: model files are larger than 2 GiB.
bool read_head(std::string_view path, std::uint64_t most, std::string& bytes, std::uint64_t& size) {
  std::ifstream file(std::string(path), std::ios::binary | std::ios::ate);
  const std::streamoff end = file ? std::streamoff{file.tellg()} : -1;
  if (end < 0) return false;
  size = static_cast<std::uint64_t>(end);
  bytes.resize(static_cast<std::size_t>(std::min(size, most)));
  file.seekg(0);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return static_cast<std::size_t>(file.gcount()) == bytes.size();
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
