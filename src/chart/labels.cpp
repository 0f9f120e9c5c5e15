#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "chart/frame.h"
#include "chart/geometry.h"
#include "chart/placer.h"

namespace kvseats::chart {
namespace {

constexpr double kLeastPiece = 12.0;   // px of a curve between two labels worth drawing
constexpr double kInterruptGap = 3.0;  // px between a label and the thin curve it interrupts

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

}  // namespace

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

}  // namespace kvseats::chart
