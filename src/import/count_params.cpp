#include "import/count_params.h"

#include <algorithm>

#include "import/config_tables.h"
#include "import/count_beside.h"
#include "import/count_norms.h"
#include "import/count_vision.h"

namespace kvseats::import {
namespace {

using model::CacheKind;
using model::StateKind;
using units::checked_add;
using units::checked_mul;

/// Product that stays out of range once it is.
std::uint64_t times(std::initializer_list<std::uint64_t> factors) {
  std::uint64_t n = 1;
  for (const std::uint64_t f : factors) n = checked_mul(n, f);
  return n;
}

std::uint64_t sum(std::initializer_list<std::uint64_t> terms) {
  std::uint64_t n = 0;
  for (const std::uint64_t t : terms) n = checked_add(n, t);
  return n;
}

/// The feed-forward part of a config: widths, experts, which layers have which.
class FeedForward {
 public:
  FeedForward(Config& config, const Geometry& g) : config_(config), g_(g) {
    read_widths();
    read_experts();
    const Json names = config.text.get("layers_block_type");
    if (names.is_array()) names_ = names;
    pattern_ = config.text.get("hybrid_override_pattern").text();
    mlp_types_ = config.text.get("mlp_layer_types");
    moe_list_ = config.text.get("moe_layer_freq");
    blocks_ = config.text.get("block_configs");
    read_dense_layers();
  }

  enum class Part { kNothing, kDense, kExperts };

  /// What layer `i` has; call in order.
  Part part(std::size_t i) {
    if (g_.heads == 0) return Part::kNothing;  // Mamba: the state's own projections are all
    if (names_.is_array() || !pattern_.empty()) return from_name(i);
    if (moe.experts == 0) return Part::kDense;
    if (mlp_types_.is_array()) {
      const Json v = step(mlp_types_, mlp_at_);
      return v.text() == "dense" ? Part::kDense : Part::kExperts;
    }
    if (moe_list_.is_array()) {
      return step(moe_list_, moe_at_).whole().value_or(1) == 0 ? Part::kDense : Part::kExperts;
    }
    const bool listed = std::find(dense_.begin(), dense_.end(), i) != dense_.end();
    const bool skipped = step_ > 1 && (i + 1) % step_ != 0;
    const bool off_period = period_ > 1 && i % period_ != offset_;
    return i < first_dense_ || listed || skipped || off_period ? Part::kDense : Part::kExperts;
  }

  /// Parameters of one dense feed-forward layer.
  std::uint64_t dense(bool double_wide) {
    std::uint64_t width = dense_width_;
    if (blocks_.is_array()) width = block_width();
    return times({matrices_, g_.hidden, width, double_wide ? 2u : 1u});
  }
  [[nodiscard]] std::uint64_t routed() const {
    return times({matrices_, latent_ == 0 ? g_.hidden : latent_, moe.expert_width, moe.experts});
  }
  /// Shared experts, router and the projections around latent experts.
  [[nodiscard]] std::uint64_t beside_experts() const {
    return sum({times({matrices_, g_.hidden, shared_width_}), times({g_.hidden, moe.experts}),
                times({2, g_.hidden, latent_})});
  }
  [[nodiscard]] bool known() const {
    return dense_width_ != 0 || blocks_.is_array() || (moe.experts != 0 && moe.expert_width != 0);
  }

  model::Moe moe;

 private:
  static Json step(Json list, Json& at) {
    at = at.exists() ? at.next() : list.first();
    return at;
  }

  Part from_name(std::size_t i) {
    std::string_view name;
    if (names_.is_array()) {
      name = step(names_, name_at_).text();
    } else if (i < pattern_.size()) {
      name = pattern_.substr(i, 1);
    }
    if (name == "moe" || name == "E") return Part::kExperts;
    return name == "mlp" || name == "-" ? Part::kDense : Part::kNothing;
  }

  /// Nemotron NAS: ffn_mult × hidden × 2/3, rounded up to 256 (modeling_decilm.py).
  std::uint64_t block_width() {
    const Json ffn = step(blocks_, block_at_).get("ffn");
    if (ffn.get("no_op").truth()) return 0;
    if (ffn.get("replace_with_linear").truth()) return g_.hidden / 3;
    const double mult = ffn.get("ffn_mult").number();
    if (!(mult > 0 && mult < 1000)) return ffn.get("intermediate_size").whole().value_or(0);
    const auto width = static_cast<std::uint64_t>(2 * mult * g_.hidden / 3);
    return units::round_up(width, 256);
  }

  void read_widths() {
    const std::string& type = config_.model_type;
    const bool gated_t5 = config_.text.get("feed_forward_proj").text().substr(0, 5) == "gated";
    const bool t5 = config_.text.get("feed_forward_proj").is_text();
    matrices_ = has_plain_ffn(type) || (t5 && !gated_t5) ? 2 : 3;
    dense_width_ = config_.whole(
        "feed-forward width",
        "dense_intermediate_size intermediate_size_mlp intermediate_size ff_intermediate_size "
        "ffn_hidden_size n_inner decoder_ffn_dim ffn_dim d_ff inter_dim hidden_dim",
        kMostWidth);
    // Qwen and Molmo give the two gated halves together (modeling_qwen.py, modeling_molmo.py).
    if (type == "qwen" || type == "molmo") dense_width_ /= 2;
    if (dense_width_ == 0 && matrices_ == 2) dense_width_ = 4 * std::uint64_t{g_.hidden};
    // LFM2: two thirds, rounded up to block_multiple_of (modeling_lfm2.py).
    if (config_.truth("block_auto_adjust_ff_dim")) {
      const std::uint64_t step = config_.text.get("block_multiple_of").whole().value_or(256);
      if (step > 0) dense_width_ = units::round_up(2 * dense_width_ / 3, step);
    }
    if (dense_width_ == 0) {
      const ClassDefaults* defaults = find_class_defaults(type);
      if (defaults != nullptr && !config_.text.path().empty()) dense_width_ = defaults->ffn;
    }
  }

  void read_experts() {
    moe.experts = config_.small(
        "routed experts", "n_routed_experts num_experts num_local_experts moe_num_experts", 65536);
    const Json ffn = config_.text.get("ffn_config");  // DBRX
    if (moe.experts == 0) {
      moe.experts = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(65536, ffn.get("moe_num_experts").whole().value_or(0)));
      if (dense_width_ == 0) {
        dense_width_ = std::min(kMostWidth, ffn.get("ffn_hidden_size").whole().value_or(0));
      }
    }
    if (moe.experts == 0) return;
    moe.per_token = config_.small("experts per token",
                                  "num_experts_per_tok num_experts_per_token top_k_experts "
                                  "moe_top_k moe_topk n_activated_experts experts_per_token moe_k",
                                  65536);
    if (moe.per_token == 0) {
      moe.per_token = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(65536, ffn.get("moe_top_k").whole().value_or(0)));
    }
    moe.expert_width = config_.whole(
        "expert width",
        "moe_intermediate_size expert_intermediate_size moe_inter_dim expert_ffn_hidden_size",
        kMostWidth);
    if (moe.expert_width == 0) {
      const std::uint64_t own = config_.text.get("intermediate_size").whole().value_or(0);
      moe.expert_width = own != 0 && own <= kMostWidth ? own : dense_width_;
    }
    latent_ = config_.whole("expert latent", "moe_latent_size", kMostWidth);
    read_shared();
  }

  void read_shared() {
    moe.shared = config_.small("shared experts", "n_shared_experts num_shared_experts", 65536);
    shared_width_ =
        config_.whole("shared expert width",
                      "moe_shared_expert_intermediate_size shared_expert_intermediate_size "
                      "share_expert_dim shared_intermediate_size",
                      kMostWidth);
    if (shared_width_ != 0) {
      moe.shared = std::max<std::uint32_t>(moe.shared, 1);
    } else if (config_.model_type.substr(0, 6) == "llama4") {
      moe.shared = 1;  // transformers modeling_llama4.py: one shared expert of the experts' width
      shared_width_ = moe.expert_width;
    } else {
      shared_width_ = moe.shared * moe.expert_width;
    }
  }

  void read_dense_layers() {
    if (moe.experts == 0) return;
    first_dense_ =
        config_.whole("dense layers first", "first_k_dense_replace n_dense_layers", kMostLayers);
    // Sparse steps count from 1; Jamba's period has an offset.
    step_ = config_.whole("sparse step", "decoder_sparse_step interleave_moe_layer_step", 4096);
    period_ = config_.whole("expert period", "expert_layer_period", 4096);
    offset_ = config_.whole("expert offset", "expert_layer_offset", 4096);
    const Json listed = config_.text.get("mlp_only_layers");
    for (Json v = listed.first(); v.exists() && dense_.size() < kMostLayers; v = v.next()) {
      if (const auto n = v.whole()) dense_.push_back(static_cast<std::size_t>(*n));
    }
  }

  Config& config_;
  const Geometry& g_;
  std::uint64_t matrices_ = 3;
  std::uint64_t dense_width_ = 0;
  std::uint64_t shared_width_ = 0;
  std::uint64_t latent_ = 0;
  std::uint64_t first_dense_ = 0;
  std::uint64_t step_ = 0;
  std::uint64_t period_ = 0;
  std::uint64_t offset_ = 0;
  std::vector<std::size_t> dense_;
  std::string_view pattern_;
  Json names_, name_at_, mlp_types_, mlp_at_, moe_list_, moe_at_, blocks_, block_at_;
};

/// Projections of attention and recurrent layers.
class Mixer {
 public:
  Mixer(Config& config, const Geometry& g) : g_(g) {
    q_lora_ = config.whole("query rank", "q_lora_rank", kMostWidth);
    o_lora_ = config.whole("output rank", "o_lora_rank", kMostWidth);
    o_groups_ = config.whole("output groups", "o_groups", kMostWidth);
    nope_ = config.whole("query width without rotation", "qk_nope_head_dim", kMostWidth);
    v_ = config.whole("V head dim", "v_head_dim", kMostWidth);
    if (v_ == 0 && g.heads != 0) v_ = g.hidden / g.heads;  // MiniCPM3
    sparse_heads_ = std::min(kMostHeads, config.text.get("sparse_attention_config")
                                             .get("sparse_num_index_heads")
                                             .whole()
                                             .value_or(0));
    index_heads_ = config.whole("indexer heads", "index_n_heads", kMostHeads);
    gate_ = config.truth("attn_output_gate") || config.model_type == "qwen3_next" ? 2 : 1;
    shared_kv_weights_ = config.truth("attention_k_eq_v");
    heads_list_ = config.first("num_query_heads num_attention_heads_per_layer");
  }

  std::uint64_t layer(const model::LayerGroup& layer) {
    std::uint64_t heads = g_.heads;
    if (heads_list_.is_array()) {
      at_ = at_.exists() ? at_.next() : heads_list_.first();
      heads = std::min(kMostHeads, at_.whole().value_or(heads));
    }
    return sum({attention(layer, heads), state(layer.state), sparse_index(layer)});
  }

  /// q, k, v, o of `heads` heads that all have their own K and V: encoders, cross attention.
  [[nodiscard]] std::uint64_t plain() const { return times({4, g_.hidden, g_.heads, g_.k_dim}); }

 private:
  [[nodiscard]] std::uint64_t attention(const model::LayerGroup& l, std::uint64_t heads) const {
    if (l.kind == CacheKind::kNone) return 0;
    if (l.kind == CacheKind::kLatent) return latent(l, heads);
    if (l.kind == CacheKind::kCompressed) return compressed(l, heads);
    const std::uint64_t k = l.kind == CacheKind::kShared ? g_.k_dim : l.k_dim;
    const std::uint64_t v = l.kind == CacheKind::kShared ? g_.v_dim : l.v_dim;
    const bool one_matrix = shared_kv_weights_ && l.kind == CacheKind::kFull;
    return sum({times({gate_, g_.hidden, heads, k}), times({g_.hidden, heads, v}),
                times({g_.hidden, l.kv_heads, k}),
                one_matrix ? 0 : times({g_.hidden, l.kv_heads, v})});
  }

  /// MiniMax-M3: index queries and one index key beside plain attention.
  [[nodiscard]] std::uint64_t sparse_index(const model::LayerGroup& l) const {
    if (l.kind != CacheKind::kFull || l.index_layers == 0) return 0;
    return times({g_.hidden, sparse_heads_ + 1, l.index_dim});
  }

  [[nodiscard]] std::uint64_t latent(const model::LayerGroup& l, std::uint64_t heads) const {
    const std::uint64_t query = times({heads, nope_ + g_.latent_rope});
    std::uint64_t n = q_lora_ == 0 ? times({g_.hidden, query})
                                   : sum({times({g_.hidden, q_lora_}), times({q_lora_, query})});
    n = sum({n, times({g_.hidden, l.k_dim}), times({g_.latent_rank, heads, nope_ + v_}),
             times({heads, v_, g_.hidden})});
    if (l.index_layers == 0) return n;
    return sum({n, times({q_lora_, index_heads_, l.index_dim}), times({g_.hidden, l.index_dim}),
                times({g_.hidden, index_heads_})});
  }

  /// DeepSeek-V4 inference/model.py: what an entry holds and its scores, twice as wide where
  /// entries overlap (ratio 4); there an indexer stands beside with a compressor of its own.
  [[nodiscard]] std::uint64_t compressor(const model::LayerGroup& l) const {
    if (l.compress_ratio == 0) return 0;
    const std::uint64_t overlap = l.compress_ratio == 4 ? 2 : 1;
    std::uint64_t n = times({2, g_.hidden, overlap, l.k_dim});
    if (l.index_layers == 0) return n;
    return sum({n, times({2, g_.hidden, overlap, l.index_dim}),
                times({q_lora_, index_heads_, l.index_dim}), times({g_.hidden, index_heads_})});
  }

  [[nodiscard]] std::uint64_t compressed(const model::LayerGroup& l, std::uint64_t heads) const {
    return sum({times({g_.hidden, q_lora_}), times({q_lora_, heads, l.k_dim}),
                times({g_.hidden, l.k_dim}), times({heads, l.k_dim, o_lora_}),
                times({o_groups_, o_lora_, g_.hidden}), compressor(l)});
  }

  [[nodiscard]] std::uint64_t state(const model::State& s) const {
    const std::uint64_t inner = times({s.heads, s.rows});
    const std::uint64_t conv = times({s.conv_columns + 1, s.conv_width});
    switch (s.kind) {
      case StateKind::kGatedDelta:  // q, k, v, gate; b and a; output
        return sum({times({g_.hidden, s.conv_width}), times({2, g_.hidden, inner}),
                    times({2, g_.hidden, s.heads}), conv});
      case StateKind::kKimiDelta:  // q, k, v, output; b; two low-rank gates of a head's width
        return sum({times({4, g_.hidden, inner}), times({g_.hidden, s.heads}), conv,
                    times({2, g_.hidden, s.rows}), times({2, inner, s.rows})});
      case StateKind::kMamba2:  // gate, x, B, C, dt; output
        return sum({times({g_.hidden, s.conv_width}), times({2, g_.hidden, inner}),
                    times({g_.hidden, s.heads}), conv});
      case StateKind::kMamba1: {  // x and gate, output; B, C, dt of rank hidden / 16; A
        const std::uint64_t rank = units::ceil_div(g_.hidden, 16);
        return sum({times({3, g_.hidden, inner}), times({inner, 2 * rank + 3 * s.cols}), conv});
      }
      case StateKind::kLinear:  // q, k, v, gate, output
        return times({5, g_.hidden, inner});
      case StateKind::kShortConv:  // in (three parts), out
        return sum({times({4, g_.hidden, s.conv_width}), conv});
      case StateKind::kRwkv:
      case StateKind::kNone:
        return 0;
    }
    return 0;
  }

  const Geometry& g_;
  std::uint64_t q_lora_, o_lora_, o_groups_, nope_, v_, index_heads_, sparse_heads_, gate_;
  bool shared_kv_weights_ = false;
  Json heads_list_, at_;
};

/// T5 and Whisper: the encoder, and the decoder's cross attention.
std::uint64_t encoder(Config& config, const Geometry& g, const Mixer& mixer, FeedForward& ffn) {
  const std::uint64_t layers =
      config.whole("encoder layers", "encoder_layers num_layers", kMostLayers);
  return sum({times({layers, mixer.plain()}), times({layers, ffn.dense(false)}),
              times({g.layers, mixer.plain()})});
}

}  // namespace

ParamCount count_params(Config& config, const Geometry& g,
                        const std::vector<model::LayerGroup>& layers, bool tied,
                        std::uint32_t next_token) {
  ParamCount n;
  std::uint64_t last_attention = 0;  // of a layer that attends
  std::uint64_t last_ffn = 0;
  FeedForward ffn(config, g);
  Mixer mixer(config, g);
  const bool wide_when_shared = config.truth("use_double_wide_mlp");
  n.moe = ffn.moe;
  n.ends = sum({times({tied ? 1u : 2u, g.vocab, g.hidden}), per_layer_embeddings(config, g)});
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::uint64_t attention = mixer.layer(layers[i]);
    n.attention = checked_add(n.attention, attention);
    const bool attends = layers[i].kind != CacheKind::kNone && layers[i].kind != CacheKind::kShared;
    if (attends) last_attention = attention;
    const FeedForward::Part part = ffn.part(i);
    if (part == FeedForward::Part::kDense) {
      const bool wide = wide_when_shared && layers[i].kind == CacheKind::kShared;
      const std::uint64_t dense = ffn.dense(wide);
      n.feed_forward = checked_add(n.feed_forward, dense);
      if (n.moe.layers == 0) last_ffn = dense;
    } else if (part == FeedForward::Part::kExperts) {
      n.routed = checked_add(n.routed, ffn.routed());
      n.feed_forward = checked_add(n.feed_forward, ffn.beside_experts());
      last_ffn = ffn.beside_experts();
      ++n.moe.layers;
    }
  }
  n.norms = count_norms(config, g, layers, n.moe);
  if (g.encoder_decoder) n.attention = checked_add(n.attention, encoder(config, g, mixer, ffn));
  count_next_token(config, g, next_token, last_attention, last_ffn,
                   n.moe.layers != 0 ? ffn.routed() : 0, n);
  n.vision = count_vision(config, g);
  n.known = ffn.known() && g.hidden != 0 && g.vocab != 0 && n.total() < units::kMaxExactJson;
  return n;
}

}  // namespace kvseats::import
