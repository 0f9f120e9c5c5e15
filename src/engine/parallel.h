#pragma once

#include <string_view>

#include "engine/engine.h"

/// What engines say of parallel sizes, for every profile that splits heads.
namespace kvseats::engine {

/// `E-TP` for a tp that does not divide the attention heads. vLLM (`verify_with_parallel_config`,
/// vllm/config/model.py), SGLang (`assert total_num_heads % tp_size == 0` of its models) and
/// TensorRT-LLM (`num_heads % tp_size`, layers/attention.py) refuse it alike. Nothing where the
/// heads are not known.
void refuse_uneven_heads(std::string_view engine, const Inputs& in, units::Diagnostics& list);

/// `N-REPLICATED` for heads or latents of which several tensor-parallel GPUs hold a copy; nothing
/// with dcp, which deals tokens out over the copies.
void note_copies(const Inputs& in, units::Diagnostics& list);

/// How many tensor-parallel GPUs hold the same heads (latents: all of them); the fewest over the
/// groups that keep K and V.
[[nodiscard]] std::uint32_t copies_of_heads(const Inputs& in);

}  // namespace kvseats::engine
