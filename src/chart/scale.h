#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Axes: data ↔ fraction of the axis, ticks, and their text.
///
/// A *fraction* is 0 at the axis's `min` and 1 at its `max`, outside of it beyond the ends, on the
/// axis's own scale: on a log axis the geometric mean of both ends is at 0.5. Pixels are fractions
/// of a rectangle (see `layout.h`), so nothing here knows a pixel but the room a label needs.
namespace kvseats::chart {

enum class ScaleKind : std::uint8_t { kLinear, kLog2, kLog10 };

/// How tick labels are written.
enum class TickText : std::uint8_t {
  kPlain,   ///< 1,000; on linear axes with the decimals the step needs
  kBinary,  ///< whole multiples of 1,024 as 1k, 128k, 1M; others plain
  kNone,    ///< no labels (grid lines stay)
};

/// One axis. `min < max`; on log scales both are positive (a range that breaks this is mended by
/// `usable`, never a crash).
struct Axis {
  std::string title{};  ///< "context of one request, tokens"
  ScaleKind scale = ScaleKind::kLinear;
  double min = 0.0;
  double max = 1.0;
  TickText text = TickText::kPlain;
  friend bool operator==(const Axis&, const Axis&) = default;
};

/// The same axis with a range that can be drawn: finite, ordered, not empty, positive if log.
[[nodiscard]] Axis usable(Axis axis);

/// Data to fraction. Values a log axis cannot show (≤ 0, NaN) come out as -1000; everything is
/// clamped to [-1000, 1000], so that infinite data stay finite pixels.
[[nodiscard]] double fraction_of(const Axis& axis, double value);

/// `fraction_of` for many values of one axis: the logarithm of its span is taken once. Same bits.
class Mapper {
 public:
  explicit Mapper(const Axis& axis);
  [[nodiscard]] double operator()(double value) const;

 private:
  const Axis& axis_;
  double span_;
};

/// Fraction to data; the inverse of `fraction_of` to about 1e-13 relative.
[[nodiscard]] double value_at(const Axis& axis, double fraction);

struct Tick {
  double value = 0.0;
  double at = 0.0;      ///< fraction of the axis, in [0, 1]
  std::string label{};  ///< empty: a grid line without a label
  friend bool operator==(const Tick&, const Tick&) = default;
};

/// What one label may take along the axis: `room(label)` px of `length` px, `gap` px apart.
struct TickRoom {
  double length = 600.0;  ///< of the axis, px
  double gap = 8.0;       ///< between two labels, px
  /// Extent of a label along the axis in px. Null: every label takes 0 px.
  double (*extent)(const void* self, const std::string& label) = nullptr;
  const void* self = nullptr;
};

/// Ticks in rising order, thinned so that labels never come closer than `room.gap`.
///
/// log2: powers of two, every 1, 2, 3, 4 … octaves; less than three octaves in view: also quarters
/// or halves between them; less than one: even steps of a power of two. log10: 1 2 5 10 within a
/// decade and a half, 1 3 10 30 100, decades, every 2, 3 … decades, whichever is the first with
/// room. Linear: steps of 1, 2, 2.5, 5 × 10^n.
[[nodiscard]] std::vector<Tick> ticks(const Axis& axis, const TickRoom& room);

/// One value as this axis writes it: "8k", "1,000", "0.5".
[[nodiscard]] std::string tick_text(const Axis& axis, double value);

/// The range grown outward to the next tick the scale would set (log2: powers of two; log10: 1, 3,
/// 10 …; linear: nice steps), for choosing `min` and `max` from data.
[[nodiscard]] Axis rounded_outward(Axis axis);

/// The axis scaled by `factor` about the data value `anchor` (factor 0.5 zooms in to twice the
/// size), kept within `limits`' range.
[[nodiscard]] Axis zoomed(Axis axis, double anchor, double factor, const Axis& limits);

/// The axis moved by `fraction` of its length (positive: towards larger values), kept within
/// `limits`' range without changing its length.
[[nodiscard]] Axis panned(Axis axis, double fraction, const Axis& limits);

}  // namespace kvseats::chart
