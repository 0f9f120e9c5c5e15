#include "scenario/ghosts.h"

#include <algorithm>

#include "units/whole.h"

namespace kvseats::scenario {
namespace {

using chart::Point;
using units::kOutOfRange;

constexpr int kSamples = 96;

}  // namespace

std::uint64_t whole_at(const Curve& curve, std::uint64_t tokens) {
  std::uint64_t each = engine::requests_at(*curve.ranks, tokens, std::min(curve.prefix, tokens));
  if (curve.seq_cap) each = std::min(each, *curve.seq_cap);
  return units::checked_mul(each, curve.copies);
}

double smooth_at(const Curve& curve, std::uint64_t tokens) {
  const std::uint64_t prefix = std::min(curve.prefix, tokens);
  double least = 1e18;
  for (const engine::Rank& rank : *curve.ranks) {
    const std::uint64_t cost = rank.cost.at(tokens, prefix);
    if (cost == 0 || cost == kOutOfRange) continue;
    const std::uint64_t once = std::min(rank.cost.of_prefix(prefix), rank.capacity);
    least = std::min(least, static_cast<double>(rank.capacity - once) / static_cast<double>(cost));
  }
  if (curve.seq_cap) least = std::min(least, static_cast<double>(*curve.seq_cap));
  return least * static_cast<double>(curve.copies);
}

double at_fraction(const chart::Axis& axis, int i, int n) {
  return chart::value_at(axis, static_cast<double>(i) / n);
}

std::uint64_t tokens_of(double x) {
  return static_cast<std::uint64_t>(x + 0.5);
}

std::vector<Point> sampled(const Curve& curve, const chart::Axis& x) {
  std::vector<Point> points;
  for (int i = 0; i <= kSamples; ++i) {
    const double at = at_fraction(x, i, kSamples);
    const double y = smooth_at(curve, tokens_of(at));
    if (y > 0) points.push_back({at, y});
  }
  return points;
}

bool differ(const Curve& a, const Curve& b, const chart::Axis& x) {
  for (int i = 0; i <= 8; ++i) {
    const std::uint64_t tokens = tokens_of(at_fraction(x, i, 8));
    const double one = smooth_at(a, tokens);
    const double other = smooth_at(b, tokens);
    if (one > other * 1.03 || other > one * 1.03) return true;
  }
  return false;
}

}  // namespace kvseats::scenario
