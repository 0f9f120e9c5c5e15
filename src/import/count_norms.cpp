#include "import/count_norms.h"

#include <algorithm>
#include <iterator>

namespace kvseats::import {
namespace {

using model::CacheKind;
using model::StateKind;

enum class QkNorm : std::uint8_t {
  kNone,
  kHead,  ///< one vector of a head's width for q, one for k
  kFull,  ///< as wide as all heads
};

/// transformers modeling_<name>.py and the tensors of the published checkpoints.
struct Small {
  std::string_view model_type;
  std::uint8_t norms = 2;  ///< vectors of the hidden size in each layer
  QkNorm qk = QkNorm::kNone;
  bool qkv_bias = false;     ///< also by key: attention_bias, add_qkv_bias
  bool router_bias = false;  ///< one number for each expert (e_score_correction_bias)
  bool shared_gate = false;  ///< a gate of the hidden size on the shared expert
};
constexpr Small kSmall[] = {
    {.model_type = "cohere", .norms = 1},
    {.model_type = "cohere2", .norms = 1},
    {.model_type = "gemma2", .norms = 4},
    {.model_type = "gemma3", .norms = 4, .qk = QkNorm::kHead},
    {.model_type = "gemma3_text", .norms = 4, .qk = QkNorm::kHead},
    {.model_type = "phi3small", .norms = 4, .qkv_bias = true},
    {.model_type = "qwen", .qkv_bias = true},
    {.model_type = "qwen2", .qkv_bias = true},
    {.model_type = "qwen2_moe", .qkv_bias = true, .shared_gate = true},
    {.model_type = "qwen2_vl", .qkv_bias = true},
    {.model_type = "qwen2_5_vl", .qkv_bias = true},
    {.model_type = "qwen3", .qk = QkNorm::kHead},
    {.model_type = "qwen3_moe", .qk = QkNorm::kHead},
    {.model_type = "qwen3_next", .qk = QkNorm::kHead, .shared_gate = true},
    {.model_type = "qwen3_5_text", .qk = QkNorm::kHead},
    {.model_type = "qwen3_5_moe_text", .qk = QkNorm::kHead, .shared_gate = true},
    {.model_type = "olmo2", .qk = QkNorm::kFull},
    {.model_type = "olmo3", .qk = QkNorm::kFull},
    {.model_type = "minimax_m2", .qk = QkNorm::kFull, .router_bias = true},
    {.model_type = "minimax_m3", .qk = QkNorm::kHead, .router_bias = true},
    {.model_type = "deepseek_v3", .router_bias = true},
    {.model_type = "deepseek_v32", .router_bias = true},
    {.model_type = "kimi_k2", .router_bias = true},
    {.model_type = "glm4_moe", .qk = QkNorm::kHead, .router_bias = true},
    {.model_type = "glm4_moe_lite", .router_bias = true},
    {.model_type = "glm_moe_dsa", .router_bias = true},
    {.model_type = "nemotron_h", .norms = 1, .router_bias = true},
};

const Small& small_of(std::string_view model_type) {
  static constexpr Small kUsual = {.model_type = ""};
  const auto row = std::find_if(std::begin(kSmall), std::end(kSmall),
                                [&](const Small& s) { return s.model_type == model_type; });
  return row == std::end(kSmall) ? kUsual : *row;
}

class Norms {
 public:
  Norms(Config& config, const Geometry& g, const model::Moe& moe)
      : config_(config), g_(g), moe_(moe), small_(small_of(config.model_type)) {
    q_lora_ = config.text.get("q_lora_rank").whole().value_or(0);
    const bool bias = config.truth("attention_bias") || config.truth("add_qkv_bias");
    qkv_bias_ = small_.qkv_bias || (bias && g.latent_rank == 0);
    qk_ = config.truth("use_qk_norm", true) ? small_.qk : QkNorm::kNone;
    sinks_ = config.model_type == "gpt_oss";
    blocks_ = config.text.get("block_configs").is_array();
  }

  [[nodiscard]] std::uint64_t layer(const model::LayerGroup& l) const {
    std::uint64_t n = small_.norms * std::uint64_t{g_.hidden} + state(l.state);
    const bool attends = l.kind != CacheKind::kNone;
    if (blocks_ && !attends) n -= g_.hidden;  // nothing to normalise where there is no attention
    if (!attends) return n;
    if (l.kind == CacheKind::kLatent) return n + q_lora_ + l.latent_rank + index(l);
    return n + heads(l) + index(l);
  }

  /// Beside single layers: experts' and the model's own.
  [[nodiscard]] std::uint64_t rest() const {
    std::uint64_t n = std::uint64_t{g_.hidden};
    if (small_.router_bias) n += std::uint64_t{moe_.layers} * moe_.experts;
    if (small_.shared_gate) n += std::uint64_t{moe_.layers} * g_.hidden;
    if (sinks_) {  // biases of the router and of each expert's matrices
      n += moe_.layers * moe_.experts * (1 + 2 * moe_.expert_width + g_.hidden);
    }
    if (config_.model_type == "mllama_text_model") n += 8 * std::uint64_t{g_.hidden};
    if (config_.model_type == "phi3small") n += g_.hidden;  // LayerNorm: weight and bias
    return n;
  }

 private:
  [[nodiscard]] std::uint64_t heads(const model::LayerGroup& l) const {
    const bool own = l.kv_heads != 0;  // layers that share a cache project queries only
    const std::uint64_t query = std::uint64_t{g_.heads} * l.k_dim;
    const std::uint64_t keys = std::uint64_t{l.kv_heads} * l.k_dim;
    std::uint64_t n = 0;
    if (qk_ == QkNorm::kHead && own) n += 2 * l.k_dim;
    if (qk_ == QkNorm::kFull && own) n += query + keys;
    if (qkv_bias_) n += query + keys + std::uint64_t{l.kv_heads} * l.v_dim;
    if (sinks_) n += g_.hidden + g_.heads;
    if (config_.model_type == "phi3small") {  // every matrix has a bias
      n += 2 * std::uint64_t{g_.hidden} +
           2 * config_.text.get("ff_intermediate_size").whole().value_or(0);
    }
    if (l.kind == CacheKind::kCross) n += 2 * l.k_dim + 2;  // norms of q and k, two gates
    return n;
  }

  [[nodiscard]] static std::uint64_t index(const model::LayerGroup& l) {
    return l.index_layers == 0 ? 0 : 2 * std::uint64_t{l.index_dim};
  }

  [[nodiscard]] static std::uint64_t state(const model::State& s) {
    const std::uint64_t heads = s.heads;
    switch (s.kind) {
      case StateKind::kGatedDelta:  // A and dt of each head, a norm of a head's width
        return 2 * heads + s.rows;
      case StateKind::kMamba2:  // bias of the convolution; A, D and dt; the gated norm
        return s.conv_width + 3 * heads + heads * s.rows;
      default:
        return 0;
    }
  }

  Config& config_;
  const Geometry& g_;
  const model::Moe& moe_;
  const Small& small_;
  std::uint64_t q_lora_ = 0;
  bool qkv_bias_ = false, sinks_ = false, blocks_ = false;
  QkNorm qk_ = QkNorm::kNone;
};

/// T5: two norms in encoder layers, three in the decoder's, one at each end, and the two tables of
/// relative positions (modeling_t5.py).
std::uint64_t t5_norms(Config& config, const Geometry& g) {
  const std::uint64_t encoder = config.text.get("num_layers").whole().value_or(0);
  const std::uint64_t buckets =
      config.text.get("relative_attention_num_buckets").whole().value_or(0);
  if (encoder > kMostLayers || buckets > kMostWidth) return 0;
  return g.hidden * (2 * encoder + 3 * std::uint64_t{g.layers} + 2) + 2 * buckets * g.heads;
}

}  // namespace

std::uint64_t count_norms(Config& config, const Geometry& g,
                          const std::vector<model::LayerGroup>& layers, const model::Moe& moe) {
  if (config.model_type == "t5") return t5_norms(config, g);
  const Norms norms(config, g, moe);
  std::uint64_t n = norms.rest();
  for (const model::LayerGroup& layer : layers) n = units::checked_add(n, norms.layer(layer));
  return n;
}

}  // namespace kvseats::import
