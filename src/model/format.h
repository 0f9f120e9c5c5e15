#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "units/whole.h"

/// How a number of the cache or of the weights is stored: block formats with exact byte counts.
///
/// A format stores `block_elements` numbers in `block_bytes` bytes. Plain types have a block of one
/// (bf16: 1 in 2). Scaled types carry their scales inside the block (q8_0: 32 in 34; nvfp4: 16 in
/// 9) or beside each head and token (`scale_bytes_per_head`, fp32 scales of per-token-head
/// formats).
///
/// Sources: ggml block structs (ggml-org/llama.cpp ggml-common.h: block_q8_0 … block_iq4_nl);
/// OCP Microscaling Formats v1.0 (mxfp8, mxfp4: 32 elements and one scale byte);
/// NVIDIA NVFP4 (16 e2m1 elements and one e4m3 scale byte); vLLM cache dtype list.
namespace kvseats::model {

/// How a format lays out a row.
enum class RowLayout : std::uint8_t {
  kBlocks,        ///< whole blocks of `block_elements` in `block_bytes`
  kTurbo,         ///< TurboQuant: packed bits plus a norm per head (vLLM)
  kScaledLatent,  ///< fp8_ds_mla: fp8 latent, fp32 scales, 16-bit rope (DeepSeek, vLLM, SGLang)
};

struct CacheFormat {
  std::string_view id;     ///< the name in `kv=`, `k=`, `v=`: `bf16`, `fp8`, `q8_0`
  std::string_view label;  ///< for people: "bf16 (16-bit)"
  std::uint32_t block_elements = 1;
  std::uint32_t block_bytes = 2;
  std::uint32_t scale_bytes_per_head = 0;  ///< extra bytes per token, KV head and tensor (K or V)
  std::string_view note{};                 ///< quality or scope, one clause; may be empty
  RowLayout layout = RowLayout::kBlocks;
  std::uint8_t k_bits = 0;              ///< kTurbo
  std::uint8_t v_bits = 0;              ///< kTurbo
  std::uint32_t index_scale_bytes = 0;  ///< beside each key of a sparse indexer
};

/// All cache formats, in the order menus show them (16-bit first, then smaller).
[[nodiscard]] std::span<const CacheFormat> cache_formats();

/// By id, or nullptr. Ids are compared exactly after lower-casing by the caller; aliases that
/// people type (`fp8_e4m3`, `float16`, `half`, `8`, `16`, `4`) resolve too.
[[nodiscard]] const CacheFormat* find_cache_format(std::string_view id);

/// Bytes of one row of `elements` numbers, exact, without the scales that stand beside it. A row
/// that does not divide into blocks has a fractional by-hand size; engines that refuse or pad such
/// rows say so in their own profile. TurboQuant: the row of K.
[[nodiscard]] units::Ratio row_bytes(const CacheFormat& format, std::uint64_t elements);

/// True if a row of `elements` divides into whole blocks.
[[nodiscard]] bool divides(const CacheFormat& format, std::uint64_t elements);

/// The formats of K and of V. Latents use `k` only.
struct CacheFormats {
  const CacheFormat* k = nullptr;
  const CacheFormat* v = nullptr;
};

/// Bytes that one KV head of one layer stores per token, K and V together, scales included.
/// `v_dim` 0: K is V. TurboQuant packs both into one slot of even size.
[[nodiscard]] units::Ratio head_token_bytes(const CacheFormats& formats, std::uint32_t k_dim,
                                            std::uint32_t v_dim);

/// Bytes of one latent (MLA) vector of `width` = rank + rope numbers. `rank` 0: unknown, taken as
/// all but 64. fp8_ds_mla: rank × 1 + ⌈rank/128⌉ × 4 + rope × 2, which is 656 for 512 + 64.
[[nodiscard]] units::Ratio latent_bytes(const CacheFormat& format, std::uint32_t width,
                                        std::uint32_t rank);

/// Bytes of one entry of compressed attention (DeepSeek-V4: K is V, 64 of `width` are rope).
/// fp8_ds_mla: 448 × 1 + 64 × 2 + 8 scale bytes = 584 for 512.
[[nodiscard]] units::Ratio compressed_bytes(const CacheFormat& format, std::uint32_t width);

/// Bytes of one key of a sparse indexer (twice that when it keeps V too). The 8-bit formats store
/// fp8 and one fp32 scale: 128 + 4.
[[nodiscard]] units::Ratio index_bytes(const CacheFormat& format, std::uint32_t width, bool has_v);

/// A storage format of weights: average bytes per parameter, exact as a fraction, for the quantised
/// matrices; embeddings, heads and norms keep 16 bit where the format does (`keeps_16_bit_ends`).
struct WeightFormat {
  std::string_view id;  ///< the name in `weights=`: `bf16`, `fp8`, `awq`, `q4_k_m`
  std::string_view label;
  units::Ratio per_param;          ///< bytes per quantised parameter, scales included
  bool keeps_16_bit_ends = false;  ///< embeddings and output head stay 16-bit
  std::string_view note{};         ///< how the figure comes about, one clause
};

[[nodiscard]] std::span<const WeightFormat> weight_formats();
/// By id or a name that people use (`fp16`, `nf4`, `q4_k`), lower case, `-` and `_` alike; or
/// nullptr.
[[nodiscard]] const WeightFormat* find_weight_format(std::string_view id);

}  // namespace kvseats::model
