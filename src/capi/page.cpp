#include "capi/charts.h"
#include "capi/link.h"
#include "capi/prose.h"
#include "capi/request.h"
#include "capi/resolved.h"
#include "capi/tables.h"
#include "scenario/pins.h"
#include "scenario/present.h"
#include "scenario/rates.h"
#include "units/json_writer.h"

namespace kvseats::capi {
namespace {

void write_tables(units::JsonWriter& json, const scenario::Report& report, units::SizeUnit unit) {
  json.key("tables").open_array();
  for (const Section& section : sections(report, unit)) {
    json.open_object().field("id", section.id).field("title", section.title).key("table");
    write_table(json, section.table);
    json.close_object();
  }
  json.close_array();
}

void write_charts(units::JsonWriter& json, const scenario::Report& report,
                  const catalogue::Catalogue& catalogue, const Request& request) {
  json.key("charts").open_object();
  std::string_view rest = request.text("charts", kPageCharts);
  while (!rest.empty()) {
    const std::size_t end = rest.find(',');
    const std::string_view id = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    if (!is_chart(id)) continue;
    json.key(id);
    (void)write_chart(json, id, report, catalogue, request);
  }
  json.close_object();
}

}  // namespace

Answer answer_page(const catalogue::Catalogue& catalogue, const Request& asked) {
  const scenario::Decoded decoded = scenario::decode(asked.payload, scenario::Strictness::kLink);
  const Request request = asked.for_page(decoded.page);
  const scenario::Report report = scenario::evaluate_with_rates(decoded, catalogue);
  units::JsonWriter json;
  json.open_object().field("ok", report.ok).field("link", link_text(decoded)).key("page");
  write_pairs(json, decoded.page);
  json.key("report").raw(scenario::to_json(report, 0));
  if (report.ok) {
    json.field("share", link_text(report.pinned_query, decoded));
    write_prose(json, report, request.unit());
    json.key("pins").open_array();
    for (const std::string& pin : scenario::pins(decoded.page)) json.value(pin);
    json.close_array().key("resolved");
    write_pairs(json, resolved(report));
    write_tables(json, report, request.unit());
    write_charts(json, report, catalogue, request);
  }
  json.close_object();
  return json.take();
}

}  // namespace kvseats::capi
