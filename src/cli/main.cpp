#include <cstdio>
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
  const kvseats::cli::Result result = kvseats::cli::run(words, *catalogue, {.read = read_file});
  write(stdout, result.out);
  write(stderr, result.err);
  return result.status;
}
