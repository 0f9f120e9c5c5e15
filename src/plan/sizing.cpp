#include <algorithm>

#include "plan/overflow.h"

// Sizing by the sum beside sizing by the longest, and the curve between nobody and everybody.
namespace kvseats::plan {
namespace {

using units::kOutOfRange;

// The tightest pool decides; with several pools the risk is shared evenly, which is safe for `low`.
Most most_of(const Deployment& deployment, double risk) {
  Most out = {kOutOfRange, kOutOfRange, kOutOfRange};
  const auto pools = static_cast<double>(std::max<std::size_t>(deployment.laws.size(), 1));
  for (std::size_t i = 0; i < deployment.laws.size(); ++i) {
    const CostLaw& law = deployment.laws[i];
    const Most whole = most_at_risk(law, deployment.capacities[i], risk);
    const Most part =
        pools == 1 ? whole : most_at_risk(law, deployment.capacities[i], risk / pools);
    out.low = std::min(out.low, part.low);
    out.typical = std::min(out.typical, whole.typical);
    out.high = std::min(out.high, whole.high);
  }
  out.low = std::min(out.low, deployment.most);
  out.typical = std::min(out.typical, deployment.most);
  out.high = std::min(out.high, deployment.most);
  return out;
}

}  // namespace

Sizing sized(const std::vector<engine::Rank>& ranks, std::optional<std::uint64_t> seq_cap,
             const traffic::Lengths& prompt, const traffic::Lengths& output, std::uint64_t prefix,
             double risk) {
  Sizing out;
  const Deployment deployment = deployed(ranks, seq_cap, prompt, output, prefix);
  out.by_sum = most_of(deployment, risk);
  out.p95_tokens = final_length(prompt, output, 95);
  out.by_p95 = std::min(engine::requests_at(ranks, out.p95_tokens, prefix), deployment.most);
  const bool any = out.by_p95 != 0 && out.by_p95 != kOutOfRange;
  out.gain = any ? static_cast<double>(out.by_sum.low) / static_cast<double>(out.by_p95) : 0;
  if (out.by_p95 == kOutOfRange) out.gain = 1;
  return out;
}

std::vector<CurvePoint> overflow_curve(const Deployment& deployment, std::size_t points) {
  const Most first = most_of(deployment, 1e-4);
  const Most last = most_of(deployment, 0.999);
  std::vector<CurvePoint> out;
  if (last.high == kOutOfRange || points < 2) return out;
  const std::uint64_t begin = std::max<std::uint64_t>(first.low, 1);
  const std::uint64_t end = std::max(units::checked_add(last.high, 1), begin + 1);
  const std::uint64_t steps = std::min<std::uint64_t>(points - 1, end - begin);
  for (std::uint64_t i = 0; i <= steps; ++i) {
    const std::uint64_t count = begin + units::mul_div_floor(end - begin, i, steps);
    out.push_back({.count = count, .chance = overflow(deployment, count)});
  }
  return out;
}

}  // namespace kvseats::plan
