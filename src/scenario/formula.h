#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The formulas of the ledger as text that can be worked out again and typeset.
///
/// A formula is written for people: numbers with the words that are their units or names,
/// `2 × 32 layers × 8 KV heads × 128 × 2 B`, `floor(55,194,830,439 B ÷ 131,072 B)`,
/// `ceil(100 ÷ 51) × 1`, `min(floor(9 ÷ 2), 4 slots)`, and notes behind a comma. Read back, it says
/// whether the arithmetic that stands there gives the value beside it: an equals sign is written
/// nowhere else.
namespace kvseats::scenario {

/// One piece of a formula, in reading order.
struct FormulaPiece {
  enum class Kind {
    kNumber,  ///< `value`; "131,072", "0.9"
    kWord,    ///< "KV heads", "tp": no part in the arithmetic
    kSign,    ///< `text` is one of + − × ÷ / %
    kOpen,    ///< "(", or `text` "floor(", "ceil(", "min(", "max("
    kClose,
    kComma,  ///< between the sides of min and max
    kNote,   ///< from a comma to the end of the summand: "up to 1,024 tokens", "rounded down"
  };
  Kind kind = Kind::kWord;
  std::string text;
  double value = 0;
};

[[nodiscard]] std::vector<FormulaPiece> formula_pieces(std::string_view formula);

/// What the arithmetic gives; none where there is none (words, or a single number). A note
/// `rounded up`, `rounded down`, with or without `to N`, or `one per N` counts; other notes do not.
/// Exact while all numbers on the way are whole and below 2^53.
[[nodiscard]] std::optional<double> formula_value(std::string_view formula);

/// The formula for LaTeX's mathematics, units as \text (package amsmath).
[[nodiscard]] std::string formula_latex(std::string_view formula);

/// Running text for LaTeX: its special characters escaped, signs of arithmetic as mathematics.
[[nodiscard]] std::string latex_text(std::string_view text);

}  // namespace kvseats::scenario
