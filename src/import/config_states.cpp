#include "import/config_layers.h"

/// Recurrent states. Shapes as vLLM's MambaStateShapeCalculator (mamba_utils.py) and the classes of
/// transformers have them: a convolution keeps kernel − 1 columns, a state heads × rows × cols.
namespace kvseats::import {
namespace {

using model::State;
using model::StateKind;
using model::StateType;

/// The type of the temporal part: declared, or what most engines keep for this kind.
void set_temporal_type(Config& config, State& s, StateType usual, std::string_view why) {
  const Json declared = config.first("mamba_ssm_cache_dtype mamba_ssm_dtype");
  if (declared.is_text() && declared.text() != "auto") {
    config.found("state type", declared);
    s.temporal_type = declared.text() == "float32" ? StateType::kF32 : StateType::kF16;
    return;
  }
  config.derived("state type", std::string(usual == StateType::kF32 ? "float32" : "16-bit"), why);
  s.temporal_type = usual;
  s.assumed_type = usual == StateType::kF32;
}

std::uint32_t columns(Config& config, Keys keys) {
  const std::uint32_t kernel = config.small("convolution kernel", keys, 1024);
  return kernel == 0 ? 0 : kernel - 1;
}

State gated_delta(Config& config) {
  const std::uint32_t k_heads =
      config.small("linear key heads", "linear_num_key_heads", kMostHeads);
  const std::uint32_t k_dim = config.small("linear key dim", "linear_key_head_dim", 4096);
  State s;
  s.kind = StateKind::kGatedDelta;
  s.heads = config.small("linear value heads", "linear_num_value_heads", kMostHeads);
  s.rows = config.small("linear value dim", "linear_value_head_dim", 4096);
  s.cols = k_dim;
  s.conv_columns = columns(config, "linear_conv_kernel_dim");
  s.conv_width = 2 * k_heads * k_dim + s.heads * s.rows;
  set_temporal_type(config, s, StateType::kF32, "engines keep delta states in float32");
  return s;
}

State kimi_delta(Config& config) {
  const Json own = config.text.get("linear_attn_config");
  const auto number = [&](std::string_view key) {
    const Json value = own.get(key);
    const std::uint64_t n = value.whole().value_or(0);
    if (n == 0 || n > kMostHeads) return std::uint32_t{0};
    config.found(key, value);
    return static_cast<std::uint32_t>(n);
  };
  State s;
  s.kind = StateKind::kKimiDelta;
  s.heads = number("num_heads");
  s.rows = number("head_dim");
  s.cols = s.rows;
  const std::uint32_t kernel = number("short_conv_kernel_size");
  s.conv_columns = kernel == 0 ? 0 : kernel - 1;
  s.conv_width = 3 * s.heads * s.rows;  // one convolution each for q, k and v
  s.temporal_type = StateType::kF32;
  config.derived("state type", std::string("float32"), "Kimi's delta states always are");
  own.get("kda_layers").mark_read();
  return s;
}

State mamba2(Config& config, const Geometry& g) {
  State s;
  s.kind = StateKind::kMamba2;
  s.heads = config.small("Mamba heads", "mamba_num_heads mamba_n_heads num_heads", kMostHeads);
  s.rows = config.small("Mamba head dim", "mamba_head_dim", 4096);
  if (s.rows == 0 && config.text.get("mamba_d_head").is_number()) {
    s.rows = config.small("Mamba head dim", "mamba_d_head", 4096);
  }
  if (s.rows == 0 && config.text.get("num_heads").is_number()) {
    s.rows = config.small("Mamba head dim", "head_dim", 4096);
  }
  if (s.rows == 0 && s.heads != 0) {
    const std::uint32_t expand = config.small("Mamba expansion", "mamba_expand expand", 64);
    s.rows = expand * g.hidden / s.heads;
    config.derived("Mamba head dim", s.rows, "expansion × hidden size / Mamba heads");
  }
  s.cols = config.small("Mamba state", "ssm_state_size mamba_d_state state_size", 4096);
  s.groups = config.small("Mamba groups", "n_groups mamba_n_groups mamba_num_groups", 4096);
  if (s.groups == 0) {
    s.groups = 1;
    config.derived("Mamba groups", 1, "no key says otherwise");
  }
  s.conv_columns = columns(config, "conv_kernel mamba_d_conv");
  s.conv_width = s.heads * s.rows + 2 * s.groups * s.cols;
  set_temporal_type(config, s, StateType::kF16, "not declared: the model's own type");
  return s;
}

State mamba1(Config& config, const Geometry& g) {
  State s;
  s.kind = StateKind::kMamba1;
  std::uint32_t inner = 0;
  if (const std::uint32_t expand = config.small("Mamba expansion", "mamba_expand", 64)) {
    inner = expand * g.hidden;
    config.derived("Mamba width", inner, "expansion × hidden size");
  } else {
    inner = config.small("Mamba width", "intermediate_size d_inner");
  }
  s.heads = inner;
  s.rows = 1;
  s.cols = config.small("Mamba state", "mamba_d_state state_size", 4096);
  s.conv_columns = columns(config, "mamba_d_conv conv_kernel");
  s.conv_width = inner;
  set_temporal_type(config, s, StateType::kF32, "engines keep Mamba-1 states in float32");
  return s;
}

State short_convolution(Config& config, const Geometry& g) {
  State s;
  s.kind = StateKind::kShortConv;
  s.conv_columns = columns(config, "conv_L_cache");
  s.conv_width = config.small("convolution width", "conv_dim");
  if (s.conv_width == 0) s.conv_width = g.hidden;
  return s;
}

/// MiniMax-Text and Ring-linear: one square matrix a head.
State linear(Config& config, const Geometry& g) {
  State s;
  s.kind = StateKind::kLinear;
  s.heads = g.heads;
  s.rows = g.k_dim;
  s.cols = g.k_dim;
  set_temporal_type(config, s, StateType::kF32, "engines keep linear states in float32");
  return s;
}

/// RWKV-5 to 7 (BlinkDL/RWKV-LM RWKV-v7/rwkv_v7_demo.py): the last token before time mixing and
/// before channel mixing, and a matrix for every head in float32.
State rwkv(Config& config, const Geometry& g) {
  State s;
  s.kind = StateKind::kRwkv;
  s.rows = config.small("head size", "head_size head_dim", 4096);
  s.cols = s.rows;
  std::uint32_t width = config.small("attention width", "attention_hidden_size");
  if (width == 0) width = g.hidden;
  s.heads = s.rows == 0 ? 0 : width / s.rows;
  s.conv_columns = s.heads == 0 ? 0 : 2;
  s.conv_width = s.heads == 0 ? 0 : g.hidden;
  s.temporal_type = StateType::kF32;
  config.derived("state type", std::string("float32"), "RWKV keeps its states so");
  return s;
}

bool has(Config& config, std::string_view key) {
  return config.text.get(key).is_number();
}

}  // namespace

State read_state(Config& config, const Geometry& g) {
  State s;
  if (config.model_type.substr(0, 4) == "rwkv") {
    s = rwkv(config, g);
  } else if (has(config, "linear_num_value_heads")) {
    s = gated_delta(config);
  } else if (config.text.get("linear_attn_config").is_object()) {
    s = kimi_delta(config);
  } else if (has(config, "mamba_num_heads") || has(config, "mamba_n_heads") ||
             (has(config, "num_heads") && has(config, "state_size"))) {
    s = mamba2(config, g);
  } else if (has(config, "mamba_d_state") || has(config, "state_size")) {
    s = mamba1(config, g);
  } else if (has(config, "conv_L_cache")) {
    s = short_convolution(config, g);
  } else if (config.text.get("attn_type_list").is_array()) {
    s = linear(config, g);
  }
  const bool empty = s.conv_columns * std::uint64_t{s.conv_width} == 0 &&
                     std::uint64_t{s.heads} * s.rows * s.cols == 0;
  if (!empty) return s;
  config.fail(
      "E-UNKNOWN-LAYOUT", config.text.path(),
      "Some layers are recurrent, but no known keys say how large their state is.",
      "linear_num_value_heads, linear_attn_config, mamba_num_heads, mamba_d_state or "
      "conv_L_cache with their sizes would settle it; or describe the cache with shape= and "
      "give state= in bytes per request.");
  return {};
}

}  // namespace kvseats::import
