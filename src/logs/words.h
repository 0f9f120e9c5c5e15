#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Words of a command line, and the arguments that engines print of themselves.
namespace kvseats::logs {

inline constexpr std::size_t kMostWords = 4096;

/// Words as a shell would cut them: quotes and backslashes taken off; the command ends at an
/// unquoted `|`, `;`, `&`, `>` or `#`, or at a quote that was not opened in it (`cmd="… --port
/// 1"`).
[[nodiscard]] std::vector<std::string> split_words(std::string_view text);

/// One argument of `{'name': value, …}` or `name=value, …`: values without quotes; brackets of a
/// list of one taken off, other nested values as they stand.
struct Argument {
  std::string name, value;
};

/// Reads until the bracket that closes what stood before `text`, or its end. One pass, nesting is
/// counted, nothing recurses.
[[nodiscard]] std::vector<Argument> split_arguments(std::string_view text);

}  // namespace kvseats::logs
