#pragma once

#include <vector>

#include "chart/layout.h"
#include "chart/text_box.h"

/// Where a label could go, best place first: internal to the label solver, which knows what is
/// free.
namespace kvseats::chart {

inline constexpr double kGap = 5.0;  ///< px between a label and what it names

/// A place for a block of text: its upper left corner, and how its lines align.
struct Place {
  double left = 0.0;
  double top = 0.0;
  double align = 0.0;     ///< 0 left, 0.5 centre, 1 right
  bool on_curve = false;  ///< upon the line instead of beside it
};

/// A polyline that can be asked for the place at a fraction of its length.
class Path {
 public:
  /// Borrows the line (two points at least).
  explicit Path(const std::vector<Px>& line);
  [[nodiscard]] double length() const { return length_.back(); }
  [[nodiscard]] Px at(double fraction) const;
  /// The direction over a stretch of `reach` px around it, to the right: of a staircase the slope,
  /// not that of one step.
  [[nodiscard]] Px direction(double fraction, double reach) const;

 private:
  const std::vector<Px>& line_;
  std::vector<double> length_;
};

/// Around a point of `radius` px.
void places_around(Px at, double radius, const TextBlock& block, std::vector<Place>& out);
/// Along a polyline: on either side of it, or upon it.
void places_along(const std::vector<Px>& line, const TextBlock& block, bool on_curve,
                  std::vector<Place>& out);
/// On both sides of the straight line from `from` to `to`, the places near `from` first.
void places_beside(Px from, Px to, const TextBlock& block, std::vector<Place>& out);

}  // namespace kvseats::chart
