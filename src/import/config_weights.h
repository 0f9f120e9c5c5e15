#pragma once

#include <string>

#include "import/config_reader.h"
#include "import/count_params.h"
#include "model/model.h"

/// How a config.json says that the checkpoint stores weights and cache. Inner header.
namespace kvseats::import {

/// `stored`, `cache_scheme` and `parts` of the model, from dtype keys and `quantization_config`.
void read_storage(Config& config, const ParamCount& count, model::Model& model);

}  // namespace kvseats::import
