#include "capi/charts.h"

#include "chart/describe.h"
#include "chart/svg.h"
#include "scenario/present.h"
#include "scenario/rates.h"

namespace kvseats::capi {
namespace {

chart::SvgOptions svg_options(const Request& request, std::string_view id) {
  chart::SvgOptions options;
  options.width = request.pixels("width", 960);
  options.height = request.pixels("height", 560);
  options.text_scale = request.pixels("text_scale", 100) / 100;
  const std::string_view theme = request.text("theme", "auto");
  options.theme = theme == "light"  ? chart::SvgTheme::kLight
                  : theme == "dark" ? chart::SvgTheme::kDark
                                    : chart::SvgTheme::kAuto;
  options.ground = request.flag("ground");
  options.caption = request.flag("caption");
  options.id = std::string(request.text("prefix")) + std::string(id);
  return options;
}

/// `sentence`: the caption of a chart that has none of its own.
template <class AnyChart>
void write(units::JsonWriter& json, AnyChart chart, const Request& request,
           const std::string& sentence) {
  const chart::SvgOptions options = svg_options(request, chart.id);
  if (chart.caption.empty()) chart.caption = sentence;
  if (const std::string_view link = request.text("link"); !link.empty()) {
    chart.caption += " " + std::string(link);
  }
  const chart::Description description = chart::describe(chart);
  json.open_object().field("svg", chart::to_svg(chart, options)).field("text", description.text);
  json.key("table");
  write_table(json, description.table);
  if (request.flag("csv")) json.field("csv", chart::to_csv(chart::points_table(chart)));
  json.close_object();
}

}  // namespace

bool is_chart(std::string_view id) {
  const std::string all = "," + std::string(kAllCharts) + ",";
  return !id.empty() && id.find(',') == std::string_view::npos &&
         all.find("," + std::string(id) + ",") != std::string::npos;
}

void write_table(units::JsonWriter& json, const chart::TextTable& table) {
  json.open_object().key("columns").open_array();
  for (const std::string& column : table.columns) json.value(column);
  json.close_array().key("rows").open_array();
  for (const auto& row : table.rows) {
    json.open_array();
    for (const std::string& cell : row) json.value(cell);
    json.close_array();
  }
  json.close_array().close_object();
}

void write_drawing(units::JsonWriter& json, const chart::BarChart& chart, const Request& request) {
  write(json, chart, request, chart.title);
}

void write_drawing(units::JsonWriter& json, const chart::Chart& chart, const Request& request) {
  write(json, chart, request, chart.title);
}

bool write_chart(units::JsonWriter& json, std::string_view id, const scenario::Report& report,
                 const catalogue::Catalogue& catalogue, const Request& request) {
  const std::string sentence =
      scenario::plain_text(scenario::answer_sentence(report, request.unit()));
  if (id == "tradeoff") {
    write(json, scenario::tradeoff_chart(report, request.unit()), request, sentence);
    return true;
  }
  if (id == "memory") {
    write(json, scenario::memory_bar(report, request.unit()), request, sentence);
    return true;
  }
  if (id == "allocation") {
    write(json, scenario::allocation_bars(report, request.unit()), request, sentence);
    return true;
  }
  if (id == "gpus") {
    write(json, scenario::gpu_strip(report, request.unit()), request, sentence);
    return true;
  }
  if (id == "levers") {
    write(json, scenario::waterfall_bars(report, catalogue), request, sentence);
    return true;
  }
  if (id == "next") {
    write(json, scenario::lever_bars(report), request, sentence);
    return true;
  }
  if (id == "bills") {
    write(json, scenario::bills_chart(report), request, sentence);
    return true;
  }
  return false;
}

Answer answer_svg(const catalogue::Catalogue& catalogue, const Request& asked) {
  const scenario::Decoded decoded = scenario::decode(asked.payload, scenario::Strictness::kLink);
  const Request request = asked.for_page(decoded.page);
  const scenario::Report report = scenario::evaluate_with_rates(decoded, catalogue);
  if (!report.ok) {
    return tl::unexpected(units::diagnose("E-NO-ANSWER", "query", "There is nothing to draw.",
                                          "Evaluate the query: its diagnostics say why."));
  }
  units::JsonWriter json;
  const std::string_view id = request.text("chart", "tradeoff");
  if (write_chart(json, id, report, catalogue, request)) return json.take();
  return tl::unexpected(units::diagnose("E-CHART", "chart",
                                        "There is no chart \"" + std::string(id) + "\".",
                                        "Use one of " + std::string(kAllCharts) + "."));
}

}  // namespace kvseats::capi
