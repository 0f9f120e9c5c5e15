#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "plan/convolve.h"
#include "plan/in_flight.h"

/// The probability that a pool overflows with N requests in it, and the N that fit at a risk.
///
/// The sum S of what N independent requests hold is convolved exactly where all their costs are
/// multiples of a unit of which the pool has at most 4,096 (blocks of a small pool, equal
/// requests). Else the pool is cut into 4,096 cells, and a cost between two cells becomes the lower
/// or the upper one by chance so that its mean stays (local moment matching: Hans U. Gerber, "On
/// the numerical evaluation of the distribution of aggregate claims", ASTIN Bulletin 13, 1982). The
/// error of that is bounded: the rounding of N requests is a sum of N independent numbers of mean
/// 0, each within one cell, so by Hoeffding (JASA 58, 1963, theorem 2) it reaches t cells with a
/// probability of at most exp(−2t²/N) = ε. Hence
///
///     P(S′ > C + t) − ε  ≤  P(S > C)  ≤  P(S′ > C − t) + ε        with ε = 10⁻⁶ (or t = N, ε = 0)
///
/// which is the stated range. Where a request needs room in several pools, they are not
/// independent: the range is from the worst of them to their sum (Boole).
namespace kvseats::plan {

/// `low` ≤ P ≤ `high`; `typical` between them. Equal, but for rounding below 10⁻¹², where exact:
/// false for sums in cells, and for several pools of which more than one may overflow.
struct Chance {
  double low = 0, typical = 0, high = 0;
  bool exact = true;
};

/// Makes `all`, the chance that one of some pools overflows, that of these and one more.
void add_pool(const Chance& one, Chance& all);

/// Requests of one kind in a pool.
struct Crowd {
  const CostLaw* law = nullptr;
  std::uint64_t count = 0;
};

/// P(their costs together exceed `capacity`). More than 2^20 requests are certain to.
[[nodiscard]] Chance overflow(std::span<const Crowd> crowds, std::uint64_t capacity);

/// Most requests of this law whose sum exceeds `capacity` with a probability of at most `risk`.
/// `low` ≤ the true number ≤ `high`; all `kOutOfRange` where a request may cost nothing for ever.
struct Most {
  std::uint64_t low = 0, typical = 0, high = 0;
};
[[nodiscard]] Most most_at_risk(const CostLaw& law, std::uint64_t capacity, double risk);

/// A kind of requests on a whole deployment: one law and one capacity for each rank, what the
/// shared prefix holds taken off.
struct Deployment {
  std::vector<CostLaw> laws;
  std::vector<std::uint64_t> capacities;
  std::uint64_t most = UINT64_MAX;  ///< slots of the engine
};
[[nodiscard]] Deployment deployed(const std::vector<engine::Rank>& ranks,
                                  std::optional<std::uint64_t> seq_cap,
                                  const traffic::Lengths& prompt, const traffic::Lengths& output,
                                  std::uint64_t prefix = 0);

/// P(`count` requests overflow some pool); 1 beyond the slots.
[[nodiscard]] Chance overflow(const Deployment& deployment, std::uint64_t count);

/// "N that fits at P95 of the sum" beside "N × P95": what sizing by the sum gains.
struct Sizing {
  Most by_sum;                   ///< at once with a risk of at most `risk`, slots included
  std::uint64_t p95_tokens = 0;  ///< final length that 95 % of the requests do not exceed
  std::uint64_t by_p95 = 0;      ///< requests of that length at once
  double gain = 1;               ///< by_sum.low ÷ by_p95; 0 where not even one fits
};
[[nodiscard]] Sizing sized(const std::vector<engine::Rank>& ranks,
                           std::optional<std::uint64_t> seq_cap, const traffic::Lengths& prompt,
                           const traffic::Lengths& output, std::uint64_t prefix = 0,
                           double risk = 0.05);

/// The overflow probability over the number of requests.
struct CurvePoint {
  std::uint64_t count = 0;
  Chance chance;
};
/// At most `points` of them, evenly spaced, around where it rises from 0 to 1.
[[nodiscard]] std::vector<CurvePoint> overflow_curve(const Deployment& deployment,
                                                     std::size_t points);

}  // namespace kvseats::plan
