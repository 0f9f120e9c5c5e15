#pragma once

#include "engine/engine.h"

/// SGLang: what `python -m sglang.launch_server` allocates for a model's cache.
///
/// The steps, one file each:
///
///     rules     which version computes how; release months
///     settings  the engine's own options, defaults filled in
///     cells     bytes per token and per state slot on the GPUs of one pipeline stage
///     pools     memory left after loading, cut into slots, full and window pools
///     budget    what is left: fraction of the memory free before loading, not of the total
///     lines     start-up lines, refusals and flags, in the engine's words
///
/// Pool units are bytes. A GPU may have three pools that a request must all find room in: the full
/// one, one for layers with a window (a *ratio* of the full one, not a window for each request),
/// and slots for recurrent states.
///
/// Data-parallel attention is `tp=1 dp=8 ep=8` here: the engine's `--tp 8 --dp 8
/// --enable-dp-attention` holds a pool for each of eight ranks and splits experts over all GPUs.
///
/// Sources: sgl-project/sglang at 003fca80,
/// `python/sglang/srt/model_executor/pool_configurator.py`,
/// `python/sglang/srt/mem_cache/kv_cache_configurator.py`, `mem_cache/memory_pool.py`,
/// `mem_cache/swa_memory_pool.py`, `server_args.py`; older: `model_executor/
/// model_runner_kv_cache_mixin.py` at 001ccef0.
namespace kvseats::engine {

[[nodiscard]] const Profile& sglang_profile();

}  // namespace kvseats::engine
