#include "scenario/compare.h"

#include "capi/charts.h"
#include "capi/request.h"
#include "scenario/codec.h"
#include "units/json_writer.h"

namespace kvseats::capi {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

Answer answer_compare(const catalogue::Catalogue& catalogue, const Request& request) {
  const std::vector<std::string> models = scenario::split_list(request.text("models"));
  const scenario::Comparison comparison =
      scenario::compare(lines_of(request.payload), models, catalogue, request.unit());
  std::string json = scenario::to_json(comparison, 0);
  json.pop_back();  // the charts come into the same object
  units::JsonWriter charts;
  charts.open_object().key("tokens");
  write_drawing(charts, comparison.tokens, request);
  charts.key("curves");
  write_drawing(charts, comparison.curves, request);
  charts.close_object();
  return json + ",\"charts\":" + charts.take() + "}";
}

}  // namespace kvseats::capi
