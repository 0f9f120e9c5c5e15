#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "chart/chart.h"
#include "engine/cost.h"
#include "scenario/present.h"

/// The curves of the trade-off: internal to what makes its chart.
namespace kvseats::scenario {

/// One deployment as its curve needs it: the compiled division, borrowed.
struct Curve {
  const std::vector<engine::Rank>* ranks;
  std::uint64_t copies;
  std::optional<std::uint64_t> seq_cap;
  engine::Sharing shared;
};

/// Requests of one length at once over all copies; `kOutOfRange`: no limit by memory.
[[nodiscard]] std::uint64_t whole_at(const Curve& curve, std::uint64_t tokens);

/// The same without the floor: where the curve would be if a request could be cut.
[[nodiscard]] double smooth_at(const Curve& curve, std::uint64_t tokens);

/// The value at `i` of `n` equal steps along an axis, and as a length.
[[nodiscard]] double at_fraction(const chart::Axis& axis, int i, int n);
[[nodiscard]] std::uint64_t tokens_of(double x);

/// Where smooth curves are asked: equal steps along an axis, the same for all curves of a chart.
struct Sample {
  double x = 0;
  std::uint64_t tokens = 0;
};
using Samples = std::vector<Sample>;
[[nodiscard]] Samples samples_along(const chart::Axis& x);

/// `smooth_at` as points over an axis.
[[nodiscard]] std::vector<chart::Point> sampled(const Curve& curve, const Samples& samples);

/// False for curves closer than 3 % everywhere: one stroke on logarithmic scales.
[[nodiscard]] bool differ(const Curve& a, const Curve& b, const Samples& samples);

/// The curves of the levers; the one pointed at comes forward.
void add_ghosts(const Report& report, const TradeoffView& view, const Samples& samples,
                chart::Chart& chart);

/// Pinned deployments, but those whose curve is the present one's.
void add_overlays(const TradeoffView& view, const Curve& now, const Samples& samples,
                  chart::Chart& chart);

/// The same in the chart's summary: how many fit with each at the operating point.
void say_ghosts(const Report& report, const TradeoffView& view, std::uint64_t tokens,
                chart::Chart& chart);

}  // namespace kvseats::scenario
