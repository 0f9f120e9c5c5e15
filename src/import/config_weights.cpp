#include "import/config_weights.h"

#include "model/weights.h"

namespace kvseats::import {
namespace {

using model::StoredType;

/// What a quantisation object says. An empty format: none is declared.
struct Quantisation {
  std::string format;  ///< id of a weight format; `mixed` when it differs by tensor
  std::string rest;    ///< of what the format leaves out; empty: the stored type
  bool leaves_attention = false;
};

bool declares_attention(Json list) {
  for (Json v = list.first(); v.exists(); v = v.next()) {
    if (v.text().find("attn") != std::string_view::npos) return true;
  }
  return false;
}

/// One group of compressed-tensors or ModelOpt: number of bits, kind, group size.
std::string from_bits(std::uint64_t bits, std::string_view type, std::uint64_t group, bool blocks) {
  if (type == "float") return bits == 4 ? "nvfp4" : blocks ? "fp8_block" : "fp8";
  if (bits == 8) return "int8";
  return group == 32 ? "int4" : "w4a16";
}

std::string from_method(Json q) {
  const std::string_view method = q.get("quant_method").text();
  const std::uint64_t bits = q.get("bits").whole().value_or(0);
  const std::string_view algorithm = q.get("quant_algo").text();
  if (method == "mxfp4") return "mxfp4";
  if (method == "bitsandbytes") return q.get("load_in_8bit").truth() ? "int8" : "bnb4";
  if (method == "awq" || method == "gptq") {
    if (bits == 8) return "int8";
    return q.get("group_size").whole().value_or(128) == 32 ? "int4" : std::string(method);
  }
  if (algorithm == "MIXED_PRECISION") {
    const std::string_view experts = q.get("moe_quant_algo").text();
    return experts.find("NVFP4") != std::string_view::npos ? "nvfp4" : "mixed";
  }
  if (algorithm.find("NVFP4") != std::string_view::npos) return "nvfp4";
  if (algorithm.find("FP8") != std::string_view::npos) return "fp8";
  if (q.get("config_groups").size() > 1) return "mixed";
  const Json weights = q.get("config_groups").first().get("weights");
  if (weights.is_object()) {
    return from_bits(weights.get("num_bits").whole().value_or(0), weights.get("type").text(),
                     weights.get("group_size").whole().value_or(0),
                     weights.get("block_structure").is_array());
  }
  if (method == "fp8" || method == "fbgemm_fp8" || method == "finegrained_fp8") {
    return q.get("weight_block_size").is_array() ? "fp8_block" : "fp8";
  }
  if (method.empty() && bits != 0) return bits == 8 ? "mlx8" : bits == 4 ? "mlx4" : "mixed";
  return "mixed";
}

Json quantisation_of(const Config& config) {
  const Json own = config.anywhere("quantization_config compression_config quantization");
  return own.is_object() ? own : config.quantisation;
}

Quantisation read_quantisation(Config& config) {
  const Json q = quantisation_of(config);
  Quantisation out;
  if (!q.is_object()) {
    // DeepSeek's own inference format: dtype fp8, blocks of 128.
    if (config.text.get("dtype").text() == "fp8") out.format = "fp8_block";
    return out;
  }
  out.format = from_method(q);
  config.found("quantisation", q);
  // ModelOpt's experts in an fp8 checkpoint (nvidia/DeepSeek-V4-Flash-NVFP4).
  if (out.format == "nvfp4" && q.get("weight_block_size").is_array()) out.rest = "fp8_block";
  out.leaves_attention = declares_attention(q.get("ignore")) ||
                         declares_attention(q.get("modules_to_not_convert")) ||
                         declares_attention(q.get("exclude_modules"));
  return out;
}

std::string cache_scheme(Config& config) {
  const Json q = quantisation_of(config);
  const Json scheme = q.get("kv_cache_scheme");
  const std::string_view algorithm = q.get("kv_cache_quant_algo").text();
  std::string id;
  if (scheme.is_object()) {
    const bool real = scheme.get("type").text() == "float";
    const std::uint64_t bits = scheme.get("num_bits").whole().value_or(0);
    id = bits == 8 ? (real ? "fp8" : "int8") : bits == 4 && real ? "nvfp4" : "";
    if (!id.empty()) config.found("cache scheme", scheme);
  } else if (algorithm == "FP8" || algorithm == "NVFP4" || algorithm == "INT8") {
    id = algorithm == "FP8" ? "fp8" : algorithm == "NVFP4" ? "nvfp4" : "int8";
    config.found("cache scheme", q.get("kv_cache_quant_algo"));
  }
  // DeepseekV32ForCausalLM in vllm/model_executor/models/config.py, 0.11: nothing declares it.
  if (id.empty() && config.model_type == "deepseek_v32") {
    id = "fp8_ds_mla";
    config.derived("cache scheme", id, "vLLM's default for this class");
  }
  return id;
}

StoredType stored_type(Config& config) {
  const Json type = config.anywhere("torch_dtype dtype");
  std::string_view name = type.text();
  if (name.substr(0, 6) == "torch.") name = name.substr(6);
  if (type.exists()) config.found("stored type", type);
  if (name == "float32") return StoredType::kF32;
  if (name == "float16") return StoredType::kF16;
  // huggingface.co/google/t5-v1_1-xxl: 44.5 GB for 11.1 billion parameters.
  if (!type.exists() && config.model_type == "t5") {
    config.derived("stored type", std::string("float32"), "T5 is published so");
    return StoredType::kF32;
  }
  if (!type.exists()) config.derived("stored type", std::string("bf16"), "no dtype key: assumed");
  return StoredType::kBf16;
}

std::string plain_format(StoredType type) {
  return type == StoredType::kF32 ? "f32" : type == StoredType::kF16 ? "f16" : "bf16";
}

model::WeightPart part(std::string label, std::uint64_t n, std::string format,
                       bool routed = false) {
  return {.label = std::move(label),
          .params = units::params(n),
          .format = std::move(format),
          .routed_experts = routed};
}

}  // namespace

namespace {

/// Next-token layers are stored as the layers are, vision towers in the 16-bit type.
void add_beside(const ParamCount& count, const std::string& experts, const std::string& layers,
                const std::string& plain, model::Model& m) {
  if (count.next_token + count.vision == 0) return;
  if (m.parts.empty()) m.parts.push_back(part("language model", count.total(), plain));
  const std::string next_token(model::kNextTokenLabel);
  const auto add = [&](const std::string& label, std::uint64_t n, const std::string& format,
                       bool routed = false) {
    if (n != 0) m.parts.push_back(part(label, n, format, routed));
  };
  add(next_token + ", experts", count.next_token_routed, experts, true);
  add(next_token, count.next_token, layers);
  add(next_token + ", embeddings and head", count.next_token_ends, plain);
  add("vision tower", count.vision, plain);
  if (count.vision != 0) m.parts.back().kept = true;
}

}  // namespace

void read_storage(Config& config, const ParamCount& count, model::Model& m) {
  m.stored = stored_type(config);
  m.cache_scheme = cache_scheme(config);
  const Quantisation q = read_quantisation(config);
  if (!count.known) return;
  const std::string plain = plain_format(m.stored);
  const bool quantised = !q.format.empty();
  const std::string linear = quantised ? q.format : plain;
  if (quantised && q.format == "mixed") {
    config.note("W-MIXED-WEIGHTS", "quantization_config",
                "The weights are stored in several formats that are not told apart here.",
                "Give weights=, or the size of the checkpoint.");
  }
  // DeepSeek-V4: expert_dtype fp4 beside an fp8 quantization_config.
  const bool fp4 = config.text.get("expert_dtype").text() == "fp4" && q.format == "fp8_block";
  const bool experts_only = q.leaves_attention && count.routed != 0;
  const std::string left = q.rest.empty() ? plain : q.rest;
  const std::string rest = experts_only ? left : linear;
  const std::uint64_t body = count.attention + count.feed_forward + count.norms;
  if (count.routed != 0) {
    m.parts.push_back(part("routed experts", count.routed, fp4 ? "mxfp4" : linear, true));
  }
  if (q.leaves_attention && !experts_only) {
    m.parts.push_back(part("feed forward", count.feed_forward, linear));
    m.parts.push_back(part("everything else", count.attention + count.norms + count.ends, plain));
  } else if (rest == plain) {
    if (count.routed != 0) m.parts.push_back(part("everything else", body + count.ends, plain));
  } else {
    m.parts.push_back(part("attention, dense and shared layers", body, rest));
    m.parts.push_back(part("embeddings and head", count.ends, plain));
  }
  add_beside(count, fp4 ? "mxfp4" : linear, rest, plain, m);
}

}  // namespace kvseats::import
