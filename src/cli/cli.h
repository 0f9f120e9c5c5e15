#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "catalogue/catalogue.h"

/// The terminal face: words in, text out. All arithmetic is room `scenario`'s.
///
/// Exit status: 0 an answer (also "does not fit"), 2 bad input (diagnostics on standard error and
/// in the JSON), 1 a bug.
namespace kvseats::cli {

/// What a run printed. Tests call `run` and look at this; `main` writes it out.
struct Result {
  int status = 0;
  std::string out;
  std::string err;
};

/// The machine: files, standard input and whoever watches, so that tests need none of them.
struct Files {
  /// Reads a whole file (`-`: standard input) of at most 64 MiB; false if it cannot be read.
  bool (*read)(std::string_view path, std::string& bytes) = nullptr;
  /// Reads the first `most` bytes of a file and how large it is; false if it cannot be read. Null:
  /// whole files only.
  bool (*head)(std::string_view path, std::uint64_t most, std::string& bytes,
               std::uint64_t& size) = nullptr;
  /// Told every now and then how much of a long run is done, 0 … 1, and 1 at its end. Null: nobody
  /// watches.
  void (*progress)(double share) = nullptr;
};

/// `words` are the arguments without the program's name.
[[nodiscard]] Result run(std::span<const std::string_view> words,
                         const catalogue::Catalogue& catalogue, const Files& files);

}  // namespace kvseats::cli
