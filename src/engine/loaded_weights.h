#pragma once

#include "engine/engine.h"

/// Weights that a serving engine loads, where that is less than the checkpoint.
namespace kvseats::engine {

/// The weights of an engine that loads the next-token layers of a checkpoint only with their
/// drafter (vLLM `get_spec_layer_idx_from_weight_name` in models/deepseek_v2.py, SGLang
/// `num_nextn_predict_layers` in models/deepseek_weight_loader.py, TensorRT-LLM
/// models/modeling_deepseekv3.py): DeepSeek-V3's 688.6 GB hold one such layer, whose 256 experts
/// take 11.3 GB.
///
/// Their experts are taken to be like those of the other layers and part of what the published size
/// holds beyond the model's parameters; without such a remainder nothing is left out. With
/// `drafter=mtp` they are split as the other experts are.
[[nodiscard]] model::Weights loaded_weights(const Inputs& in);

/// Their bytes on the fullest GPU.
[[nodiscard]] units::Bytes loaded_weights_on_gpu(const Inputs& in);

}  // namespace kvseats::engine
