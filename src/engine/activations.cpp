#include "engine/activations.h"

#include <algorithm>

namespace kvseats::engine {
namespace {

// Experts of a token share its step, so their widths add up.
std::uint64_t expert_width(const model::Model& model) {
  return model.moe.expert_width * (model.moe.per_token + model.moe.shared);
}

// Parameters of one dense layer's attention: Q, K, V, O.
std::uint64_t attention_params(const model::Model& model) {
  const model::LayerGroup& group = model.groups.front();
  const std::uint64_t query = std::uint64_t{model.attention_heads} * group.k_dim;
  const std::uint64_t cache = std::uint64_t{group.kv_heads} * (group.k_dim + group.v_dim);
  return std::uint64_t{model.hidden} * (2 * query + cache);
}

}  // namespace

std::uint64_t intermediate_width(const model::Model& model) {
  if (model.moe.experts != 0 && expert_width(model) != 0) return expert_width(model);
  const std::uint64_t guess = std::uint64_t{model.hidden} * 7 / 2;
  const bool counted = model.params.raw() != 0 && model.layers != 0 && !model.groups.empty() &&
                       model.hidden != 0 && model.groups.front().latent_rank == 0;
  if (!counted) return guess;
  const std::uint64_t ends = model.vocab * model.hidden * (model.tied_embeddings ? 1 : 2);
  const std::uint64_t layer = units::saturating_sub(model.params.raw(), ends) / model.layers;
  const std::uint64_t mlp = units::saturating_sub(layer, attention_params(model));
  const std::uint64_t width = mlp / (3 * std::uint64_t{model.hidden});
  const bool plausible = width >= model.hidden && width <= std::uint64_t{model.hidden} * 10;
  return plausible ? width : guess;
}

units::Bytes forward_peak(const model::Model& model, std::uint64_t tokens, std::uint32_t tp) {
  const std::uint64_t gpus = std::max<std::uint32_t>(1, tp);
  const std::uint64_t inner = units::ceil_div(intermediate_width(model), gpus);
  const std::uint64_t row = 3 * (inner + model.hidden) * 2;
  return units::bytes(units::checked_mul(tokens, row));
}

}  // namespace kvseats::engine
