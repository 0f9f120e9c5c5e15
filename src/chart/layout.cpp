#include "chart/layout.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "chart/frame.h"
#include "chart/text_box.h"

namespace kvseats::chart {
namespace {

constexpr double kTickSize = 12.0;
constexpr double kLabelSize = 12.5;
constexpr double kNarrow = 520.0;  // px: below, labels shrink by half a pixel
constexpr double kNoteGap = 8.0;   // px between the axis and the notes
constexpr std::size_t kMostNoteLines = 24;
constexpr double kLeastPlot = 96.0;  // px: notes never squeeze the plot below this

/// The notes' lines, at the bottom of the picture; those that do not fit into `room` px are left
/// out and counted. Gives back the room that all would take.
double set_notes(Frame& f, const std::vector<Note>& notes, double room) {
  Layout& out = f.out;
  const auto add = [&](std::string_view text, Ink ink) {
    while (!text.empty() && out.notes.size() < kMostNoteLines) {
      const std::string_view line = take_line(f.options.measure, text, f.label_size, out.width);
      const double w = f.options.measure.width(f.options.measure.self, line, f.label_size, false);
      out.notes.push_back({std::string(line), {}, w, f.label_size, ink, false});
    }
  };
  if (f.options.notes) {
    for (const Note& note : notes) add(note.label->text, note.ink);
  } else {
    out.dropped += static_cast<std::uint32_t>(notes.size());
  }
  if (f.options.caption) add(f.chart.caption, Ink::kSoft);
  if (out.notes.empty()) return 0.0;
  const double step = f.label_size * kLineHeight;
  const double wanted = static_cast<double>(out.notes.size()) * step + kNoteGap;
  while (!out.notes.empty() && static_cast<double>(out.notes.size()) * step + kNoteGap > room) {
    out.notes.pop_back();
    ++out.dropped;
  }
  for (std::size_t i = 0; i < out.notes.size(); ++i) {
    const double rest = static_cast<double>(out.notes.size() - i) - 0.5;
    out.notes[i].at = {0.0, out.height - rest * step + kCapHalf * f.label_size};
  }
  return wanted;
}

/// One run with `reserved` px for notes; gives back the room they want.
double lay_out_once(Frame& f, double reserved) {
  f.out = Layout();
  f.out.width = std::fmax(40.0, f.options.width);
  f.out.height = std::fmax(40.0, f.options.height);
  f.out.x = usable(f.chart.x);
  f.out.y = usable(f.chart.y);
  set_frame(f, reserved);
  f.out.reserved = reserved;
  set_parts(f);
  return set_notes(f, set_labels(f), reserved);
}

}  // namespace

Layout::Layout() = default;
Layout::Layout(const Layout&) = default;
Layout::Layout(Layout&&) noexcept = default;
Layout& Layout::operator=(const Layout&) = default;
Layout& Layout::operator=(Layout&&) noexcept = default;
Layout::~Layout() = default;

Layout lay_out(const Chart& chart, const LayoutOptions& options) {
  const double scale = std::fmax(0.25, options.text_scale);
  const double shrink = options.width < kNarrow ? 0.5 : 0.0;
  Frame f{chart, options, kTickSize * scale, (kLabelSize - shrink) * scale, {}};
  // Room for notes makes the plot smaller, which may make more notes: settle in a few rounds. When
  // there was more than needed, try just that, and come back if it does not hold.
  double reserved =
      options.moving && options.previous != nullptr ? options.previous->reserved : 0.0;
  double settled = -1.0;
  for (int round = 0; round < 6; ++round) {
    const double wanted = lay_out_once(f, reserved);
    if (wanted == reserved || reserved == settled) break;
    if (wanted < reserved) {
      settled = reserved;
      reserved = wanted;
    } else if (settled >= 0.0) {
      reserved = settled;
    } else {
      const double most = std::fmax(0.0, f.out.plot.height() + reserved - kLeastPlot);
      if (reserved >= most) break;
      reserved = std::fmin(wanted, most);
    }
  }
  return std::move(f.out);
}

Px px_of(const Layout& layout, Point data) {
  const Rect& p = layout.plot;
  return {p.left + fraction_of(layout.x, data.x) * p.width(),
          p.bottom - fraction_of(layout.y, data.y) * p.height()};
}

Point data_at(const Layout& layout, Px px) {
  const Rect& p = layout.plot;
  return {value_at(layout.x, (px.x - p.left) / p.width()),
          value_at(layout.y, (p.bottom - px.y) / p.height())};
}

}  // namespace kvseats::chart
