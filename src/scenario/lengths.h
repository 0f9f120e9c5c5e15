#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "chart/chart.h"
#include "scenario/sweep.h"
#include "traffic/lengths.h"
#include "units/diagnostic.h"

/// Real lengths as they were pasted or exported: what they say, and how they go into a scenario.
///
/// A link keeps at most 64 bins of them (traffic/lengths.h, `gathered`); exports keep every length
/// and how often it occurred.
namespace kvseats::scenario {

struct LengthsQuestion {
  std::string column{};            ///< of a CSV; empty: a list of numbers, or two columns of them
  std::string prompt{}, output{};  ///< columns of a CSV that has both
  std::string name = "pasted";
  std::uint64_t users = 1;
  units::Diagnostics diagnostics{};
};

/// `column=`, `prompt=` and `output=` (names of a CSV's columns), `name=`, `users=`. Anything else
/// is `E-UNKNOWN-KEY`.
[[nodiscard]] LengthsQuestion read_lengths_question(std::span<const std::string_view> words);

struct LengthsPart {
  std::string name;  ///< "lengths", "prompt", "output"
  traffic::Lengths lengths;
  std::string text;  ///< as a distribution of a `service=`, at most 64 bins
};

struct PastedLengths {
  bool ok = true;
  std::vector<LengthsPart> parts;  ///< one, or prompt and output
  std::string service;  ///< `service=` text; empty where only one of prompt and output is known
  units::Diagnostics diagnostics;
};

/// Two numbers in every line, where no column is named, are prompt and output (`N-COLUMNS` says
/// so). Codes: those of `traffic::parse_list`, and `E-COLUMN` for one of `prompt`, `output` without
/// the other. Limits are checked before anything is stored.
[[nodiscard]] PastedLengths read_pasted(std::string_view text, const LengthsQuestion& question);

/// `{"schema","ok","parts":[{"name","count","mean","p50","p90","p95","p99","shortest","longest",
/// "histogram","text"}],"service","diagnostics"}`.
[[nodiscard]] std::string to_json(const PastedLengths& pasted, int indent = 2);
[[nodiscard]] std::string to_text(const PastedLengths& pasted);
/// Every length: `part, tokens, count`.
[[nodiscard]] Table to_table(const PastedLengths& pasted);

/// How often each length occurs, as steps of equal width.
[[nodiscard]] chart::Chart lengths_chart(const LengthsPart& part);

}  // namespace kvseats::scenario
