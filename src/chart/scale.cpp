#include "chart/scale.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "units/math.h"
#include "units/text.h"

namespace kvseats::chart {
namespace {

constexpr double kLn10 = 2.30258509299404568402;
constexpr double kSlack = 1e-9;  // of the axis: ends count as inside in spite of rounding
constexpr double kLowest = -1000.0;
constexpr double kHighest = 1000.0;
constexpr std::size_t kMostTicks = 200;

bool is_log(const Axis& axis) {
  return axis.scale != ScaleKind::kLinear;
}

double power_of_ten(int n) {
  double p = 1.0;
  for (int i = 0; i < (n < 0 ? -n : n); ++i) p *= 10.0;
  return n < 0 ? 1.0 / p : p;
}

/// The largest n with 10^n ≤ x (within rounding).
int decade_of(double x) {
  int n = static_cast<int>(std::floor(units::log(x) / kLn10 + 1e-12));
  if (power_of_ten(n + 1) <= x) ++n;
  return n;
}

/// The largest n with 2^n ≤ x, exactly.
int octave_of(double x) {
  int exponent = 0;
  (void)std::frexp(x, &exponent);
  return exponent - 1;
}

/// The next step of 1, 2, 2.5, 5, 10 … after `step`.
double next_nice(double step) {
  const double unit = power_of_ten(decade_of(step));
  const double m = step / unit;
  if (m < 1.5) return 2.0 * unit;
  if (m < 2.2) return 2.5 * unit;
  if (m < 4.0) return 5.0 * unit;
  return 10.0 * unit;
}

double nice_at_least(double raw) {
  double step = power_of_ten(decade_of(raw));
  while (step < raw * (1.0 - 1e-12)) step = next_nice(step);
  return step;
}

class Collector {
 public:
  explicit Collector(const Axis& axis) : axis_(axis) {}

  void add(double value) {
    const double at = fraction_of(axis_, value);
    if (at < -kSlack || at > 1.0 + kSlack || list_.size() >= kMostTicks) return;
    list_.push_back({value, std::clamp(at, 0.0, 1.0), tick_text(axis_, value)});
  }

  void add_multiples(double step) {
    const double first = std::ceil(axis_.min / step - 1e-9);
    for (std::size_t i = 0; i <= kMostTicks; ++i) {
      const double value = (first + static_cast<double>(i)) * step;
      if (value > axis_.max + step * 1e-9) return;
      add(value == 0.0 ? 0.0 : value);
    }
  }

  [[nodiscard]] std::vector<Tick>& list() { return list_; }

 private:
  const Axis& axis_;
  std::vector<Tick> list_;
};

/// Whether every two neighbours keep their distance.
bool roomy(const std::vector<Tick>& list, const TickRoom& room) {
  const auto half = [&](const Tick& t) {
    return room.extent == nullptr || t.label.empty() ? 0.0 : room.extent(room.self, t.label) / 2.0;
  };
  for (std::size_t i = 1; i < list.size(); ++i) {
    const double apart = (list[i].at - list[i - 1].at) * room.length;
    if (apart < half(list[i]) + half(list[i - 1]) + room.gap) return false;
  }
  return true;
}

std::vector<Tick> even(const Axis& axis, double step, const TickRoom& room, bool binary) {
  for (int i = 0; i < 64; ++i) {
    Collector c(axis);
    c.add_multiples(step);
    if (roomy(c.list(), room)) return c.list();
    step = binary ? step * 2.0 : next_nice(step);
  }
  return {};
}

/// Powers of two times each of 1 … 2 in `parts` even parts.
std::vector<Tick> octaves(const Axis& axis, int stride, int parts) {
  Collector c(axis);
  for (int e = octave_of(axis.min); e <= octave_of(axis.max) + 1; ++e) {
    if (e % stride != 0) continue;
    for (int p = 0; p < parts; ++p) c.add(std::ldexp(1.0 + static_cast<double>(p) / parts, e));
  }
  return c.list();
}

std::vector<Tick> log2_ticks(const Axis& axis, const TickRoom& room) {
  const double span = units::log2(axis.max / axis.min);
  if (span < 1.0) {
    const double smallest = std::ldexp(1.0, octave_of((axis.max - axis.min) / 16.0));
    return even(axis, std::fmax(smallest, 1.0), room, true);
  }
  if (span < 3.0) {
    for (const int parts : {4, 2}) {
      std::vector<Tick> list = octaves(axis, 1, parts);
      if (roomy(list, room)) return list;
    }
  }
  for (int stride = 1; stride < 64; ++stride) {
    std::vector<Tick> list = octaves(axis, stride, 1);
    if (roomy(list, room)) return list;
  }
  return {};
}

/// Decades times 1, and the leads asked for.
std::vector<Tick> decades(const Axis& axis, int stride, bool two_five, bool three) {
  Collector c(axis);
  for (int n = decade_of(axis.min); n <= decade_of(axis.max) + 1; ++n) {
    if (n % stride != 0) continue;
    const double p = power_of_ten(n);
    c.add(p);
    if (two_five) c.add(2.0 * p);
    if (three) c.add(3.0 * p);
    if (two_five) c.add(5.0 * p);
  }
  return c.list();
}

std::vector<Tick> log10_ticks(const Axis& axis, const TickRoom& room) {
  const double span = units::log(axis.max / axis.min) / kLn10;
  if (span < 0.7) return even(axis, nice_at_least((axis.max - axis.min) / 10.0), room, false);
  if (span <= 1.5) {
    std::vector<Tick> list = decades(axis, 1, true, false);
    if (roomy(list, room)) return list;
  }
  std::vector<Tick> thirds = decades(axis, 1, false, true);
  if (roomy(thirds, room)) return thirds;
  for (int stride = 1; stride < 32; ++stride) {
    std::vector<Tick> list = decades(axis, stride, false, false);
    if (roomy(list, room)) return list;
  }
  return {};
}

std::vector<Tick> linear_ticks(const Axis& axis, const TickRoom& room) {
  constexpr double kLeastApart = 64.0;  // px; closer lines are noise
  const double most = std::fmax(1.0, std::floor(room.length / kLeastApart));
  return even(axis, nice_at_least((axis.max - axis.min) / most), room, false);
}

Axis with_range(Axis axis, double low, double high) {
  axis.min = low;
  axis.max = high;
  return axis;
}

}  // namespace

Axis usable(Axis axis) {
  const auto finite = [](double v) { return v - v == 0.0; };
  if (!finite(axis.min)) axis.min = is_log(axis) ? 1.0 : 0.0;
  if (!finite(axis.max)) axis.max = axis.min + 1.0;
  if (axis.min > axis.max) std::swap(axis.min, axis.max);
  if (is_log(axis)) {
    if (axis.max <= 0.0) axis.max = 10.0;
    if (axis.min <= 0.0) axis.min = axis.max / 1000.0;
    if (axis.max < axis.min * 1.0001) axis.max = axis.min * 2.0;
  } else if (axis.max - axis.min <= std::fabs(axis.max) * 1e-9) {
    axis.max = axis.min + std::fmax(1.0, std::fabs(axis.min));
  }
  return axis;
}

Mapper::Mapper(const Axis& axis)
    : axis_(axis), span_(is_log(axis) ? units::log(axis.max / axis.min) : axis.max - axis.min) {}

double Mapper::operator()(double value) const {
  double at = kLowest;
  if (!is_log(axis_)) {
    at = (value - axis_.min) / span_;
  } else if (value > 0.0) {
    at = units::log(value / axis_.min) / span_;
  }
  if (!(at > kLowest)) return kLowest;  // NaN, too
  return at < kHighest ? at : kHighest;
}

double fraction_of(const Axis& axis, double value) {
  return Mapper(axis)(value);
}

double value_at(const Axis& axis, double fraction) {
  if (!is_log(axis)) return axis.min + fraction * (axis.max - axis.min);
  return axis.min * units::exp(fraction * units::log(axis.max / axis.min));
}

std::vector<Tick> ticks(const Axis& raw, const TickRoom& room) {
  const Axis axis = usable(std::move(raw));
  switch (axis.scale) {
    case ScaleKind::kLog2:
      return log2_ticks(axis, room);
    case ScaleKind::kLog10:
      return log10_ticks(axis, room);
    case ScaleKind::kLinear:
      break;
  }
  return linear_ticks(axis, room);
}

std::string tick_text(const Axis& axis, double value) {
  if (axis.text == TickText::kNone) return {};
  const bool whole = value >= 0.0 && value < 9e15 && value == std::floor(value);
  if (whole && axis.text == TickText::kBinary) {
    return units::tokens_short(static_cast<std::uint64_t>(value));
  }
  if (whole) return units::grouped(static_cast<std::uint64_t>(value));
  int decimals = 0;
  double scaled = std::fabs(value);
  const double noise = 1e-9 * std::fmax(1.0, scaled);
  while (decimals < 6 && std::fabs(scaled - std::floor(scaled + 0.5)) > noise) {
    scaled *= 10.0;
    ++decimals;
  }
  return units::fixed(value, decimals);
}

Axis rounded_outward(Axis raw) {
  const Axis axis = usable(std::move(raw));
  if (axis.scale == ScaleKind::kLog2) {
    const int high = octave_of(axis.max);
    const bool exact = std::ldexp(1.0, high) == axis.max;
    return with_range(axis, std::ldexp(1.0, octave_of(axis.min)),
                      std::ldexp(1.0, exact ? high : high + 1));
  }
  if (axis.scale == ScaleKind::kLog10) {
    const double low = power_of_ten(decade_of(axis.min));
    const double high = power_of_ten(decade_of(axis.max));
    return with_range(axis, axis.min >= 3.0 * low ? 3.0 * low : low,
                      axis.max == high         ? high
                      : axis.max <= 3.0 * high ? 3.0 * high
                                               : 10.0 * high);
  }
  const double step = nice_at_least((axis.max - axis.min) / 8.0);
  return with_range(axis, std::floor(axis.min / step + 1e-9) * step,
                    std::ceil(axis.max / step - 1e-9) * step);
}

Axis zoomed(Axis raw, double anchor, double factor, const Axis& limits) {
  const Axis axis = usable(std::move(raw));
  const double at = std::clamp(fraction_of(axis, anchor), 0.0, 1.0);
  const double low = value_at(axis, at - at * factor);
  const double high = value_at(axis, at + (1.0 - at) * factor);
  const Axis zoomed = with_range(axis, std::fmax(low, limits.min), std::fmin(high, limits.max));
  return zoomed.min < zoomed.max ? zoomed : axis;
}

Axis panned(Axis raw, double fraction, const Axis& limits) {
  const Axis axis = usable(std::move(raw));
  const double least = fraction_of(axis, limits.min);
  const double most = fraction_of(axis, limits.max) - 1.0;
  const double by = std::fmax(std::fmin(fraction, most), std::fmin(least, 0.0));
  return with_range(axis, value_at(axis, by), value_at(axis, by + 1.0));
}

}  // namespace kvseats::chart
