#pragma once

#include <cstdint>

#include "import/config_geometry.h"
#include "import/config_reader.h"
#include "import/count_params.h"

/// Parameters that belong to no layer of the language model. Inner header of the importer.
namespace kvseats::import {

/// Gemma 3n and 4: a second, narrow embedding for every layer (modeling_gemma3n.py).
[[nodiscard]] std::uint64_t per_layer_embeddings(Config& config, const Geometry& g);

/// A next-token layer is one more layer of the last kind that attends, and a matrix that joins the
/// token's embedding to the layer's input (DeepSeek-V3 technical report, section 2.2); some
/// checkpoints keep their own copy of embeddings and head in it.
void count_next_token(const Config& config, const Geometry& g, std::uint32_t layers,
                      std::uint64_t attention, std::uint64_t feed_forward, std::uint64_t routed,
                      ParamCount& n);

}  // namespace kvseats::import
