#pragma once

#include <cstdint>

#include "import/config_geometry.h"
#include "import/config_reader.h"

/// Parameters of the vision tower that stands beside the language model, projector included. Inner
/// header of the importer.
namespace kvseats::import {

/// From `vision_config` (or `vision_tower_cfg`); 0 where there is none or it says too little, and
/// the draft then lists it as missing. Layers of four square matrices and a feed-forward of two
/// (three with a gate), position embeddings, patches, and what maps them to the text's width. The
/// sum is within some percent of the tower, so within 0.2 % of the model.
[[nodiscard]] std::uint64_t count_vision(Config& config, const Geometry& geometry);

}  // namespace kvseats::import
