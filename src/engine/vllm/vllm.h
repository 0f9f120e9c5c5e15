#pragma once

#include "engine/engine.h"

/// vLLM: what `vllm serve` allocates for a model's cache, rule set by rule set.
///
/// The steps, one file each:
///
///     rules     which version computes how; release months
///     settings  the engine's own options, defaults filled in
///     specs     one cache spec per layer: bytes of a block, window, state
///     groups    page unification, groups, padding layers, the same per pipeline stage
///     needs     blocks that one request takes, as terms of a `Cost`
///     budget    fraction of total − weights − activations − graphs − runtime
///     lines     start-up lines, refusals and flags, in the engine's words
///
/// Pool units are blocks (one block of every layer of a group). Block 0 is the null block: it is
/// counted by the start-up lines and never serves a request, so a rank's capacity is one less.
///
/// Sources: vllm-project/vllm, `vllm/v1/core/kv_cache_utils.py`, `vllm/v1/kv_cache_interface.py`,
/// `vllm/v1/worker/gpu_worker.py`, `vllm/model_executor/layers/mamba/mamba_utils.py`,
/// `vllm/model_executor/models/config.py`, `vllm/worker/worker.py` (V0),
/// `vllm/distributed/utils.py`; commits are named beside each rule.
namespace kvseats::engine {

[[nodiscard]] const Profile& vllm_profile();

}  // namespace kvseats::engine
