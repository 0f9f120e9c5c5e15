#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "embedded/catalogue.h"

namespace {

constexpr std::size_t kMostBytes = std::size_t{64} * 1024 * 1024;

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

void write(std::FILE* to, const std::string& text) {
  if (!text.empty()) std::fwrite(text.data(), 1, text.size(), to);
}

}  // namespace

int main(int argc, char** argv) {
  const auto catalogue =
      kvseats::catalogue::read_catalogue(kvseats::embedded::catalogue("catalogue.txt"));
  if (!catalogue) {
    std::fprintf(stderr, "bug: the built-in catalogue cannot be read: %s\n",
                 catalogue.error().text.c_str());
    return 1;
  }
  std::vector<std::string_view> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const kvseats::cli::Result result =
      kvseats::cli::run(words, *catalogue, {.read = read_file, .head = read_head});
  write(stdout, result.out);
  write(stderr, result.err);
  return result.status;
}
