#include "model/model.h"
#include "scenario/attach.h"
#include "scenario/codec.h"
#include "ui/app.h"

namespace kvseats::ui {
namespace {

void append(std::string& text, std::string_view before, std::string_view more) {
  if (more.empty()) return;
  text += before;
  text += more;
}

}  // namespace

ModelFile read_model_file(std::string_view query, std::string_view bytes,
                          std::string_view file_name) {
  scenario::Decoded decoded = scenario::decode(query, scenario::Strictness::kLink);
  const scenario::Attached attached = scenario::attach_model(decoded.scenario, bytes, file_name);
  ModelFile out;
  out.ok = attached.ok;
  if (out.ok) {
    const model::Model& model = attached.draft.model;
    out.query = scenario::encode(decoded.scenario);
    append(out.message, "The model was read from ", file_name);
    append(out.message, ": ", model.groups.empty() ? "" : model::geometry_text(model));
  }
  // Errors say why it was not read, warnings what to look at.
  for (const units::Diagnostic& why : attached.diagnostics) {
    if (why.severity == units::Severity::kNote) continue;
    append(out.message, out.message.empty() ? "" : ". ", why.text);
    append(out.message, " ", why.remedy);
  }
  return out;
}

}  // namespace kvseats::ui
