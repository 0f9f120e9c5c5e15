#pragma once

#include <cstdint>

#include "chart/layout.h"

/// What a pointer or key means on a chart, without a toolkit.
namespace kvseats::chart {

struct Hit {
  Part part = Part::kNone;
  std::uint32_t index = 0;
  double distance = 0.0;  ///< px
  Px at{};                ///< the nearest place on the thing
};

/// What is under the pointer within `radius` px: the handle first, then the nearest mark, then a
/// label (as the thing it names), then the nearest stroke.
[[nodiscard]] Hit hit(const Layout& layout, Px pointer, double radius);

/// A sensible value near the one a hand asks for.
///
/// Within `pull` px of a power of two, of 1.5 times one, or of one of the handle's own `snaps`:
/// that. Otherwise rounded so that one step is about a pixel and at least 1 (8,213 → 8,192 + k·16,
/// never 8,213.37). Always inside the axis's range; always a whole number if the axis is log.
[[nodiscard]] double snapped(const Layout& layout, const Handle& handle, double x, double pull);

/// The next liked value above (`direction` > 0) or below: for arrow keys. Stays put at the ends.
[[nodiscard]] double next_snap(const Axis& x, const Handle& handle, double from, int direction);

}  // namespace kvseats::chart
