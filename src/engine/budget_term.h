#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"

/// Making the terms of a budget, for every profile alike. Amounts are bytes of one GPU.
namespace kvseats::engine {

/// A term without a range: low, typical and high are the same.
[[nodiscard]] BudgetTerm exact_term(std::string id, std::string label, units::Bytes bytes,
                                    std::string formula, std::string source);

/// Adds the term `used`, what other programs hold; nothing where that is nothing.
void add_used(const Inputs& in, std::vector<BudgetTerm>& terms);

/// The term `overhead` as the person gave it. `in.overhead` must be set.
[[nodiscard]] BudgetTerm given_overhead(const Inputs& in);

/// How weights are divided over the GPUs, with the numbers in, and what a loader takes for it:
/// "16,060,522,496 B ÷ (tp 2 × pp 1) × 1.005", "(experts 9 B ÷ (ep 8 × pp 1) + 4 B ÷ (tp 8 × pp
/// 1))". Every tensor is rounded up by itself, so it may miss by some bytes. `factor` empty: none.
[[nodiscard]] std::string weights_formula(const model::Weights& weights, const Parallel& parallel,
                                          std::string_view factor = "");

/// What a share of the memory and other programs leave, with the numbers in: "85,018,542,080 B −
/// floor(0.9 × 85,018,542,080 B) − used 1,024 B". `rounding` opens the bracket: `floor(` or
/// `ceil(`.
[[nodiscard]] std::string share_left(units::Bytes seen, std::string_view rounding, double share,
                                     units::Bytes used);

/// `n` hundredths of a GiB, rounded down to bytes.
[[nodiscard]] units::Bytes hundredths_gib(std::uint64_t n);

/// `share` thousandths of an amount, rounded down.
[[nodiscard]] units::Bytes permille(units::Bytes amount, std::uint64_t share);

/// What `seen` leaves after one of the three amounts of every term; 0 where they take more.
[[nodiscard]] units::Bytes left_after_terms(units::Bytes seen, const std::vector<BudgetTerm>& terms,
                                            units::Bytes BudgetTerm::*amount);

}  // namespace kvseats::engine
