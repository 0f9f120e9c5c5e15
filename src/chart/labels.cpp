#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "chart/frame.h"
#include "chart/geometry.h"
#include "chart/placer.h"

namespace kvseats::chart {
namespace {

constexpr double kLeastPiece = 12.0;   // px of a curve between two labels worth drawing
constexpr double kInterruptGap = 3.0;  // px between a label and the thin curve it interrupts

/// Collects what wants a label; labels without text want none.
class Wishes {
 public:
  void add(Part part, std::size_t index, const Label& label, Ink ink, const Anchor& anchor,
           std::uint32_t slot = 0) {
    if (label.text.empty()) return;
    list_.push_back({part, static_cast<std::uint32_t>(index), slot, &label, text_ink(ink), anchor});
  }

  /// The next one: the values at the handle's guides first, then what may not be lost, then by
  /// priority; null when all are taken.
  [[nodiscard]] const LabelRequest* next() {
    LabelRequest* best = nullptr;
    for (LabelRequest& r : list_) {
      if (r.part != Part::kNone && (best == nullptr || weight(r) > weight(*best))) best = &r;
    }
    if (best == nullptr) return nullptr;
    taken_ = *best;
    best->part = Part::kNone;
    return &taken_;
  }

 private:
  static int weight(const LabelRequest& r) {
    return (r.slot > 0 ? 2000 : r.label->keep ? 1000 : 0) + r.label->priority;
  }
  std::vector<LabelRequest> list_;
  LabelRequest taken_;
};

/// Values at the two guides; they live as long as the placing does.
struct GuideLabels {
  Label x;
  Label y;
};

void wish_all(const Frame& f, const GuideLabels& guides, Wishes& wishes) {
  const Chart& c = f.chart;
  const Layout& out = f.out;
  const Rect& p = out.plot;
  if (out.handle_shown) {
    const Px h = out.handle;
    wishes.add(Part::kHandle, 0, c.handle.label, Ink::kSoft,
               {Anchor::Kind::kPoint, h, out.handle_radius + 2.0, {}});
    const auto guide = [&](const Label& label, Px from, std::uint32_t slot) {
      wishes.add(Part::kHandle, 0, label, Ink::kPoint, {Anchor::Kind::kRule, from, 0.0, h}, slot);
    };
    guide(guides.y, {p.left, h.y}, 2);
    guide(guides.x, {h.x, p.bottom}, 1);
  }
  for (const Stroke& s : out.strokes) {
    if (s.part != Part::kRule) continue;
    wishes.add(s.part, s.index, c.rules[s.index].label, s.ink,
               {Anchor::Kind::kRule, s.points.front(), 0.0, s.points.back()});
  }
  for (const PlacedMark& m : out.marks) {
    wishes.add(Part::kMark, m.index, c.marks[m.index].label, m.ink,
               {Anchor::Kind::kPoint, m.at, m.radius + 1.0, {}});
  }
  const Anchor line{Anchor::Kind::kLine, {}, 0.0, {}};
  for (std::size_t i = 0; i < c.series.size(); ++i) {
    wishes.add(Part::kSeries, i, c.series[i].label, c.series[i].ink, line);
  }
  for (std::size_t i = 0; i < c.shade.isos.size(); ++i) {
    wishes.add(Part::kIso, i, c.shade.isos[i].label, Ink::kSoft, line);
  }
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

/// Curves outside of the axes have no stroke, and so nothing to name.
bool is_drawn(const Layout& out, const LabelRequest& r) {
  for (const Stroke& s : out.strokes) {
    if (s.part == r.part && s.index == r.index) return true;
  }
  return false;
}

bool is_labelled(const Layout& out, const Stroke& s) {
  for (const PlacedLabel& l : out.labels) {
    if (l.part == s.part && l.index == s.index) return true;
  }
  return false;
}

using Runs = std::vector<std::vector<Px>>;

/// What is left of a thin stroke between the labels.
Runs interrupted(const Layout& out, const std::vector<Px>& points) {
  Runs runs{points};
  for (const PlacedLabel& label : out.labels) {
    Runs next;
    for (const std::vector<Px>& run : runs) {
      for (std::vector<Px>& piece : cut_out(run, grown(label.box, kInterruptGap))) {
        next.push_back(std::move(piece));
      }
    }
    runs.swap(next);
  }
  return runs;
}

/// Cuts thin strokes where a label interrupts them, and leaves out iso-lines without their name.
void interrupt_strokes(Layout& out, const Chart& chart) {
  std::vector<Stroke> all;
  all.swap(out.strokes);
  for (Stroke& stroke : all) {
    const bool named =
        stroke.part == Part::kIso && !chart.shade.isos[stroke.index].label.text.empty();
    if (named && !is_labelled(out, stroke)) continue;
    if (!may_interrupt(stroke)) {
      out.strokes.push_back(std::move(stroke));
      continue;
    }
    Runs runs = interrupted(out, stroke.points);
    for (std::vector<Px>& run : runs) {
      const bool piece = runs.size() > 1;
      if (piece && distance(run.front(), run.back(), run.back()) < kLeastPiece) continue;
      stroke.points.swap(run);
      out.strokes.push_back(stroke);
    }
  }
}

Rect square(Px at, double radius) {
  return {at.x - radius, at.y - radius, at.x + radius, at.y + radius};
}

/// A label that had no place at all: what may not be lost is heard of, the rest is counted.
void give_up(const LabelRequest& r, Layout& out, std::vector<Note>& notes) {
  if (r.label->keep && (r.part == Part::kMark || is_drawn(out, r))) {
    notes.push_back({r.label, r.ink});
  } else {
    ++out.dropped;
  }
}

}  // namespace

std::vector<Note> set_labels(Frame& f) {
  Layout& out = f.out;
  Placer placer(f.options.measure, f.label_size, grown(out.plot, -2.0), out.strokes);
  for (const PlacedMark& m : out.marks) {
    placer.avoid(square(m.at, m.radius + 1.0), Part::kMark, m.index);
  }
  if (out.handle_shown) placer.avoid(square(out.handle, out.handle_radius + 1.0), Part::kHandle, 0);
  const Layout* previous = f.options.previous;
  if (previous != nullptr && !(previous->plot == out.plot)) previous = nullptr;

  GuideLabels guides;
  guides.x.strong = guides.y.strong = true;
  if (f.chart.handle.guides) {
    guides.x.text = f.chart.handle.x_text;
    guides.y.text = f.chart.handle.y_text;
  }
  Wishes wishes;
  wish_all(f, guides, wishes);
  std::vector<Note> notes;
  while (const LabelRequest* r = wishes.next()) {
    PlacedLabel label;
    const PlacedLabel* was = before(previous, *r);
    const bool again = was != nullptr || previous == nullptr || !f.options.moving;
    if (!again || !placer.place(*r, was, moved(previous, out, *r), label)) {
      give_up(*r, out, notes);
      continue;
    }
    if (label.brief && r->label->keep && !r->label->brief_does) notes.push_back({r->label, r->ink});
    out.labels.push_back(std::move(label));
  }
  interrupt_strokes(out, f.chart);
  return notes;
}

}  // namespace kvseats::chart
