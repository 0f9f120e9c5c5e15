#pragma once

#include <cstdint>
#include <vector>

#include "import/config_geometry.h"
#include "import/config_reader.h"
#include "model/model.h"

/// The small tensors of a model: norms, biases, gates. Together below 0.1 % of it, but counted so
/// that the sum is the checkpoint's to the number. Inner header of the importer.
namespace kvseats::import {

/// `layers` as `read_layer_groups` gave them. What a class of transformers has beside two norms a
/// layer and one at the end is in a table (modeling_<name>.py); unknown classes have just those.
[[nodiscard]] std::uint64_t count_norms(Config& config, const Geometry& geometry,
                                        const std::vector<model::LayerGroup>& layers,
                                        const model::Moe& moe);

}  // namespace kvseats::import
