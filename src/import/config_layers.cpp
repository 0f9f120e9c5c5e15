#include "import/config_layers.h"

#include <algorithm>

#include "import/config_tables.h"

namespace kvseats::import {
namespace {

using model::CacheKind;
using model::LayerGroup;

/// What full and sliding layers of one model may have different: MiMo-V2, Gemma 4.
struct Heads {
  std::uint32_t kv_heads, k_dim, v_dim;
};

Heads window_heads(Config& config, const Geometry& g) {
  Heads h{g.kv_heads, g.k_dim, g.v_dim};
  if (const auto n = config.small("sliding KV heads", "swa_num_key_value_heads", kMostHeads)) {
    h.kv_heads = n;
  }
  if (const auto n = config.small("sliding head dim", "swa_head_dim")) h.k_dim = h.v_dim = n;
  if (const auto n = config.small("sliding V head dim", "swa_v_head_dim")) h.v_dim = n;
  return h;
}

Heads full_heads(Config& config, const Geometry& g) {
  Heads h{g.kv_heads, g.k_dim, g.v_dim};
  if (const auto n = config.small("global head dim", "global_head_dim")) h.k_dim = h.v_dim = n;
  if (const auto n = config.small("global KV heads", "num_global_key_value_heads", kMostHeads)) {
    h.kv_heads = n;
  }
  return h;
}

/// KV heads of layer `i` when the file lists them layer by layer.
class HeadLists {
 public:
  HeadLists(Config& config, const Geometry& g) : query_heads_(g.heads) {
    const Json list = config.first("num_kv_heads num_key_value_heads");
    if (list.is_array()) at_ = list.first();
    if (list.is_array()) config.found("KV heads", list);
    blocks_ = config.text.get("block_configs");
    if (blocks_.is_array()) at_ = blocks_.first();
  }
  /// The next layer's KV heads, or `usual`.
  std::uint32_t next(Config& config, std::uint32_t usual) {
    if (!at_.exists()) return usual;
    const Json value = blocks_.is_array() ? at_.get("attention").get("n_heads_in_group") : at_;
    at_ = at_.next();
    const std::uint64_t n = value.whole().value_or(value.has_value() ? kMostHeads + 1 : 0);
    if (n > kMostHeads) config.bad_value("KV heads", value, "a number of heads");
    if (n == 0 || n > kMostHeads) return usual;
    // Nemotron NAS gives the query heads that share a KV head.
    return static_cast<std::uint32_t>(blocks_.is_array() ? query_heads_ / n : n);
  }

 private:
  Json at_;
  Json blocks_;
  std::uint32_t query_heads_;
};

/// Which latent or sparse layers have an indexer of their own, and how wide it is.
struct Indexers {
  std::uint32_t dim = 0;
  bool with_v = false;
  std::vector<std::uint8_t> layer;  ///< 1 where there is one
};

/// MiniMax-M3: sparse_attention_config with a list of layers (configuration_minimax_m3.py).
Indexers sparse_indexers(Config& config, std::size_t layers) {
  Indexers out;
  const Json sparse = config.text.get("sparse_attention_config");
  const Json dim = sparse.get("sparse_index_dim");
  if (!sparse.get("use_sparse_attention").truth(true) || dim.whole().value_or(0) == 0) return out;
  out.dim = static_cast<std::uint32_t>(std::min<std::uint64_t>(*dim.whole(), kMostHeads));
  config.found("indexer width", dim);
  const Json where = sparse.get("sparse_attention_freq");
  Json no_value = sparse.get("sparse_disable_index_value").first();
  for (Json v = where.first(); v.exists() && out.layer.size() < layers; v = v.next()) {
    const bool here = v.whole().value_or(0) != 0;
    out.layer.push_back(here ? 1 : 0);
    if (here && no_value.exists() && no_value.whole().value_or(1) == 0) out.with_v = true;
    if (no_value.exists()) no_value = no_value.next();
  }
  out.layer.resize(layers, where.is_array() ? 0 : 1);
  return out;
}

/// DeepSeek-V3.2 and GLM-5: every layer, or those that `indexer_types` or the frequency name.
Indexers latent_indexers(Config& config, std::size_t layers) {
  Indexers out;
  out.dim = config.small("indexer width", "index_head_dim", kMostHeads);
  if (out.dim == 0) return out;
  const Json types = config.text.get("indexer_types");
  if (types.is_array()) {
    config.found("indexer layers", types);
    for (Json v = types.first(); v.exists() && out.layer.size() < layers; v = v.next()) {
      out.layer.push_back(v.text() != "shared" ? 1 : 0);
    }
    out.layer.resize(layers, 0);
    return out;
  }
  const std::uint64_t every = config.whole("indexer frequency", "index_topk_freq", 4096);
  const std::uint64_t skip = config.whole("indexer offset", "index_skip_topk_offset", 4096);
  for (std::uint64_t i = 0; i < layers; ++i) {
    const std::uint64_t after = i + 1 > skip ? i + 1 - skip : 0;
    out.layer.push_back(every < 2 || after % every == 0 ? 1 : 0);
  }
  return out;
}

/// The groups of single layers, role by role.
class Builder {
 public:
  Builder(Config& config, const Geometry& g, const std::vector<Role>& roles)
      : config_(config), g_(g), roles_(roles), lists_(config, g) {}

  std::vector<LayerGroup> build() {
    const auto holds = [&](Role r) { return std::count(roles_.begin(), roles_.end(), r) != 0; };
    if ((holds(Role::kFull) || holds(Role::kWindow) || holds(Role::kChunked)) &&
        !require_attention(config_, g_)) {
      return {};
    }
    parallel_ = is_parallel_hybrid(config_.model_type);
    if (holds(Role::kState) || parallel_) state_ = read_state(config_, g_);
    if (holds(Role::kWindow)) read_window();
    if (holds(Role::kChunked)) chunk_ = config_.whole("chunk", "attention_chunk_size", kMostTokens);
    if (holds(Role::kCross)) read_image();
    full_ = full_heads(config_, g_);
    sliding_ = holds(Role::kWindow) ? window_heads(config_, g_) : full_;
    index_ = g_.latent_rank != 0 ? latent_indexers(config_, roles_.size())
                                 : sparse_indexers(config_, roles_.size());
    std::vector<LayerGroup> out;
    for (std::size_t i = 0; i < roles_.size() && config_.errors.empty(); ++i)
      out.push_back(layer(i));
    return out;
  }

 private:
  void read_window() {
    window_ = config_.whole("sliding window", "sliding_window sliding_window_size window_size",
                            kMostTokens);
    if (window_ == 0) {
      config_.fail("E-MISSING", config_.absent_path("sliding_window"),
                   "Some layers keep only a window, but the file does not say how long it is.",
                   "Add sliding_window, or give window.");
    }
    if (g_.latent_rank != 0) {
      config_.fail("E-UNKNOWN-LAYOUT", config_.absent_path("kv_lora_rank"),
                   "Latent attention with a sliding window is not known here.",
                   "Describe the cache with shape=.");
    }
  }

  /// Mllama: patches and a class token of every tile of one image (modeling_mllama.py).
  void read_image() {
    const Json vision = config_.root.get("vision_config");
    const auto number = [&](std::string_view key) {
      return std::min(kMostWidth, vision.get(key).whole().value_or(0));
    };
    const std::uint64_t side =
        number("image_size") / std::max<std::uint64_t>(1, number("patch_size"));
    image_ = std::min(kMostTokens, units::checked_mul(side * side + 1, number("max_num_tiles")));
    if (side == 0 || image_ == 0) {
      image_ = 0;
      config_.missing("image tokens", "vision_config says them; until then the prompt's count");
      return;
    }
    config_.derived("image tokens", image_, "(image_size / patch_size)² + 1, times max_num_tiles");
  }

  LayerGroup heads(CacheKind kind, Heads h, std::uint64_t window) const {
    LayerGroup group;
    group.kind = kind;
    group.layers = 1;
    group.kv_heads = h.kv_heads;
    group.k_dim = h.k_dim;
    group.v_dim = h.v_dim;
    group.window = window;
    return group;
  }

  LayerGroup full(std::size_t i) {
    LayerGroup group = heads(CacheKind::kFull, full_, 0);
    if (g_.latent_rank != 0) {
      group.kind = CacheKind::kLatent;
      group.kv_heads = 1;
      group.k_dim = g_.latent_rank + g_.latent_rope;
      group.v_dim = 0;
      group.latent_rank = g_.latent_rank;
    }
    if (index_.dim != 0 && index_.layer[i] != 0) {
      group.index_dim = index_.dim;
      group.index_layers = 1;
      group.index_has_v = index_.with_v;
    }
    if (parallel_) group.state = state_;
    return group;
  }

  LayerGroup layer(std::size_t i) {
    const std::uint32_t listed = lists_.next(config_, 0);
    LayerGroup group;
    group.layers = 1;
    group.kind = CacheKind::kNone;
    switch (roles_[i]) {
      case Role::kFull:
        group = full(i);
        break;
      case Role::kWindow:
        group = heads(CacheKind::kWindow, sliding_, window_);
        break;
      case Role::kChunked:
        group = heads(CacheKind::kChunked, full_, chunk_);
        break;
      case Role::kCross:
        group = heads(CacheKind::kCross, full_, image_);
        break;
      case Role::kState:
        group.state = state_;
        break;
      case Role::kShared:
        group.kind = CacheKind::kShared;
        break;
      case Role::kNone:
      case Role::kCompressed:
        break;
    }
    if (listed != 0 && group.kv_heads != 0 && group.kind != CacheKind::kLatent) {
      group.kv_heads = listed;
    }
    return group;
  }

  Config& config_;
  const Geometry& g_;
  const std::vector<Role>& roles_;
  HeadLists lists_;
  model::State state_;
  Heads full_{};
  Heads sliding_{};
  Indexers index_;
  std::uint64_t window_ = 0;
  std::uint64_t chunk_ = 0;
  std::uint64_t image_ = 0;
  bool parallel_ = false;
};

/// DeepSeek-V4: one vector that is K and V, a window in every layer, entries for every 4 or 128
/// tokens in most, index keys beside those of ratio 4 (deepseek-ai/DeepSeek-V4 inference/model.py).
std::vector<LayerGroup> compressed_layers(Config& config, const Geometry& g) {
  const Json ratios = config.text.get("compress_ratios");
  config.found("compression", ratios);
  const std::uint64_t window = config.whole("sliding window", "sliding_window", kMostTokens);
  const std::uint32_t index = config.small("indexer width", "index_head_dim", kMostHeads);
  if (g.k_dim == 0 || window == 0) {
    config.fail("E-MISSING", config.absent_path(window == 0 ? "sliding_window" : "head_dim"),
                "Compressed attention needs head_dim and sliding_window.", "Add the key.");
    return {};
  }
  std::vector<LayerGroup> out;
  for (Json v = ratios.first(); v.exists() && out.size() < g.layers; v = v.next()) {
    const std::uint64_t ratio = v.whole().value_or(1);
    if (ratio != 0 && ratio != 4 && ratio != 128) {
      config.fail("E-UNKNOWN-LAYOUT", v.path(),
                  "A compression of " + v.shown() + " to one is not known here; 4 and 128 are.",
                  "Describe the cache with shape=.");
      return {};
    }
    LayerGroup group;
    group.kind = CacheKind::kCompressed;
    group.layers = 1;
    group.kv_heads = 1;
    group.k_dim = g.k_dim;
    group.window = window;
    group.compress_ratio = static_cast<std::uint32_t>(ratio);
    group.compress_dim = ratio == 0 ? 0 : g.k_dim;
    if (ratio == 4 && index != 0) {
      group.index_dim = index;
      group.index_layers = 1;
    }
    out.push_back(group);
  }
  if (out.size() < g.layers) {
    config.fail("E-UNKNOWN-LAYOUT", ratios.path(), "The list is shorter than the layers.",
                "Correct the list or the number of layers.");
  }
  return out;
}

constexpr int kLastRank = 9;

int rank(const LayerGroup& g) {
  switch (g.kind) {
    case CacheKind::kFull:
      return 0;
    case CacheKind::kLatent:
      return 1;
    case CacheKind::kWindow:
      return 2;
    case CacheKind::kChunked:
      return 3;
    case CacheKind::kCompressed:
      return 4;
    case CacheKind::kCross:
      return 5;
    case CacheKind::kNone:
      return g.state.kind == model::StateKind::kNone ? 7 : 6;
    case CacheKind::kShared:
      return 8;
  }
  return kLastRank;
}

/// The same cache, whether or not the layer has an indexer of its own.
bool same_cache(const LayerGroup& a, LayerGroup b) {
  b.layers = a.layers;
  b.index_layers = a.index_layers;
  b.index_dim = a.index_dim;
  b.index_has_v = a.index_has_v;
  return a == b;
}

}  // namespace

std::vector<LayerGroup> read_layer_groups(Config& config, const Geometry& g) {
  const std::vector<Role> roles = read_roles(config, g);
  if (roles.empty()) return {};
  if (roles[0] == Role::kCompressed) return compressed_layers(config, g);
  return Builder(config, g, roles).build();
}

void assign_groups(const std::vector<LayerGroup>& layers, model::Model& model) {
  std::vector<std::size_t> group_of;
  for (const LayerGroup& layer : layers) {
    std::size_t at = 0;
    while (at < model.groups.size() && !same_cache(model.groups[at], layer)) ++at;
    if (at == model.groups.size()) {
      model.groups.push_back(layer);
    } else {
      LayerGroup& group = model.groups[at];
      ++group.layers;
      group.index_layers += layer.index_layers;
      group.index_dim = std::max(group.index_dim, layer.index_dim);
      group.index_has_v = group.index_has_v || layer.index_has_v;
    }
    group_of.push_back(at);
  }
  // Rank by rank; groups of one rank keep the order in which they appear.
  std::vector<LayerGroup> groups;
  std::vector<std::size_t> place(model.groups.size());
  for (int r = 0; r <= kLastRank; ++r) {
    for (std::size_t i = 0; i < model.groups.size(); ++i) {
      if (rank(model.groups[i]) != r) continue;
      place[i] = groups.size();
      groups.push_back(model.groups[i]);
    }
  }
  model.groups = std::move(groups);
  if (model.groups.size() == 1) return;
  for (const std::size_t old : group_of) {
    const auto group = static_cast<std::uint16_t>(place[old]);
    if (!model.order.empty() && model.order.back().group == group) {
      ++model.order.back().count;
    } else {
      model.order.push_back({.group = group, .count = 1});
    }
  }
}

}  // namespace kvseats::import
