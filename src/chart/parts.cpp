#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "chart/frame.h"
#include "chart/geometry.h"
#include "chart/shade.h"

namespace kvseats::chart {
namespace {

constexpr double kThin = 0.2;  // px a curve may differ from its points
constexpr double kMarkRadius = 5.0;
constexpr double kBeyondOpacity = 0.75;

std::vector<Px> to_px(const Layout& out, const std::vector<Point>& points, Join join) {
  std::vector<Px> line;
  line.reserve(points.size() * 2);
  const Mapper x_of(out.x);
  const Mapper y_of(out.y);
  for (const Point& p : points) {
    const Px here{out.plot.left + x_of(p.x) * out.plot.width(),
                  out.plot.bottom - y_of(p.y) * out.plot.height()};
    if (join == Join::kStep && !line.empty()) line.push_back({here.x, line.back().y});
    line.push_back(here);
  }
  return line;
}

void add_runs(Layout& out, const Stroke& like, const std::vector<Px>& line, const Rect& within) {
  for (const std::vector<Px>& run : cut(line, within)) {
    if (run.size() < 2 || distance(run.front(), run.back(), run.back()) < 0.5) continue;
    Stroke stroke = like;
    stroke.points = thinned(run, kThin);
    out.strokes.push_back(std::move(stroke));
  }
}

void add_series(Layout& out, const Series& s, std::uint32_t index) {
  Stroke like{Part::kSeries, index, s.ink, s.dash, s.weight, 1.0, {}};
  const std::vector<Px> line = to_px(out, s.points, s.join);
  const double limit = px_of(out, {s.dashed_beyond, 1.0}).x;
  Rect within = out.plot;
  within.right = std::fmin(within.right, limit);
  if (within.right > within.left) add_runs(out, like, line, within);
  if (limit >= out.plot.right) return;
  Rect beyond = out.plot;
  beyond.left = std::fmax(beyond.left, limit);
  if (like.dash == Dash::kSolid) like.dash = Dash::kDashed;
  like.opacity = kBeyondOpacity;
  add_runs(out, like, line, beyond);
}

void add_band(Layout& out, const Band& band, std::uint32_t index) {
  std::vector<Px> outline = to_px(out, band.low, Join::kLine);
  std::vector<Px> high = to_px(out, band.high, Join::kLine);
  std::reverse(high.begin(), high.end());
  outline.insert(outline.end(), high.begin(), high.end());
  outline = cut_polygon(std::move(outline), out.plot);
  if (outline.size() < 3) return;
  Area area{Part::kBand, index, band.ink, band.hatch ? 0.0 : 0.16, std::move(outline), {}};
  if (band.hatch) area.hatch = hatch_lines(area.outline, 5.0);
  out.areas.push_back(std::move(area));
}

void add_rule(Layout& out, const Rule& rule, std::uint32_t index) {
  const Rect& p = out.plot;
  const Px at = px_of(out, {rule.value, rule.value});
  const double place = rule.vertical ? at.x : at.y;
  if (rule.vertical ? place < p.left || place > p.right : place < p.top || place > p.bottom) return;
  Stroke s{Part::kRule, index, rule.ink, rule.dash, 1.0, 1.0, {}};
  s.points = rule.vertical ? std::vector<Px>{{place, p.top}, {place, p.bottom}}
                           : std::vector<Px>{{p.right, place}, {p.left, place}};
  out.strokes.push_back(std::move(s));
}

PlacedMark placed(const Layout& out, const Mark& mark, std::uint32_t index) {
  const Rect& p = out.plot;
  const Px at = px_of(out, mark.at);
  PlacedMark m{index, at, kMarkRadius, mark.shape, mark.ink, 0};
  m.at = {std::clamp(at.x, p.left, p.right), std::clamp(at.y, p.top, p.bottom)};
  const double slack = 0.5;
  if (at.x > p.right + slack) m.beyond = 1;
  if (at.x < p.left - slack) m.beyond = 3;
  if (at.y < p.top - slack) m.beyond = 2;
  if (at.y > p.bottom + slack) m.beyond = 4;
  return m;
}

void add_handle(Layout& out, const Chart& chart, bool touch) {
  if (!chart.handle.shown) return;
  const Rect& p = out.plot;
  const Px at = px_of(out, chart.handle.at);
  out.handle_shown = true;
  out.handle = {std::clamp(at.x, p.left, p.right), std::clamp(at.y, p.top, p.bottom)};
  out.handle_radius = touch ? 11.0 : 8.0;
  if (!chart.handle.guides) return;
  Stroke s{Part::kHandle, 0, Ink::kPoint, Dash::kSolid, 1.25, 0.9, {}};
  s.points = {{p.left, out.handle.y}, out.handle};
  out.strokes.push_back(s);
  s.points = {{out.handle.x, p.bottom}, out.handle};
  out.strokes.push_back(std::move(s));
}

}  // namespace

void set_parts(Frame& f) {
  Layout& out = f.out;
  const Chart& c = f.chart;
  const auto each = [](const auto& list, const auto& add) {
    for (std::size_t i = 0; i < list.size(); ++i) add(list[i], static_cast<std::uint32_t>(i));
  };
  each(c.bands, [&](const Band& b, std::uint32_t i) { add_band(out, b, i); });
  each(c.shade.isos, [&](const Iso& iso, std::uint32_t i) {
    for (std::vector<Px>& run : inner_runs(contour(c.shade, iso.value, out.plot), out.plot)) {
      out.strokes.push_back({Part::kIso, i, Ink::kSoft, Dash::kSolid, 1.0, 0.35, std::move(run)});
    }
  });
  each(c.rules, [&](const Rule& r, std::uint32_t i) { add_rule(out, r, i); });
  add_handle(out, c, f.options.touch);
  each(c.series, [&](const Series& s, std::uint32_t i) { add_series(out, s, i); });
  each(c.marks, [&](const Mark& m, std::uint32_t i) { out.marks.push_back(placed(out, m, i)); });
}

}  // namespace kvseats::chart
