#pragma once

#include <vector>

#include "chart/chart.h"
#include "scenario/report.h"

/// The trade-off's curve of one report, for charts that show several.
namespace kvseats::scenario {

/// Requests at once over the axis, every step where it happens (join `kStep`); empty where none
/// fits, or nothing limits them.
[[nodiscard]] std::vector<chart::Point> requests_curve(const Report& report, const chart::Axis& x);

/// The axes that the trade-off has for this report alone.
[[nodiscard]] chart::Axis context_axis(const Report& report);
[[nodiscard]] chart::Axis requests_axis(const Report& report, const chart::Axis& x);

}  // namespace kvseats::scenario
