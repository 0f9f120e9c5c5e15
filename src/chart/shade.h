#pragma once

#include <vector>

#include "chart/layout.h"

/// Contours of a `Field`: lines of equal value and the areas between them.
namespace kvseats::chart {

/// The line where the field reaches `value`, from left to right over the whole width of `plot`,
/// clamped to its upper and lower edge (so it also closes an area), thinned to a quarter pixel.
[[nodiscard]] std::vector<Px> contour(const Field& field, double value, const Rect& plot);

/// The parts of a contour that lie inside the plot: what is to be stroked.
[[nodiscard]] std::vector<std::vector<Px>> inner_runs(const std::vector<Px>& contour,
                                                      const Rect& plot);

/// One step of shading: everything between two contours.
struct ShadeBand {
  double low = 0.0;  ///< field value of the lower contour
  double high = 0.0;
  Shade shade{};
  std::vector<Px> outline{};
};

/// The shading as a few polygons (at most `steps` below 1 and four above): for renderers without a
/// shader. They lie side by side: fill them without anti-aliasing, or their seams show.
[[nodiscard]] std::vector<ShadeBand> shade_bands(const Field& field, const Rect& plot, int steps);

}  // namespace kvseats::chart
