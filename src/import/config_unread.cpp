#include <algorithm>

#include "import/config_layers.h"
#include "units/text.h"

namespace kvseats::import {
namespace {

// Parts of key names that mean another kind of cache. Read by a rule, or the file is refused.
constexpr std::string_view kDecisive[] = {"rwkv",
                                          "wkv",
                                          "lru_",
                                          "recurrent",
                                          "linear_num",
                                          "linear_key",
                                          "linear_attn",
                                          "mamba_",
                                          "ssm_",
                                          "state_size",
                                          "block_types",
                                          "layer_types",
                                          "attention_layers",
                                          "attention_types",
                                          "compress_ratio",
                                          "kv_lora_rank",
                                          "kv_shared",
                                          "cla_share",
                                          "attn_type_list",
                                          "hybrid_override",
                                          "attention_chunk",
                                          "cross_attention_layers",
                                          "retention",
                                          "ssm.",
                                          "kda.",
                                          "shortconv",
                                          "conv_l_cache",
                                          "gla_",
                                          "delta_net"};

// The same words in keys that are no geometry of the cache.
constexpr std::string_view kHarmless[] = {"mlp_layer_types",   "rope",      "loss", "dropout",
                                          "use_mamba_kernels", "dt_b_c_rms"};

// Parts of key names that may matter; listed when nothing read them.
constexpr std::string_view kNotable[] = {"window",     "kv_",   "_kv",   "sliding", "sparse",
                                         "attention_", "attn_", "state", "conv_",   "latent",
                                         "index_",     "kpool", "_swa"};
constexpr std::string_view kOrdinary[] = {"bias",
                                          "dropout",
                                          "pdrop",
                                          "softmax",
                                          "softcap",
                                          "implementation",
                                          "scal",
                                          "use_cache",
                                          "num_key_value_heads",
                                          "cross_attention_hidden_size",
                                          "add_cross_attention",
                                          "output_attentions",
                                          "output_hidden_states",
                                          "index_topk",
                                          "index_share",
                                          "relative_attention",
                                          "index_n_heads",
                                          "layer_norm",
                                          "mlp_",
                                          "router",
                                          "rope",
                                          "token"};

template <std::size_t N>
bool mentions(std::string_view key, const std::string_view (&words)[N]) {
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) {
    return key.find(word) != std::string_view::npos;
  });
}

/// Set to something: not null, false, 0, "" or [].
bool is_active(Json value) {
  if (!value.has_value()) return false;
  if (value.is_number()) return value.number() != 0;
  if (value.is_array() || value.is_object()) return value.size() != 0;
  if (value.is_text()) return !value.text().empty();
  return value.truth();
}

}  // namespace

Sound sound_of(std::string_view key) {
  if (mentions(key, kDecisive) && !mentions(key, kHarmless)) return Sound::kDecisive;
  return mentions(key, kNotable) && !mentions(key, kOrdinary) ? Sound::kNotable : Sound::kNothing;
}

void refuse_unknown_caches(Config& config, bool has_state) {
  if (has_state) return;
  for (Json v = config.text.first(); v.exists(); v = v.next()) {
    if (v.was_read() || !is_active(v)) continue;
    const std::string key = units::lower(v.key().substr(0, 100));
    if (sound_of(key) != Sound::kDecisive) continue;
    config.fail("E-UNKNOWN-LAYOUT", v.path(),
                "\"" + units::valid_utf8(key) +
                    "\" changes what the cache holds, and no rule here knows how.",
                "layer_types, with a known kind for every layer and that kind's own keys, would "
                "settle it; or describe the cache with shape=, and state= for what is kept per "
                "request.");
    if (config.errors.size() >= 8) return;
  }
}

void note_unread_keys(Config& config) {
  std::string list;
  std::size_t listed = 0;
  for (Json v = config.text.first(); v.exists() && listed < 12; v = v.next()) {
    if (v.was_read() || !is_active(v)) continue;
    const std::string key = units::lower(v.key().substr(0, 100));
    if (!mentions(key, kNotable) || mentions(key, kOrdinary)) continue;
    list += (list.empty() ? "" : ", ") + units::valid_utf8(key);
    ++listed;
  }
  if (list.empty()) return;
  config.note("N-UNREAD-KEYS", config.text.path(),
              "These keys sound like the cache, and nothing used them: " + list + ".",
              "If one of them shapes the cache, correct the numbers by hand.");
}

}  // namespace kvseats::import
