#pragma once

#include "scenario/compare.h"

/// The pictures of a comparison; `compare` calls them when names and reports are there.
namespace kvseats::scenario {

/// Bytes of one more token, most first; kinds of layers differ by ink, hatch and name.
[[nodiscard]] chart::BarChart token_bars(const Comparison& comparison, units::SizeUnit unit);

/// Every scenario's curve on axes that hold them all, the current one strong.
[[nodiscard]] chart::Chart compared_curves(const Comparison& comparison);

}  // namespace kvseats::scenario
