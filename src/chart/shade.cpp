#include "chart/shade.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "chart/geometry.h"
#include "units/math.h"

namespace kvseats::chart {
namespace {

constexpr double kFloor = 1e-12;  // so that a value of 0 has a logarithm
constexpr double kTolerance = 0.25;

double log_of(double value) {
  return units::log(std::fmax(value, kFloor));
}

/// One column of a field between two samples: where the value reaches the target.
struct Crossing {
  double at = 0.0;  ///< fraction of the y axis, clamped to 0 … 1
  int beyond = 0;   ///< -1: below the plot, 1: above it, 0: inside
};

Crossing crossing_in(const Field& field, std::size_t col, double target) {
  const auto value = [&](std::size_t row) { return field.values[row * field.cols + col]; };
  if (value(0) >= target) return {0.0, value(0) == target ? 0 : -1};
  for (std::size_t row = 1; row < field.rows; ++row) {
    if (value(row) < target) continue;
    const double below = log_of(value(row - 1));
    const double above = log_of(value(row));
    const double t = above > below ? (log_of(target) - below) / (above - below) : 0.0;
    return {(static_cast<double>(row - 1) + t) / static_cast<double>(field.rows - 1), 0};
  }
  return {1.0, 1};
}

/// Where, between two columns, the contour meets the lower (row 0) or upper edge.
double edge_crossing(const Field& field, std::size_t col, bool upper, double target) {
  const std::size_t row = upper ? field.rows - 1 : 0;
  const double a = log_of(field.values[row * field.cols + col]);
  const double b = log_of(field.values[row * field.cols + col + 1]);
  if (a == b) return static_cast<double>(col);
  return static_cast<double>(col) + std::clamp((log_of(target) - a) / (b - a), 0.0, 1.0);
}

Px place(const Rect& plot, const Field& field, double col, double at) {
  return {plot.left + plot.width() * col / static_cast<double>(field.cols - 1),
          plot.bottom - plot.height() * at};
}

bool on_edge(Px p, const Rect& plot) {
  // Thinning may have moved the corner by its tolerance.
  return p.y <= plot.top + kTolerance || p.y >= plot.bottom - kTolerance;
}

/// The area between two lines that both run from left to right.
std::vector<Px> ring(const std::vector<Px>& lower, const std::vector<Px>& upper) {
  std::vector<Px> outline = upper;
  outline.insert(outline.end(), lower.rbegin(), lower.rend());
  return outline;
}

bool flat_on(const std::vector<Px>& line, double y) {
  return std::all_of(line.begin(), line.end(), [&](Px p) { return std::fabs(p.y - y) < 1e-9; });
}

}  // namespace

std::vector<Px> contour(const Field& field, double value, const Rect& plot) {
  std::vector<Px> line;
  if (field.empty() || !(value > 0.0)) return line;
  Crossing last{};
  for (std::size_t col = 0; col < field.cols; ++col) {
    const Crossing here = crossing_in(field, col, value);
    if (col > 0 && here.beyond != last.beyond) {
      // Leaves or enters: the corner on the edge lies between the two columns.
      for (const int edge : {last.beyond, here.beyond}) {
        if (edge == 0) continue;
        const double x = edge_crossing(field, col - 1, edge > 0, value);
        line.push_back(place(plot, field, x, edge > 0 ? 1.0 : 0.0));
      }
    }
    line.push_back(place(plot, field, static_cast<double>(col), here.at));
    last = here;
  }
  return thinned(line, kTolerance);
}

std::vector<std::vector<Px>> inner_runs(const std::vector<Px>& contour, const Rect& plot) {
  std::vector<std::vector<Px>> runs;
  for (std::size_t i = 1; i < contour.size(); ++i) {
    const Px a = contour[i - 1];
    const Px b = contour[i];
    if (on_edge(a, plot) && on_edge(b, plot) && std::fabs(a.y - b.y) <= kTolerance) continue;
    if (runs.empty() || !(runs.back().back() == a)) runs.push_back({a});
    runs.back().push_back(b);
  }
  return runs;
}

std::vector<ShadeBand> shade_bands(const Field& field, const Rect& plot, int steps) {
  std::vector<ShadeBand> bands;
  if (field.empty() || steps < 1) return bands;
  // Even steps of strength, not of value: v = s^(4/3) inverts s = v^(3/4) of shade_of.
  const auto value_of = [&](double step) { return units::pow(step / steps, 4.0 / 3.0); };
  std::vector<Px> lower{{plot.left, plot.bottom}, {plot.right, plot.bottom}};
  for (int i = 0; i < steps; ++i) {
    const double high = i + 1 == steps ? 1.0 : value_of(i + 1.0);
    std::vector<Px> upper = contour(field, high, plot);
    if (!flat_on(upper, plot.bottom)) {
      bands.push_back(
          {i == 0 ? 0.0 : value_of(i), high, shade_of(value_of(i + 0.5)), ring(lower, upper)});
    }
    lower = std::move(upper);
    if (flat_on(lower, plot.top)) return bands;
  }
  for (const double value : {1.0, 2.0, 4.0, 8.0}) {
    std::vector<Px> upper = value < 8.0
                                ? contour(field, value * 2.0, plot)
                                : std::vector<Px>{{plot.left, plot.top}, {plot.right, plot.top}};
    if (!flat_on(upper, plot.bottom)) {
      bands.push_back({value, value * 2.0, shade_of(value * 1.5), ring(lower, upper)});
    }
    lower = std::move(upper);
    if (flat_on(lower, plot.top)) break;
  }
  return bands;
}

}  // namespace kvseats::chart
