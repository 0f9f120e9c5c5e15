#include "import/config_geometry.h"

#include "import/config_tables.h"

namespace kvseats::import {
namespace {

/// Depth as the length of a per-layer list, when no key counts the layers.
std::uint32_t layers_from_lists(Config& config) {
  for (const std::string_view key :
       {"layers_block_type", "layer_types", "block_configs", "hybrid_override_pattern"}) {
    const Json list = config.text.get(key);
    const std::size_t n = list.is_text() ? list.text().size() : list.size();
    if (n == 0 || n > kMostLayers) continue;
    config.derived("layers", n, "length of " + list.path());
    return static_cast<std::uint32_t>(n);
  }
  return 0;
}

void read_layers(Config& config, Geometry& g) {
  g.encoder_decoder = config.truth("is_encoder_decoder");
  if (g.encoder_decoder) {
    g.layers = config.small("layers", "num_decoder_layers decoder_layers", kMostLayers);
    g.heads = config.small("attention heads", "decoder_attention_heads", kMostHeads);
  }
  if (g.layers == 0)
    g.layers = config.small(
        "layers", "num_hidden_layers n_layer num_layers n_layers nlayers num_transformer_layers",
        kMostLayers);
  if (g.layers == 0) g.layers = layers_from_lists(config);
  if (g.heads == 0)
    g.heads = config.small("attention heads", "num_attention_heads n_head n_heads nheads num_heads",
                           kMostHeads);
}

/// ChatGLM, Falcon, MPT and StarCoder switch to one or a few KV heads by a flag.
std::uint32_t multi_query_heads(Config& config) {
  const Json attention = config.text.get("attn_config");
  if (attention.get("attn_type").text() == "multiquery_attention") return 1;
  if (config.truth("multi_query_attention")) {
    return config.small("KV heads", "multi_query_group_num", kMostHeads);
  }
  // Falcon: new_decoder_architecture overrides multi_query (transformers modeling_falcon.py).
  if (config.truth("multi_query") && !config.truth("new_decoder_architecture")) {
    config.derived("KV heads", 1, "multi_query is true: all heads share one K and V");
    return 1;
  }
  return 0;
}

void read_kv_heads(Config& config, Geometry& g, const ClassDefaults* defaults) {
  g.kv_heads = multi_query_heads(config);
  // num_attention_groups: Step-3; kvheads: fms; kv_n_heads: MPT.
  if (g.kv_heads == 0)
    g.kv_heads = config.small("KV heads",
                              "num_key_value_heads n_head_kv num_kv_heads n_kv_heads kvheads "
                              "kv_n_heads num_attention_groups",
                              kMostHeads);
  if (g.kv_heads == 0) {
    const Json nested = config.text.get("attn_config").get("kv_n_heads");
    const std::optional<std::uint64_t> n = nested.whole();
    if (n && *n > 0 && *n <= kMostHeads) {
      config.found("KV heads", nested);
      g.kv_heads = static_cast<std::uint32_t>(*n);
    } else if (nested.has_value()) {
      config.bad_value("KV heads", nested, "a number of heads");
    }
  }
  if (g.kv_heads != 0) return;
  // A list has one entry a layer; the first stands for all until each layer gets its own.
  const Json listed = config.first("num_kv_heads num_key_value_heads").first();
  const std::uint64_t first = listed.whole().value_or(0);
  if (first != 0 && first <= kMostHeads) {
    g.kv_heads = static_cast<std::uint32_t>(first);
    return;
  }
  if (defaults != nullptr && defaults->kv_heads != 0) {
    g.kv_heads = defaults->kv_heads;
    config.derived("KV heads", g.kv_heads, defaults->source);
  } else if (g.heads != 0) {
    g.kv_heads = g.heads;
    if (!config.text.get("block_configs").is_array()) {
      config.derived("KV heads", g.kv_heads, "no KV-head key: every attention head has its own");
    }
  }
}

// Attention shares each KV head among attention heads (repeat_kv in transformers'
// models/llama/modeling_llama.py), so there are never more of them.
void check_kv_heads(Config& config, const Geometry& g) {
  if (g.heads == 0 || g.latent_rank != 0 || g.kv_heads <= g.heads) return;
  config.note("W-KV-HEADS", config.absent_path("num_key_value_heads"),
              std::to_string(g.kv_heads) + " KV heads for " + std::to_string(g.heads) +
                  " attention heads: no attention has more of them",
              "Check num_key_value_heads and num_attention_heads; kvheads= overrides them.");
}

void read_head_dims(Config& config, Geometry& g, const ClassDefaults* defaults) {
  g.k_dim = config.small("head dim", "head_dim kv_channels d_kv attention_head_dim");
  if (g.k_dim == 0 && defaults != nullptr && defaults->head_dim != 0) {
    g.k_dim = defaults->head_dim;
    config.derived("head dim", g.k_dim, defaults->source);
  }
  if (g.k_dim == 0 && g.latent_rank == 0 && g.heads != 0 && g.hidden != 0) {
    if (g.hidden % g.heads == 0) {
      g.k_dim = g.hidden / g.heads;
      config.derived("head dim", g.k_dim, "no head_dim key: hidden size / attention heads");
    }
  }
  g.v_dim = config.small("V head dim", "v_head_dim");
  if (g.v_dim == 0 || g.latent_rank != 0) g.v_dim = g.k_dim;
}

void read_latent(Config& config, Geometry& g) {
  if (!config.truth("use_mla", true)) {
    config.text.get("kv_lora_rank").mark_read();
    return;
  }
  g.latent_rank = config.small("latent rank", "kv_lora_rank");
  if (g.latent_rank == 0) return;
  g.latent_rope = config.small("rotary part of the latent", "qk_rope_head_dim");
  if (g.latent_rope == 0 && !config.text.get("qk_rope_head_dim").is_number()) {
    config.fail("E-MISSING", config.absent_path("qk_rope_head_dim"),
                "kv_lora_rank says latent attention, but qk_rope_head_dim is missing.",
                "Add qk_rope_head_dim, or describe the cache with shape=latent:61x576.");
  }
}

/// Wrappers written by transformers keep only what differs from the class (LLaVA: not even layers).
const ClassDefaults* defaults_of(Config& config) {
  if (config.text.path().empty()) return nullptr;
  return find_class_defaults(config.model_type);
}

std::uint32_t or_default(Config& config, std::string_view name, std::uint32_t read,
                         std::uint32_t fallback, const ClassDefaults* defaults) {
  if (read != 0 || defaults == nullptr || fallback == 0) return read;
  config.derived(name, fallback, defaults->source);
  config.note("W-CLASS-DEFAULT", config.text.path(),
              "The file does not say the " + std::string(name) + "; " + std::to_string(fallback) +
                  " is the default of " + std::string(defaults->source) + ".",
              "Check it against the model card, or set the key yourself.");
  return fallback;
}

}  // namespace

Geometry read_geometry(Config& config) {
  Geometry g;
  const ClassDefaults* defaults = defaults_of(config);
  read_layers(config, g);
  g.hidden = config.small("hidden size", "hidden_size n_embd d_model dim model_dim emb_dim");
  if (defaults != nullptr) {
    g.layers = or_default(config, "layers", g.layers, defaults->layers, defaults);
    g.heads = or_default(config, "attention heads", g.heads, defaults->heads, defaults);
    g.hidden = or_default(config, "hidden size", g.hidden, defaults->hidden, defaults);
  }
  read_latent(config, g);
  read_kv_heads(config, g, defaults);
  check_kv_heads(config, g);
  read_head_dims(config, g, defaults);
  if (g.encoder_decoder)
    g.max_tokens = config.whole("longest text", "max_target_positions", kMostTokens);
  if (g.max_tokens == 0)
    g.max_tokens =
        config.whole("longest text",
                     "max_position_embeddings max_sequence_length max_seq_len n_positions "
                     "max_context_length max_expected_seq_len seq_length n_ctx model_max_length",
                     kMostTokens);
  g.vocab = config.whole("vocabulary", "vocab_size padded_vocab_size src_vocab_size", kMostTokens);
  if (g.vocab == 0) {
    const std::optional<std::uint64_t> outer = config.root.get("vocab_size").whole();
    g.vocab = outer && *outer <= kMostTokens ? *outer : 0;
  }
  if (g.max_tokens == 0) config.missing("longest text", "set maxlen yourself if the model has one");
  if (g.layers == 0 && config.errors.empty()) {
    config.fail("E-MISSING", config.absent_path("num_hidden_layers"),
                "The file does not say how many layers the model has.",
                "Add num_hidden_layers, or describe the cache with shape=full:32x8x128.");
  }
  return g;
}

bool require_attention(Config& config, const Geometry& g) {
  const std::size_t before = config.errors.size();
  if (g.latent_rank != 0) return true;
  const Json zero = config.first("num_key_value_heads n_head_kv num_kv_heads n_kv_heads");
  if (zero.is_number() && zero.number() == 0) {
    config.bad_value("KV heads", zero, "1 or more: layers attend");
  } else if (g.heads == 0 && g.kv_heads == 0) {
    config.fail("E-MISSING", config.absent_path("num_attention_heads"),
                "The file does not say how many heads attention has.",
                "Add num_attention_heads and num_key_value_heads, or give kvheads.");
  } else if (g.k_dim == 0) {
    config.fail("E-MISSING", config.absent_path("head_dim"),
                g.hidden == 0 ? "Neither head_dim nor the hidden size is in the file."
                              : "There is no head_dim, and hidden size / heads is not whole.",
                "Add head_dim, or give headdim.");
  } else if (g.kv_heads == 0) {
    config.fail("E-MISSING", config.absent_path("num_key_value_heads"),
                "The file does not say how many KV heads there are.",
                "Add num_key_value_heads, or give kvheads.");
  }
  return config.errors.size() == before;
}

}  // namespace kvseats::import
