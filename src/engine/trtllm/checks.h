#pragma once

#include <vector>

#include "engine/formats.h"
#include "engine/trtllm/pools.h"

/// What TensorRT-LLM would refuse or what a person should know about this deployment.
namespace kvseats::engine::trtllm {

/// 16 bit, fp8 since 0.5, int8 since 0.5 (C++ back end), nvfp4 since 0.20 (KvCacheConfig.dtype).
/// Weights: 16 bit, fp8, int8, awq and gptq since 0.5, w4a16 since 0.11, blockwise fp8 and nvfp4
/// since 0.17, mxfp4 since 1.0 (quantization/mode.py). No GGUF, no bitsandbytes.
[[nodiscard]] FormatLists formats_of(const Settings& settings);

/// `E-TP` a tp that does not divide the attention heads, `E-DCP` decode context parallelism,
/// `N-REPLICATED`, `N-WINDOW-KEPT` for windows kept in full, `W-LAYOUT` for states and compressed
/// attention, which are only estimated, `E-FORMAT-ENGINE` and `W-NO-HARDWARE`.
[[nodiscard]] units::Diagnostics check(const Inputs& in, const Settings& settings);

}  // namespace kvseats::engine::trtllm
