#include "engine/split.h"

#include <algorithm>

namespace kvseats::engine {
namespace {

// One more layer for stages from the last but one backwards: the last stage also carries the head.
std::uint32_t layers_of_stage(std::uint32_t layers, std::uint32_t pp, std::uint32_t stage) {
  const std::uint32_t even = layers / pp;
  const std::uint32_t rest = layers % pp;
  const std::uint32_t from_back = pp - 1 - stage;
  return even + (from_back >= 1 && from_back <= rest ? 1 : 0);
}

// The group that a draft head copies: it keeps every token, where any does.
std::vector<model::LayerGroup> full_layers(const model::Model& model, std::uint32_t layers) {
  for (const model::LayerGroup& group : model.groups) {
    const bool full =
        group.kind == model::CacheKind::kFull || group.kind == model::CacheKind::kLatent;
    if (!full || layers == 0) continue;
    model::LayerGroup copy = group;
    copy.layers = layers;
    copy.index_layers = group.index_layers == 0 ? 0 : layers;
    copy.state = {};
    return {copy};
  }
  // DeepSeek-V4's compress_ratios end with 0 for the next-token layer: a window, no entries.
  for (const model::LayerGroup& group : model.groups) {
    if (group.kind != model::CacheKind::kCompressed || layers == 0) continue;
    model::LayerGroup window;
    window.kind = group.kind;
    window.layers = layers;
    window.kv_heads = group.kv_heads;
    window.k_dim = group.k_dim;
    window.window = group.window;
    return {window};
  }
  return {};
}

}  // namespace

std::vector<model::LayerGroup> mtp_draft_layers(const model::Model& model) {
  return full_layers(model, model.mtp_layers);
}

std::vector<model::LayerGroup> eagle_draft_layers(const model::Model& model) {
  return full_layers(model, 1);
}

std::vector<model::Component> draft_demand(const Inputs& in) {
  if (in.draft.layers.empty()) return {};
  model::Model head;
  head.groups = in.draft.layers;
  for (const model::LayerGroup& group : head.groups) {
    if (!group.overlay) head.layers += group.layers;
  }
  const model::CacheFormat* own = in.draft.format;
  return model::demand(head, {own ? own : in.formats.k, own ? own : in.formats.v});
}

std::vector<std::vector<std::uint32_t>> stage_layers(const model::Model& model, std::uint32_t pp) {
  const std::vector<std::uint16_t> groups = model::layer_groups(model);
  const auto layers = static_cast<std::uint32_t>(groups.size());
  std::vector<std::vector<std::uint32_t>> result(pp);
  std::size_t next = 0;
  for (std::uint32_t stage = 0; stage < pp; ++stage) {
    result[stage].assign(model.groups.size(), 0);
    const std::uint32_t count = layers_of_stage(layers, pp, stage);
    for (std::uint32_t i = 0; i < count && next < groups.size(); ++i) {
      ++result[stage][groups[next++]];
    }
  }
  return result;
}

std::uint32_t heads_on_gpu(const model::Component& part, std::uint32_t tp) {
  if (part.replicated || part.heads == 0) return part.heads;
  return std::max<std::uint32_t>(1, (part.heads + tp - 1) / tp);
}

std::uint32_t floor_heads_on_gpu(std::uint32_t heads, std::uint32_t tp) {
  return std::max<std::uint32_t>(1, heads / std::max<std::uint32_t>(1, tp));
}

std::uint64_t conv_state_on_gpu(const model::State& state, std::uint32_t tp,
                                std::uint64_t extra_columns, std::uint32_t bytes) {
  if (state.conv_width == 0) return 0;
  std::uint64_t width = state.conv_width;
  const bool raised =
      state.kind == model::StateKind::kMamba2 && state.groups != 0 && state.groups % tp != 0;
  if (raised && tp > state.groups) {
    width += 2 * std::uint64_t{tp - state.groups} * state.cols;
  }
  const std::uint64_t columns = state.conv_columns + extra_columns;
  return units::ceil_div(width, tp) * columns * bytes;
}

std::uint64_t temporal_state_on_gpu(const model::State& state, std::uint32_t tp,
                                    std::uint32_t bytes) {
  return units::ceil_div(state.heads, tp) * state.rows * state.cols * bytes;
}

units::Ratio token_bytes_on_gpu(const model::Component& part, std::uint32_t layers,
                                std::uint32_t tp) {
  return units::times(part.per_head_token, std::uint64_t{heads_on_gpu(part, tp)} * layers);
}

units::Bytes expert_bytes_on_gpu(const model::Weights& weights, const Parallel& parallel) {
  model::Weights experts = weights;
  std::erase_if(experts.rows, [](const model::WeightRow& row) { return !row.routed_experts; });
  return weight_bytes_on_gpu(experts, parallel);
}

units::Bytes weight_bytes_on_gpu(const model::Weights& weights, const Parallel& parallel) {
  units::Bytes sum;
  const std::uint64_t plain = std::uint64_t{parallel.tp} * parallel.pp;
  for (const model::WeightRow& row : weights.rows) {
    const bool spread = row.routed_experts && parallel.ep > 1;
    const std::uint64_t parts = spread ? std::uint64_t{parallel.ep} * parallel.pp : plain;
    sum += units::bytes(units::ceil_div(row.bytes.raw(), parts));
  }
  return sum;
}

}  // namespace kvseats::engine
