#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "disk/disk.h"
#include "embedded/catalogue.h"

namespace {

void write(std::FILE* to, const std::string& text) {
  if (!text.empty()) std::fwrite(text.data(), 1, text.size(), to);
}

// One line that is written over and wiped in the end.
void show_progress(double share) {
  if (share >= 1) {
    std::fputs("\r                    \r", stderr);
  } else {
    std::fprintf(stderr, "\rsimulating %3.0f %%", share * 100);
  }
  std::fflush(stderr);
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
  // Somebody who waits is told; a file or a pipe that takes the errors is not.
  const bool watched = isatty(STDERR_FILENO) == 1;
  const kvseats::cli::Result result =
      kvseats::cli::run(words, *catalogue,
                        {.read = kvseats::disk::read_file,
                         .head = kvseats::disk::read_head,
                         .progress = watched ? show_progress : nullptr});
  write(stdout, result.out);
  write(stderr, result.err);
  return result.status;
}
