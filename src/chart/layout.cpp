#include "chart/layout.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "chart/frame.h"
#include "chart/text_box.h"

namespace kvseats::chart {
namespace {

constexpr double kTickSize = 12.0;
constexpr double kLabelSize = 12.5;
constexpr double kNarrow = 520.0;    // px: below, labels shrink by half a pixel
constexpr double kLeastPlot = 96.0;  // px: notes never squeeze the plot below this

std::vector<Text> note_lines(const Frame& f, const std::vector<Note>& notes) {
  std::vector<Text> lines;
  const auto add = [&](const std::string& text, Ink ink) {
    for (std::string& line : wrapped(f.options.measure, text, f.label_size, f.out.width)) {
      const double w = f.width_of(line, f.label_size);
      lines.push_back({std::move(line), {}, w, f.label_size, ink, false});
    }
  };
  for (const Note& note : notes) add(note.text, note.ink);
  if (f.options.caption && !f.chart.caption.empty()) add(f.chart.caption, Ink::kSoft);
  const double step = f.label_size * kLineHeight;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double rest = static_cast<double>(lines.size() - i) - 0.5;
    lines[i].at = {0.0, f.out.height - rest * step + kCapHalf * f.label_size};
  }
  return lines;
}

Layout lay_out_once(const Chart& chart, const LayoutOptions& options, double notes_height,
                    double& wanted) {
  const double scale = std::fmax(0.25, options.text_scale);
  const double shrink = options.width < kNarrow ? 0.5 : 0.0;
  Frame f{chart, options, kTickSize * scale, (kLabelSize - shrink) * scale, {}};
  f.out.width = std::fmax(40.0, options.width);
  f.out.height = std::fmax(40.0, options.height);
  f.out.x = usable(chart.x);
  f.out.y = usable(chart.y);
  set_frame(f, notes_height);
  set_parts(f);
  const std::vector<Note> notes = set_labels(f);
  if (!options.notes && !options.caption) {
    f.out.dropped += static_cast<std::uint32_t>(notes.size());
    wanted = 0.0;
    return std::move(f.out);
  }
  f.out.notes = note_lines(f, options.notes ? notes : std::vector<Note>{});
  const double lines = static_cast<double>(f.out.notes.size());
  wanted = lines > 0.0 ? lines * f.label_size * kLineHeight + 8.0 : 0.0;
  return std::move(f.out);
}

}  // namespace

Layout lay_out(const Chart& chart, const LayoutOptions& options) {
  double reserved = 0.0;
  Layout out;
  // Room for notes makes the plot smaller, which may make more notes: settle in a few rounds.
  for (int round = 0; round < 4; ++round) {
    double wanted = 0.0;
    out = lay_out_once(chart, options, reserved, wanted);
    if (wanted < reserved) {  // more than needed: once more with just that, if it holds
      double again = 0.0;
      Layout tight = lay_out_once(chart, options, wanted, again);
      return again <= wanted ? tight : out;
    }
    if (wanted <= reserved) return out;
    const double most = std::fmax(0.0, out.plot.height() + reserved - kLeastPlot);
    if (reserved >= most) break;
    reserved = std::fmin(wanted, most);
  }
  // A picture too low for its notes: those at the top would lie on the axis, so they go.
  const double free_from = out.height - reserved + 4.0;
  const auto hidden = [&](const Text& t) { return t.at.y - t.size < free_from; };
  out.dropped +=
      static_cast<std::uint32_t>(std::count_if(out.notes.begin(), out.notes.end(), hidden));
  std::erase_if(out.notes, hidden);
  return out;
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
