#pragma once

#include <cstdint>

#include "import/config_reader.h"

/// The plain numbers of a config.json. Inner header of the importer.
namespace kvseats::import {

/// Zero: not in the file. Heads and dims are those of an ordinary attention layer.
struct Geometry {
  std::uint32_t layers = 0;
  std::uint32_t hidden = 0;
  std::uint32_t heads = 0;
  std::uint32_t kv_heads = 0;
  std::uint32_t k_dim = 0;
  std::uint32_t v_dim = 0;
  std::uint64_t max_tokens = 0;
  std::uint64_t vocab = 0;
  std::uint32_t latent_rank = 0;  ///< MLA: kv_lora_rank, 0 without
  std::uint32_t latent_rope = 0;  ///< MLA: qk_rope_head_dim
  bool encoder_decoder = false;   ///< numbers are the decoder's
};

/// Reads what there is; says what was derived and how. Impossible values become errors of `config`.
[[nodiscard]] Geometry read_geometry(Config& config);

/// `E-MISSING` for what attention layers need and the file has not. True if nothing is missing.
bool require_attention(Config& config, const Geometry& geometry);

}  // namespace kvseats::import
