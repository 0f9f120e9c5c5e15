#pragma once

#include <optional>
#include <string>
#include <string_view>

/// The exact decimal value of a double, and back: the ground under `fixed`, `shortest` and the
/// parsers. Room-internal; other rooms use `units/text.h`.
///
/// A finite double is m × 2^e. For e ≥ 0 that is an integer; for e < 0 it is m × 5^k / 10^k with
/// k = −e. Either way its decimal digits are those of one big integer, at most 768 of them. No
/// printf and no strtod: both read the locale, which a host program may have set.
namespace kvseats::units::detail {

/// 0.DIGITS × 10^point; no zeros at either end of `digits`, empty for zero.
struct ExactDecimal {
  std::string digits;
  int point = 0;
};

/// All digits of |x|; x finite.
[[nodiscard]] ExactDecimal exact_decimal(double x);

/// Keeps `keep` digits (may be ≤ 0: rounds at a place left of the first digit), half up.
[[nodiscard]] ExactDecimal rounded(const ExactDecimal& d, int keep);

/// The fewest digits (1 … 17) that read back as |x|; x finite.
[[nodiscard]] ExactDecimal shortest_decimal(double x);

/// The double nearest to the decimal, ties to even. Nothing if it is beyond the largest double;
/// 0 below the smallest. `digits` may have zeros at its ends and any length.
[[nodiscard]] std::optional<double> nearest_double(std::string_view digits, int point);

}  // namespace kvseats::units::detail
