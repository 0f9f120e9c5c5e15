#pragma once

#include <span>
#include <string_view>

#include "cli/cli.h"
#include "scenario/attach.h"

/// Model files by path. Internal to room `cli`.
namespace kvseats::cli {

/// True for what ends like a model file; ids have slashes and points too, so the file has to exist.
[[nodiscard]] bool is_model_file(std::string_view text);

/// `scenario::attach_paths` through `files`. `-` is standard input, read whole.
[[nodiscard]] scenario::Attached attach_paths(scenario::Scenario& scenario,
                                              std::span<const std::string_view> paths,
                                              const Files& files);

}  // namespace kvseats::cli
