#include "plan/capacity.h"

#include <algorithm>

namespace kvseats::plan {

using units::kOutOfRange;

Capacity capacity(const std::vector<engine::Rank>& ranks, const Load& load,
                  std::optional<std::uint64_t> seq_cap, std::uint64_t dp) {
  Capacity result;
  result.per_replica = engine::requests_at(ranks, load.tokens, load.prefix);
  if (result.per_replica == kOutOfRange) {
    result.limited_by = Limit::kNothing;
  } else if (engine::ends_before_memory(ranks, load.tokens, load.prefix)) {
    result.limited_by = Limit::kEngine;
  }
  if (seq_cap && *seq_cap < result.per_replica) {
    result.per_replica = *seq_cap;
    result.limited_by = Limit::kEngine;
  }
  result.requests = units::checked_mul(result.per_replica, dp);
  return result;
}

std::vector<engine::Rank> with_capacity(std::vector<engine::Rank> ranks,
                                        const std::vector<std::uint64_t>& capacity) {
  for (std::size_t i = 0; i < ranks.size() && i < capacity.size(); ++i) {
    ranks[i].capacity = capacity[i];
  }
  return ranks;
}

std::optional<std::uint64_t> gpus_needed(std::uint64_t users, std::uint64_t per_replica,
                                         std::uint64_t gpus_per_copy) {
  if (per_replica == 0) return std::nullopt;
  if (per_replica == kOutOfRange) return gpus_per_copy;
  return units::checked_mul(units::ceil_div(users, per_replica), gpus_per_copy);
}

std::uint64_t longest_for(const std::vector<engine::Rank>& ranks, std::uint64_t users,
                          std::uint64_t dp, std::uint64_t prefix, std::uint64_t limit) {
  return engine::longest_at(ranks, units::ceil_div(users, dp), limit, prefix);
}

}  // namespace kvseats::plan
