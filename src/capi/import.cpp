#include "capi/link.h"
#include "capi/request.h"
#include "scenario/attach.h"
#include "scenario/present.h"
#include "units/json_writer.h"

namespace kvseats::capi {

std::string import_file(const Request& request) {
  scenario::Decoded decoded = scenario::decode(request.text("link"), scenario::Strictness::kLink);
  const scenario::Attached attached =
      scenario::attach_model(decoded.scenario, request.payload, request.text("name"));
  units::JsonWriter json;
  json.open_object().field("ok", attached.ok).field("link", link_text(decoded));
  if (attached.ok) json.key("draft").raw(scenario::to_json(attached, decoded.scenario, 0));
  json.key("diagnostics").raw(scenario::to_json(attached.diagnostics, 0)).close_object();
  return json.take();
}

}  // namespace kvseats::capi
