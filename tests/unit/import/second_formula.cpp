#include "second_formula.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace second {
namespace {

using U = std::uint64_t;

// ---- formats: 32nds of a byte a number, and whole bytes for each head and tensor

struct Format {
  U rate = 0, scale = 0;
};
// ggml-common.h, OCP Microscaling v1.0, NVIDIA NVFP4, vLLM's per-token-head formats.
const std::map<std::string, Format> kFormats = {
    {"bf16", {64, 0}},       {"f16", {64, 0}},
    {"f32", {128, 0}},       {"fp8", {32, 0}},
    {"fp8_e5m2", {32, 0}},   {"fp8_per_token_head", {32, 4}},
    {"int8", {32, 0}},       {"int8_per_token_head", {32, 4}},
    {"mxfp8", {33, 0}},      {"q8_0", {34, 0}},
    {"q5_1", {24, 0}},       {"q5_0", {22, 0}},
    {"q4_1", {20, 0}},       {"q4_0", {18, 0}},
    {"iq4_nl", {18, 0}},     {"nvfp4", {18, 0}},
    {"fp4", {18, 0}},        {"int4_per_token_head", {16, 4}},
    {"fp8_ds_mla", {32, 0}},
};

struct Turbo {
  U k_bits, v_bits;
};
const std::map<std::string, Turbo> kTurbo = {{"turboquant_k8v4", {8, 4}},
                                             {"turboquant_4bit_nc", {4, 4}},
                                             {"turboquant_k3v4_nc", {3, 4}},
                                             {"turboquant_3bit_nc", {3, 3}}};

U up(U n, U d) {
  return (n + d - 1) / d;
}

/// vLLM's TurboQuant: 8-bit K plain, fewer bits with a 2-byte norm; V with scale and zero, 4 bytes.
U turbo_key(const std::string& name, U width) {
  const U bits = kTurbo.at(name).k_bits;
  return bits == 8 ? width : up(width * bits, 8) + 2;
}

U head_32(const std::string& k, const std::string& v, U k_dim, U v_dim) {
  if (kTurbo.count(k) != 0) {
    const U value = v_dim == 0 ? 0 : up(v_dim * kTurbo.at(v).v_bits, 8) + 4;
    return up(turbo_key(k, k_dim) + value, 2) * 2 * 32;
  }
  const Format fk = kFormats.at(k), fv = kFormats.at(v);
  return k_dim * fk.rate + fk.scale * 32 + (v_dim == 0 ? 0 : v_dim * fv.rate + fv.scale * 32);
}

/// A vector shared by all heads. fp8_ds_mla: one byte a number of the rank, four bytes of scale for
/// 128 of them, rotary part in 16 bit.
U vector_32(const std::string& k, U width, U rank) {
  if (kTurbo.count(k) != 0) return turbo_key(k, width) * 32;
  if (k == "fp8_ds_mla") return (rank + up(rank, 128) * 4 + (width - rank) * 2) * 32;
  return width * kFormats.at(k).rate + kFormats.at(k).scale * 32;
}

/// DeepSeek-V4 entries in that format: 448 × 1 + 64 × 2 + 7 scale bytes, padded to 8.
U entry_32(const std::string& k, U width) {
  if (k == "fp8_ds_mla") return ((width - 64) + 128 + up(up(width - 64, 64), 8) * 8) * 32;
  return vector_32(k, width, width);
}

/// Keys of an indexer: 8-bit ones carry an fp32 scale (128 + 4).
U index_32(const std::string& k, U width) {
  if (kTurbo.count(k) != 0) return turbo_key(k, width) * 32;
  const bool scaled =
      k == "fp8" || k == "fp8_e5m2" || k == "fp8_per_token_head" || k == "fp8_ds_mla";
  return width * kFormats.at(k).rate + (scaled ? 4 * 32 : 0);
}

// ---- configs

const Json* inner(const Json& config) {
  const Json* at = &config;
  for (int i = 0; i < 3; ++i) {
    for (const char* key :
         {"text_config", "llm_config", "language_config", "llm_cfg", "thinker_config"}) {
      if (at->contains(key) && (*at)[key].is_object()) {
        at = &(*at)[key];
        break;
      }
    }
  }
  return at;
}

class Reader {
 public:
  explicit Reader(const Json& config) : root_(config), c_(*inner(config)) {
    type_ = text(c_, "model_type");
    if (type_.empty()) type_ = text(root_, "model_type");
  }

  std::vector<Layer> read() {
    const U n = layers();
    std::vector<Layer> out;
    for (U i = 0; i < n; ++i) out.push_back(layer(i, n));
    if (flag(c_, "is_encoder_decoder")) {
      for (U i = 0; i < n; ++i) {
        Layer cross =
            heads(number({"num_heads", "decoder_attention_heads"}), head_dim(), head_dim());
        cross.encoder = true;
        cross.overlay = true;
        cross.limit = number({"max_source_positions"});
        out.push_back(cross);
      }
    }
    return out;
  }

 private:
  static std::string text(const Json& at, const char* key) {
    return at.contains(key) && at[key].is_string() ? at[key].get<std::string>() : "";
  }
  static bool flag(const Json& at, const char* key, bool usual = false) {
    return at.contains(key) && at[key].is_boolean() ? at[key].get<bool>() : usual;
  }
  U number(std::initializer_list<const char*> keys, U usual = 0) const {
    for (const char* key : keys) {
      if (c_.contains(key) && c_[key].is_number()) return c_[key].get<U>();
    }
    return usual;
  }
  const Json& list(const char* key) const {
    static const Json kNone = Json::array();
    return c_.contains(key) && c_[key].is_array() ? c_[key] : kNone;
  }
  bool is(std::initializer_list<const char*> types) const {
    return std::any_of(types.begin(), types.end(), [&](const char* t) { return type_ == t; });
  }

  U layers() const {
    if (flag(c_, "is_encoder_decoder")) return number({"num_decoder_layers", "decoder_layers"});
    const U n = number({"num_hidden_layers", "num_layers", "n_layer", "n_layers", "nlayers",
                        "num_transformer_layers"});
    if (n != 0) return n;
    if (!list("layers_block_type").empty()) return list("layers_block_type").size();
    return type_ == "llama" ? 32 : 0;  // LlamaConfig's default, in LLaVA's text_config
  }
  U query_heads() const {
    return number({"num_attention_heads", "n_head", "n_heads", "nheads", "num_heads",
                   "decoder_attention_heads"},
                  32);
  }
  U hidden() const {
    return number({"hidden_size", "n_embd", "d_model", "dim", "model_dim", "emb_dim"}, 4096);
  }
  U head_dim() const {
    const U own = number({"head_dim", "kv_channels", "d_kv"});
    return own != 0 ? own : hidden() / query_heads();
  }
  U kv_heads(U i) const {
    if (type_ == "gpt_bigcode") return flag(c_, "multi_query") ? 1 : query_heads();
    if (type_ == "falcon" && !flag(c_, "new_decoder_architecture")) {
      return flag(c_, "multi_query") ? 1 : query_heads();
    }
    if (type_ == "chatglm") return number({"multi_query_group_num"});
    if (type_ == "dbrx") return c_["attn_config"]["kv_n_heads"].get<U>();
    if (type_ == "openelm") return list("num_kv_heads")[i].get<U>();
    return number({"num_key_value_heads", "num_kv_heads", "n_kv_heads", "kvheads", "n_head_kv"},
                  query_heads());
  }

  static Layer heads(U n, U k, U v, U limit = 0) {
    Layer l;
    l.kind = Layer::kHeads;
    l.heads = n;
    l.k = k;
    l.v = v;
    l.limit = limit;
    return l;
  }
  static Layer constant(U bytes) {
    Layer l;
    l.kind = Layer::kConstant;
    l.bytes = bytes;
    return l;
  }
  Layer plain(U i) const { return heads(kv_heads(i), head_dim(), head_dim()); }

  bool latent() const {
    return number({"kv_lora_rank"}) != 0 && flag(c_, "use_mla", true) && type_ != "deepseek_v4";
  }
  Layer latent_layer(U i) const {
    Layer l;
    l.kind = Layer::kVector;
    l.rank = number({"kv_lora_rank"});
    l.k = l.rank + number({"qk_rope_head_dim"});
    if (number({"index_head_dim"}) == 0) return l;
    if (!list("indexer_types").empty()) {  // GLM-5.x names them
      if (list("indexer_types")[i] != "shared") l.index = number({"index_head_dim"});
      return l;
    }
    const U every = number({"index_topk_freq"}, 1);  // or counts them after the first few
    const U skip = number({"index_skip_topk_offset"});
    const U after = i + 1 > skip ? i + 1 - skip : 0;
    if (every == 1 || after % every == 0) l.index = number({"index_head_dim"});
    return l;
  }

  /// DeepSeek-V4 inference/model.py: a window of single vectors; entries and, at ratio 4, index
  /// keys; the compressors' fp32 values and scores (ratio 4 overlaps: twice the tokens and width).
  Layer compressed(U i) const {
    Layer l;
    l.kind = Layer::kEntries;
    l.k = number({"head_dim"});
    l.limit = number({"sliding_window"});
    l.every = list("compress_ratios")[i].get<U>();
    if (l.every == 0) return l;
    const U twice = l.every == 4 ? 2 : 1;
    l.bytes = 2 * 4 * (twice * l.every) * (twice * l.k);
    if (l.every == 4) {
      l.index = number({"index_head_dim"});
      l.bytes += 2 * 4 * 8 * (2 * l.index);
    }
    return l;
  }

  // -- recurrent layers

  U state_bytes() const {
    const bool declared = c_.contains("mamba_ssm_cache_dtype") || c_.contains("mamba_ssm_dtype");
    const std::string ssm = text(c_, "mamba_ssm_cache_dtype") + text(c_, "mamba_ssm_dtype");
    if (number({"linear_num_value_heads"}) != 0) {  // gated delta net: q, k, v convolved; k × v
      const U k = number({"linear_num_key_heads"}) * number({"linear_key_head_dim"});
      const U v = number({"linear_num_value_heads"}) * number({"linear_value_head_dim"});
      return 2 * (number({"linear_conv_kernel_dim"}) - 1) * (2 * k + v) +
             4 * v * number({"linear_key_head_dim"});
    }
    if (type_ == "kimi_linear") {
      const Json& own = c_["linear_attn_config"];
      const U width = own["num_heads"].get<U>() * own["head_dim"].get<U>();
      return 2 * (own["short_conv_kernel_size"].get<U>() - 1) * 3 * width +
             4 * width * own["head_dim"].get<U>();
    }
    if (type_ == "rwkv7") {  // two shifted tokens, a square matrix for every head
      return 2 * 2 * hidden() + 4 * hidden() * number({"head_dim"});
    }
    if (type_ == "lfm2") return 2 * (number({"conv_L_cache"}) - 1) * hidden();
    if (is({"minimax_m1", "minimax_text_01", "minimax"})) {
      return 4 * query_heads() * head_dim() * head_dim();
    }
    const U inner =
        number({"mamba_num_heads", "mamba_n_heads"}) * number({"mamba_head_dim", "mamba_d_head"});
    if (inner != 0) {  // Mamba-2: x, B and C convolved; heads × head dim × state
      const U state = number({"ssm_state_size", "mamba_d_state"});
      const U groups = number({"n_groups", "mamba_n_groups"}, 1);
      const U each = declared && ssm == "float32" ? 4 : 2;
      return 2 * (number({"conv_kernel", "mamba_d_conv"}) - 1) * (inner + 2 * groups * state) +
             each * inner * state;
    }
    const U width = c_.contains("mamba_expand") ? number({"mamba_expand"}) * hidden()
                                                : number({"intermediate_size"});
    return 2 * (number({"mamba_d_conv", "conv_kernel"}) - 1) * width +
           4 * width * number({"mamba_d_state", "state_size"});
  }

  bool recurrent(U i) const {
    if (is({"falcon_mamba", "mamba", "rwkv7"})) return true;
    if (type_ == "jamba") {
      return i % number({"attn_layer_period"}) != number({"attn_layer_offset"});
    }
    if (type_ == "kimi_linear") {
      for (const Json& full : c_["linear_attn_config"]["full_attn_layers"]) {
        if (full.get<U>() == i + 1) return false;
      }
      return true;
    }
    if (type_ == "lfm2" && !list("full_attn_idxs").empty()) {
      const Json& full = list("full_attn_idxs");
      return std::find(full.begin(), full.end(), Json(i)) == full.end();
    }
    if (!list("attn_type_list").empty()) return list("attn_type_list")[i] == 0;
    if (type_ == "qwen3_next" && list("layer_types").empty()) {
      return (i + 1) % number({"full_attention_interval"}) != 0;
    }
    return !list("layer_types").empty() &&
           (list("layer_types")[i] == "linear_attention" || list("layer_types")[i] == "conv");
  }

  Layer nemotron_h(U i) const {
    std::string kind;
    const std::string pattern = text(c_, "hybrid_override_pattern");
    if (!pattern.empty()) kind = pattern.substr(i, 1);
    if (pattern.empty()) kind = list("layers_block_type")[i].get<std::string>();
    if (kind == "M" || kind == "mamba") return constant(state_bytes());
    return kind == "*" || kind == "attention" ? plain(i) : Layer{};
  }

  /// nemotron-nas: the query heads of a KV head, or no attention at all.
  Layer block(U i) const {
    const Json& attention = list("block_configs")[i]["attention"];
    const auto yes = [&](const char* key) {
      return attention.contains(key) && attention[key].is_boolean() && attention[key].get<bool>();
    };
    if (yes("no_op") || yes("replace_with_linear")) return {};
    return heads(query_heads() / attention["n_heads_in_group"].get<U>(), head_dim(), head_dim());
  }

  // -- windows: which layers slide, by class

  bool slides(U i) const {
    const U window = number({"sliding_window"});
    if (window == 0) return false;
    if (!list("layer_types").empty()) return list("layer_types")[i] == "sliding_attention";
    if (!list("hybrid_layer_pattern").empty()) return list("hybrid_layer_pattern")[i] == 1;
    if (is({"mistral", "mixtral", "phi3", "starcoder2"})) {
      return window < number({"max_position_embeddings"}, UINT64_MAX);
    }
    if (is({"qwen2", "qwen2_5_vl", "mimo", "qwen3"})) {
      return flag(c_, "use_sliding_window") && i >= number({"max_window_layers"});
    }
    const U given = number({"sliding_window_pattern", "_sliding_window_pattern"});
    if (is({"gemma2", "gpt_oss"})) return i % 2 == 0;
    if (is({"gemma3", "gemma3_text"})) return (i + 1) % (given == 0 ? 6 : given) != 0;
    std::fprintf(stderr, "a window without a rule: %s\n", type_.c_str());
    std::abort();
  }

  Layer gemma4(U i, U n) const {
    if (i + number({"num_kv_shared_layers"}) >= n) return {};
    if (slides(i)) return heads(kv_heads(i), head_dim(), head_dim(), number({"sliding_window"}));
    const U global = number({"global_head_dim"});
    return heads(number({"num_global_key_value_heads"}, kv_heads(i)), global, global);
  }

  Layer minimax_m3(U i) const {
    Layer l = plain(i);
    const Json& sparse = c_["sparse_attention_config"];
    if (sparse["sparse_attention_freq"][i] == 0) return l;
    l.index = sparse["sparse_index_dim"].get<U>();
    l.index_pairs = sparse.contains("sparse_disable_index_value") &&
                    sparse["sparse_disable_index_value"][i] == 0;
    return l;
  }

  Layer layer(U i, U n) const {
    if (!list("compress_ratios").empty()) return compressed(i);
    if (!list("block_configs").empty()) return block(i);
    if (type_ == "nemotron_h") return nemotron_h(i);
    if (type_ == "falcon_h1") {
      Layer both = plain(i);
      both.bytes = state_bytes();
      return both;
    }
    if (recurrent(i)) return constant(state_bytes());
    if (latent()) return latent_layer(i);
    if (type_ == "gemma4_text" || type_ == "gemma4") return gemma4(i, n);
    if (c_.contains("sparse_attention_config")) return minimax_m3(i);
    if (type_ == "mllama_text_model") {
      const Json& cross = list("cross_attention_layers");
      Layer l = plain(i);
      l.encoder = std::find(cross.begin(), cross.end(), Json(i)) != cross.end();
      if (l.encoder &&
          root_.contains("vision_config")) {  // one image: tiles of patches and a class
        const Json& v = root_["vision_config"];
        const U side = v.value("image_size", U{0}) / v.value("patch_size", U{1});
        l.limit = (side * side + 1) * v.value("max_num_tiles", U{1});
      }
      return l;
    }
    if (type_ == "llama4_text") {  // every fourth layer has no rotary positions and no chunks
      Layer l = plain(i);
      if ((i + 1) % 4 != 0) l.limit = number({"attention_chunk_size"});
      return l;
    }
    if (type_ == "mimo_v2_flash") {
      if (!slides(i)) return heads(kv_heads(i), head_dim(), number({"v_head_dim"}));
      return heads(number({"swa_num_key_value_heads"}), number({"swa_head_dim"}),
                   number({"swa_v_head_dim"}), number({"sliding_window"}));
    }
    Layer l = plain(i);
    if (slides(i)) l.limit = number({"sliding_window"});
    return l;
  }

  const Json& root_;
  const Json& c_;
  std::string type_;
};

}  // namespace

std::vector<Layer> layers_of(const Json& config) {
  return Reader(config).read();
}

std::uint64_t bytes_32(const std::vector<Layer>& layers, U tokens, U encoder,
                       const std::string& k_format, const std::string& v_format) {
  // Cross attention of encoder-decoders stands beside the layers, not among them.
  const auto beside = [](const Layer& l) { return l.overlay; };
  const auto own =
      layers.size() - static_cast<std::size_t>(std::count_if(layers.begin(), layers.end(), beside));
  const bool hybrid = std::any_of(layers.begin(), layers.end(), [](const Layer& l) {
    return l.bytes != 0 && l.kind != Layer::kEntries;
  });
  U sum = 0;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Layer& l = layers[i];
    const U given = l.encoder ? encoder : tokens;
    const U kept = l.limit == 0 ? given : l.encoder ? l.limit : std::min(given, l.limit);
    // TurboQuant leaves two layers at each end in 16 bit, but for models with recurrent layers.
    const bool end = !l.overlay && (i < 2 || i + 2 >= own);
    const bool ends = kTurbo.count(k_format) != 0 && end && !hybrid;
    sum += l.bytes * 32;
    if (l.kind == Layer::kHeads) {
      sum += kept * l.heads * head_32(ends ? "bf16" : k_format, ends ? "bf16" : v_format, l.k, l.v);
    } else if (l.kind == Layer::kVector) {
      sum += kept * vector_32(k_format, l.k, l.rank);
    } else if (l.kind == Layer::kEntries) {
      sum += kept * entry_32(k_format, l.k);
      if (l.every != 0) sum += up(tokens, l.every) * entry_32(k_format, l.k);
    }
    if (l.index == 0) continue;
    const U keys = l.kind == Layer::kEntries ? up(tokens, l.every) : tokens;
    sum += keys * (l.index_pairs ? 2 : 1) * index_32(k_format, l.index);
  }
  return sum;
}

}  // namespace second
