#include "capi/link.h"
#include "capi/prose.h"
#include "capi/request.h"
#include "scenario/evaluate.h"
#include "scenario/present.h"

namespace kvseats::capi {
namespace {

// Only what the first words need: every call here is code that a page waits for.
std::string words(const scenario::Decoded& decoded, const catalogue::Catalogue& catalogue,
                  units::SizeUnit unit) {
  const scenario::Report report = scenario::evaluate(decoded, catalogue);
  units::JsonWriter json;
  json.open_object().field("ok", report.ok).field("link", link_text(decoded)).key("page");
  write_pairs(json, decoded.page);
  json.key("report").open_object();
  if (report.ok) json.field("query", report.query).field("pinned_query", report.pinned_query);
  json.key("diagnostics");
  json.raw(scenario::to_json(report.diagnostics, 0)).close_object();
  if (report.ok) write_prose(json, report, unit);
  json.close_object();
  return json.take();
}

scenario::Decoded decoded_link(const Request& request) {
  return scenario::decode(request.payload, scenario::Strictness::kLink);
}

}  // namespace

Answer answer_first(const catalogue::Catalogue& catalogue, const Request& request) {
  return words(decoded_link(request), catalogue, request.unit());
}

Answer answer_early(const catalogue::Catalogue& catalogue, const Request& request) {
  if (scenario::has_distributions(request.payload)) {
    return tl::unexpected(units::diagnose(
        "E-EARLY", "service", "Distributions have not arrived yet.", "Wait for whole()."));
  }
  const scenario::Decoded decoded = decoded_link(request);
  // What engines allocate comes with the rest (cmake/programs.cmake); nothing is planned without
  // one.
  if (decoded.scenario.engine.value_or("hand") != "hand") {
    return tl::unexpected(units::diagnose(
        "E-EARLY", "engine", "This engine's rules have not arrived yet.", "Wait for whole()."));
  }
  return words(decoded, catalogue, request.unit());
}

}  // namespace kvseats::capi
