#include "model/model.h"

#include "units/text.h"

namespace kvseats::model {
namespace {

using units::grouped;

bool caches(CacheKind kind) {
  return kind != CacheKind::kNone && kind != CacheKind::kShared;
}

std::string state_fault(const State& s) {
  if (s.kind == StateKind::kNone) return {};
  const bool conv = s.conv_columns != 0 && s.conv_width != 0;
  const bool temporal = s.heads != 0 && s.rows != 0 && s.cols != 0;
  if (!conv && !temporal) return "a recurrent state without a size";
  for (const std::uint32_t n : {s.conv_columns, s.conv_width, s.heads, s.rows, s.cols, s.groups}) {
    if (n > kMaxDim) return "a recurrent state of " + grouped(n) + " in one direction";
  }
  return {};
}

std::string attention_fault(const LayerGroup& g) {
  if (g.kv_heads == 0) return "no KV heads";
  if (g.k_dim == 0) return "a head dim of 0";
  for (const std::uint32_t n : {g.kv_heads, g.k_dim, g.v_dim, g.index_dim, g.compress_dim}) {
    if (n > kMaxDim) return "a dimension of " + grouped(n);
  }
  const bool windowed = g.kind == CacheKind::kWindow || g.kind == CacheKind::kChunked;
  if (windowed && g.window == 0) return "a window of 0 tokens";
  if (g.latent_rank > g.k_dim) return "a latent rank above its width";
  if (g.kind == CacheKind::kCompressed && g.window == 0 && g.compress_ratio == 0) {
    return "compressed attention without a window and without a ratio";
  }
  if (g.index_layers > g.layers) return "more indexers than layers";
  return {};
}

// What is not of the cache; to_checkpoint writes it, and read_checkpoint keeps these limits too.
std::string width_fault(const Model& m) {
  for (const std::uint64_t n : {std::uint64_t{m.hidden}, std::uint64_t{m.attention_heads},
                                std::uint64_t{m.moe.experts}, std::uint64_t{m.moe.per_token},
                                std::uint64_t{m.moe.shared}, std::uint64_t{m.moe.expert_width}}) {
    if (n > kMaxDim) return "a dimension of " + grouped(n);
  }
  if (m.mtp_layers > kMaxLayers) return grouped(m.mtp_layers) + " next-token layers";
  return {};
}

std::string group_fault(const LayerGroup& g) {
  if (g.layers == 0) return "no layers";
  if (std::string fault = state_fault(g.state); !fault.empty()) return fault;
  return caches(g.kind) ? attention_fault(g) : std::string();
}

std::string order_fault(const Model& model) {
  if (model.order.empty()) return {};
  std::vector<std::uint64_t> seen(model.groups.size(), 0);
  for (const Run& run : model.order) {
    if (run.group >= seen.size() || run.count == 0) return "an order that names no group";
    seen[run.group] += run.count;
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const std::uint64_t expected = model.groups[i].overlay ? 0 : model.groups[i].layers;
    if (seen[i] != expected) {
      return "an order with " + grouped(seen[i]) + " layers of group " + grouped(i + 1) +
             ", which has " + grouped(expected);
    }
  }
  return {};
}

/// "8 × 128", "8 × 192/128", "576".
std::string dims_text(const LayerGroup& g) {
  const bool one_vector = g.kind == CacheKind::kLatent || g.kind == CacheKind::kCompressed;
  std::string out = one_vector ? std::string() : grouped(g.kv_heads) + " × ";
  out += grouped(g.k_dim);
  if (!one_vector && g.v_dim != g.k_dim) out += "/" + grouped(g.v_dim);
  return out;
}

std::string suffix_text(const LayerGroup& g) {
  std::string out;
  const bool named = g.kind != CacheKind::kFull && caches(g.kind);
  if (named) out += " " + std::string(kind_name(g.kind));
  if (g.kind == CacheKind::kCompressed) {
    if (g.compress_ratio != 0) out += " " + grouped(g.compress_ratio) + ":1";
    if (g.window != 0) out += " window";
  }
  if (g.window != 0) out += " " + grouped(g.window);
  if (g.index_dim != 0) {
    out += g.index_layers == g.layers ? " + " : " + " + grouped(g.index_layers) + " × ";
    out += grouped(g.index_dim) + " index";
  }
  return out;
}

std::string group_text(const LayerGroup& g) {
  const std::string state(state_name(g.state.kind));
  const std::string layers = grouped(g.layers);
  if (g.kind == CacheKind::kShared) return layers + " shared";
  if (g.kind == CacheKind::kNone) {
    return layers + (state.empty() ? " without cache" : " × " + state + " state");
  }
  std::string out = layers + " × " + dims_text(g) + suffix_text(g);
  if (!state.empty()) out += " + " + state + " state";
  return out;
}

}  // namespace

std::string_view kind_name(CacheKind kind) {
  switch (kind) {
    case CacheKind::kNone:
      return "none";
    case CacheKind::kFull:
      return "full";
    case CacheKind::kWindow:
      return "window";
    case CacheKind::kChunked:
      return "chunked";
    case CacheKind::kLatent:
      return "latent";
    case CacheKind::kCross:
      return "cross";
    case CacheKind::kShared:
      return "shared";
    case CacheKind::kCompressed:
      return "compressed";
  }
  return "none";
}

std::string_view state_name(StateKind kind) {
  switch (kind) {
    case StateKind::kNone:
      return "";
    case StateKind::kMamba1:
      return "mamba1";
    case StateKind::kMamba2:
      return "mamba2";
    case StateKind::kGatedDelta:
      return "gated-delta";
    case StateKind::kKimiDelta:
      return "kda";
    case StateKind::kLinear:
      return "linear";
    case StateKind::kShortConv:
      return "short-conv";
    case StateKind::kRwkv:
      return "rwkv";
  }
  return "";
}

std::string find_fault(const Model& model) {
  if (model.groups.empty()) return "The model has no layers.";
  if (model.groups.size() > kMaxGroups) return "The model has more than 64 groups of layers.";
  std::uint64_t layers = 0;
  for (std::size_t i = 0; i < model.groups.size(); ++i) {
    const LayerGroup& group = model.groups[i];
    if (std::string fault = group_fault(group); !fault.empty()) {
      return "Layer group " + grouped(i + 1) + " has " + fault + ".";
    }
    if (!group.overlay) layers += group.layers;
  }
  if (layers > kMaxLayers) return "The model has " + grouped(layers) + " layers.";
  if (layers != model.layers) {
    return "The layer groups have " + grouped(layers) + " layers, the model has " +
           grouped(model.layers) + ".";
  }
  std::string fault = order_fault(model);
  if (fault.empty()) fault = width_fault(model);
  return fault.empty() ? fault : "The model has " + fault + ".";
}

std::vector<std::uint16_t> layer_groups(const Model& model) {
  std::vector<std::uint16_t> out;
  for (const Run& run : model.order) out.insert(out.end(), run.count, run.group);
  if (!model.order.empty()) return out;
  for (std::size_t i = 0; i < model.groups.size(); ++i) {
    const LayerGroup& group = model.groups[i];
    if (!group.overlay) out.insert(out.end(), group.layers, static_cast<std::uint16_t>(i));
  }
  return out;
}

std::string geometry_text(const Model& model) {
  const bool single = model.groups.size() == 1;
  if (single && model.groups[0].kind == CacheKind::kFull) {
    const LayerGroup& g = model.groups[0];
    const std::string heads = grouped(g.kv_heads) + (g.kv_heads == 1 ? " KV head" : " KV heads");
    std::string out = grouped(g.layers) + " × " + heads + " × " + grouped(g.k_dim);
    if (g.v_dim != g.k_dim) out += "/" + grouped(g.v_dim);
    if (g.state.kind == StateKind::kNone && g.index_dim == 0) return out;
  }
  std::string out;
  for (const LayerGroup& group : model.groups) {
    if (!out.empty()) out += " + ";
    out += group_text(group);
  }
  return out;
}

}  // namespace kvseats::model
