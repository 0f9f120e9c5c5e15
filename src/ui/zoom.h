#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "chart/scale.h"

/// The part of the trade-off in view, as the page key `range` writes it: `4096..32768,3..100`,
/// context from and to, then requests. Pure; a text that is none of this is no zoom.
namespace kvseats::ui {

struct Zoom {
  std::optional<std::pair<double, double>> x, y;
  [[nodiscard]] bool any() const { return x || y; }
  friend bool operator==(const Zoom&, const Zoom&) = default;
};

[[nodiscard]] Zoom read_zoom(std::string_view text);
[[nodiscard]] std::string zoom_text(const Zoom& zoom);

/// Both axes of the whole picture.
struct Axes {
  chart::Axis x, y;
};

/// `factor` below 1 shows less of the picture, larger; about one place of it. Ends where an axis
/// spans less than a fifth of an octave; with everything in view it is no zoom any more.
[[nodiscard]] Zoom zoomed(const Zoom& zoom, const Axes& whole, double x, double y, double factor);

/// Moved by fractions of what is in view, towards larger values; never over the whole's edge.
[[nodiscard]] Zoom panned(const Zoom& zoom, const Axes& whole, double by_x, double by_y);

}  // namespace kvseats::ui
