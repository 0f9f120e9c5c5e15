#pragma once

#include <cstdint>
#include <optional>

#include "engine/vllm/groups.h"

/// Blocks that one request of L tokens takes out of the pool, over all groups.
///
///     every token        ceil(ceil(L ÷ (dcp × pcp)) ÷ block)
///     window w           ceil(min(w − 1 + B, L) ÷ block) + 1
///     chunk c            ceil(min(c + B, L) ÷ block)
///     encoder            ceil(encoder tokens ÷ block)
///     state              none: 1 + spec;  align: 2 + spec;  all: ceil(L ÷ block) + spec
///
/// B is the step budget, times the batches in flight from 0.24 on; spec the speculative tokens.
/// Every group counts once. Sources: `max_memory_usage_bytes` of each spec in
/// vllm/v1/kv_cache_interface.py at 001cabc1; B from `max_in_flight_tokens` in vllm/config/vllm.py.
namespace kvseats::engine::vllm {

/// As terms of a cost: one per bucket.
[[nodiscard]] Cost cost_of(const Layout& layout, const Settings& settings);

/// Bytes the start-up check wants on the fullest stage for one request of `tokens`; before 0.14 the
/// sum over layers, padding left out.
[[nodiscard]] std::uint64_t needed_bytes(const Layout& layout, const Settings& settings,
                                         std::uint64_t tokens);

/// The largest length from 1 to `limit` whose need fits into `available` bytes; 0 if none (the
/// engine's "estimated maximum model length").
[[nodiscard]] std::uint64_t longest_that_fits(const Layout& layout, const Settings& settings,
                                              std::uint64_t available, std::uint64_t limit);

/// What the log calls "GPU KV cache size" for so many blocks: old versions
/// `blocks // groups × smallest block` (× dcp × pcp), from 0.21 on `int(blocks ÷ need × context)`.
/// None where the engine prints no tokens or a token costs nothing.
[[nodiscard]] std::optional<std::uint64_t> printed_tokens(const Layout& layout,
                                                          const Settings& settings,
                                                          std::uint64_t blocks,
                                                          std::uint64_t context);

/// "Maximum concurrency" for so many blocks; 0 where a request costs nothing.
[[nodiscard]] double printed_ratio(const Layout& layout, const Settings& settings,
                                   std::uint64_t blocks, std::uint64_t context);

/// The fewest blocks for which the token line says at least `tokens`.
[[nodiscard]] std::uint64_t blocks_for_tokens(const Layout& layout, const Settings& settings,
                                              std::uint64_t tokens, std::uint64_t context);

}  // namespace kvseats::engine::vllm
