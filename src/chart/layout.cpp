#include "chart/layout.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "chart/geometry.h"
#include "chart/placer.h"
#include "chart/shade.h"
#include "chart/text_box.h"

namespace kvseats::chart {
namespace {

constexpr double kTickSize = 12.0;
constexpr double kLabelSize = 12.5;
constexpr double kNarrow = 520.0;    // px: below, labels shrink by half a pixel
constexpr double kTickGap = 8.0;     // between an axis and its labels
constexpr double kThin = 0.2;        // px a curve may differ from its points
constexpr double kLeastPlot = 96.0;  // px: notes never squeeze the plot below this
constexpr double kMarkRadius = 5.0;
constexpr double kBeyondOpacity = 0.75;
constexpr double kLeastPiece = 12.0;   // px of a curve between two labels worth drawing
constexpr double kInterruptGap = 3.0;  // px between a label and the thin curve it interrupts

/// All that one layout run needs at hand.
struct Frame {
  const Chart& chart;
  const LayoutOptions& options;
  double tick_size;
  double label_size;
  Layout out;

  [[nodiscard]] double width_of(const std::string& text, double size) const {
    return options.measure.width(options.measure.self, text, size, false);
  }
};

struct Extent {
  const Frame* frame;
  bool across;  // x axis: width of the label; y axis: its height
};

double tick_extent(const void* self, const std::string& label) {
  const auto* e = static_cast<const Extent*>(self);
  return e->across ? e->frame->width_of(label, e->frame->tick_size)
                   : e->frame->tick_size * kLineHeight;
}

std::vector<Tick> axis_ticks(const Frame& f, const Axis& axis, double length, bool across) {
  const Extent extent{&f, across};
  return ticks(axis, {.length = length,
                      .gap = across ? f.tick_size : f.tick_size * 0.5,
                      .extent = tick_extent,
                      .self = &extent});
}

double widest(const Frame& f, const std::vector<Tick>& list) {
  double w = 0.0;
  for (const Tick& t : list) w = std::fmax(w, f.width_of(t.label, f.tick_size));
  return w;
}

/// The plot rectangle, ticks and axis titles; `notes_height` is kept free at the bottom.
void set_frame(Frame& f, double notes_height) {
  Layout& out = f.out;
  const double line = f.tick_size * kLineHeight;
  const bool titles = f.options.titles;
  const bool y_titled = titles && !out.y.title.empty();
  const bool x_titled = titles && !out.x.title.empty();
  const double top = y_titled ? line + f.tick_size * 0.9 : f.tick_size * 0.7;
  const double bottom = kTickGap + line + (x_titled ? line + 6.0 : 2.0) + notes_height;
  const double low = std::fmax(top + 8.0, out.height - bottom);

  const std::vector<Tick> y_list = axis_ticks(f, out.y, low - top, false);
  const double left = std::fmax(widest(f, y_list) + kTickGap + 2.0, 12.0);
  const double last = f.width_of(tick_text(out.x, out.x.max), f.tick_size) / 2.0;
  const double right = out.width - std::fmax(10.0, last + 2.0);
  out.plot = {left, top, std::fmax(left + 8.0, right), low};

  for (const Tick& t : y_list) {
    const double at = out.plot.bottom - t.at * out.plot.height();
    const double w = f.width_of(t.label, f.tick_size);
    out.y_ticks.push_back({at,
                           t.value,
                           {t.label,
                            {left - kTickGap - w, at + kCapHalf * f.tick_size},
                            w,
                            f.tick_size,
                            Ink::kSoft,
                            false}});
  }
  const double base = out.plot.bottom + kTickGap + line * 0.5 + kCapHalf * f.tick_size;
  for (const Tick& t : axis_ticks(f, out.x, out.plot.width(), true)) {
    const double at = out.plot.left + t.at * out.plot.width();
    const double w = f.width_of(t.label, f.tick_size);
    const double start = std::clamp(at - w / 2.0, 0.0, std::fmax(0.0, out.width - w));
    out.x_ticks.push_back(
        {at, t.value, {t.label, {start, base}, w, f.tick_size, Ink::kSoft, false}});
  }
  const auto title = [&](const std::string& text, double x, double baseline) {
    return Text{text, {x, baseline}, f.width_of(text, f.tick_size), f.tick_size, Ink::kSoft, false};
  };
  if (y_titled) out.y_title = title(out.y.title, 0.0, f.tick_size);
  if (x_titled) {
    const double w = f.width_of(out.x.title, f.tick_size);
    const double centred = out.plot.left + (out.plot.width() - w) / 2.0;
    const double x = std::clamp(centred, 0.0, std::fmax(0.0, out.width - w));
    out.x_title = title(out.x.title, x, base + line + 4.0);
  }
}

std::vector<Px> to_px(const Layout& out, const std::vector<Point>& points, Join join) {
  std::vector<Px> line;
  line.reserve(points.size() * 2);
  const Mapper x_of(out.x);
  const Mapper y_of(out.y);
  for (const Point& p : points) {
    const Px here{out.plot.left + x_of(p.x) * out.plot.width(),
                  out.plot.bottom - y_of(p.y) * out.plot.height()};
    if (join == Join::kStep && !line.empty()) line.push_back({here.x, line.back().y});
    line.push_back(here);
  }
  return line;
}

void add_runs(Layout& out, const Stroke& like, const std::vector<Px>& line, const Rect& within) {
  for (const std::vector<Px>& run : cut(line, within)) {
    if (run.size() < 2 || distance(run.front(), run.back(), run.back()) < 0.5) continue;
    Stroke stroke = like;
    stroke.points = thinned(run, kThin);
    out.strokes.push_back(std::move(stroke));
  }
}

void add_series(Layout& out, const Series& s, std::uint32_t index) {
  Stroke like{Part::kSeries, index, s.ink, s.dash, s.weight, 1.0, {}};
  const std::vector<Px> line = to_px(out, s.points, s.join);
  const double limit = px_of(out, {s.dashed_beyond, 1.0}).x;
  Rect within = out.plot;
  within.right = std::fmin(within.right, limit);
  if (within.right > within.left) add_runs(out, like, line, within);
  if (limit >= out.plot.right) return;
  Rect beyond = out.plot;
  beyond.left = std::fmax(beyond.left, limit);
  if (like.dash == Dash::kSolid) like.dash = Dash::kDashed;
  like.opacity = kBeyondOpacity;
  add_runs(out, like, line, beyond);
}

void add_band(Layout& out, const Band& band, std::uint32_t index) {
  std::vector<Px> outline = to_px(out, band.low, Join::kLine);
  std::vector<Px> high = to_px(out, band.high, Join::kLine);
  std::reverse(high.begin(), high.end());
  outline.insert(outline.end(), high.begin(), high.end());
  outline = cut_polygon(std::move(outline), out.plot);
  if (outline.size() < 3) return;
  Area area{Part::kBand, index, band.ink, band.hatch ? 0.0 : 0.16, std::move(outline), {}};
  if (band.hatch) area.hatch = hatch_lines(area.outline, 5.0);
  out.areas.push_back(std::move(area));
}

void add_rule(Layout& out, const Rule& rule, std::uint32_t index) {
  const Rect& p = out.plot;
  const Px at = px_of(out, {rule.value, rule.value});
  const double place = rule.vertical ? at.x : at.y;
  if (rule.vertical ? place < p.left || place > p.right : place < p.top || place > p.bottom) return;
  Stroke s{Part::kRule, index, rule.ink, rule.dash, 1.0, 1.0, {}};
  s.points = rule.vertical ? std::vector<Px>{{place, p.top}, {place, p.bottom}}
                           : std::vector<Px>{{p.right, place}, {p.left, place}};
  out.strokes.push_back(std::move(s));
}

PlacedMark placed(const Layout& out, const Mark& mark, std::uint32_t index) {
  const Rect& p = out.plot;
  const Px at = px_of(out, mark.at);
  PlacedMark m{index, at, kMarkRadius, mark.shape, mark.ink, 0};
  m.at = {std::clamp(at.x, p.left, p.right), std::clamp(at.y, p.top, p.bottom)};
  const double slack = 0.5;
  if (at.x > p.right + slack) m.beyond = 1;
  if (at.x < p.left - slack) m.beyond = 3;
  if (at.y < p.top - slack) m.beyond = 2;
  if (at.y > p.bottom + slack) m.beyond = 4;
  return m;
}

void add_handle(Layout& out, const Chart& chart, bool touch) {
  if (!chart.handle.shown) return;
  const Rect& p = out.plot;
  const Px at = px_of(out, chart.handle.at);
  out.handle_shown = true;
  out.handle = {std::clamp(at.x, p.left, p.right), std::clamp(at.y, p.top, p.bottom)};
  out.handle_radius = touch ? 11.0 : 8.0;
  if (!chart.handle.guides) return;
  Stroke s{Part::kHandle, 0, Ink::kPoint, Dash::kSolid, 1.25, 0.9, {}};
  s.points = {{p.left, out.handle.y}, out.handle};
  out.strokes.push_back(s);
  s.points = {{out.handle.x, p.bottom}, out.handle};
  out.strokes.push_back(std::move(s));
}

/// Everything but labels, in drawing order.
void set_parts(Frame& f) {
  Layout& out = f.out;
  const Chart& c = f.chart;
  const auto each = [](const auto& list, const auto& add) {
    for (std::size_t i = 0; i < list.size(); ++i) add(list[i], static_cast<std::uint32_t>(i));
  };
  each(c.bands, [&](const Band& b, std::uint32_t i) { add_band(out, b, i); });
  each(c.shade.isos, [&](const Iso& iso, std::uint32_t i) {
    for (std::vector<Px>& run : inner_runs(contour(c.shade, iso.value, out.plot), out.plot)) {
      out.strokes.push_back({Part::kIso, i, Ink::kSoft, Dash::kSolid, 1.0, 0.35, std::move(run)});
    }
  });
  each(c.rules, [&](const Rule& r, std::uint32_t i) { add_rule(out, r, i); });
  add_handle(out, c, f.options.touch);
  each(c.series, [&](const Series& s, std::uint32_t i) { add_series(out, s, i); });
  each(c.marks, [&](const Mark& m, std::uint32_t i) { out.marks.push_back(placed(out, m, i)); });
}

/// The strokes of one part, longest first: what its label may hang on.
std::vector<const std::vector<Px>*> lines_of(const Layout& out, Part part, std::uint32_t index) {
  std::vector<const std::vector<Px>*> lines;
  for (const Stroke& s : out.strokes) {
    if (s.part == part && s.index == index) lines.push_back(&s.points);
  }
  const auto span = [](const std::vector<Px>* l) {
    return distance(l->front(), l->back(), l->back());
  };
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const auto* a, const auto* b) { return span(a) > span(b); });
  return lines;
}

void request_handle(const Frame& f, std::vector<LabelRequest>& list) {
  const Layout& out = f.out;
  const Handle& h = f.chart.handle;
  if (!out.handle_shown) return;
  const Anchor point{Anchor::Kind::kPoint, out.handle, out.handle_radius + 2.0, {}};
  list.push_back({Part::kHandle, 0, 0, h.label, Ink::kSoft, point});
  if (!h.guides) return;
  std::vector<const std::vector<Px>*> guides;  // to the y axis, to the x axis
  for (const Stroke& s : out.strokes) {
    if (s.part == Part::kHandle) guides.push_back(&s.points);
  }
  const auto guide = [&](std::uint32_t slot, const std::string& text, const std::vector<Px>* line) {
    const Label label{text, "", 100, false, true};
    list.push_back({Part::kHandle,
                    0,
                    slot,
                    label,
                    Ink::kPointText,
                    {Anchor::Kind::kRule, out.handle, 0.0, {line}}});
  };
  guide(2, h.y_text, guides[0]);
  guide(1, h.x_text, guides[1]);
}

/// The values at the handle's guides first, then what may not be lost, then the rest.
int rank(const LabelRequest& r) {
  return r.slot > 0 ? 2 : r.label.keep ? 1 : 0;
}

std::vector<LabelRequest> requests(const Frame& f) {
  const Chart& c = f.chart;
  std::vector<LabelRequest> list;
  request_handle(f, list);
  const auto along = [&](Part part, std::size_t i, const Label& label, Ink ink, Anchor::Kind kind) {
    const auto index = static_cast<std::uint32_t>(i);
    std::vector<const std::vector<Px>*> lines = lines_of(f.out, part, index);
    if (lines.empty()) return;
    list.push_back({part, index, 0, label, text_ink(ink), {kind, {}, 0.0, std::move(lines)}});
  };
  for (std::size_t i = 0; i < c.rules.size(); ++i) {
    along(Part::kRule, i, c.rules[i].label, c.rules[i].ink, Anchor::Kind::kRule);
  }
  for (const PlacedMark& m : f.out.marks) {
    list.push_back({Part::kMark,
                    m.index,
                    0,
                    c.marks[m.index].label,
                    text_ink(m.ink),
                    {Anchor::Kind::kPoint, m.at, m.radius + 1.0, {}}});
  }
  for (std::size_t i = 0; i < c.series.size(); ++i) {
    along(Part::kSeries, i, c.series[i].label, c.series[i].ink, Anchor::Kind::kLine);
  }
  for (std::size_t i = 0; i < c.shade.isos.size(); ++i) {
    along(Part::kIso, i, c.shade.isos[i].label, Ink::kSoft, Anchor::Kind::kLine);
  }
  std::erase_if(list, [](const LabelRequest& r) { return r.label.text.empty(); });
  std::stable_sort(list.begin(), list.end(), [](const LabelRequest& a, const LabelRequest& b) {
    if (rank(a) != rank(b)) return rank(a) > rank(b);
    return a.label.priority > b.label.priority;
  });
  return list;
}

const PlacedLabel* before(const Layout* previous, const LabelRequest& r) {
  if (previous == nullptr) return nullptr;
  for (const PlacedLabel& l : previous->labels) {
    if (l.part == r.part && l.index == r.index && l.slot == r.slot) return &l;
  }
  return nullptr;
}

/// How far the thing a label hangs on has moved since the previous layout.
Px moved(const Layout* previous, const Layout& now, const LabelRequest& r) {
  if (previous == nullptr) return {};
  if (r.part == Part::kHandle) {
    const Px d{now.handle.x - previous->handle.x, now.handle.y - previous->handle.y};
    return r.slot == 0 ? d : r.slot == 1 ? Px{d.x, 0.0} : Px{0.0, d.y};
  }
  if (r.part != Part::kMark) return {};
  for (const PlacedMark& m : previous->marks) {
    if (m.index == r.index) return {r.anchor.at.x - m.at.x, r.anchor.at.y - m.at.y};
  }
  return {};
}

/// Cuts thin strokes where a label interrupts them, and leaves out iso-lines without their name.
void interrupt_strokes(Layout& out, const Chart& chart) {
  const auto labelled = [&](const Stroke& s) {
    return std::any_of(out.labels.begin(), out.labels.end(), [&](const PlacedLabel& l) {
      return l.part == s.part && l.index == s.index;
    });
  };
  std::erase_if(out.strokes, [&](const Stroke& s) {
    return s.part == Part::kIso && !chart.shade.isos[s.index].label.text.empty() && !labelled(s);
  });
  std::vector<Stroke> kept;
  for (Stroke& stroke : out.strokes) {
    std::vector<std::vector<Px>> runs{std::move(stroke.points)};
    for (const PlacedLabel& label : out.labels) {
      if (!may_interrupt(stroke)) break;
      std::vector<std::vector<Px>> next;
      for (const std::vector<Px>& run : runs) {
        for (std::vector<Px>& piece : cut_out(run, grown(label.box, kInterruptGap))) {
          next.push_back(std::move(piece));
        }
      }
      runs = std::move(next);
    }
    const bool whole = runs.size() == 1;
    for (std::vector<Px>& run : runs) {
      if (!whole && distance(run.front(), run.back(), run.back()) < kLeastPiece) continue;
      kept.push_back(stroke);
      kept.back().points = std::move(run);
    }
  }
  out.strokes = std::move(kept);
}

struct Note {
  std::string text;
  Ink ink;
};

/// Places the labels; gives back the kept ones that had no room.
std::vector<Note> set_labels(Frame& f) {
  Layout& out = f.out;
  Placer placer(f.options.measure, f.label_size, grown(out.plot, -2.0));
  for (const Stroke& s : out.strokes) placer.avoid(s);
  for (const PlacedMark& m : out.marks) {
    placer.avoid(grown({m.at.x, m.at.y, m.at.x, m.at.y}, m.radius + 1.0), Part::kMark, m.index);
  }
  if (out.handle_shown) {
    const Rect box{out.handle.x, out.handle.y, out.handle.x, out.handle.y};
    placer.avoid(grown(box, out.handle_radius + 1.0), Part::kHandle, 0);
  }
  const Layout* previous = f.options.previous;
  if (previous != nullptr && !(previous->plot == out.plot)) previous = nullptr;

  std::vector<Note> notes;
  for (const LabelRequest& r : requests(f)) {
    PlacedLabel label;
    const bool found = placer.place(r, before(previous, r), moved(previous, out, r), label);
    if (r.label.keep && (!found || label.brief)) notes.push_back({r.label.text, r.ink});
    if (found) {
      out.labels.push_back(std::move(label));
    } else if (!r.label.keep) {
      ++out.dropped;
    }
  }
  interrupt_strokes(out, f.chart);
  return notes;
}

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
