#pragma once

#include <string>
#include <vector>

#include "engine/sglang/budget.h"
#include "engine/sglang/pools.h"

/// The engine's own words: start-up lines, the reason it would not start, the command line.
///
/// Texts as in mem_cache/memory_pool.py, mem_cache/swa_memory_pool.py, pool_configurator.py,
/// kv_cache_configurator.py (`_profile_available_bytes`, `_handle_max_mamba_cache`) at 003fca80 and
/// managers/scheduler.py; "GB" is 2^30.
namespace kvseats::engine::sglang {

[[nodiscard]] std::vector<std::string> start_lines(const Inputs& in, const Settings& settings,
                                                   const Stage& stage, const Sizes& sizes);

/// Why it would not start, or would turn away one request of the context.
[[nodiscard]] Refusal refusal_of(const Inputs& in, const Settings& settings,
                                 const std::vector<Stage>& stages, const Sizes& sizes,
                                 const Budget& budget, units::Bytes rest);

/// `python -m sglang.launch_server …`, one word each; only what differs from the defaults, and
/// always the context.
[[nodiscard]] std::vector<std::string> flags_of(const Inputs& in, const Settings& settings,
                                                const Sizes& sizes);

}  // namespace kvseats::engine::sglang
