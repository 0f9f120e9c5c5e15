#include "scenario/ghosts.h"

#include <algorithm>

#include "plan/capacity.h"
#include "units/whole.h"

namespace kvseats::scenario {
namespace {

using chart::Point;
using units::kOutOfRange;

constexpr int kSamples = 96;

}  // namespace

std::uint64_t whole_at(const Curve& curve, std::uint64_t tokens) {
  const plan::Load load = {.tokens = tokens, .shared = curve.shared};
  return plan::capacity(*curve.ranks, load, curve.seq_cap, curve.copies).requests;
}

double smooth_at(const Curve& curve, std::uint64_t tokens) {
  double least = 1e18;
  for (const engine::Rank& rank : *curve.ranks) {
    const engine::Shares each = engine::shares_of(rank.cost, tokens, curve.shared);
    if (each.own == kOutOfRange) continue;
    const double cost = static_cast<double>(each.own) +
                        static_cast<double>(each.document) / static_cast<double>(each.readers);
    if (cost == 0) continue;
    const std::uint64_t once = std::min(each.once, rank.capacity);
    least = std::min(least, static_cast<double>(rank.capacity - once) / cost);
  }
  const auto copies = static_cast<double>(curve.copies);
  least = std::max(0.0, least - static_cast<double>(curve.shared.idle) / copies);
  if (curve.seq_cap) least = std::min(least, static_cast<double>(*curve.seq_cap));
  return least * copies;
}

double at_fraction(const chart::Axis& axis, int i, int n) {
  return chart::value_at(axis, static_cast<double>(i) / n);
}

std::uint64_t tokens_of(double x) {
  return static_cast<std::uint64_t>(x + 0.5);
}

Samples samples_along(const chart::Axis& x) {
  Samples samples;
  samples.reserve(kSamples + 1);
  for (int i = 0; i <= kSamples; ++i) {
    const double at = at_fraction(x, i, kSamples);
    samples.push_back({at, tokens_of(at)});
  }
  return samples;
}

std::vector<Point> sampled(const Curve& curve, const Samples& samples) {
  std::vector<Point> points;
  points.reserve(samples.size());
  for (const Sample& sample : samples) {
    const double y = smooth_at(curve, sample.tokens);
    if (y > 0) points.push_back({sample.x, y});
  }
  return points;
}

bool differ(const Curve& a, const Curve& b, const Samples& samples) {
  constexpr std::size_t kEvery = kSamples / 8;
  for (std::size_t i = 0; i < samples.size(); i += kEvery) {
    const double one = smooth_at(a, samples[i].tokens);
    const double other = smooth_at(b, samples[i].tokens);
    if (one > other * 1.03 || other > one * 1.03) return true;
  }
  return false;
}

}  // namespace kvseats::scenario
