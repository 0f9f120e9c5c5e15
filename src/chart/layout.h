#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "chart/chart.h"

/// From a chart and a size to positions in pixels, once, for every renderer.
///
/// y grows downward; (0, 0) is the upper left corner of the picture. Lines are already cut at the
/// plot's edge and thinned to what a pixel can show. Labels are placed so that none lies on another
/// label, on a curve, rule or guide, on a mark or over an edge; that is tested on random charts.
/// Thin curves (ghosts, iso-lines) may be interrupted by a label, as contours are on a map: their
/// strokes come already cut. An iso-line whose name finds no place is left out.
/// A layout is pure: the same chart, size and measure give the same bits everywhere.
namespace kvseats::chart {

/// A place in pixels.
struct Px {
  double x = 0.0;
  double y = 0.0;
  friend bool operator==(const Px&, const Px&) = default;
};

struct Rect {
  double left = 0.0;
  double top = 0.0;
  double right = 0.0;
  double bottom = 0.0;
  [[nodiscard]] double width() const { return right - left; }
  [[nodiscard]] double height() const { return bottom - top; }
  friend bool operator==(const Rect&, const Rect&) = default;
};

/// How wide text is: `width(self, utf8, size in px, semibold)` in px. Digits must be tabular.
struct Measure {
  double (*width)(const void* self, std::string_view text, double size, bool strong) = nullptr;
  const void* self = nullptr;
};

/// Inter's advance widths from a built-in table, digits tabular (`inter.cpp` names the source).
/// Characters outside the table count as 0.62 em, East Asian wide ones as 1 em.
[[nodiscard]] Measure inter_measure();

/// A line of text at its baseline.
struct Text {
  std::string text{};
  Px at{};  ///< left end of the baseline
  double width = 0.0;
  double size = 12.0;  ///< px
  Ink ink = Ink::kSoft;
  bool strong = false;
};

/// What a placed label, a hit or a hovered thing belongs to.
enum class Part : std::uint8_t { kNone, kHandle, kMark, kSeries, kRule, kIso, kBand, kSegment };

struct PlacedLabel {
  Part part = Part::kNone;
  std::uint32_t index = 0;    ///< in the chart's list of that part
  std::uint32_t slot = 0;     ///< handle: 0 hint, 1 x text, 2 y text
  Rect box{};                 ///< around all lines, without padding
  std::vector<Text> lines{};  ///< one or two
  bool on_curve = false;      ///< it interrupts its own thin curve instead of lying beside it
  bool brief = false;         ///< the short form; the text is in the notes if it is kept
  bool leader = false;  ///< a thin line from `leader_from` (the thing) to `leader_to` (the text)
  Px leader_from{};
  Px leader_to{};
};

/// A stroke: one curve may give several (cut at the edges, dashed beyond a limit).
struct Stroke {
  Part part = Part::kSeries;
  std::uint32_t index = 0;
  Ink ink = Ink::kSoft;
  Dash dash = Dash::kSolid;
  double weight = 1.0;
  double opacity = 1.0;
  std::vector<Px> points{};
};

struct PlacedMark {
  std::uint32_t index = 0;
  Px at{};
  double radius = 5.0;
  MarkShape shape = MarkShape::kRing;
  Ink ink = Ink::kInk;
  /// 0 inside; otherwise it stands on the border and points out: 1 right, 2 up, 3 left, 4 down.
  std::uint8_t beyond = 0;
};

/// A filled area; `hatch` lines are segments (pairs of points) to be stroked.
struct Area {
  Part part = Part::kBand;
  std::uint32_t index = 0;
  Ink ink = Ink::kData;
  double opacity = 1.0;
  std::vector<Px> outline{};
  std::vector<Px> hatch{};
};

struct PlacedTick {
  double at = 0.0;  ///< px: x of a vertical grid line, y of a horizontal one
  double value = 0.0;
  Text label{};  ///< empty text: none
};

struct Layout {
  // Out of line: every face that holds a layout would otherwise repeat a kilobyte of them.
  Layout();
  Layout(const Layout&);
  Layout(Layout&&) noexcept;
  Layout& operator=(const Layout&);
  Layout& operator=(Layout&&) noexcept;
  ~Layout();

  double width = 0.0;
  double height = 0.0;
  Rect plot{};  ///< the rectangle that the axes span
  Axis x{};     ///< as used (mended if it had to be)
  Axis y{};
  std::vector<PlacedTick> x_ticks{};
  std::vector<PlacedTick> y_ticks{};
  Text x_title{};
  Text y_title{};
  std::vector<Area> areas{};      ///< bands, in order
  std::vector<Stroke> strokes{};  ///< iso-lines, rules, guides, then series, in drawing order
  std::vector<PlacedMark> marks{};
  bool handle_shown = false;
  Px handle{};
  double handle_radius = 0.0;
  std::vector<PlacedLabel> labels{};
  std::vector<Text> notes{};  ///< under the plot: what had no room inside; then the caption
  std::uint32_t dropped = 0;  ///< labels that were not kept and found no room
  double reserved = 0.0;      ///< height that the plot leaves to the notes, px
};

struct LayoutOptions {
  double width = 960.0;
  double height = 560.0;
  double text_scale = 1.0;  ///< 2 for "text at 200 %"
  Measure measure = inter_measure();
  bool titles = true;    ///< room for the axis titles
  bool notes = true;     ///< room for notes (a face with its own text view may say no)
  bool caption = false;  ///< the caption as last note (exports)
  bool touch = false;    ///< larger handle
  /// The layout of a moment ago: labels stay where they were as long as nothing is in their way.
  /// For the time a hand drags; null otherwise, so that every label gets its best place again.
  const Layout* previous = nullptr;
  /// Something moves: what had no place in `previous` is not looked for again until it rests, and
  /// the room for notes is first tried as it was.
  bool moving = false;
};

[[nodiscard]] Layout lay_out(const Chart& chart, const LayoutOptions& options);

/// Data to pixels and back through the layout's plot rectangle. Not clamped to it.
[[nodiscard]] Px px_of(const Layout& layout, Point data);
[[nodiscard]] Point data_at(const Layout& layout, Px px);

struct PlacedSegment {
  std::uint32_t bar = 0;
  std::uint32_t segment = 0;
  Rect box{};
  Ink ink = Ink::kData;
  std::vector<Px> hatch{};  ///< pairs of points
};

struct BarLayout {
  double width = 0.0;
  double height = 0.0;  ///< what it takes
  std::vector<PlacedSegment> segments{};
  std::vector<Text> texts{};  ///< in the bars, beside and below them
  std::vector<Px> leaders{};  ///< pairs of points, from a narrow part to its text below
};

struct BarOptions {
  double width = 960.0;
  double thickness = 30.0;  ///< of one bar, px
  double text_scale = 1.0;
  Measure measure = inter_measure();
};

[[nodiscard]] BarLayout lay_out(const BarChart& chart, const BarOptions& options);

}  // namespace kvseats::chart
