#pragma once

#include <string_view>

#include "import/draft.h"
#include "scenario/scenario.h"
#include "units/diagnostic.h"

/// A model file becomes part of a scenario: as `model=custom` with its geometry, so that a link
/// carries it without a path and without the file.
namespace kvseats::scenario {

struct Attached {
  bool ok = false;
  import::Draft draft;             ///< what was read, if `ok`
  units::Diagnostics diagnostics;  ///< errors if not `ok`, else notes
};

/// Reads `bytes` (config.json) and, if it is understood, sets `model`, `name`, `shape`, `params`,
/// `maxlen` and clears the other overrides of the model. On failure the scenario is unchanged.
[[nodiscard]] Attached attach_model(Scenario& scenario, std::string_view bytes,
                                    std::string_view file_name);

/// The draft as JSON: `{"model", "shape", "found", "derived", "missing", "query", "diagnostics"}`.
[[nodiscard]] std::string to_json(const Attached& attached, const Scenario& scenario,
                                  int indent = 2);
[[nodiscard]] std::string to_text(const Attached& attached, const Scenario& scenario);

}  // namespace kvseats::scenario
