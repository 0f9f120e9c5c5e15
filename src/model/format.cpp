#include "model/format.h"

#include <array>

namespace kvseats::model {
namespace {

using units::Ratio;

// Block sizes: ggml-org/llama.cpp ggml/src/ggml-common.h (block_q8_0: 2 + 32; q5_1: 2+2+4+16;
// q5_0: 2+4+16; q4_1: 2+2+16; q4_0, iq4_nl: 2+16 bytes for 32 numbers). mxfp8: OCP Microscaling
// Formats v1.0, 32 numbers and one scale byte. nvfp4: NVIDIA, 16 numbers and one e4m3 scale.
// fp8, per-token-head (fp32 scales), fp8_ds_mla, turboquant: vllm-project/vllm config/cache.py and
// v1/kv_cache_interface.py. fp4: sgl-project/sglang fp4_e2m1, a scale byte for 16 numbers.
constexpr std::array<CacheFormat, 23> kCacheFormats = {{
    {.id = "bf16", .label = "bf16 (16-bit)"},
    {.id = "f16", .label = "f16 (16-bit)"},
    {.id = "f32", .label = "f32 (32-bit)", .block_bytes = 4, .note = "rarely used for caches"},
    {.id = "fp8",
     .label = "fp8 e4m3 (8-bit)",
     .block_bytes = 1,
     .note = "one scale per tensor, not stored with the tokens",
     .index_scale_bytes = 4},
    {.id = "fp8_e5m2",
     .label = "fp8 e5m2 (8-bit)",
     .block_bytes = 1,
     .note = "no scales",
     .index_scale_bytes = 4},
    {.id = "fp8_per_token_head",
     .label = "fp8, a scale per token and head",
     .block_bytes = 1,
     .scale_bytes_per_head = 4,
     .note = "vLLM; fp32 scales",
     .index_scale_bytes = 4},
    {.id = "int8",
     .label = "int8 (8-bit)",
     .block_bytes = 1,
     .note = "one scale per tensor, not stored with the tokens"},
    {.id = "int8_per_token_head",
     .label = "int8, a scale per token and head",
     .block_bytes = 1,
     .scale_bytes_per_head = 4,
     .note = "vLLM; fp32 scales"},
    {.id = "mxfp8",
     .label = "mxfp8 (8-bit, a scale per 32)",
     .block_elements = 32,
     .block_bytes = 33},
    {.id = "q8_0",
     .label = "q8_0 (8.5-bit)",
     .block_elements = 32,
     .block_bytes = 34,
     .note = "ggml"},
    {.id = "q5_1",
     .label = "q5_1 (6-bit)",
     .block_elements = 32,
     .block_bytes = 24,
     .note = "ggml"},
    {.id = "q5_0",
     .label = "q5_0 (5.5-bit)",
     .block_elements = 32,
     .block_bytes = 22,
     .note = "ggml"},
    {.id = "q4_1",
     .label = "q4_1 (5-bit)",
     .block_elements = 32,
     .block_bytes = 20,
     .note = "ggml"},
    {.id = "q4_0",
     .label = "q4_0 (4.5-bit)",
     .block_elements = 32,
     .block_bytes = 18,
     .note = "ggml"},
    {.id = "iq4_nl",
     .label = "iq4_nl (4.5-bit)",
     .block_elements = 32,
     .block_bytes = 18,
     .note = "ggml"},
    {.id = "nvfp4",
     .label = "nvfp4 (4.5-bit)",
     .block_elements = 16,
     .block_bytes = 9,
     .note = "a scale byte per 16 numbers"},
    {.id = "fp4",
     .label = "fp4 e2m1 (4.5-bit)",
     .block_elements = 16,
     .block_bytes = 9,
     .note = "SGLang; a scale byte per 16 numbers"},
    {.id = "int4_per_token_head",
     .label = "int4, a scale per token and head",
     .block_elements = 2,
     .block_bytes = 1,
     .scale_bytes_per_head = 4,
     .note = "vLLM; fp32 scales"},
    {.id = "fp8_ds_mla",
     .label = "fp8_ds_mla (656 B per latent)",
     .block_bytes = 1,
     .note = "latents of 512 + 64: 512 fp8, 4 fp32 scales, 64 bf16",
     .layout = RowLayout::kScaledLatent,
     .index_scale_bytes = 4},
    {.id = "turboquant_k8v4",
     .label = "TurboQuant, 8-bit K and 4-bit V",
     .note = "vLLM; two layers at each end stay 16-bit",
     .layout = RowLayout::kTurbo,
     .k_bits = 8,
     .v_bits = 4},
    {.id = "turboquant_4bit_nc",
     .label = "TurboQuant, 4-bit",
     .note = "vLLM; two layers at each end stay 16-bit",
     .layout = RowLayout::kTurbo,
     .k_bits = 4,
     .v_bits = 4},
    {.id = "turboquant_k3v4_nc",
     .label = "TurboQuant, 3-bit K and 4-bit V",
     .note = "vLLM; two layers at each end stay 16-bit",
     .layout = RowLayout::kTurbo,
     .k_bits = 3,
     .v_bits = 4},
    {.id = "turboquant_3bit_nc",
     .label = "TurboQuant, 3-bit",
     .note = "vLLM; two layers at each end stay 16-bit",
     .layout = RowLayout::kTurbo,
     .k_bits = 3,
     .v_bits = 3},
}};

struct Alias {
  std::string_view name;
  std::string_view id;
};

// What flags of engines and people call them.
constexpr std::array<Alias, 27> kCacheAliases = {{
    {"bfloat16", "bf16"},
    {"16", "bf16"},
    {"fp16", "f16"},
    {"float16", "f16"},
    {"half", "f16"},
    {"fp32", "f32"},
    {"float32", "f32"},
    {"float", "f32"},
    {"32", "f32"},
    {"fp8_e4m3", "fp8"},
    {"fp8_e4m3fn", "fp8"},
    {"e4m3", "fp8"},
    {"fp8_inc", "fp8"},
    {"8", "fp8"},
    {"e5m2", "fp8_e5m2"},
    {"int4", "int4_per_token_head"},
    {"q8", "q8_0"},
    {"q4", "q4_0"},
    {"4", "nvfp4"},  // 9/16 byte, as fp4, q4_0 and iq4_nl
    {"fp4_e2m1", "fp4"},
    {"mxfp8_e4m3", "mxfp8"},
    {"fp8_per_token_head_e4m3", "fp8_per_token_head"},
    {"turboquant", "turboquant_k8v4"},
    {"turboquant_4bit", "turboquant_4bit_nc"},
    {"turboquant_k3v4", "turboquant_k3v4_nc"},
    {"turboquant_3bit", "turboquant_3bit_nc"},
    {"fp8_mla", "fp8_ds_mla"},
}};

bool same_name(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool dashes = (a[i] == '-' || a[i] == '_') && (b[i] == '-' || b[i] == '_');
    if (a[i] != b[i] && !dashes) return false;
  }
  return true;
}

template <class Formats>
const typename Formats::value_type* find_by_id(const Formats& formats, std::string_view id) {
  for (const auto& format : formats) {
    if (same_name(format.id, id)) return &format;
  }
  return nullptr;
}

template <std::size_t N>
std::string_view meant_by(const std::array<Alias, N>& aliases, std::string_view name) {
  for (const Alias& alias : aliases) {
    if (same_name(alias.name, name)) return alias.id;
  }
  return name;
}

Ratio whole(std::uint64_t bytes) {
  return {bytes, 1};
}

Ratio with_scale(const CacheFormat& format, std::uint64_t elements) {
  return units::add(row_bytes(format, elements), whole(format.scale_bytes_per_head));
}

// vLLM turboquant: K is 8-bit without a norm, or packed bits and a 2-byte norm; V is packed bits
// and a 4-byte scale and zero.
std::uint64_t turbo_k(const CacheFormat& format, std::uint64_t dim) {
  return format.k_bits == 8 ? dim : units::ceil_div(dim * format.k_bits, 8) + 2;
}
std::uint64_t turbo_v(const CacheFormat& format, std::uint64_t dim) {
  return dim == 0 ? 0 : units::ceil_div(dim * format.v_bits, 8) + 4;
}

Ratio v_bytes(const CacheFormat& format, std::uint64_t dim) {
  if (dim == 0) return whole(0);
  return format.layout == RowLayout::kTurbo ? whole(turbo_v(format, dim)) : with_scale(format, dim);
}

}  // namespace

std::span<const CacheFormat> cache_formats() {
  return kCacheFormats;
}

const CacheFormat* find_cache_format(std::string_view id) {
  return find_by_id(kCacheFormats, meant_by(kCacheAliases, id));
}

Ratio row_bytes(const CacheFormat& format, std::uint64_t elements) {
  if (format.layout == RowLayout::kTurbo) return whole(turbo_k(format, elements));
  return units::times({format.block_bytes, format.block_elements}, elements);
}

bool divides(const CacheFormat& format, std::uint64_t elements) {
  return elements % format.block_elements == 0;
}

Ratio head_token_bytes(const CacheFormats& formats, std::uint32_t k_dim, std::uint32_t v_dim) {
  const CacheFormat& k = *formats.k;
  const CacheFormat& v = *formats.v;
  if (k.layout == RowLayout::kTurbo && k.id == v.id) {
    return whole(units::round_up(turbo_k(k, k_dim) + turbo_v(v, v_dim), 2));
  }
  return units::add(with_scale(k, k_dim), v_bytes(v, v_dim));
}

Ratio latent_bytes(const CacheFormat& format, std::uint32_t width, std::uint32_t rank) {
  if (format.layout != RowLayout::kScaledLatent) return with_scale(format, width);
  constexpr std::uint32_t kRope = 64;
  const std::uint32_t latent =
      rank != 0 && rank <= width ? rank : width - (width > kRope ? kRope : 0);
  return whole(latent + units::ceil_div(latent, 128) * 4 + std::uint64_t{width - latent} * 2);
}

Ratio compressed_bytes(const CacheFormat& format, std::uint32_t width) {
  constexpr std::uint32_t kRope = 64;
  if (format.layout != RowLayout::kScaledLatent || width <= kRope) return with_scale(format, width);
  const std::uint64_t plain = width - kRope;
  return whole(plain + kRope * 2 + units::round_up(units::ceil_div(plain, 64), 8));
}

Ratio index_bytes(const CacheFormat& format, std::uint32_t width, bool has_v) {
  const Ratio key = units::add(row_bytes(format, width), whole(format.index_scale_bytes));
  return units::times(key, has_v ? 2 : 1);
}

}  // namespace kvseats::model
