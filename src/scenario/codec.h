#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenario/scenario.h"
#include "units/diagnostic.h"

/// Text ↔ Scenario. One grammar for link fragments, command lines and element attributes:
/// `key=value`, joined by `&` in a link, separate words on a command line.
///
/// A link may carry percent-encoded values; the writer encodes only what a fragment must
/// (space, `&`, `%`, `#`, `+` is kept, control and non-ASCII bytes).
namespace kvseats::scenario {

/// How strict a reader is. On the command line an unknown key or a bad value is an error; in links,
/// attributes and embeds an unknown key is kept, ignored and warned of, and a bad value falls back
/// to the default with a diagnostic (a warning in severity, the same code).
enum class Strictness { kCommandLine, kLink };

/// What was read. `unknown` are keys that are not ours (page keys and future ones), kept for the
/// writer in their order.
struct Decoded {
  Scenario scenario;
  std::vector<std::pair<std::string, std::string>> page;  ///< `view`, `theme`, `unit`, …
  std::vector<std::pair<std::string, std::string>> unknown;
  units::Diagnostics diagnostics;
};

/// Limits: a link of at most 64 KiB and 512 keys (`E-TOO-LONG`).
[[nodiscard]] Decoded decode(std::string_view query, Strictness strictness);
[[nodiscard]] Decoded decode(std::span<const std::string_view> words, Strictness strictness);

/// The words of a link: taken apart at `&`, each decoded, without the leading `#` or `?`. For
/// readers that look at some words themselves before `decode`.
[[nodiscard]] std::vector<std::string> words_of_query(std::string_view query);

/// `a, b,c` taken apart at its commas, each item trimmed; empty items are kept.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text);

/// True if a service of this link may have a distribution for its lengths: then `decode` calls
/// traffic/reader.h. Cheap, and never false for one that has.
[[nodiscard]] bool has_distributions(std::string_view query);

/// Canonical text: set fields in table order, as typed. `decode(encode(s)).scenario == s`.
[[nodiscard]] std::string encode(const Scenario& scenario);

/// True for keys that belong to the page (`view theme unit height lock show hide range pin models
/// question answer tolerance reveal lang shown`), which never reach `evaluate`.
[[nodiscard]] bool is_page_key(std::string_view key);

[[nodiscard]] std::string percent_decode(std::string_view text);
[[nodiscard]] std::string percent_encode(std::string_view text);

}  // namespace kvseats::scenario
