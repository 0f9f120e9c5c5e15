#include "scenario/attach.h"
#include "scenario/codec.h"
#include "ui/app.h"

namespace kvseats::ui {

ModelFile read_model_file(std::string_view query, std::string_view bytes,
                          std::string_view file_name) {
  scenario::Decoded decoded = scenario::decode(query, scenario::Strictness::kLink);
  const scenario::Attached attached = scenario::attach_model(decoded.scenario, bytes, file_name);
  ModelFile out;
  out.ok = attached.ok;
  for (const units::Diagnostic& why : attached.diagnostics) {
    if (why.severity == units::Severity::kError) out.message = why.text + ". " + why.remedy;
  }
  if (!out.ok) return out;
  out.query = scenario::encode(decoded.scenario);
  out.message = "The model was read from " + std::string(file_name);
  return out;
}

}  // namespace kvseats::ui
