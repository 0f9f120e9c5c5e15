#include "plan/capacity.h"

#include <algorithm>

namespace kvseats::plan {

using units::kOutOfRange;

Capacity capacity(const std::vector<engine::Rank>& ranks, const Load& load,
                  std::optional<std::uint64_t> seq_cap, std::uint64_t dp) {
  Capacity result;
  result.held = result.most = engine::requests_at(ranks, load.tokens, load.shared);
  if (result.held == kOutOfRange) {
    result.limited_by = Limit::kNothing;
  } else if (engine::ends_before_memory(ranks, load.tokens, load.shared)) {
    result.limited_by = Limit::kEngine;
  }
  if (seq_cap && *seq_cap < result.held) result.most = *seq_cap;
  result.requests = at_once(result, load.shared.idle, dp);
  result.per_replica =
      result.requests == kOutOfRange ? result.most : units::ceil_div(result.requests, dp);
  if (result.most < result.held && result.requests == units::checked_mul(result.most, dp)) {
    result.limited_by = Limit::kEngine;
  }
  return result;
}

std::uint64_t at_once(const Capacity& one, std::uint64_t idle, std::uint64_t dp) {
  const std::uint64_t running = units::checked_mul(one.most, dp);
  if (one.held == kOutOfRange) return running;
  return std::min(running, units::saturating_sub(units::checked_mul(one.held, dp), idle));
}

std::optional<std::uint64_t> copies_needed(std::uint64_t users, std::uint64_t idle,
                                           const Capacity& one) {
  if (one.most == 0) return std::nullopt;
  const auto copies = [](std::uint64_t count, std::uint64_t each) {
    return each == kOutOfRange ? 1 : units::ceil_div(count, each);
  };
  return std::max(copies(units::checked_add(users, idle), one.held), copies(users, one.most));
}

std::vector<engine::Rank> with_capacity(std::vector<engine::Rank> ranks,
                                        const std::vector<std::uint64_t>& capacity) {
  for (std::size_t i = 0; i < ranks.size() && i < capacity.size(); ++i) {
    ranks[i].capacity = capacity[i];
  }
  return ranks;
}

std::uint64_t longest_for(const std::vector<engine::Rank>& ranks, std::uint64_t users,
                          std::uint64_t dp, const engine::Sharing& shared, std::uint64_t limit) {
  const std::uint64_t held = units::checked_add(users, shared.idle);
  return engine::longest_at(ranks, units::ceil_div(held, dp), limit, shared);
}

}  // namespace kvseats::plan
