#include "chart/geometry.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace kvseats::chart {
namespace {

Px between(Px a, Px b, double t) {
  return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

/// Liang–Barsky: the part t0 … t1 of a–b inside the rectangle; false if there is none.
bool clip(const Rect& r, Px a, Px b, double& t0, double& t1) {
  t0 = 0.0;
  t1 = 1.0;
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double p[4] = {-dx, dx, -dy, dy};
  const double q[4] = {a.x - r.left, r.right - a.x, a.y - r.top, r.bottom - a.y};
  for (int i = 0; i < 4; ++i) {
    if (p[i] == 0.0) {
      if (q[i] < 0.0) return false;
      continue;
    }
    const double t = q[i] / p[i];
    if (p[i] < 0.0) {
      t0 = std::fmax(t0, t);
    } else {
      t1 = std::fmin(t1, t);
    }
  }
  return t0 <= t1;
}

double cross(Px a, Px b) {
  return a.x * b.y - a.y * b.x;
}

/// The directions from an apex that pass every point so far within the tolerance (Sklansky and
/// Gonzalez): one pass over a line, whatever its form.
class Cone {
 public:
  Cone(Px apex, double tolerance) : apex_(apex), tolerance_(tolerance) {}

  /// Takes the next point in; false if a straight line from the apex to it would pass an earlier
  /// point too far off, or if the line turns back.
  [[nodiscard]] bool narrow(Px p) {
    const Px d{p.x - apex_.x, p.y - apex_.y};
    const double square = d.x * d.x + d.y * d.y;
    const double reach = std::sqrt(square);
    if (reach + tolerance_ < reach_) return false;
    if (bounded_ && (cross(right_, d) < 0.0 || cross(left_, d) > 0.0)) return false;
    reach_ = std::fmax(reach_, reach);
    if (reach <= tolerance_) return true;  // any direction passes it
    const double h = std::sqrt(square - tolerance_ * tolerance_);
    const Px left{d.x * h - d.y * tolerance_, d.x * tolerance_ + d.y * h};
    const Px right{d.x * h + d.y * tolerance_, d.y * h - d.x * tolerance_};
    if (!bounded_ || cross(left_, left) < 0.0) left_ = left;
    if (!bounded_ || cross(right_, right) > 0.0) right_ = right;
    bounded_ = true;
    return true;
  }

 private:
  Px apex_;
  double tolerance_;
  double reach_ = 0.0;
  bool bounded_ = false;
  Px left_;   // counter-clockwise bound
  Px right_;  // clockwise bound
};

}  // namespace

std::vector<Px> thinned(const std::vector<Px>& line, double tolerance) {
  if (line.size() < 3) return line;
  std::vector<Px> out{line.front()};
  Cone cone(line.front(), tolerance);
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (cone.narrow(line[i])) continue;
    out.push_back(line[i - 1]);
    cone = Cone(line[i - 1], tolerance);
    (void)cone.narrow(line[i]);
  }
  if (!(out.back() == line.back())) out.push_back(line.back());
  return out;
}

std::vector<std::vector<Px>> cut(const std::vector<Px>& line, const Rect& rect) {
  std::vector<std::vector<Px>> runs;
  bool open = false;
  for (std::size_t i = 1; i < line.size(); ++i) {
    double t0 = 0.0;
    double t1 = 1.0;
    if (!clip(rect, line[i - 1], line[i], t0, t1)) {
      open = false;
      continue;
    }
    if (!open || t0 > 0.0) runs.push_back({between(line[i - 1], line[i], t0)});
    runs.back().push_back(t1 < 1.0 ? between(line[i - 1], line[i], t1) : line[i]);
    open = t1 == 1.0;
  }
  return runs;
}

std::vector<std::vector<Px>> cut_out(const std::vector<Px>& line, const Rect& rect) {
  std::vector<std::vector<Px>> runs;
  if (line.size() < 2) return runs;
  runs.push_back({line.front()});
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Px a = line[i - 1];
    const Px b = line[i];
    double t0 = 0.0;
    double t1 = 1.0;
    if (clip(rect, a, b, t0, t1)) {
      if (t0 > 0.0) runs.back().push_back(between(a, b, t0));
      if (t1 >= 1.0) {  // ends inside: what follows starts anew
        runs.push_back({b});
        continue;
      }
      runs.push_back({between(a, b, t1)});
    }
    runs.back().push_back(b);
  }
  std::erase_if(runs, [](const std::vector<Px>& run) { return run.size() < 2; });
  return runs;
}

std::vector<Px> cut_polygon(std::vector<Px> polygon, const Rect& rect) {
  std::vector<Px> next;
  for (int side = 0; side < 4 && !polygon.empty(); ++side) {
    const auto inside = [&](Px p) {  // how far, px; negative is outside
      return side == 0   ? p.x - rect.left
             : side == 1 ? rect.right - p.x
             : side == 2 ? p.y - rect.top
                         : rect.bottom - p.y;
    };
    next.clear();
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Px a = polygon[i];
      const Px b = polygon[(i + 1) % polygon.size()];
      const double da = inside(a);
      const double db = inside(b);
      if (da >= 0.0) next.push_back(a);
      if ((da >= 0.0) != (db >= 0.0)) next.push_back(between(a, b, da / (da - db)));
    }
    polygon.swap(next);
  }
  return polygon;
}

std::vector<Px> dashes(const std::vector<Px>& line, double on, double off) {
  std::vector<Px> out;
  if (!(on > 0.0) || !(off > 0.0)) return out;
  double phase = 0.0;  // along the pattern
  for (std::size_t i = 1; i < line.size(); ++i) {
    const double length = std::sqrt((line[i].x - line[i - 1].x) * (line[i].x - line[i - 1].x) +
                                    (line[i].y - line[i - 1].y) * (line[i].y - line[i - 1].y));
    for (double at = 0.0; at < length;) {
      const bool drawn = phase < on;
      const double step = std::fmin((drawn ? on : on + off) - phase, length - at);
      if (drawn) {
        out.push_back(between(line[i - 1], line[i], at / length));
        out.push_back(between(line[i - 1], line[i], (at + step) / length));
      }
      at += step;
      phase += step;
      if (phase >= on + off - 1e-9) phase = 0.0;
    }
  }
  return out;
}

std::vector<Px> hatch_lines(const std::vector<Px>& polygon, double spacing) {
  std::vector<Px> out;
  if (polygon.size() < 3 || !(spacing > 0.0)) return out;
  // Lines x + y = k·spacing·√2; u = x + y runs across them, v = x − y along them.
  const double step = spacing * std::sqrt(2.0);
  double low = polygon[0].x + polygon[0].y;
  double high = low;
  for (const Px p : polygon) {
    low = std::fmin(low, p.x + p.y);
    high = std::fmax(high, p.x + p.y);
  }
  std::vector<double> crossings;
  for (double u = std::ceil(low / step) * step; u <= high && out.size() < 4000; u += step) {
    crossings.clear();
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Px a = polygon[i];
      const Px b = polygon[(i + 1) % polygon.size()];
      const double ua = a.x + a.y;
      const double ub = b.x + b.y;
      if ((ua <= u) == (ub <= u)) continue;
      const Px p = between(a, b, (u - ua) / (ub - ua));
      crossings.push_back(p.x - p.y);
    }
    for (std::size_t i = 1; i < crossings.size(); ++i) {  // few: insertion sort
      for (std::size_t k = i; k > 0 && crossings[k] < crossings[k - 1]; --k) {
        std::swap(crossings[k], crossings[k - 1]);
      }
    }
    for (std::size_t i = 1; i < crossings.size(); i += 2) {
      out.push_back({(u + crossings[i - 1]) / 2.0, (u - crossings[i - 1]) / 2.0});
      out.push_back({(u + crossings[i]) / 2.0, (u - crossings[i]) / 2.0});
    }
  }
  return out;
}

bool touches(const Rect& rect, Px a, Px b) {
  if (std::fmax(a.x, b.x) < rect.left || std::fmin(a.x, b.x) > rect.right) return false;
  if (std::fmax(a.y, b.y) < rect.top || std::fmin(a.y, b.y) > rect.bottom) return false;
  double t0 = 0.0;
  double t1 = 1.0;
  return clip(rect, a, b, t0, t1);
}

bool overlap(const Rect& a, const Rect& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

bool contains(const Rect& outer, const Rect& inner) {
  return outer.left <= inner.left && inner.right <= outer.right && outer.top <= inner.top &&
         inner.bottom <= outer.bottom;
}

Rect grown(const Rect& rect, double by) {
  return {rect.left - by, rect.top - by, rect.right + by, rect.bottom + by};
}

double distance(Px p, Px a, Px b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double square = dx * dx + dy * dy;
  double t = 0.0;
  if (square > 0.0) t = std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0, 1.0);
  const double ex = p.x - (a.x + t * dx);
  const double ey = p.y - (a.y + t * dy);
  return std::sqrt(ex * ex + ey * ey);
}

DashPattern dash_pattern(Dash dash, double weight) {
  const double w = std::fmax(1.0, weight);
  switch (dash) {
    case Dash::kDashed:
      return {3.0 + 1.5 * w, 2.0 + 1.5 * w};
    case Dash::kDotted:
      return {w, 2.0 + 1.5 * w};
    case Dash::kSolid:
      break;
  }
  return {0.0, 0.0};
}

}  // namespace kvseats::chart
