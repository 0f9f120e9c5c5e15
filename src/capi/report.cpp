#include "scenario/report_page.h"

#include "capi/request.h"
#include "scenario/codec.h"
#include "scenario/rates.h"
#include "units/json_writer.h"

// The page to hand on: what `kvseats report` prints.
namespace kvseats::capi {

Answer answer_report(const catalogue::Catalogue& catalogue, const Request& request) {
  scenario::Report report = scenario::evaluate_with_rates(
      scenario::decode(request.payload, scenario::Strictness::kLink), catalogue);
  scenario::add_sizing(report);
  units::JsonWriter json;
  json.open_object().field("ok", report.ok);
  json.field("text", request.text("format") == "html"
                         ? scenario::report_html(report, catalogue)
                         : scenario::report_markdown(report, catalogue));
  json.close_object();
  return json.take();
}

}  // namespace kvseats::capi
