#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/engine.h"

/// Inverses of one outcome: most requests at a length, longest length for some requests, GPUs for
/// some users. All of them ask the compiled cost of room `engine`; none has a formula of its own.
///
/// Counts of requests are `kOutOfRange` where memory sets no limit (a request costs nothing).
namespace kvseats::plan {

/// How requests of the load enter the pool.
struct Load {
  std::uint64_t tokens = 0;  ///< what one request takes up: prompt + output, or `context` reserved
  engine::Sharing shared;    ///< of it, and idle sessions of the same length beside the requests
};

enum class Limit { kMemory, kEngine, kModel, kNothing };

struct Capacity {
  std::uint64_t held = 0;         ///< requests that one copy's memory holds, idle ones among them
  std::uint64_t most = 0;         ///< the same, engine's own cap applied
  std::uint64_t per_replica = 0;  ///< at once in the fullest copy, idle sessions left out
  std::uint64_t requests = 0;     ///< in all copies; idle sessions lie wherever there is room
  Limit limited_by = Limit::kMemory;
};

/// Requests at once over `dp` copies that hold `idle` sessions beside them.
[[nodiscard]] std::uint64_t at_once(const Capacity& one, std::uint64_t idle, std::uint64_t dp);

/// Requests of `load` at once. `seq_cap` is the engine's most sequences per copy.
[[nodiscard]] Capacity capacity(const std::vector<engine::Rank>& ranks, const Load& load,
                                std::optional<std::uint64_t> seq_cap, std::uint64_t dp);

/// The same ranks with other pool sizes (low, high).
[[nodiscard]] std::vector<engine::Rank> with_capacity(std::vector<engine::Rank> ranks,
                                                      const std::vector<std::uint64_t>& capacity);

/// Copies for `users` requests at once beside `idle` sessions: the larger of
/// ceil((users + idle) / held) and ceil(users / most); none if not even one request fits a copy.
/// Unlimited copies need one copy.
[[nodiscard]] std::optional<std::uint64_t> copies_needed(std::uint64_t users, std::uint64_t idle,
                                                         const Capacity& one);

/// Longest equal length at which `users` requests run at once over `dp` copies, idle sessions
/// beside them (ceil((users + idle) / dp) in the fullest), at most `limit`. 0: not even one token
/// each.
[[nodiscard]] std::uint64_t longest_for(const std::vector<engine::Rank>& ranks, std::uint64_t users,
                                        std::uint64_t dp, const engine::Sharing& shared,
                                        std::uint64_t limit);

/// The largest length worth asking for: beyond it nobody's numbers are exact in JSON.
inline constexpr std::uint64_t kLongest = std::uint64_t{1} << 40;

}  // namespace kvseats::plan
