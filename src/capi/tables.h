#pragma once

#include <string>
#include <vector>

#include "chart/chart.h"
#include "scenario/report.h"
#include "units/text.h"

/// A report as tables of text, in reading order: what the page and exports show beside the charts.
/// Nothing is computed here; sizes are written in the unit asked for, with the other one where both
/// help.
namespace kvseats::capi {

struct Section {
  std::string
      id;  ///< `answers`, `memory`, `token`, `services`, `speed`, `bills`, `levers`, `caches`, …
  std::string title;  ///< sentence case
  chart::TextTable table;
};

[[nodiscard]] std::vector<Section> sections(const scenario::Report& report, units::SizeUnit unit);

}  // namespace kvseats::capi
