#pragma once

#include "engine/formats.h"
#include "engine/vllm/rules.h"

/// The formats that vLLM of a version has.
///
/// Cache (`--kv-cache-dtype`, vllm/config/cache.py): the model's 16-bit types always; fp8 and
/// fp8_e5m2 from 0.5; fp8_ds_mla from 0.11; per-token-head scales from 0.18; TurboQuant
/// from 0.20; nvfp4 and int4_per_token_head from 0.21. fp8 is written `fp8` and means e4m3.
///
/// Weights (`--quantization` and what checkpoints declare,
/// vllm/model_executor/layers/quantization/__init__.py): 16 bit, fp8, int8, awq, gptq, w4a16
/// (compressed-tensors), bitsandbytes, GGUF from 0.6; mxfp4 from 0.10.1; nvfp4 from 0.8; mxfp8 from
/// 0.15. MLX never.
namespace kvseats::engine::vllm {

[[nodiscard]] FormatLists formats_of(Version version);

}  // namespace kvseats::engine::vllm
