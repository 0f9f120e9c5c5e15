#include "chart/pick.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "chart/geometry.h"

namespace kvseats::chart {
namespace {

double apart(Px a, Px b) {
  return distance(a, b, b);
}

Px nearest(Px p, Px a, Px b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double square = dx * dx + dy * dy;
  if (square <= 0.0) return a;
  const double t = std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0, 1.0);
  return {a.x + dx * t, a.y + dy * t};
}

void offer(Hit& best, double radius, Hit candidate) {
  if (candidate.distance > radius) return;
  if (best.part == Part::kNone || candidate.distance < best.distance) best = candidate;
}

Hit hit_mark(const Layout& layout, Px p, double radius) {
  Hit best;
  for (const PlacedMark& m : layout.marks) {
    offer(best, radius, {Part::kMark, m.index, std::fmax(0.0, apart(p, m.at) - m.radius), m.at});
  }
  return best;
}

Hit hit_label(const Layout& layout, Px p) {
  for (const PlacedLabel& l : layout.labels) {
    if (l.box.left <= p.x && p.x <= l.box.right && l.box.top <= p.y && p.y <= l.box.bottom) {
      return {l.part, l.index, 0.0, p};
    }
  }
  return {};
}

Hit hit_stroke(const Layout& layout, Px p, double radius) {
  Hit best;
  for (const Stroke& s : layout.strokes) {
    if (s.part == Part::kHandle) continue;
    for (std::size_t i = 1; i < s.points.size(); ++i) {
      const Px at = nearest(p, s.points[i - 1], s.points[i]);
      offer(best, radius, {s.part, s.index, apart(p, at), at});
    }
  }
  return best;
}

/// The largest power of two that is at most x (x > 0).
double octave_below(double x) {
  int exponent = 0;
  (void)std::frexp(x, &exponent);
  return std::ldexp(1.0, exponent - 1);
}

/// Calls `visit` with every liked value around x: three octaves and the list.
template <class Visit>
void liked_around(const Handle& handle, double x, const Visit& visit) {
  if (x > 0.0) {
    const double octave = octave_below(x);
    for (const double factor : {0.5, 0.75, 1.0, 1.5, 2.0, 3.0}) visit(octave * factor);
  }
  for (const double value : handle.snaps) visit(value);
}

}  // namespace

Hit hit(const Layout& layout, Px pointer, double radius) {
  if (layout.handle_shown) {
    const double d = std::fmax(0.0, apart(pointer, layout.handle) - layout.handle_radius);
    if (d <= radius) return {Part::kHandle, 0, d, layout.handle};
  }
  const Hit mark = hit_mark(layout, pointer, radius);
  if (mark.part != Part::kNone) return mark;
  const Hit label = hit_label(layout, pointer);
  if (label.part != Part::kNone) return label;
  return hit_stroke(layout, pointer, radius);
}

double snapped(const Layout& layout, const Handle& handle, double x, double pull) {
  const Axis& axis = layout.x;
  const bool log = axis.scale != ScaleKind::kLinear;
  x = std::clamp(x, axis.min, axis.max);
  const double here = fraction_of(axis, x) * layout.plot.width();
  double best = x;
  double best_px = pull;
  const auto consider = [&](double value) {
    if (value < axis.min || value > axis.max) return;
    const double px = std::fabs(fraction_of(axis, value) * layout.plot.width() - here);
    if (px > best_px) return;
    best = value;
    best_px = px;
  };
  liked_around(handle, x, consider);
  if (best != x || best_px < pull) return best;
  // A step of about a pixel, a power of two, so that neighbouring values stay tidy.
  const double next =
      value_at(axis, fraction_of(axis, x) + 1.0 / std::fmax(1.0, layout.plot.width()));
  double step = octave_below(std::fmax(next - x, 1e-300));
  if (log) step = std::fmax(1.0, step);
  const double rounded = std::floor(x / step + 0.5) * step;
  if (rounded >= axis.min && rounded <= axis.max) return rounded;
  return log ? std::clamp(std::floor(x), std::ceil(axis.min), std::floor(axis.max)) : x;
}

double next_snap(const Axis& x, const Handle& handle, double from, int direction) {
  double best = from;
  const double slack = std::fabs(from) * 1e-9;
  const auto consider = [&](double value) {
    if (value < x.min || value > x.max) return;
    const bool ahead = direction > 0 ? value > from + slack : value < from - slack;
    if (!ahead) return;
    if (best == from || std::fabs(value - from) < std::fabs(best - from)) best = value;
  };
  liked_around(handle, from, consider);
  return best;
}

}  // namespace kvseats::chart
