#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// A pasted text, line by line, without what terminals and log collectors put around the words.
namespace kvseats::logs {

inline constexpr std::size_t kMostBytes = std::size_t{8} * 1024 * 1024;
inline constexpr std::size_t kMostLines = 200'000;

/// Gives one line after the other. Colours (`ESC[…m`, also as the `\u001b[…m` of JSON logs) and
/// other control characters are taken out, tabs and non-breaking spaces become blanks. A carriage
/// return ends a line: progress bars overwrite theirs. Bytes that are not UTF-8 pass through.
/// Time and memory: linear; the text is borrowed.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  /// False at the end. `line` is overwritten.
  [[nodiscard]] bool next(std::string& line);

  /// Number of the line that was given last, counted from 1 by line feeds, as editors do.
  [[nodiscard]] std::size_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
  bool new_line_ = true;
};

}  // namespace kvseats::logs
