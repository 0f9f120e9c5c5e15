#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/sglang/cells.h"

/// What is left of a GPU after loading, cut into state slots and tokens.
///
///     states    slots = (rest × ratio ÷ (1 + ratio) − slot) ÷ slot, or as given; slots + 1 exist.
///               With d draft tokens every request that may run keeps d further states:
///               (rest × ratio ÷ (1 + ratio) − slot × (1 + d)) ÷ (slot × (1 + d ÷ slots a request))
///     tokens    (rest − states) ÷ bytes per token, down to a page
///     window    tokens ÷ (full + ratio × window bytes); window tokens = tokens × ratio, down to a
///               page. Before 0.5.9 the tokens were counted as if nothing were saved, then raised
///     requests  min(max(tokens ÷ context × 512, 2,048), 4,096), half the tokens, slots ÷ slots a
///               request
///
/// One page more than that is allocated in every layer and charged to nobody. Pipeline stages agree
/// on the fewest tokens; states are charged by the fullest stage.
///
/// Sources: kv_cache_configurator.py at 003fca80 (`_handle_max_mamba_cache`,
/// `resolve_max_num_reqs`), pool_configurator.py (`calculate_pool_sizes`, `_solve_pool_sizes`).
namespace kvseats::engine::sglang {

struct Sizes {
  std::uint64_t tokens = 0;         ///< `max_total_num_tokens` of one rank
  std::uint64_t window_tokens = 0;  ///< of the window pool; 0: none
  std::uint64_t slots = 0;          ///< `max_mamba_cache_size`; 0: no states
  std::uint64_t requests = 0;       ///< `max_running_requests` of one rank
  bool no_tokens = false;           ///< what is left holds not one page
  std::uint64_t charged = 0;        ///< bytes taken for states before the tokens are cut
  std::size_t stage = 0;            ///< that has the fewest tokens
};

/// Sizes for `rest` bytes on each GPU.
[[nodiscard]] Sizes sizes_for(const Inputs& in, const Settings& settings,
                              const std::vector<Stage>& stages, units::Bytes rest);

/// Sizes whose log would say `tokens`.
[[nodiscard]] Sizes sizes_of_tokens(const Inputs& in, const Settings& settings,
                                    const std::vector<Stage>& stages, std::uint64_t tokens);

/// Bytes that these sizes take on the GPUs of a stage, spare page and padding slot included.
[[nodiscard]] units::Bytes allocated(const Settings& settings, const Stage& stage,
                                     const Sizes& sizes);

/// The rows of the log for one stage.
[[nodiscard]] std::vector<CacheRow> rows_of(const Settings& settings, const Stage& stage,
                                            const Sizes& sizes);

/// One rank per pool of a stage: what a request takes there and what the pool holds, in bytes.
///
///     full     ceil(L ÷ page) pages; encoder tokens on top
///     window   ceil(min(L, window + page) ÷ page) pages
///     states   the slots that a request may hold
[[nodiscard]] std::vector<Rank> ranks_of(const Settings& settings, const Stage& stage,
                                         const Sizes& sizes);

}  // namespace kvseats::engine::sglang
