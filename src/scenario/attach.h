#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "import/draft.h"
#include "import/file.h"
#include "scenario/scenario.h"
#include "units/diagnostic.h"

/// A model file becomes part of a scenario: as `model=custom` with its geometry and what else the
/// file says, so that a link carries it without a path and without the file.
namespace kvseats::scenario {

struct Attached {
  bool ok = false;
  import::Draft draft;             ///< what was read, if `ok`
  units::Diagnostics diagnostics;  ///< errors if not `ok`, else notes
  /// More than 0: give so many bytes of `files[file]` from the start and ask again. With `ok` that
  /// only makes the weights exact; without, nothing else is known yet.
  std::uint64_t need = 0;
  std::size_t file = 0;
};

/// Reads the files of one model from their first bytes (`import/file.h`) and, if they are
/// understood, sets `model`, `name`, `shape` and `checkpoint` and clears the other overrides of the
/// model. A checkpoint without a config (a safetensors file or index alone) keeps the scenario's
/// model and sets only `checkpoint`. On failure the scenario is unchanged.
[[nodiscard]] Attached attach_files(Scenario& scenario, std::span<const import::File> files);

/// The same for one file that is there as a whole.
[[nodiscard]] Attached attach_model(Scenario& scenario, std::string_view bytes,
                                    std::string_view file_name);

/// One kind of layer as people are shown it; beside `model.groups`, at the same index.
struct ShownGroup {
  std::string label;           ///< "Sliding window", "Full attention and recurrent state (mamba2)"
  units::Bytes token_bytes;    ///< all its layers add per token in bf16, rounded up
  units::Bytes request_bytes;  ///< all its layers keep per request whatever its length
};
[[nodiscard]] std::vector<ShownGroup> shown_groups(const model::Model& model);

/// The key of the field that holds a fact of a draft: "KV heads" → `kvheads`; empty: none does.
[[nodiscard]] std::string_view field_of_fact(std::string_view name);

/// The draft as JSON: `{"name", "architecture", "geometry", "shape", "checkpoint", "query",
/// "groups", "order", "weights", "found", "derived", "missing", "diagnostics"}`; `need` and `file`
/// where more bytes would help. Each fact has its `field_of_fact`. `groups` has one row for each
/// kind of layer (kind, label, layers, KV heads, dims, window, state bytes, bytes per token in
/// bf16), `order` one number a layer: which group it is of, so that a face can draw the layers as a
/// strip.
[[nodiscard]] std::string to_json(const Attached& attached, const Scenario& scenario,
                                  int indent = 2);
[[nodiscard]] std::string to_text(const Attached& attached, const Scenario& scenario);

}  // namespace kvseats::scenario
