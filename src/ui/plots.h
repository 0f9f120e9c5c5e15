#pragma once

#include <cstdint>
#include <string_view>

#include "chart/chart.h"
#include "chart/layout.h"
#include "ui/kit.h"

/// Pictures and tables that nobody drags: what a view shows below its controls.
namespace kvseats::ui {

struct Ui;

/// A plot as it was set last; set again only when the chart, the width or the theme changed.
struct StillPlot {
  chart::Layout layout;
  std::uint32_t revision = 0;  ///< of the chart; 0: never set
  float width = 0;
  bool dark = false;
};

/// Title, picture and the chart's summary, recorded under its title; `revision` is never 0 and
/// differs from chart to chart. A chart without curves and marks is its summary alone. The height
/// taken.
float still_plot(Ui& ui, StillPlot& plot, const chart::Chart& chart, std::uint32_t revision,
                 float x, float y, float width);

/// A table for reading; where the columns would be too narrow, a block for each row. Nothing
/// without rows. The height taken.
float text_table(Ui& ui, std::string_view title, const chart::TextTable& table, float x, float y,
                 float width);

/// A sentence that tests and screen readers find by this name; nothing if empty. The height taken.
float said(Ui& ui, std::string_view name, std::string_view words, float x, float y, float width,
           chart::Ink ink = chart::Ink::kInk);

}  // namespace kvseats::ui
