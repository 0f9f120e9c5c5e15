#include <algorithm>
#include <cmath>
#include <cstddef>

#include "chart/geometry.h"
#include "chart/layout.h"
#include "chart/text_box.h"

namespace kvseats::chart {
namespace {

constexpr double kSize = 12.5;
constexpr double kPad = 8.0;     // text from the ends of its segment
constexpr double kSeam = 2.0;    // ground between two segments
constexpr double kRowGap = 8.0;  // between bars
constexpr double kHatch = 5.0;
constexpr double kNameShare = 0.4;  // of the width, at most, for names beside bars

double length_of(const Bar& bar) {
  double sum = bar.start;
  for (const Segment& s : bar.segments) sum += std::fmax(0.0, s.amount);
  return sum;
}

struct Builder {
  const BarChart& chart;
  const BarOptions& options;
  double size;
  double max = 0.0;
  double left = 0.0;  ///< of the scale, px
  double right = 0.0;
  BarLayout out;

  [[nodiscard]] double width_of(const std::string& text, bool strong = false) const {
    return options.measure.width(options.measure.self, text, size, strong);
  }
  [[nodiscard]] double line() const { return size * kLineHeight; }

  void text(const std::string& t, double x, double middle, Ink ink, bool strong = false) {
    if (t.empty()) return;
    out.texts.push_back({t, {x, middle + kCapHalf * size}, width_of(t, strong), size, ink, strong});
  }
};

/// A text that goes under the bar because its segment is too narrow.
struct Below {
  std::string text;
  double at;  ///< middle of the segment, px
};

std::string joined(const Segment& s) {
  std::string text = s.name;
  if (!s.name.empty() && !s.value.empty()) {
    text += s.value.find('=') == std::string::npos ? " " : ": ";
  }
  text += s.value;
  return text;
}

/// Text inside of a segment: all of it, or the name, or nothing (false).
bool write_inside(Builder& b, const Segment& s, const Rect& box) {
  const double room = box.width() - 2.0 * kPad;
  std::string text = joined(s);
  if (b.width_of(text) > room) text = s.name;
  if (text.empty() || b.width_of(text) > room) return false;
  b.text(text, box.left + kPad, (box.top + box.bottom) / 2.0, text_on(s.ink));
  return true;
}

void add_segments(Builder& b, std::uint32_t index, double top, std::vector<Below>& below) {
  const Bar& bar = b.chart.bars[index];
  const double scale = (b.right - b.left) / b.max;
  double from = bar.start;
  for (std::size_t i = 0; i < bar.segments.size(); ++i) {
    const Segment& s = bar.segments[i];
    if (!(s.amount > 0.0)) continue;
    const double x0 = b.left + from * scale;
    from += s.amount;
    double x1 = std::fmin(b.left + from * scale, b.right);
    if (x1 - x0 > 2.0 * kSeam && i + 1 < bar.segments.size()) x1 -= kSeam;
    PlacedSegment placed{index,
                         static_cast<std::uint32_t>(i),
                         {x0, top, std::fmax(x1, x0 + 1.0), top + b.options.thickness},
                         s.ink,
                         {}};
    const Rect& r = placed.box;
    if (s.hatch) {
      placed.hatch = hatch_lines(
          {{r.left, r.top}, {r.right, r.top}, {r.right, r.bottom}, {r.left, r.bottom}}, kHatch);
    }
    if (s.hatch || !write_inside(b, s, r)) below.push_back({joined(s), (r.left + r.right) / 2.0});
    b.out.segments.push_back(std::move(placed));
  }
}

/// A text that is wider than the picture, in rows of its own from `row` on; the row behind it.
std::size_t write_lines(Builder& b, std::string_view text, double top, std::size_t row) {
  while (!text.empty()) {
    const std::string_view part = take_line(b.options.measure, text, b.size, b.options.width);
    b.text(std::string(part), 0.0, top + b.line() * (static_cast<double>(row) + 0.5), Ink::kSoft);
    ++row;
  }
  return row;
}

/// Texts under the bar from right to left, each under its part as far as its neighbour lets it, in
/// as many rows as needed; a short line leads from the part to its text.
double write_below(Builder& b, std::vector<Below>& list, double top) {
  constexpr double kStub = 5.0;
  std::vector<double> row_start;  // of the leftmost text so far, per row
  for (auto it = list.rbegin(); it != list.rend(); ++it) {
    if (it->text.empty()) continue;
    const double w = b.width_of(it->text);
    if (w > b.options.width) {
      row_start.resize(write_lines(b, it->text, top + kStub, row_start.size()), 0.0);
      continue;
    }
    const double ideal = std::clamp(it->at - w / 2.0, 0.0, std::fmax(0.0, b.options.width - w));
    std::size_t row = 0;
    while (row < row_start.size() && ideal + w + 12.0 > row_start[row]) ++row;
    if (row == row_start.size()) row_start.push_back(0.0);
    row_start[row] = ideal;
    const double y = top + kStub + b.line() * static_cast<double>(row);
    b.text(it->text, ideal, y + b.line() / 2.0, Ink::kSoft);
    if (row > 0) continue;  // a line would cross the row above
    b.out.leaders.push_back({it->at, top});
    b.out.leaders.push_back({it->at, top + kStub});
  }
  const double rows = static_cast<double>(row_start.size());
  return rows > 0.0 ? kStub + rows * b.line() : 0.0;
}

/// One bar: name and value above it, parts named inside or below.
void lay_out_one(Builder& b) {
  const Bar& bar = b.chart.bars.front();
  b.right = b.options.width;
  double top = 0.0;
  if (!bar.name.empty() || !bar.value.empty()) {
    b.text(bar.name, 0.0, b.line() / 2.0, Ink::kSoft);
    const double value = b.width_of(bar.value);
    const bool beside = b.width_of(bar.name) + value + 12.0 <= b.options.width;
    top = beside ? 0.0 : b.line();
    b.text(bar.value, beside ? b.options.width - value : 0.0, top + b.line() / 2.0, Ink::kSoft);
    top += b.line() + 4.0;
  }
  std::vector<Below> below;
  add_segments(b, 0, top, below);
  top += b.options.thickness;
  b.out.height = top + write_below(b, below, top);
}

/// Many bars: names in a column at the left, values behind the bars.
void lay_out_many(Builder& b) {
  double names = 0.0;
  double values = 0.0;
  for (const Bar& bar : b.chart.bars) {
    names = std::fmax(names, b.width_of(bar.name, bar.emphasis));
    values = std::fmax(values, b.width_of(bar.value, bar.emphasis));
  }
  // On narrow pictures the name stands above its bar.
  const bool beside = names + 12.0 <= b.options.width * kNameShare;
  b.left = beside ? names + 12.0 : 0.0;
  b.right = std::fmax(b.left + 40.0, b.options.width - values - 8.0);
  double top = 0.0;
  for (std::size_t i = 0; i < b.chart.bars.size(); ++i) {
    const Bar& bar = b.chart.bars[i];
    const Ink ink = bar.emphasis ? Ink::kInk : Ink::kSoft;
    if (!beside) {
      b.text(bar.name, 0.0, top + b.line() / 2.0, ink, bar.emphasis);
      top += b.line() + 2.0;
    }
    const double middle = top + b.options.thickness / 2.0;
    if (beside) {
      b.text(bar.name, b.left - 12.0 - b.width_of(bar.name, bar.emphasis), middle, ink,
             bar.emphasis);
    }
    std::vector<Below> below;
    add_segments(b, static_cast<std::uint32_t>(i), top, below);
    const double end = b.left + length_of(bar) * (b.right - b.left) / b.max;
    b.text(bar.value, std::fmin(end, b.right) + 8.0, middle, ink, bar.emphasis);
    top += b.options.thickness;
    if (b.chart.names_below) top += write_below(b, below, top);
    top += kRowGap;
  }
  b.out.height = std::fmax(0.0, top - kRowGap);
}

}  // namespace

BarLayout lay_out(const BarChart& chart, const BarOptions& options) {
  Builder b{chart, options, kSize * std::fmax(0.25, options.text_scale), 0.0, 0.0, 0.0, {}};
  b.out.width = options.width;
  b.max = chart.max;
  for (const Bar& bar : chart.bars) b.max = std::fmax(b.max, length_of(bar));
  if (!(b.max > 0.0)) b.max = 1.0;
  if (chart.bars.empty()) return std::move(b.out);
  if (chart.bars.size() == 1) {
    lay_out_one(b);
  } else {
    lay_out_many(b);
  }
  return std::move(b.out);
}

}  // namespace kvseats::chart
