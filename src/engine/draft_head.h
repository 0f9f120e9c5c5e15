#pragma once

#include "model/model.h"
#include "units/whole.h"

/// The parameters of a draft head that a checkpoint of its own brings.
///
/// Per head, with h the target's hidden size, q, k and v the widths of its attention's rows and i
/// its intermediate width:
///
///     EAGLE    2h × h (fc) + h × (2q + k + v) + 3 × h × i
///     EAGLE-3  3h × h (fc) + 2h × (q + k + v) + q × h + 3 × h × i
///              + h × min(32,000, vocabulary) (its own head) + h × vocabulary (its own embedding)
///
/// EAGLE shares embedding and head with the target: 0.25 and 0.99 billion parameters for Llama 8B
/// and 70B as published. EAGLE-3's first attention reads embedding and features side by side; its
/// head covers the draft vocabulary of 32,000. Qwen3 32B with such a head prints 63.94 GiB beside
/// 61.03 alone: 2.91, of which this gives 2.91.
///
/// Sources: SafeAILab/EAGLE README (sizes), vllm/model_executor/models/llama_eagle.py and
/// llama_eagle3.py (layers, `draft_vocab_size`).
namespace kvseats::engine {

/// 0 where the model declares no hidden size. `third`: EAGLE-3.
[[nodiscard]] units::Params eagle_params(const model::Model& model, bool third);

}  // namespace kvseats::engine
