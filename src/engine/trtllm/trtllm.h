#pragma once

#include "engine/engine.h"

/// TensorRT-LLM: what `trtllm-serve` allocates for a model's cache, with its C++ (TensorRT engine)
/// and its PyTorch back end.
///
/// The steps, one file each:
///
///     settings  version, back end, the engine's own options, defaults filled in
///     pools     bytes per token of every stage and window, blocks, what a request takes
///     budget    a fraction of the memory that is *free after loading*
///     lines     start-up lines, refusals and flags, in the engine's words
///
///     C++       blocks = ceil(floor(budget ÷ bytes per token) ÷ tokens per block)    rounds up
///     PyTorch   blocks = floor(budget ÷ bytes per token ÷ tokens per block)          rounds down
///
/// All ranks use the fewest tokens of any. Pool units are bytes of one GPU. Layers with different
/// windows have a pool for each window, which share the memory equally; with one window there is
/// one pool of blocks.
///
/// Data-parallel attention is `tp=1 dp=8 ep=8` here: the engine's `--tp_size 8` with
/// `enable_attention_dp` holds a pool for each of eight ranks.
///
/// Sources: NVIDIA/TensorRT-LLM, `cpp/tensorrt_llm/batch_manager/kvCacheManager.cpp`
/// (`BaseKVCacheManager::calculateMaxNumBlocks`, `allocatePools`),
/// `tensorrt_llm/_torch/pyexecutor/resource_manager.py` at 001541ba (`calculate_max_num_blocks`,
/// `get_cache_bytes_per_token`, `get_max_atten_window_upper_bound`),
/// `tensorrt_llm/_torch/pyexecutor/_util.py` (`_cal_max_memory`).
namespace kvseats::engine {

[[nodiscard]] const Profile& trtllm_profile();

}  // namespace kvseats::engine
