#include <algorithm>
#include <string>

#include "import/config_layers.h"
#include "import/config_tables.h"
#include "units/text.h"

namespace kvseats::import {
namespace {

using Roles = std::vector<Role>;

struct RoleName {
  std::string_view name;
  Role role;
};

// Layer names as transformers (ALLOWED_LAYER_TYPES), Nemotron-H, Jamba, GPT-Neo and LFM2 write
// them.
constexpr RoleName kRoleNames[] = {
    {"full_attention", Role::kFull},
    {"attention", Role::kFull},
    {"global", Role::kFull},
    {"sliding_attention", Role::kWindow},
    {"local", Role::kWindow},
    {"chunked_attention", Role::kChunked},
    {"linear_attention", Role::kState},
    {"mamba", Role::kState},
    {"conv", Role::kState},
    {"mlp", Role::kNone},
    {"moe", Role::kNone},
    {"cross_attention", Role::kCross},
    {"M", Role::kState},
    {"*", Role::kFull},
    {"-", Role::kNone},
    {"E", Role::kNone},
    {"L", Role::kWindow},
    {"G", Role::kFull},
};

const RoleName* find_role(std::string_view name) {
  for (const RoleName& row : kRoleNames) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

void unknown_kind(Config& config, const std::string& path, std::string_view value) {
  config.fail("E-UNKNOWN-LAYOUT", path,
              "The layer type \"" + units::valid_utf8(value.substr(0, 60)) +
                  "\" is not known here, so the size of its cache is not.",
              "Known are full_attention, sliding_attention, chunked_attention, linear_attention, "
              "mamba, conv, cross_attention, mlp and moe; with other kinds describe the cache with "
              "shape=, one part for each.");
}

bool short_list(Config& config, Json list, std::size_t layers) {
  config.fail("E-UNKNOWN-LAYOUT", list.path(),
              "The list has " + std::to_string(list.size()) + " entries for " +
                  std::to_string(layers) + " layers.",
              "Correct the list or the number of layers.");
  return true;
}

/// `layer_types` and its relatives. Lists may go on for MTP layers; shorter ones are an error.
bool from_names(Config& config, std::size_t layers, Roles& roles) {
  const Json list = config.first("layer_types layers_block_type attention_layers");
  if (!list.is_array()) {
    if (list.exists()) config.bad_value("layer types", list, "a list of one kind for each layer");
    return false;
  }
  config.found("layer types", list);
  for (const std::string_view key : {"sliding_window_pattern", "_sliding_window_pattern",
                                     "full_attention_interval", "max_window_layers"}) {
    config.text.get(key).mark_read();  // says the same once more
  }
  Json unknown;
  for (Json v = list.first(); v.exists() && roles.size() < layers; v = v.next()) {
    const RoleName* row = find_role(v.text());
    if (row == nullptr && !unknown.exists()) unknown = v;
    roles.push_back(row == nullptr ? Role::kNone : row->role);
  }
  if (unknown.exists()) {
    config.understood =
        static_cast<std::uint32_t>(std::count(roles.begin(), roles.end(), Role::kFull));
    unknown_kind(config, unknown.path(), unknown.text());
    return true;
  }
  return roles.size() == layers || short_list(config, list, layers);
}

/// Nemotron-H: "M-M*-…" over all layers. EXAONE-4: "LLLG" over and over.
bool from_letters(Config& config, std::size_t layers, Roles& roles, std::string_view key) {
  const Json pattern = config.text.get(key);
  const std::string_view letters = pattern.text();
  if (letters.empty()) return false;
  config.found("layer pattern", pattern);
  for (std::size_t i = 0; i < layers; ++i) {
    const std::string_view letter = letters.substr(i % letters.size(), 1);
    const RoleName* row = find_role(letter);
    if (row == nullptr) {
      unknown_kind(config, pattern.path(), letter);
      return true;
    }
    roles.push_back(row->role);
  }
  return true;
}

/// A list of numbers, one a layer: `zero` where it is 0, `other` elsewhere.
bool from_numbers(Config& config, std::size_t layers, Roles& roles, std::string_view key, Role zero,
                  Role other) {
  const Json list = config.text.get(key);
  if (!list.is_array() || list.size() == 0) return false;  // Llama 4: [] is as good as none
  config.found("layer kinds", list);
  if (list.size() < layers) return short_list(config, list, layers);
  for (Json v = list.first(); v.exists() && roles.size() < layers; v = v.next()) {
    roles.push_back(v.whole().value_or(0) == 0 ? zero : other);
  }
  return true;
}

/// A list of layer numbers: `inside` for those, `outside` for the others.
bool from_indices(Config& config, std::size_t layers, Roles& roles, Json list, std::size_t base,
                  Role inside, Role outside) {
  if (!list.is_array()) return false;
  config.found("layers listed", list);
  if (roles.empty()) roles.assign(layers, outside);
  for (Json v = list.first(); v.exists(); v = v.next()) {
    const std::optional<std::uint64_t> n = v.whole();
    if (n && *n >= base && *n - base < layers) roles[static_cast<std::size_t>(*n - base)] = inside;
  }
  return true;
}

/// Every `period`-th layer is full, the others `other`.
void every(std::size_t layers, Roles& roles, std::uint64_t period, Role other) {
  for (std::size_t i = 0; i < layers; ++i) {
    roles.push_back(period != 0 && (i + 1) % period == 0 ? Role::kFull : other);
  }
}

/// Attention among recurrent layers, in the ways hybrids write it.
bool from_hybrid_keys(Config& config, const Geometry& g, Roles& roles) {
  const std::size_t n = g.layers;
  if (from_letters(config, n, roles, "hybrid_override_pattern")) return true;
  // MiniMax-Text: 0 linear, 1 softmax attention (configuration_minimax_text_01.py).
  if (from_numbers(config, n, roles, "attn_type_list", Role::kState, Role::kFull)) return true;
  // MiMo-V2: 0 full, 1 sliding (configuration_mimo_v2_flash.py).
  if (from_numbers(config, n, roles, "hybrid_layer_pattern", Role::kFull, Role::kWindow))
    return true;
  // Kimi Linear counts from 1 (configuration_kimi.py).
  const Json linear = config.text.get("linear_attn_config");
  if (from_indices(config, n, roles, linear.get("full_attn_layers"), 1, Role::kFull,
                   Role::kState)) {
    return true;
  }
  const Json listed = config.first("full_attn_idxs attn_layer_indices");
  if (from_indices(config, n, roles, listed, 0, Role::kFull, Role::kState)) return true;
  if (const std::uint64_t period = config.whole("attention period", "attn_layer_period", 4096)) {
    const std::uint64_t offset = config.whole("attention offset", "attn_layer_offset", 4096);
    for (std::size_t i = 0; i < n; ++i) {
      roles.push_back(i % period == offset ? Role::kFull : Role::kState);
    }
    return true;
  }
  if (const std::uint64_t period =
          config.whole("full attention interval", "full_attention_interval", 4096)) {
    every(n, roles, period, Role::kState);
    return true;
  }
  // RWKV-5 to 7: token shifts and a matrix for every head in each layer.
  if (config.model_type.substr(0, 4) == "rwkv") {
    roles.assign(n, Role::kState);
    config.derived("layer kinds", std::string("all recurrent"), "the class is RWKV");
    return true;
  }
  // Mamba and Mamba-2: a state and a convolution, and no attention at all.
  if (g.kv_heads == 0 || !config.first("num_attention_heads n_head n_heads").exists()) {
    if (config.text.get("state_size").is_number() && config.text.get("conv_kernel").is_number()) {
      roles.assign(n, Role::kState);
      config.derived("layer kinds", std::string("all recurrent"), "state_size, and no attention");
      return true;
    }
  }
  return false;
}

/// Nemotron NAS: a list of blocks that may attend, or not.
bool from_blocks(Config& config, std::size_t layers, Roles& roles) {
  const Json blocks = config.text.get("block_configs");
  if (!blocks.is_array()) return false;
  config.found("blocks", blocks);
  for (Json b = blocks.first(); b.exists() && roles.size() < layers; b = b.next()) {
    const Json attention = b.get("attention");
    const bool none =
        attention.get("no_op").truth() || attention.get("replace_with_linear").truth();
    if (!none && attention.get("window_length").has_value()) {
      unknown_kind(config, attention.path(), "window_length in a block");
      return true;
    }
    roles.push_back(none ? Role::kNone : Role::kFull);
  }
  if (roles.size() < layers) {
    config.fail("E-UNKNOWN-LAYOUT", blocks.path(), "There are fewer blocks than layers.",
                "Correct the list or the number of layers.");
  }
  return true;
}

/// Llama 4: layers with rotary positions attend within a chunk (configuration_llama4.py:
/// no_rope_layer_interval 4; no_rope_layers has 1 where there is RoPE).
bool from_chunks(Config& config, std::size_t layers, Roles& roles) {
  if (!config.text.get("attention_chunk_size").has_value()) return false;
  if (from_numbers(config, layers, roles, "no_rope_layers", Role::kFull, Role::kChunked))
    return true;
  std::uint64_t period = config.whole("chunk pattern", "no_rope_layer_interval", 4096);
  if (period == 0) {
    period = 4;
    config.derived("layer kinds", std::string("every 4th layer full"),
                   "no_rope_layer_interval defaults to 4 (configuration_llama4.py)");
  }
  every(layers, roles, period, Role::kChunked);
  return true;
}

/// Only a window, and no key that says which layers have it.
void window_by_class(Config& config, std::size_t layers, Roles& roles, Json window) {
  const WindowRule* rule = find_window_rule(config.model_type);
  if (rule != nullptr) {
    every(layers, roles, rule->period, Role::kWindow);
    config.derived("layer kinds",
                   rule->period == 0 ? std::string("all sliding")
                                     : "every " + std::to_string(rule->period) + "th layer full",
                   rule->source);
    return;
  }
  config.fail("E-UNKNOWN-LAYOUT", window.path(),
              "There is a sliding window, but nothing says which layers have it.",
              "Add layer_types or sliding_window_pattern, or describe the cache with shape=.");
}

void from_windows(Config& config, const Geometry& g, Roles& roles) {
  const std::size_t n = g.layers;
  const Json window = config.first("sliding_window sliding_window_size");
  config.text.get("sliding_window_size").mark_read();
  const std::uint64_t width = window.whole().value_or(0);
  if (window.exists() && !window.is_number()) {
    config.bad_value("sliding window", window, "a number of tokens, or null");
  }
  const bool off = !config.truth("use_sliding_window", true);
  const bool never = g.max_tokens != 0 && width >= g.max_tokens;
  if (width == 0 || off || never) {
    roles.assign(n, Role::kFull);
    if (width != 0) {
      config.text.get("max_window_layers").mark_read();
      config.derived("layer kinds", std::string("all full"),
                     off ? "use_sliding_window is false"
                         : "the sliding window is not shorter than the longest text");
    }
    return;
  }
  if (from_letters(config, n, roles, "sliding_window_pattern")) return;
  if (const std::uint64_t period = config.whole(
          "sliding pattern", "sliding_window_pattern _sliding_window_pattern layer_switch", 4096)) {
    every(n, roles, period, Role::kWindow);
    return;
  }
  // Qwen2: the first max_window_layers layers stay full (configuration_qwen2.py).
  if (config.truth("use_sliding_window") && config.text.get("max_window_layers").is_number()) {
    const std::uint64_t full = config.whole("full layers", "max_window_layers", kMostLayers);
    for (std::size_t i = 0; i < n; ++i) roles.push_back(i < full ? Role::kFull : Role::kWindow);
    return;
  }
  window_by_class(config, n, roles, window);
}

/// Layers that store nothing because they read another layer's cache.
void share(Config& config, std::size_t layers, Roles& roles) {
  const std::size_t shared =
      config.small("layers that share a cache", "num_kv_shared_layers", kMostLayers);
  if (shared > layers) {
    config.bad_value("layers that share a cache", config.text.get("num_kv_shared_layers"),
                     "at most the " + std::to_string(layers) + " layers that there are");
  }
  for (std::size_t i = layers - std::min(layers, shared); i < layers; ++i) {
    roles[i] = Role::kShared;
  }
  // Hunyuan: groups of cla_share_factor layers share the first one's cache.
  if (config.truth("use_cla")) {
    const std::uint64_t factor = config.whole("cache sharing", "cla_share_factor", kMostLayers);
    for (std::size_t i = 0; factor > 1 && i < layers; ++i) {
      if (i % factor != 0) roles[i] = Role::kShared;
    }
  }
}

}  // namespace

std::vector<Role> read_roles(Config& config, const Geometry& g) {
  Roles roles;
  if (is_encoder_only(config.model_type) && !config.truth("is_decoder")) {
    config.derived("layer kinds", std::string("none keeps a cache"), "the class is an encoder");
    roles.assign(g.layers, Role::kNone);
    config.kinds_listed = true;
    return roles;
  }
  if (config.text.get("compress_ratios").is_array()) {
    roles.assign(g.layers, Role::kCompressed);
    return roles;
  }
  const bool done = from_names(config, g.layers, roles) || from_blocks(config, g.layers, roles) ||
                    from_hybrid_keys(config, g, roles) || from_chunks(config, g.layers, roles);
  config.kinds_listed = done;
  if (!done) from_windows(config, g, roles);
  if (!config.errors.empty() || roles.size() != g.layers) return {};
  // Mllama: these layers attend to the image only.
  (void)from_indices(config, g.layers, roles, config.text.get("cross_attention_layers"), 0,
                     Role::kCross, Role::kFull);
  share(config, g.layers, roles);
  return roles;
}

}  // namespace kvseats::import
