#include "import/gguf_model.h"

#include <algorithm>
#include <iterator>

#include "import/config_layers.h"
#include "import/config_tables.h"
#include "import/gguf_weights.h"
#include "units/text.h"

namespace kvseats::import {
namespace {

using model::CacheKind;
using model::LayerGroup;
using model::StateKind;

/// Layers that keep everything when (i + 1) % period == 0, by architecture: the files do not say
/// (ggml-org/llama.cpp src/llama-model.cpp, set_swa_pattern). Other architectures ignore a window.
struct WindowPeriod {
  std::string_view architecture;
  std::uint32_t period;
};
constexpr WindowPeriod kPeriods[] = {
    {"gemma2", 2},  {"gemma3", 6}, {"gemma3n", 5}, {"cohere2", 4},
    {"gpt-oss", 2}, {"olmo2", 4},  {"exaone4", 4}, {"llama4", 4},
};

class GgufModel {
 public:
  GgufModel(const GgufMetadata& metadata, Draft& draft) : metadata_(metadata), draft_(draft) {}

  units::Diagnostics errors;

  void read(std::uint64_t file_bytes, std::string_view file_name) {
    const GgufValue* name = metadata_.find("general.architecture");
    if (name == nullptr || name->text.empty()) {
      const bool part = metadata_.find("split.no") != nullptr;
      return fail("E-MISSING", "general.architecture",
                  part ? "This is a part of a split model; the first part says what it is."
                       : "The file does not name its architecture.");
    }
    draft_.architecture = units::valid_utf8(name->text);
    prefix_ = name->text + ".";
    read_numbers();
    if (!errors.empty()) return;
    std::vector<LayerGroup> layers;
    for (std::uint32_t i = 0; i < layers_ && errors.empty(); ++i) layers.push_back(layer(i));
    if (!errors.empty()) return;
    check_unread();
    if (!errors.empty()) return;
    assign_groups(layers, draft_.model);
    if (cross_) draft_.model.groups.push_back(cross());
    fill(file_bytes, file_name);
    const std::string fault = model::find_fault(draft_.model);
    if (!fault.empty()) fail("E-BAD-VALUE", "", fault);
  }

 private:
  void fail(std::string code, std::string where, std::string text) {
    errors.push_back(units::diagnose(std::move(code), std::move(where), std::move(text),
                                     "Describe the cache yourself with shape=."));
  }

  /// As in a config.json: keys of another kind of cache that no rule read are refused, others that
  /// sound like the cache are named.
  void check_unread() {
    std::string list;
    for (const GgufValue& value : metadata_.values) {
      if (value.read || value.key.substr(0, prefix_.size()) != prefix_) continue;
      const bool off = std::all_of(value.numbers.begin(), value.numbers.end(),
                                   [](std::uint64_t n) { return n == 0; });
      if (off && value.text.empty()) continue;
      const std::string key = units::valid_utf8(value.key.substr(0, 100));
      const Sound sound = sound_of(units::lower(key.substr(std::min(prefix_.size(), key.size()))));
      if (sound == Sound::kDecisive && state_.kind == StateKind::kNone) {
        const std::uint64_t all = units::checked_mul(2 * std::uint64_t{layers_} * at(kv_heads_, 0),
                                                     std::uint64_t{k_dim_} + v_dim_);
        fail("E-UNKNOWN-LAYOUT", key,
             "This key changes what the cache holds, and no rule here knows how. In f16 it takes "
             "from 0 to " +
                 units::grouped(all) + " bytes a token (every layer as full attention).");
      } else if (sound != Sound::kNothing) {
        list += (list.empty() ? "" : ", ") + key;
      }
    }
    if (list.empty()) return;
    draft_.diagnostics.push_back(
        units::diagnose("N-UNREAD-KEYS", "",
                        "These keys sound like the cache, and nothing used them: " + list + ".",
                        "If one of them shapes the cache, correct the numbers by hand."));
  }

  /// Lists hold one entry a layer (llama-model-loader.cpp, get_key_or_arr).
  void check_lists() {
    for (const std::string_view key :
         {"attention.head_count_kv", "attention.head_count", "attention.sliding_window_pattern",
          "attention.compress_ratios", "attention.recurrent_layers", "attention.indexer.types"}) {
      const GgufValue* list = own(key);
      if (list == nullptr || !list->is_array || list->numbers.size() >= layers_) continue;
      fail("E-BAD-VALUE", list->key,
           "The list has " + std::to_string(list->numbers.size()) + " entries for " +
               std::to_string(layers_) + " layers.");
    }
  }

  [[nodiscard]] const GgufValue* own(std::string_view key) const {
    return metadata_.find(prefix_ + std::string(key));
  }

  /// A number of layer `i`: the array's entry, or the one for all; 0 when there is none.
  [[nodiscard]] std::uint32_t at(const GgufValue* value, std::size_t i) const {
    if (value == nullptr || value->numbers.empty()) return 0;
    const std::size_t last = value->numbers.size() - 1;
    const std::uint64_t n = value->numbers[value->is_array ? std::min(i, last) : 0];
    return n > model::kMaxDim ? 0 : static_cast<std::uint32_t>(n);
  }

  std::uint32_t number(std::string_view label, std::string_view key) {
    const GgufValue* value = own(key);
    const std::uint32_t n = at(value, 0);
    if (n != 0) {
      draft_.found.push_back({.name = std::string(label),
                              .path = value->key,
                              .value = value->is_array ? "by layer" : std::to_string(n),
                              .how = ""});
    }
    return n;
  }

  void read_numbers() {
    nextn_ = number("next-token layers", "nextn_predict_layers");
    std::uint32_t blocks = number("layers", "block_count");
    if (const std::uint32_t decoder = number("layers", "decoder_block_count")) blocks = decoder;
    // Next-token layers are counted in block_count (llama.cpp convert_hf_to_gguf.py).
    if (blocks > 0 && nextn_ >= blocks) {
      return fail("E-BAD-VALUE", prefix_ + "nextn_predict_layers",
                  "The file counts as many next-token layers as layers.");
    }
    layers_ = blocks > 0 ? blocks - nextn_ : 0;
    if (layers_ == 0 || layers_ > 4096) {
      return fail("E-MISSING", prefix_ + "block_count", "The file does not count its layers.");
    }
    hidden_ = number("hidden size", "embedding_length");
    heads_ = number("attention heads", "attention.head_count");
    kv_heads_ = own("attention.head_count_kv");
    number("KV heads", "attention.head_count_kv");
    k_dim_ = number("head dim", "attention.key_length");
    v_dim_ = number("V head dim", "attention.value_length");
    if (k_dim_ == 0 && heads_ != 0) {
      k_dim_ = hidden_ / heads_;
      derive("head dim", k_dim_, "no key_length: hidden size / attention heads");
    }
    if (v_dim_ == 0) v_dim_ = k_dim_;
    window_ = number("sliding window", "attention.sliding_window");
    if (draft_.architecture == "llama4" && window_ == 0) window_ = 8192;  // n_swa of llama.cpp
    pattern_ = own("attention.sliding_window_pattern");
    for (const WindowPeriod& row : kPeriods) {
      if (row.architecture == draft_.architecture) period_ = row.period;
    }
    rank_ = number("latent rank", "attention.kv_lora_rank");
    index_ = number("indexer width", "attention.indexer.key_length");
    interval_ = number("full attention interval", "full_attention_interval");
    shared_ = number("layers that share a cache", "attention.shared_kv_layers");
    // gemma3n: 20 layers own a cache (llama.cpp llm_build_gemma3n).
    if (draft_.architecture == "gemma3n" && layers_ > 20) shared_ = layers_ - 20;
    index_from_ = draft_.architecture == "minimax-m3" ? at(own("leading_dense_block_count"), 0) : 0;
    const GgufValue* causal = own("attention.causal");
    encoder_ = draft_.architecture == "t5encoder" ||
               (causal != nullptr && !causal->numbers.empty() && causal->numbers[0] == 0);
    cross_ = draft_.architecture == "t5";
    parallel_ = is_parallel_hybrid(draft_.architecture);
    read_state();
    check_lists();
  }

  void derive(std::string_view label, std::uint64_t value, std::string_view how) {
    draft_.derived.push_back({.name = std::string(label),
                              .path = "",
                              .value = std::to_string(value),
                              .how = std::string(how)});
  }

  /// llama-memory-recurrent.cpp: R = (kernel − 1) × (inner + 2 × groups × state), S = state ×
  /// inner, both in f32. Kimi's delta attention and short convolutions have keys of their own.
  void read_state() {
    const std::uint32_t kernel = number("convolution kernel", "ssm.conv_kernel");
    const std::uint32_t inner = number("state width", "ssm.inner_size");
    const std::uint32_t state = number("state size", "ssm.state_size");
    const std::uint32_t groups = number("state groups", "ssm.group_count");
    const std::uint32_t ranks = number("state heads", "ssm.time_step_rank");
    if (const std::uint32_t dim = number("delta head dim", "kda.head_dim")) {
      state_.kind = StateKind::kKimiDelta;
      state_.conv_columns = kernel > 0 ? kernel - 1 : 3;
      state_.conv_width = 3 * heads_ * dim;
      state_.heads = heads_;
      state_.rows = state_.cols = dim;
    } else if (const std::uint32_t cache = number("convolution", "shortconv.l_cache")) {
      state_.kind = StateKind::kShortConv;
      state_.conv_columns = cache - 1;
      state_.conv_width = hidden_;
    } else if (const std::uint32_t size = number("state head size", "wkv.head_size")) {
      // n_embd_r and n_embd_s of llama-hparams.cpp: shifted tokens, and a matrix for every head.
      const GgufValue* shifts = own("token_shift_count");
      state_.kind = StateKind::kRwkv;
      state_.conv_columns = shifts != nullptr ? at(shifts, 0) : 2;
      state_.conv_width = hidden_;
      state_.heads = hidden_ / size;
      state_.rows = state_.cols = size;
    } else if (inner != 0 && state != 0 && kernel != 0) {
      const bool heads = groups != 0 && ranks != 0 && inner % ranks == 0;
      state_.kind = interval_ != 0 ? StateKind::kGatedDelta
                    : heads        ? StateKind::kMamba2
                                   : StateKind::kMamba1;
      state_.conv_columns = kernel - 1;
      state_.conv_width = inner + 2 * groups * state;
      state_.groups = groups;
      state_.heads = heads ? ranks : inner;
      state_.rows = heads ? inner / ranks : 1;
      state_.cols = state;
    }
    // As for a config.json that declares no type; llama.cpp itself keeps all states in float32.
    const bool half = state_.kind == StateKind::kMamba2 || state_.kind == StateKind::kShortConv;
    state_.temporal_type = half ? model::StateType::kF16 : model::StateType::kF32;
    state_.assumed_type =
        state_.kind == StateKind::kGatedDelta || state_.kind == StateKind::kMamba1;
  }

  [[nodiscard]] bool slides(std::size_t i) const {
    if (window_ == 0) return false;
    if (pattern_ != nullptr && pattern_->is_array) return at(pattern_, i) != 0;
    const std::uint32_t period = pattern_ != nullptr ? at(pattern_, 0) : period_;
    return period > 1 && (i + 1) % period != 0;
  }

  [[nodiscard]] bool is_recurrent(std::size_t i) const {
    if (state_.kind == StateKind::kNone || parallel_) return false;
    if (const GgufValue* list = own("attention.recurrent_layers")) return at(list, i) != 0;
    if (interval_ != 0) return (i + 1) % interval_ != 0;
    return kv_heads_ == nullptr || at(kv_heads_, i) == 0;
  }

  LayerGroup layer(std::size_t i) {
    LayerGroup group;
    group.layers = 1;
    group.kind = CacheKind::kNone;
    if (encoder_) return group;  // attends within one pass and keeps nothing
    if (i + shared_ >= layers_) {
      group.kind = CacheKind::kShared;
      return group;
    }
    const bool plain = is_recurrent(i);
    // Nemotron-H: layers with a feed-forward width and no KV heads are MLPs.
    const GgufValue* widths = own("feed_forward_length");
    const bool mlp = plain && widths != nullptr && widths->is_array && at(widths, i) != 0 &&
                     draft_.architecture.substr(0, 10) == "nemotron_h";
    if (mlp) return group;
    if (plain) {
      group.state = state_;
      return group;
    }
    if (const GgufValue* ratios = own("attention.compress_ratios")) {
      return compressed(i, at(ratios, i));
    }
    return rank_ != 0 ? latent(i) : attention(i);
  }

  /// DeepSeek-V4, as in its config.json: 0 keeps a window only; 4 has an indexer beside.
  LayerGroup compressed(std::size_t i, std::uint32_t ratio) {
    LayerGroup group;
    group.kind = CacheKind::kCompressed;
    group.layers = group.kv_heads = 1;
    group.k_dim = k_dim_;
    group.window = window_;
    group.compress_ratio = ratio;
    group.compress_dim = ratio == 0 ? 0 : k_dim_;
    if (ratio == 4) put_index(i, group);
    if ((ratio != 0 && ratio != 4 && ratio != 128) || window_ == 0) {
      fail("E-UNKNOWN-LAYOUT", prefix_ + "attention.compress_ratios",
           "A compression of " + std::to_string(ratio) + " to one with a window of " +
               std::to_string(window_) + " is not known here.");
    }
    return group;
  }

  /// glm-dsa lists the layers that have one; MiniMax-M3 has it in layers with experts.
  void put_index(std::size_t i, LayerGroup& group) const {
    const GgufValue* types = own("attention.indexer.types");
    if (index_ == 0 || i < index_from_ || (types != nullptr && at(types, i) == 0)) return;
    group.index_dim = index_;
    group.index_layers = 1;
  }

  /// T5: every decoder layer keeps K and V of the encoder's output too.
  LayerGroup cross() const {
    LayerGroup group;
    group.kind = CacheKind::kCross;
    group.layers = layers_;
    group.kv_heads = kv_heads_ == nullptr ? heads_ : at(kv_heads_, 0);
    group.k_dim = k_dim_;
    group.v_dim = v_dim_;
    group.overlay = true;
    return group;
  }

  LayerGroup latent(std::size_t i) const {
    LayerGroup group;
    group.kind = CacheKind::kLatent;
    group.layers = 1;
    group.kv_heads = 1;
    group.k_dim = rank_ + at(own("rope.dimension_count"), 0);
    group.latent_rank = rank_;
    put_index(i, group);
    return group;
  }

  LayerGroup attention(std::size_t i) {
    LayerGroup group;
    const bool window = slides(i);
    const bool chunk = window && draft_.architecture == "llama4";
    group.kind = chunk ? CacheKind::kChunked : window ? CacheKind::kWindow : CacheKind::kFull;
    group.layers = 1;
    group.kv_heads = kv_heads_ == nullptr ? heads_ : at(kv_heads_, i);
    group.k_dim = k_dim_;
    group.v_dim = v_dim_;
    group.window = window ? window_ : 0;
    const std::uint32_t k_swa = at(own("attention.key_length_swa"), 0);
    const std::uint32_t v_swa = at(own("attention.value_length_swa"), 0);
    if (window && k_swa != 0) {
      group.k_dim = k_swa;
      group.v_dim = v_swa;
    }
    if (!window) put_index(i, group);
    if (parallel_) group.state = state_;
    if (group.kv_heads == 0) group.kind = CacheKind::kNone;  // Nemotron NAS: no attention here
    if (group.kind == CacheKind::kNone) group.k_dim = group.v_dim = 0;
    return group;
  }

  void fill(std::uint64_t file_bytes, std::string_view file_name) {
    model::Model& m = draft_.model;
    const GgufValue* name = metadata_.find("general.name");
    m.name = name != nullptr && !name->text.empty() ? units::valid_utf8(name->text)
                                                    : units::valid_utf8(file_name);
    m.family = draft_.architecture;
    m.layers = layers_;
    m.hidden = hidden_;
    m.attention_heads = heads_;
    m.mtp_layers = nextn_;
    const GgufValue* context = own("context_length");
    if (context != nullptr && !context->numbers.empty()) m.max_tokens = context->numbers[0];
    model::Moe& moe = m.moe;
    moe.experts = number("routed experts", "expert_count");
    moe.per_token = number("experts per token", "expert_used_count");
    m.stored = model::StoredType::kF16;
    m.source = file_name.empty() ? "GGUF file" : units::valid_utf8(file_name);
    m.confidence = "imported";
    if (moe.experts != 0) {
      moe.expert_width = number("expert width", "expert_feed_forward_length");
      moe.shared = number("shared experts", "expert_shared_count");
      moe.layers = layers_ - std::min(layers_, number("dense layers", "leading_dense_block_count"));
    }
    m.vocab = metadata_.vocabulary;
    if (const std::uint32_t own_size = number("vocabulary", "vocab_size")) m.vocab = own_size;
    read_gguf_weights(metadata_, file_bytes, draft_);
  }

  const GgufMetadata& metadata_;
  Draft& draft_;
  std::string prefix_;
  std::uint32_t layers_ = 0, nextn_ = 0, hidden_ = 0, heads_ = 0, k_dim_ = 0, v_dim_ = 0;
  std::uint32_t window_ = 0, period_ = 0, rank_ = 0, index_ = 0, interval_ = 0, shared_ = 0;
  std::uint32_t index_from_ = 0;
  bool encoder_ = false, cross_ = false, parallel_ = false;
  const GgufValue* kv_heads_ = nullptr;
  const GgufValue* pattern_ = nullptr;
  model::State state_;
};

}  // namespace

units::Diagnostics read_gguf_model(const GgufMetadata& metadata, std::uint64_t file_bytes,
                                   std::string_view file_name, Draft& draft) {
  GgufModel reader(metadata, draft);
  reader.read(file_bytes, file_name);
  return std::move(reader.errors);
}

}  // namespace kvseats::import
