#include "engine/loaded_weights.h"

#include <algorithm>

#include "engine/split.h"

namespace kvseats::engine {
namespace {

// What the published size holds beyond the model's parameters (scales, next-token layers …).
model::WeightRow* remainder(model::Weights& weights) {
  for (model::WeightRow& row : weights.rows) {
    if (row.format == "published") return &row;
  }
  return nullptr;
}

// Routed experts of one layer.
units::Bytes experts_of_a_layer(const Inputs& in) {
  std::uint64_t sum = 0;
  for (const model::WeightRow& row : in.weights.rows) {
    if (row.routed_experts) sum = units::checked_add(sum, row.bytes.raw());
  }
  const std::uint32_t layers = in.model->moe.layers != 0 ? in.model->moe.layers : in.model->layers;
  return units::bytes(sum / std::max<std::uint32_t>(1, layers));
}

}  // namespace

model::Weights loaded_weights(const Inputs& in) {
  model::Weights weights = in.weights;
  if (std::any_of(weights.rows.begin(), weights.rows.end(), model::is_next_token)) {
    if (in.draft.method != "mtp") std::erase_if(weights.rows, model::is_next_token);
    return weights;
  }
  model::WeightRow* rest = remainder(weights);
  if (in.model->mtp_layers == 0 || rest == nullptr) {
    return weights;
  }
  const units::Bytes all = experts_of_a_layer(in) * in.model->mtp_layers;
  const units::Bytes here = std::min(all, rest->bytes);
  rest->bytes = left_after(rest->bytes, here);
  if (in.draft.method == "mtp") {
    weights.rows.push_back({.label = "Experts of the next-token layers",
                            .params = {},
                            .format = "published",
                            .bytes = here,
                            .routed_experts = true});
  }
  return weights;
}

units::Bytes loaded_weights_on_gpu(const Inputs& in) {
  return weight_bytes_on_gpu(loaded_weights(in), in.parallel);
}

}  // namespace kvseats::engine
