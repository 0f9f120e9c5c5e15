#include "plan/mix.h"

#include <algorithm>

namespace kvseats::plan {
namespace {

using units::ceil_div;
using units::checked_add;
using units::checked_mul;

// Tokens, where cells are shared by all requests: their cost is the whole server's.
std::uint64_t units_of(const engine::Rank& rank, const Load& load) {
  return rank.shared_cells != 0 ? load.tokens : rank.cost.at(load.tokens);
}

}  // namespace

std::optional<double> used_by(const std::vector<engine::Rank>& ranks,
                              std::optional<std::uint64_t> seq_cap, std::span<const Demand> demands,
                              std::uint64_t copies) {
  double most = 0;
  for (const engine::Rank& rank : ranks) {
    std::uint64_t sum = 0;
    std::uint64_t running = 0;
    for (const Demand& demand : demands) {
      const std::uint64_t users = ceil_div(demand.users, copies);
      sum = checked_add(sum, checked_mul(users, units_of(rank, demand.load)));
      running = checked_add(running, users);
    }
    const std::uint64_t room = rank.shared_cells != 0 ? rank.shared_cells : rank.capacity;
    if (sum > room) return std::nullopt;
    if (running > std::min(rank.slots, seq_cap.value_or(UINT64_MAX))) return std::nullopt;
    if (room != 0) most = std::max(most, static_cast<double>(sum) / static_cast<double>(room));
  }
  return most;
}

std::optional<std::uint64_t> fewest_copies(const std::vector<engine::Rank>& ranks,
                                           std::optional<std::uint64_t> seq_cap,
                                           std::span<const Demand> demands) {
  std::uint64_t high = 1;
  for (const Demand& demand : demands) high = std::max(high, demand.users);
  if (!used_by(ranks, seq_cap, demands, high)) return std::nullopt;
  std::uint64_t low = 1;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (used_by(ranks, seq_cap, demands, middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

std::vector<Offer> offers(const engine::Profile& profile, const engine::Inputs& inputs,
                          std::span<const Demand> demands, const Bounds& bounds) {
  std::vector<Offer> out;
  std::vector<Offer> odd;
  std::vector<Group> tried = groups(*inputs.model, bounds);
  if (bounds.layout_fixed) tried = {{inputs.parallel}};
  for (const Group& group : tried) {
    engine::Inputs here = inputs;
    here.parallel = group.parallel;
    const engine::Outcome outcome = profile.run(here);
    if (obstacle_of(outcome) != Obstacle::kNone) continue;
    const Load any = {.tokens = 1, .shared = {}};  // of `context` one must fit, but by hand
    if (served(profile, outcome, outcome.ranks, inputs.context, any).most == 0) continue;
    const auto copies = fewest_copies(outcome.ranks, outcome.seq_cap, demands);
    if (!copies) continue;
    Offer offer;
    offer.group = group;
    offer.needed = checked_mul(ceil_div(*copies, group.parallel.dp), group.gpus());
    offer.rented = rented(offer.needed, bounds.node);
    offer.groups = offer.rented / group.gpus();
    const auto used = used_by(outcome.ranks, outcome.seq_cap, demands,
                              checked_mul(offer.groups, group.parallel.dp));
    offer.free = used ? 1 - *used : 0;
    (is_usual(profile, *inputs.model, group) ? out : odd).push_back(offer);
  }
  return out.empty() ? odd : out;
}

std::vector<std::size_t> front(std::span<const Price> prices) {
  std::vector<std::size_t> order(prices.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&prices](std::size_t a, std::size_t b) {
    if (prices[a].cost != prices[b].cost) return prices[a].cost < prices[b].cost;
    return prices[a].free > prices[b].free;
  });
  std::vector<std::size_t> out;
  double roomiest = -1;
  for (const std::size_t i : order) {
    if (prices[i].free <= roomiest) continue;
    roomiest = prices[i].free;
    out.push_back(i);
  }
  return out;
}

std::vector<std::size_t> useful(std::span<const Price> prices,
                                const std::vector<std::size_t>& front) {
  std::vector<std::size_t> out;
  for (const std::size_t i : front) {
    if (!out.empty()) {
      if (prices[i].cost > prices[out.front()].cost * kMostTimesTheCheapest) continue;
      if (prices[i].free < prices[out.back()].free + kLeastMoreRoom) continue;
    }
    out.push_back(i);
  }
  return out;
}

}  // namespace kvseats::plan
