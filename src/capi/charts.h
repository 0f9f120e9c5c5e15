#pragma once

#include <string_view>

#include "capi/request.h"
#include "catalogue/catalogue.h"
#include "chart/chart.h"
#include "scenario/report.h"
#include "units/json_writer.h"

/// A chart of a report as {"svg","text","table"}: the picture and its text twin.
namespace kvseats::capi {

/// The ids of all charts, separated by commas.
inline constexpr std::string_view kAllCharts = "tradeoff,memory,allocation,gpus,levers,next,bills";
/// Those that a page shows unless it asks for others.
inline constexpr std::string_view kPageCharts = "tradeoff,memory";

/// Whether there is a chart of that name.
[[nodiscard]] bool is_chart(std::string_view id);

/// Writes the object. Sizes and theme come from the request: `width`, `height` (tradeoff only),
/// `text_scale` in per cent, `theme` (auto, light, dark), `ground=1`, `caption=1`,
/// `link` (behind the caption), `csv=1` (the points as CSV in `csv`).
/// False, and nothing written: there is no chart of that name.
[[nodiscard]] bool write_chart(units::JsonWriter& json, std::string_view id,
                               const scenario::Report& report,
                               const catalogue::Catalogue& catalogue, const Request& request);

/// The same for a chart that is of no report alone.
void write_drawing(units::JsonWriter& json, const chart::BarChart& chart, const Request& request);
void write_drawing(units::JsonWriter& json, const chart::Chart& chart, const Request& request);

/// Writes `{"columns":[…],"rows":[[…]]}`.
void write_table(units::JsonWriter& json, const chart::TextTable& table);

}  // namespace kvseats::capi
