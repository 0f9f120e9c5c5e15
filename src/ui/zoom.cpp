#include "ui/zoom.h"

#include <cmath>
#include <tuple>

#include "units/text.h"

namespace kvseats::ui {
namespace {

using Range = std::pair<double, double>;

constexpr double kLeastRatio = 1.15;

std::optional<Range> read_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const auto from = units::parse_decimal(text.substr(0, dots));
  const auto to = units::parse_decimal(text.substr(dots + 2));
  if (!from || !to || !(*from >= 1.0) || !(*to <= 1e12)) return std::nullopt;
  if (*to < *from * kLeastRatio * 0.99) return std::nullopt;
  return Range{*from, *to};
}

// Links stay short: a thousandth of a token is less than a pixel.
std::string number(double value) {
  return units::shortest(std::round(value * 1000.0) / 1000.0);
}

chart::Axis in_view(const chart::Axis& whole, const std::optional<Range>& range) {
  chart::Axis axis = whole;
  if (range) std::tie(axis.min, axis.max) = *range;
  return axis;
}

// What is left of an axis, or none where that is all of it.
std::optional<Range> range_of(const chart::Axis& axis, const chart::Axis& whole) {
  const bool all = axis.min <= whole.min * 1.001 && axis.max >= whole.max * 0.999;
  if (all) return std::nullopt;
  return Range{axis.min, axis.max};
}

}  // namespace

Zoom read_zoom(std::string_view text) {
  Zoom zoom;
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return zoom;
  zoom.x = read_range(text.substr(0, comma));
  zoom.y = read_range(text.substr(comma + 1));
  if (!zoom.x || !zoom.y) return {};
  return zoom;
}

std::string zoom_text(const Zoom& zoom) {
  if (!zoom.x || !zoom.y) return {};
  return number(zoom.x->first) + ".." + number(zoom.x->second) + "," + number(zoom.y->first) +
         ".." + number(zoom.y->second);
}

Zoom zoomed(const Zoom& zoom, const Axes& whole, double x, double y, double factor) {
  const chart::Axis wide = chart::zoomed(in_view(whole.x, zoom.x), x, factor, whole.x);
  const chart::Axis tall = chart::zoomed(in_view(whole.y, zoom.y), y, factor, whole.y);
  if (wide.max < wide.min * kLeastRatio || tall.max < tall.min * kLeastRatio) return zoom;
  const auto across = range_of(wide, whole.x);
  const auto up = range_of(tall, whole.y);
  if (!across && !up) return {};
  return {.x = across.value_or(Range{whole.x.min, whole.x.max}),
          .y = up.value_or(Range{whole.y.min, whole.y.max})};
}

Zoom panned(const Zoom& zoom, const Axes& whole, double by_x, double by_y) {
  if (!zoom.any()) return zoom;
  const chart::Axis wide = chart::panned(in_view(whole.x, zoom.x), by_x, whole.x);
  const chart::Axis tall = chart::panned(in_view(whole.y, zoom.y), by_y, whole.y);
  return {.x = Range{wide.min, wide.max}, .y = Range{tall.min, tall.max}};
}

}  // namespace kvseats::ui
