#include <array>

#include "model/format.h"

namespace kvseats::model {
namespace {

using units::Ratio;

/// `bits` × 10^-4 bits per weight, as the tables give them, in bytes.
constexpr Ratio average(std::uint64_t bits) {
  return {bits, 80000};
}

// Averages over all tensors of Llama 3.1 8B: ggml-org/llama.cpp tools/quantize/README.md. The four
// by size: Llama 3 8B in the help of llama-quantize (4.34, 4.78, 5.21 and 5.65 GiB).
constexpr std::string_view kTypical = "typical: an average over all tensors of an 8B model";
constexpr std::string_view kTypicalBySize = "typical: from the file size of an 8B model";

// 4-bit formats with a group's 16-bit scale (and zero): AWQ and GPTQ 128 numbers in 64 + 2 + 0.5
// bytes; compressed-tensors 64 + 2 for 128 or 16 + 2 for 32; bitsandbytes nf4 32 + 4 for 64;
// MLX 32 + 2 + 2 for 64. Block-scaled fp8: one fp32 for 128 × 128 (DeepSeek-V3 technical report).
constexpr std::array<WeightFormat, 41> kFormats = {{
    {"bf16", "bf16 (16-bit)", {2, 1}, false, ""},
    {"f16", "f16 (16-bit)", {2, 1}, false, ""},
    {"f32", "f32 (32-bit)", {4, 1}, false, ""},
    {"fp8", "fp8 (8-bit)", {1, 1}, true, "scales per tensor or channel, below 0.1 %"},
    {"fp8_block", "fp8, a scale per 128 × 128", {4097, 4096}, true, "fp32 scales included"},
    {"int8", "int8 (8-bit)", {1, 1}, true, "scales per channel, below 0.1 %"},
    {"mxfp8", "mxfp8 (8.25-bit)", {33, 32}, true, "a scale byte per 32"},
    {"awq", "AWQ int4, groups of 128", {133, 256}, true, "scales and zeros included"},
    {"gptq", "GPTQ int4, groups of 128", {133, 256}, true, "scales and zeros included"},
    {"w4a16", "int4, groups of 128", {33, 64}, true, "16-bit scales included"},
    {"int4", "int4, groups of 32", {9, 16}, true, "16-bit scales included"},
    {"bnb4", "bitsandbytes nf4", {9, 16}, true, "an fp32 scale per 64"},
    {"nvfp4", "nvfp4 (4.5-bit)", {9, 16}, true, "a scale byte per 16"},
    {"mxfp4", "mxfp4 (4.25-bit)", {17, 32}, true, "a scale byte per 32"},
    {"mlx8", "MLX 8-bit, groups of 64", {17, 16}, false, "16-bit scale and bias per 64"},
    {"mlx4", "MLX 4-bit, groups of 64", {9, 16}, false, "16-bit scale and bias per 64"},
    {"q8_0", "GGUF Q8_0 (8.5-bit)", {34, 32}, false, "exact: 34 bytes for 32 numbers"},
    {"q6_k", "GGUF Q6_K (6.56-bit)", {210, 256}, false, "exact: 210 bytes for 256 numbers"},
    {"q5_k_m", "GGUF Q5_K_M (about 5.70-bit)", average(57036), false, kTypical},
    {"q5_k_s", "GGUF Q5_K_S (about 5.57-bit)", average(55704), false, kTypical},
    {"q5_1", "GGUF Q5_1 (about 6.04-bit)", average(60435), false, kTypicalBySize},
    {"q5_0", "GGUF Q5_0 (about 5.57-bit)", average(55731), false, kTypicalBySize},
    {"q4_k_m", "GGUF Q4_K_M (about 4.89-bit)", average(48944), false, kTypical},
    {"q4_k_s", "GGUF Q4_K_S (about 4.67-bit)", average(46672), false, kTypical},
    {"q4_1", "GGUF Q4_1 (about 5.11-bit)", average(51131), false, kTypicalBySize},
    {"q4_0", "GGUF Q4_0 (about 4.64-bit)", average(46424), false, kTypicalBySize},
    {"iq4_nl", "GGUF IQ4_NL (about 4.68-bit)", average(46818), false, kTypical},
    {"iq4_xs", "GGUF IQ4_XS (about 4.46-bit)", average(44597), false, kTypical},
    {"q3_k_l", "GGUF Q3_K_L (about 4.30-bit)", average(42979), false, kTypical},
    {"q3_k_m", "GGUF Q3_K_M (about 4.00-bit)", average(39960), false, kTypical},
    {"q3_k_s", "GGUF Q3_K_S (about 3.64-bit)", average(36429), false, kTypical},
    {"iq3_m", "GGUF IQ3_M (about 3.76-bit)", average(37628), false, kTypical},
    {"iq3_s", "GGUF IQ3_S (about 3.66-bit)", average(36606), false, kTypical},
    {"iq3_xs", "GGUF IQ3_XS (about 3.50-bit)", average(34977), false, kTypical},
    {"iq3_xxs", "GGUF IQ3_XXS (about 3.25-bit)", average(32548), false, kTypical},
    {"q2_k", "GGUF Q2_K (about 3.16-bit)", average(31593), false, kTypical},
    {"q2_k_s", "GGUF Q2_K_S (about 2.97-bit)", average(29697), false, kTypical},
    {"iq2_m", "GGUF IQ2_M (about 2.93-bit)", average(29294), false, kTypical},
    {"iq2_xs", "GGUF IQ2_XS (about 2.59-bit)", average(25882), false, kTypical},
    {"iq2_xxs", "GGUF IQ2_XXS (about 2.38-bit)", average(23824), false, kTypical},
    {"iq1_s", "GGUF IQ1_S (about 2.00-bit)", average(20042), false, kTypical},
}};

struct Alias {
  std::string_view name;
  std::string_view id;
};

constexpr std::array<Alias, 32> kAliases = {{
    {"bfloat16", "bf16"},
    {"16", "bf16"},
    {"fp16", "f16"},
    {"float16", "f16"},
    {"half", "f16"},
    {"fp32", "f32"},
    {"float32", "f32"},
    {"8", "fp8"},
    {"fp8_e4m3", "fp8"},
    {"fp8_dynamic", "fp8"},
    {"fp8_block128", "fp8_block"},
    {"w8a8", "int8"},
    {"w8a16", "int8"},
    {"bnb8", "int8"},
    {"4", "w4a16"},
    {"4bit", "w4a16"},
    {"int4_g128", "w4a16"},
    {"int4_g32", "int4"},
    {"nf4", "bnb4"},
    {"bnb", "bnb4"},
    {"bnb_4bit", "bnb4"},
    {"bitsandbytes", "bnb4"},
    {"fp4", "nvfp4"},
    {"mlx_4bit", "mlx4"},
    {"mlx_8bit", "mlx8"},
    {"q8", "q8_0"},
    {"q6", "q6_k"},
    {"q5_k", "q5_k_m"},
    {"q4_k", "q4_k_m"},
    {"q3_k", "q3_k_m"},
    {"q4", "q4_0"},
    {"gguf", "q4_k_m"},
}};

bool same_name(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char one = a[i] == '-' ? '_' : a[i];
    const char two = b[i] == '-' ? '_' : b[i];
    if (one != two) return false;
  }
  return true;
}

}  // namespace

std::span<const WeightFormat> weight_formats() {
  return kFormats;
}

const WeightFormat* find_weight_format(std::string_view id) {
  for (const Alias& alias : kAliases) {
    if (same_name(alias.name, id)) id = alias.id;
  }
  for (const WeightFormat& format : kFormats) {
    if (same_name(format.id, id)) return &format;
  }
  return nullptr;
}

}  // namespace kvseats::model
