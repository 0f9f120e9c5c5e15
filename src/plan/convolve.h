#pragma once

#include <cstdint>
#include <vector>

/// Sums of independent whole numbers, exactly: probabilities convolved one by one, no transform, so
/// that every term is positive and nothing cancels. After n summands the relative error of each
/// probability is below n × 10⁻¹³.
namespace kvseats::plan {

/// P(X = first + i) = p[i]; what lies beyond the values kept is missing from the sum of `p`.
struct Law {
  std::uint64_t first = 0;
  std::vector<double> p;

  /// P(X ≤ value), at most 1.
  [[nodiscard]] double up_to(std::uint64_t value) const;
};

/// The law of a sum of no summands.
[[nodiscard]] Law nothing();

/// The law of a + b, up to the value `most`. Probabilities below 10⁻³⁰ at its ends are dropped.
[[nodiscard]] Law convolved(const Law& a, const Law& b, std::uint64_t most);

/// The law of the sum of `n` independent copies, up to `most`: by squaring.
[[nodiscard]] Law power(const Law& law, std::uint64_t n, std::uint64_t most);

}  // namespace kvseats::plan
