#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "chart/scale.h"
#include "chart/theme.h"

/// A plot as a value: what is to be seen, in data coordinates, with no colour, pixel or font.
///
/// The one who makes a chart (room `scenario`) fills these structs; the ones who show it (room
/// `plot` with ImGui, `to_svg`, `describe`) read them through a `Layout`. Nothing here knows what
/// the numbers mean, so a chart can be drawn, hit-tested, exported and read aloud by code that has
/// never heard of a cache.
///
///     Chart c{.id = "tradeoff", .title = "Context against requests"};
///     c.x = {.title = "context, tokens", .scale = ScaleKind::kLog2, .min = 1024, .max = 262144,
///            .text = TickText::kBinary};
///     c.y = {.title = "requests at once", .scale = ScaleKind::kLog10, .min = 1, .max = 1000};
///     c.series.push_back({.id = "now", .label = {"one GPU", "", 80, true}, .ink = Ink::kData,
///                         .points = {{1024, 394}, {262144, 1.5}}});
///     std::string svg = to_svg(c, {.width = 960, .height = 560});
///
/// Every `id` is stable across evaluations (it keeps labels in place while a hand drags, and tests
/// find parts by it). Empty ids are allowed.
namespace kvseats::chart {

struct Point {
  double x = 0.0;
  double y = 0.0;
  friend bool operator==(const Point&, const Point&) = default;
};

/// A label that layout places. Labels with higher `priority` choose their place first. One that is
/// kept (`keep`) is never lost: if the plot has no room for `text`, `brief` is placed (or a leader
/// line drawn) and the text goes to the notes under the plot. One that is not is dropped.
struct Label {
  std::string text{};
  std::string brief{};  ///< shorter form for narrow plots; empty: none
  int priority = 50;    ///< 0 … 100
  bool keep = false;
  bool strong = false;      ///< semibold
  bool brief_does = false;  ///< `brief` says all: where it stands, no note is needed
  friend bool operator==(const Label&, const Label&) = default;
};

enum class Dash : std::uint8_t { kSolid, kDashed, kDotted };
enum class Join : std::uint8_t {
  kLine,  ///< straight from point to point (straight on the axes' scales)
  kStep,  ///< y holds until the next point's x exclusive, then jumps: exact integer steps
};

/// A curve: points in rising x.
struct Series {
  std::string id{};
  Label label{};
  Ink ink = Ink::kSoft;
  Dash dash = Dash::kSolid;
  Join join = Join::kLine;
  double weight = 1.0;  ///< stroke, px at 1×: 2.5 the strong one, 1 ghosts
  /// Beyond this x the stroke is dashed and lighter: still an answer, but outside of what holds.
  double dashed_beyond = std::numeric_limits<double>::infinity();
  std::vector<Point> points{};
};

/// Between two curves over the same x: uncertainty (flat) or waste (hatched).
struct Band {
  std::string id{};
  Label label{};
  Ink ink = Ink::kData;
  bool hatch = false;
  std::vector<Point> low{};   ///< rising x
  std::vector<Point> high{};  ///< rising x
};

/// Kinds differ by form as well as by ink, for those who do not see the hue.
enum class MarkShape : std::uint8_t { kRing, kDot, kDiamond, kCross };

/// A point with a name. Outside of the axes it is drawn on the border, pointing out.
struct Mark {
  std::string id{};
  Point at{};
  Label label{};
  Ink ink = Ink::kInk;
  MarkShape shape = MarkShape::kRing;
};

/// A line across the plot at one value of one axis.
struct Rule {
  std::string id{};
  bool vertical = true;  ///< true: at x = value
  double value = 0.0;
  Label label{};
  Ink ink = Ink::kSoft;
  Dash dash = Dash::kDashed;
};

/// A line of equal value through a `Field`, with its name.
struct Iso {
  double value = 0.0;
  Label label{};
};

/// A grid of numbers that the core computed and renderers only colour. Sample (row r, column c) is
/// at fraction c / (cols - 1) of the x axis and r / (rows - 1) of the y axis (row 0 at the bottom),
/// on the axes' own scales, and `values[r * cols + c]` is at least 0 and rises (weakly) with r.
/// Two-sided: up to 1 a share of what there is, above 1 how many times of it would be needed.
/// Between samples the logarithm of the value is interpolated. Empty: no shading.
struct Field {
  std::uint32_t cols = 0;
  std::uint32_t rows = 0;
  std::vector<double> values{};
  std::vector<Iso> isos{};
  [[nodiscard]] bool empty() const {
    return cols < 2 || rows < 2 || values.size() != std::size_t{cols} * rows;
  }
};

/// The operating point: the one thing a hand moves.
struct Handle {
  bool shown = false;
  Point at{};
  Label label{};         ///< a hint beside the point: "drag: twice the context, half the seats"
  std::string x_text{};  ///< written at the guide to the x axis: "8,192"; empty: none
  std::string y_text{};  ///< written at the guide to the y axis: "49"
  bool guides = true;    ///< lines to both axes
  bool moves_x = true;
  bool moves_y = false;
  std::vector<double> snaps{};  ///< extra x values it likes, beside powers of two and their 1.5×
};

/// Rows of text: the exact numbers of a chart, for people who read instead of look.
struct TextTable {
  std::vector<std::string> columns{};
  std::vector<std::vector<std::string>> rows{};
  friend bool operator==(const TextTable&, const TextTable&) = default;
};

struct Chart {
  std::string id{};       ///< a word: `tradeoff`; part of SVG ids
  std::string title{};    ///< names the picture; not drawn
  std::string caption{};  ///< one line under an exported picture: scenario, version, link
  Axis x{};
  Axis y{};
  Field shade{};
  std::vector<Band> bands{};
  std::vector<Series> series{};  ///< drawn in order, so the strong one last
  std::vector<Rule> rules{};
  std::vector<Mark> marks{};
  Handle handle{};
  std::string
      summary{};      ///< two sentences that say what the picture shows; empty: `describe` writes
  TextTable table{};  ///< exact numbers; empty: `describe` takes them from the points
};

/// One part of a stacked bar.
struct Segment {
  std::string id{};     ///< also the ledger row it belongs to
  std::string name{};   ///< "cache in use"
  std::string value{};  ///< "49 × 1.07 GB = 52.6 GB"
  double amount = 0.0;
  Ink ink = Ink::kData;
  bool hatch = false;
};

struct Bar {
  std::string id{};
  std::string name{};   ///< left of it (many bars) or above it (one bar)
  std::string value{};  ///< at its end
  double start = 0.0;   ///< where it begins (waterfalls)
  std::vector<Segment> segments{};
  bool emphasis = false;  ///< the one that is meant
};

/// Stacked horizontal bars on one linear scale from 0 to `max`: one bar ("memory of one GPU") or
/// many, in the order given ("bytes per token" sorted).
struct BarChart {
  std::string id{};
  std::string title{};
  std::string caption{};
  double max = 0.0;          ///< 0: the longest bar
  bool names_below = false;  ///< of many bars: parts too narrow for their name have it below
  std::vector<Bar> bars{};
  std::string summary{};
};

}  // namespace kvseats::chart
