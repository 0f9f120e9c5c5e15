#pragma once

#include <span>
#include <string_view>

#include "cli/cli.h"
#include "scenario/attach.h"

/// Model files by path: opened as far as they must be, with what belongs to them. Internal to room
/// `cli`.
namespace kvseats::cli {

/// True for what ends like a model file; ids have slashes and points too, so the file has to exist.
[[nodiscard]] bool is_model_file(std::string_view text);

/// Reads the model that `paths` describe into the scenario. Read with them, where they exist: the
/// other parts of a split file (`-00001-of-00005.`); beside a `config.json` its
/// `hf_quant_config.json` and `model.safetensors.index.json`; beside safetensors their
/// `config.json`. A note says so. `-` is standard input, read whole.
[[nodiscard]] scenario::Attached attach_paths(scenario::Scenario& scenario,
                                              std::span<const std::string_view> paths,
                                              const Files& files);

}  // namespace kvseats::cli
