#include "disk/disk.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace kvseats::disk {

bool read_file(std::string_view path, std::string& bytes) {
  const bool is_input = path == "-";
  std::FILE* file = is_input ? stdin : std::fopen(std::string(path).c_str(), "rb");
  if (file == nullptr) return false;
  char buffer[65536];
  std::size_t got = 0;
  while ((got = std::fread(buffer, 1, sizeof buffer, file)) != 0 && bytes.size() <= kMostBytes) {
    bytes.append(buffer, got);
  }
  const bool fine = std::ferror(file) == 0 && bytes.size() <= kMostBytes;
  if (!is_input) std::fclose(file);
  return fine;
}

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

}  // namespace kvseats::disk
