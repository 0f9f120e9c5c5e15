#pragma once

#include <string>
#include <vector>

#include "chart/layout.h"

/// One run of `lay_out`, in three steps: internal to the room.
namespace kvseats::chart {

inline constexpr double kTickGap = 8.0;  ///< px between an axis and its labels

/// All that one layout run needs at hand.
struct Frame {
  const Chart& chart;
  const LayoutOptions& options;
  double tick_size = 12.0;   ///< px
  double label_size = 12.5;  ///< px
  Layout out;

  [[nodiscard]] double width_of(const std::string& text, double size) const {
    return options.measure.width(options.measure.self, text, size, false);
  }
};

/// A kept label that had no room in the plot.
struct Note {
  const Label* label = nullptr;  ///< the chart's
  Ink ink = Ink::kSoft;
};

/// The plot rectangle, ticks and axis titles; `notes_height` px are kept free at the bottom.
void set_frame(Frame& f, double notes_height);

/// Everything but labels, in drawing order.
void set_parts(Frame& f);

/// Places the labels; gives back the kept ones that had no room.
[[nodiscard]] std::vector<Note> set_labels(Frame& f);

}  // namespace kvseats::chart
