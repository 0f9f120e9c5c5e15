#include "scenario/attach.h"

#include "model/checkpoint.h"
#include "scenario/codec.h"
#include "scenario/fields.h"
#include "scenario/present.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

constexpr std::string_view kModelKeys[] = {"layers", "kvheads", "headdim", "vdim", "window",
                                           "state",  "params",  "maxlen",  "name", "checkpoint"};

void set(Scenario& scenario, std::string_view key, std::string_view text) {
  // A name too long or a count out of range only loses that field; the geometry is checked before.
  if (!text.empty()) (void)set_key(scenario, key, text);
}

void put_model(Scenario& scenario, const model::Model& model) {
  // Weights alone say nothing about the cache: the model at hand keeps its geometry.
  if (model.groups.empty()) {
    clear_key(scenario, "params");
    set(scenario, "checkpoint", model::to_checkpoint(model));
    return;
  }
  for (const std::string_view key : kModelKeys) clear_key(scenario, key);
  set(scenario, "model", "custom");
  set(scenario, "name", model.name);
  set(scenario, "shape", model::to_shape(model));
  set(scenario, "checkpoint", model::to_checkpoint(model));
}

}  // namespace

Attached attach_files(Scenario& scenario, std::span<const import::File> files) {
  Attached out;
  auto read = import::read_files(files);
  if (!read) {
    out.diagnostics = std::move(read.error());
    return out;
  }
  out.need = read->need;
  out.file = read->file;
  if (!read->draft) return out;
  out.ok = true;
  out.draft = std::move(*read->draft);
  out.diagnostics = out.draft.diagnostics;
  put_model(scenario, out.draft.model);
  return out;
}

Attached attach_model(Scenario& scenario, std::string_view bytes, std::string_view file_name) {
  const import::File file{.name = file_name, .head = bytes, .size = bytes.size()};
  return attach_files(scenario, {&file, 1});
}

}  // namespace kvseats::scenario
