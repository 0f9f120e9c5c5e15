#include "capi/link.h"
#include "capi/prose.h"
#include "capi/request.h"
#include "scenario/evaluate.h"
#include "scenario/present.h"

namespace kvseats::capi {

// Only what the first words need: every call here is code that a page waits for.
Answer answer_first(const catalogue::Catalogue& catalogue, const Request& request) {
  const scenario::Decoded decoded = scenario::decode(request.payload, scenario::Strictness::kLink);
  const scenario::Report report = scenario::evaluate(decoded, catalogue);
  units::JsonWriter json;
  json.open_object().field("ok", report.ok).field("link", link_text(decoded)).key("page");
  write_pairs(json, decoded.page);
  json.key("report").open_object();
  if (report.ok) json.field("query", report.query).field("pinned_query", report.pinned_query);
  json.key("diagnostics");
  json.raw(scenario::to_json(report.diagnostics, 0)).close_object();
  if (report.ok) write_prose(json, report, request.unit());
  json.close_object();
  return json.take();
}

}  // namespace kvseats::capi
