#include "capi/link.h"
#include "capi/prose.h"
#include "capi/request.h"
#include "capi/resolved.h"
#include "scenario/evaluate.h"
#include "scenario/present.h"

namespace kvseats::capi {
namespace {

// Only what the first words and the form need: every call here is code that a page waits for.
std::string words(const scenario::Decoded& decoded, const catalogue::Catalogue& catalogue,
                  const Request& request) {
  const scenario::Report report = scenario::evaluate(decoded, catalogue);
  units::JsonWriter json;
  json.open_object().field("ok", report.ok).field("link", link_text(decoded)).key("page");
  write_pairs(json, decoded.page);
  json.key("report").open_object();
  if (report.ok) json.field("query", report.query).field("pinned_query", report.pinned_query);
  json.key("diagnostics");
  json.raw(scenario::to_json(report.diagnostics, 0)).close_object();
  if (report.ok) {
    write_prose(json, report, request.for_page(decoded.page).unit());
    json.key("resolved");
    write_pairs(json, resolved(report));
  }
  json.close_object();
  return json.take();
}

tl::unexpected<units::Diagnostic> too_early(std::string_view where, std::string_view what) {
  return tl::unexpected(units::diagnose("E-EARLY", std::string(where),
                                        std::string(what) + " not arrived yet.",
                                        "Try again in a moment, or wait for whole()."));
}

scenario::Decoded decoded_link(const Request& request) {
  return scenario::decode(request.payload, scenario::Strictness::kLink);
}

bool adds_distributions(const Request& request) {
  const std::string set = std::string(request.text("key")) + "=";
  return scenario::has_distributions(set + scenario::percent_encode(request.text("value")));
}

}  // namespace

Answer answer_first(const catalogue::Catalogue& catalogue, const Request& request) {
  return words(decoded_link(request), catalogue, request);
}

Answer answer_early(const catalogue::Catalogue& catalogue, const Request& request) {
  const std::string_view operation = request.operation;
  if (operation == "choices") return answer_choices(catalogue, request);
  if (operation != "first" && operation != "fields" && operation != "edit") {
    return too_early(operation, "This part of the calculator has");
  }
  if (scenario::has_distributions(request.payload) || adds_distributions(request)) {
    return too_early("service", "Distributions have");
  }
  if (operation == "edit") return answer_edit(catalogue, request);
  const scenario::Decoded decoded = decoded_link(request);
  // What engines allocate comes with the rest (cmake/programs.cmake); nothing is planned without
  // one.
  if (decoded.scenario.engine.value_or("hand") != "hand") {
    return too_early("engine", "This engine's rules have");
  }
  if (operation == "fields") return answer_fields(catalogue, request);
  return words(decoded, catalogue, request);
}

}  // namespace kvseats::capi
