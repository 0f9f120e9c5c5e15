#pragma once

#include <vector>

#include "chart/layout.h"

/// Plane geometry in pixels that every renderer needs and none should repeat.
namespace kvseats::chart {

/// The polyline without the points that lie within `tolerance` px of it; ends kept; one pass.
[[nodiscard]] std::vector<Px> thinned(const std::vector<Px>& line, double tolerance);

/// The pieces of a polyline inside a rectangle, cut exactly at its edges.
[[nodiscard]] std::vector<std::vector<Px>> cut(const std::vector<Px>& line, const Rect& rect);

/// The pieces of a polyline outside of a rectangle.
[[nodiscard]] std::vector<std::vector<Px>> cut_out(const std::vector<Px>& line, const Rect& rect);

/// A polygon cut at the edges of a rectangle (Sutherland, Hodgman); empty if nothing is left.
[[nodiscard]] std::vector<Px> cut_polygon(std::vector<Px> polygon, const Rect& rect);

/// Dashes along a polyline as pairs of points: `on` px drawn, `off` px not. For renderers that
/// have no dashes of their own; a dotted line is `on` = stroke weight.
[[nodiscard]] std::vector<Px> dashes(const std::vector<Px>& line, double on, double off);

/// Lines at 45° inside a polygon, `spacing` px apart, as pairs of points, anchored to the page (so
/// they do not crawl when the polygon changes).
[[nodiscard]] std::vector<Px> hatch_lines(const std::vector<Px>& polygon, double spacing);

/// Does the segment a–b touch the rectangle?
[[nodiscard]] bool touches(const Rect& rect, Px a, Px b);
[[nodiscard]] bool overlap(const Rect& a, const Rect& b);
[[nodiscard]] bool contains(const Rect& outer, const Rect& inner);
[[nodiscard]] Rect grown(const Rect& rect, double by);

/// Distance of a place from a segment, px.
[[nodiscard]] double distance(Px p, Px a, Px b);

/// On and off lengths of a dash pattern for a stroke of `weight` px.
struct DashPattern {
  double on = 0.0;
  double off = 0.0;
};
[[nodiscard]] DashPattern dash_pattern(Dash dash, double weight);

}  // namespace kvseats::chart
