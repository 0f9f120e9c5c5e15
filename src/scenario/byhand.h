#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/report.h"
#include "units/text.h"

/// The ledger as arithmetic that a person can follow with a pencil, and take along.
///
/// One line for each row of the ledger, in the order of the questions: one token, one request, one
/// GPU, how many. Each has its formula with the numbers filled in, the value, and where it comes
/// from. Text, Markdown and LaTeX are written here and nowhere else.
namespace kvseats::scenario {

/// How formula and value belong together, as worked out again from the formula's own text.
enum class Relation : std::uint8_t {
  kGiven,  ///< an input: no formula
  kWords,  ///< the formula says in words how it comes about
  kEqual,  ///< the arithmetic gives exactly the value that is written
  kAbout,  ///< within 0.1 %: parts are rounded one by one, or the value is written rounded
};

struct HandLine {
  std::string id;     ///< of the ledger's row
  std::string label;  ///< "One token of one request"
  std::string how;    ///< "2 × 32 layers × 8 KV heads × 128 × 2 B"; empty: given
  Relation relation = Relation::kGiven;
  std::string value;   ///< "131,072 B"
  std::string size;    ///< the same for people, "128 KiB"; empty where that says no more
  std::string range;   ///< "51.87 GB and 56.70 GB", its ends; empty: it is certain
  std::string source;  ///< of what is not computed: "catalogue; …", "yours"
  bool part = false;   ///< a summand of a line above
};

struct HandStep {
  std::string id;     ///< token, request, gpu, seats, wanted, speed, money, engine
  std::string title;  ///< "One token"
  std::vector<HandLine> lines;
};

/// Empty for a report without an answer.
[[nodiscard]] std::vector<HandStep> by_hand(const Report& report, units::SizeUnit unit);

enum class Notation : std::uint8_t { kText, kMarkdown, kLatex };

/// `text`, `markdown`, `latex`.
[[nodiscard]] std::optional<Notation> parse_notation(std::string_view name);

/// The equation of a line without its label: "2 × 32 layers × … = 131,072 B (128 KiB)".
[[nodiscard]] std::string equation(const HandLine& line);

/// One line without an end of line.
[[nodiscard]] std::string written(const HandLine& line, Notation notation);

/// All of it: the answer as a sentence, every step, the link. LaTeX is a fragment for a document
/// that loads amsmath.
[[nodiscard]] std::string written(const Report& report, Notation notation, units::SizeUnit unit);

}  // namespace kvseats::scenario
