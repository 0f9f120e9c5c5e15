#include "plan/overflow.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "units/math.h"

namespace kvseats::plan {
namespace {

using units::kOutOfRange;

constexpr std::uint64_t kCells = 4096;
constexpr std::uint64_t kMostRequests = std::uint64_t{1} << 20;
constexpr double kEpsilon = 1e-6;

// A pool cut into cells of `width` units.
struct Grid {
  std::uint64_t width = 1;
  std::uint64_t cells = 0;  ///< whole ones
  bool exact = true;
};

Grid grid_for(std::span<const Crowd> crowds, std::uint64_t capacity) {
  std::uint64_t common = 0;
  for (const Crowd& crowd : crowds) {
    // What exceeds the pool alone does so in any unit.
    for (const CostAtom& atom : *crowd.law) {
      if (atom.units <= capacity) common = std::gcd(common, atom.units);
    }
  }
  Grid grid;
  grid.width = std::max<std::uint64_t>(common, 1);
  grid.exact = capacity / grid.width <= kCells;
  if (!grid.exact) grid.width = units::ceil_div(capacity, kCells);
  grid.cells = capacity / grid.width;
  return grid;
}

// The law in cells; what exceeds the pool alone is left out of it.
Law in_cells(const CostLaw& costs, const Grid& grid, std::uint64_t capacity) {
  Law law;
  const auto add = [&law](std::uint64_t cell, double p) {
    if (law.p.size() <= cell) law.p.resize(static_cast<std::size_t>(cell) + 1, 0.0);
    law.p[static_cast<std::size_t>(cell)] += p;
  };
  for (const CostAtom& atom : costs) {
    if (atom.units > capacity) continue;
    const std::uint64_t rest = atom.units % grid.width;
    const double up = static_cast<double>(rest) / static_cast<double>(grid.width);
    add(atom.units / grid.width, atom.probability * (1 - up));
    if (rest != 0) add(atom.units / grid.width + 1, atom.probability * up);
  }
  return law;
}

// How far rounding `count` requests may move their sum, in cells, and how likely it is further.
struct Slack {
  std::uint64_t cells = 0;
  double beyond = 0;
};

Slack slack_of(const Grid& grid, std::uint64_t count) {
  if (grid.exact || count == 0) return {};
  const double n = static_cast<double>(count);
  const auto cells =
      static_cast<std::uint64_t>(std::ceil(std::sqrt(-n * units::log(kEpsilon) / 2)));
  if (cells >= count) return {.cells = count, .beyond = 0};
  return {.cells = cells, .beyond = kEpsilon};
}

Chance chance_of(const Law& sum, const Grid& grid, std::uint64_t count) {
  const Slack slack = slack_of(grid, count);
  Chance out;
  out.exact = grid.exact;
  const double within = sum.up_to(grid.cells);
  out.typical = std::max(0.0, 1 - within);
  if (grid.exact) {
    out.low = out.high = out.typical;
    return out;
  }
  out.low = std::max(0.0, 1 - sum.up_to(grid.cells + slack.cells) - slack.beyond);
  const double safe = slack.cells > grid.cells ? 0 : sum.up_to(grid.cells - slack.cells);
  out.high = std::min(1.0, 1 - safe + slack.beyond);
  return out;
}

Chance certain() {
  return {.low = 1, .typical = 1, .high = 1};
}

// Binary descent: from the largest power of two down, each kept while the risk allows it. The
// probability never falls as requests are added, so this finds the last that is allowed.
template <class Allowed>
std::uint64_t descend(const std::vector<Law>& powers, std::uint64_t limit, Allowed allowed) {
  Law sum = nothing();
  std::uint64_t count = 0;
  for (std::size_t k = powers.size(); k-- > 0;) {
    const std::uint64_t tried = count + (std::uint64_t{1} << k);
    if (tried > limit) continue;
    Law more = convolved(sum, powers[k], 2 * kCells);
    if (!allowed(more, tried)) continue;
    sum = std::move(more);
    count = tried;
  }
  return count;
}

}  // namespace

void add_pool(const Chance& one, Chance& all) {
  constexpr double kRounding = 1e-12;
  all.low = std::max(all.low, one.low);
  all.typical = std::max(all.typical, one.typical);
  all.high = std::min(1.0, all.high + one.high);
  // Pools that may overflow apart or together are known only to a range.
  all.exact = all.exact && one.exact && all.high - all.low <= kRounding;
}

Chance overflow(std::span<const Crowd> crowds, std::uint64_t capacity) {
  std::uint64_t count = 0;
  for (const Crowd& crowd : crowds) count = units::checked_add(count, crowd.count);
  if (count > kMostRequests) return certain();
  const Grid grid = grid_for(crowds, capacity);
  const std::uint64_t most = grid.cells + slack_of(grid, count).cells;
  Law sum = nothing();
  for (const Crowd& crowd : crowds) {
    sum = convolved(sum, power(in_cells(*crowd.law, grid, capacity), crowd.count, most), most);
  }
  return chance_of(sum, grid, count);
}

Most most_at_risk(const CostLaw& law, std::uint64_t capacity, double risk) {
  if (law.empty() || law.back().units == 0) return {kOutOfRange, kOutOfRange, kOutOfRange};
  const Crowd one = {.law = &law, .count = 1};
  const Grid grid = grid_for({&one, 1}, capacity);
  std::uint64_t limit = kMostRequests;
  if (law.front().units > 0) limit = std::min(limit, capacity / law.front().units);
  std::vector<Law> powers;
  for (std::uint64_t n = 1; n <= limit; n *= 2) {
    powers.push_back(powers.empty() ? in_cells(law, grid, capacity)
                                    : convolved(powers.back(), powers.back(), 2 * kCells));
    // Nothing is left within the pool: more of them are certain to overflow.
    if (powers.back().p.empty()) break;
  }
  const auto at = [&](double Chance::*bound) {
    return descend(powers, limit, [&](const Law& sum, std::uint64_t count) {
      return chance_of(sum, grid, count).*bound <= risk;
    });
  };
  if (grid.exact) {
    const std::uint64_t count = at(&Chance::typical);
    return {count, count, count};
  }
  return {at(&Chance::high), at(&Chance::typical), at(&Chance::low)};
}

Deployment deployed(const std::vector<engine::Rank>& ranks, std::optional<std::uint64_t> seq_cap,
                    const traffic::Lengths& prompt, const traffic::Lengths& output,
                    std::uint64_t prefix) {
  Deployment out;
  out.most = seq_cap.value_or(UINT64_MAX);
  for (const engine::Rank& rank : ranks) {
    const bool cells = rank.shared_cells != 0;
    const std::uint64_t shared = cells ? prefix : rank.cost.of_prefix(prefix);
    out.laws.push_back(running_law(rank, prompt, output, prefix));
    out.capacities.push_back(
        units::saturating_sub(cells ? rank.shared_cells : rank.capacity, shared));
    out.most = std::min(out.most, rank.slots);
  }
  return out;
}

Chance overflow(const Deployment& deployment, std::uint64_t count) {
  if (count > deployment.most) return certain();
  Chance all;
  for (std::size_t i = 0; i < deployment.laws.size(); ++i) {
    const Crowd crowd = {.law = &deployment.laws[i], .count = count};
    add_pool(overflow({&crowd, 1}, deployment.capacities[i]), all);
  }
  return all;
}

}  // namespace kvseats::plan
