#pragma once

#include <cstdint>
#include <vector>

#include "engine/engine.h"
#include "model/demand.h"

/// How layers and heads are dealt out over GPUs: facts that every engine profile needs.
namespace kvseats::engine {

/// Layers of each group that one pipeline stage holds: `result[stage][group]`.
///
/// Layers are contiguous and dealt evenly; a remainder goes one each to the stages before the last,
/// filled from the back (vLLM `get_pp_indices`, vllm/distributed/utils.py). pp larger than the
/// layer count leaves empty stages.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> stage_layers(const model::Model& model,
                                                                   std::uint32_t pp);

/// KV heads that the fullest tensor-parallel GPU holds: ceil(heads / tp), at least 1 (replicated
/// when tp exceeds the heads); replicated components always hold all.
[[nodiscard]] std::uint32_t heads_on_gpu(const model::Component& part, std::uint32_t tp);

/// KV heads that one GPU holds in engines that refuse an uneven split: floor(heads / tp), at
/// least 1.
[[nodiscard]] std::uint32_t floor_heads_on_gpu(std::uint32_t heads, std::uint32_t tp);

/// Bytes of one request's convolution state of one layer on one GPU: (columns + `extra_columns`) ×
/// ceil(width / tp) × `bytes`. Mamba-2 groups that tp exceeds are raised to tp, and their B and C
/// with them (vLLM MambaStateShapeCalculator.extra_groups_for_head_shards, SGLang's mamba_utils).
[[nodiscard]] std::uint64_t conv_state_on_gpu(const model::State& state, std::uint32_t tp,
                                              std::uint64_t extra_columns, std::uint32_t bytes);

/// Bytes of its temporal state: ceil(heads / tp) × rows × cols × `bytes`.
[[nodiscard]] std::uint64_t temporal_state_on_gpu(const model::State& state, std::uint32_t tp,
                                                  std::uint32_t bytes);

/// Bytes per token of one component on the fullest GPU of a stage with `layers` of its layers,
/// exact; decode context parallelism divides tokens, not bytes, and is not in here.
[[nodiscard]] units::Ratio token_bytes_on_gpu(const model::Component& part, std::uint32_t layers,
                                              std::uint32_t tp);

/// Bytes of weights on the fullest GPU: everything split evenly over tp × pp, routed experts over
/// ep × pp instead when ep > 1 (rounded up).
[[nodiscard]] units::Bytes weight_bytes_on_gpu(const model::Weights& weights,
                                               const Parallel& parallel);

/// Of these, the routed experts.
[[nodiscard]] units::Bytes expert_bytes_on_gpu(const model::Weights& weights,
                                               const Parallel& parallel);

/// The KV layers that a multi-token-prediction head adds: `model.mtp_layers` layers of the group
/// whose attention keeps every token (the first full or latent group), with its indexer and no
/// state. Empty if the model has none. (vLLM: DeepSeekMTP, Qwen3NextMTP and kin build one decoder
/// layer of the target's attention type; printed: Qwen3.5 16 + 1 layers, GLM-5 78 + 1.)
[[nodiscard]] std::vector<model::LayerGroup> mtp_draft_layers(const model::Model& model);

/// The one full-attention layer of an EAGLE or EAGLE-3 head that has the target's KV shape (vLLM
/// llama_eagle.py: one decoder layer; printed: Llama 3.1 8B 32 + 1 layers, Qwen3 32B 64 + 1).
[[nodiscard]] std::vector<model::LayerGroup> eagle_draft_layers(const model::Model& model);

/// The demand of a drafter's KV layers by hand, in its own cache format; empty without a drafter.
/// `Component::group` counts the drafter's groups, not the model's.
[[nodiscard]] std::vector<model::Component> draft_demand(const Inputs& in);

/// Encoder tokens that a group of cross attention holds for a request of the load: the prompt's, or
/// as many as inputs are padded to.
[[nodiscard]] inline std::uint64_t encoder_tokens_of(const model::LayerGroup& group,
                                                     const Inputs& in) {
  return group.window != 0 && in.prompt != 0 ? group.window : in.prompt;
}

}  // namespace kvseats::engine
