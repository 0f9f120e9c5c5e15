#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logs/number.h"

/// The shape of a line an engine prints, as data.
///
///     "Maximum concurrency for {context} tokens per request: {concurrency}x"
///
/// Matches anywhere in a line, whatever stands before or behind it. A blank matches any number of
/// blanks, also none. Captures:
///
///     {name}    a number, blanks before it skipped; `nan`, `inf` and endless ones match `unread`
///     {name:w}  a word: up to a blank or one of , ; ) ] } ' "
///     {name:u}  up to the character that follows in the pattern
///     {name:l}  the rest of the line
///
/// A capture at the very start takes the word before the rest: "{device:w} KV buffer size = …".
/// The name `_` keeps nothing.
namespace kvseats::logs {

struct Pattern {
  std::string_view text;
  std::string_view within = {};  ///< must stand earlier in the line
  bool starts = false;           ///< the engine prints it once, first: a new start-up begins
};

struct Captured {
  std::string_view name;  ///< of the pattern
  std::string_view text;  ///< of the line
  std::optional<Number> number;
  bool unread = false;  ///< a number belongs here: `nan`, `inf`, or more digits than are counted
};

struct Match {
  std::size_t begin = 0, end = 0;  ///< of the line
  std::vector<Captured> captures;
};

/// The first match at or after `from`. Linear in the line for one pattern, over all its matches.
[[nodiscard]] std::optional<Match> find_match(const Pattern& pattern, std::string_view line,
                                              std::size_t from);

}  // namespace kvseats::logs
