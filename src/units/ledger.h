#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "units/whole.h"

/// The derivation of a number: one row per number shown, so that every figure can be questioned.
///
/// A row names what it is, its value and unit, the formula with the numbers filled in, the ids of
/// the rows it was computed from, and where it comes from. Estimates carry low and high; the
/// typical value is `value`. Rows that are summands of another row name it as `parent`: the
/// children of a parent add up to it (tested).
namespace kvseats::units {

/// A ledger value: a whole number, an exact fraction, a measured real, or a word.
struct LedgerValue {
  enum class Kind { kNone, kWhole, kRatio, kReal, kText };
  Kind kind = Kind::kNone;
  std::uint64_t whole = 0;  ///< kWhole; `kOutOfRange` prints as null
  Ratio ratio;              ///< kRatio
  double real = 0;          ///< kReal
  std::string text;         ///< kText
  friend bool operator==(const LedgerValue&, const LedgerValue&) = default;
};

[[nodiscard]] inline LedgerValue whole_value(std::uint64_t n) {
  LedgerValue v;
  v.kind = LedgerValue::Kind::kWhole;
  v.whole = n;
  return v;
}
[[nodiscard]] inline LedgerValue ratio_value(Ratio r) {
  LedgerValue v;
  v.kind = LedgerValue::Kind::kRatio;
  v.ratio = r;
  return v;
}
[[nodiscard]] inline LedgerValue real_value(double x) {
  LedgerValue v;
  v.kind = LedgerValue::Kind::kReal;
  v.real = x;
  return v;
}
[[nodiscard]] inline LedgerValue text_value(std::string s) {
  LedgerValue v;
  v.kind = LedgerValue::Kind::kText;
  v.text = std::move(s);
  return v;
}

struct LedgerRow {
  std::string id;     ///< dotted path: `pool.weights`, `per_token.full`
  std::string label;  ///< "Weights on one GPU"
  LedgerValue value;
  std::string unit;                 ///< "B", "tokens", "requests", "blocks", "" for a ratio
  std::string formula;              ///< "16,060,522,496 B ÷ (tp 1 × pp 1)"; empty for an input
  std::vector<std::string> inputs;  ///< ids of the rows it was computed from
  std::string source;               ///< "yours", "catalogue, <public source>", "estimate", …
  std::string parent;               ///< id of the row this one is a summand of; empty: none
  std::optional<LedgerValue> low;
  std::optional<LedgerValue> high;
  friend bool operator==(const LedgerRow&, const LedgerRow&) = default;
};

using Ledger = std::vector<LedgerRow>;

}  // namespace kvseats::units
