#include "chart/placer.h"

#include <algorithm>
#include <cmath>

#include "chart/geometry.h"

namespace kvseats::chart {
namespace {

constexpr double kGap = 5.0;        // between a label and what it names
constexpr double kOwnClear = 2.0;   // of its own curve, where that bends
constexpr double kLabelClear = 4.0; // between two labels, at least
constexpr double kPasses[] = {10.0, 5.0, 3.0};  // from strangers, first try to last

Rect rect_at(double left, double top, const TextBlock& block) {
  return {left, top, left + block.width, top + block.height};
}

Px nearest_on(const Rect& r, Px p) {
  return {std::clamp(p.x, r.left, r.right), std::clamp(p.y, r.top, r.bottom)};
}

/// Does a polyline touch a box? Curves run left to right, so only the part over the box is looked
/// at; others (rules, guides, leaders) are short.
bool touches_line(const Rect& box, const std::vector<Px>& line) {
  if (line.size() < 2) return false;
  std::size_t first = 1;
  if (line.size() > 8) {
    const auto at = std::lower_bound(line.begin(), line.end(), box.left,
                                     [](Px p, double x) { return p.x < x; });
    first = std::max<std::size_t>(1, static_cast<std::size_t>(at - line.begin()));
  }
  for (std::size_t i = first; i < line.size(); ++i) {
    if (line.size() > 8 && line[i - 1].x > box.right) return false;
    if (touches(box, line[i - 1], line[i])) return true;
  }
  return false;
}

/// The place at `fraction` of a polyline's length, and its direction (to the right).
void sample(const std::vector<Px>& line, double fraction, Px& at, Px& direction) {
  double total = 0.0;
  const auto length = [&](std::size_t i) {
    return distance(line[i], line[i - 1], line[i - 1]);
  };
  for (std::size_t i = 1; i < line.size(); ++i) total += length(i);
  double rest = total * fraction;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const double here = length(i);
    if (here <= 0.0 || (rest > here && i + 1 < line.size())) {
      rest -= here;
      continue;
    }
    const double t = std::clamp(rest / here, 0.0, 1.0);
    const Px d{line[i].x - line[i - 1].x, line[i].y - line[i - 1].y};
    at = {line[i - 1].x + d.x * t, line[i - 1].y + d.y * t};
    const double sign = d.x < 0.0 ? -1.0 : 1.0;
    direction = {sign * d.x / here, sign * d.y / here};
    return;
  }
  at = line.front();
  direction = {1.0, 0.0};
}

}  // namespace

Placer::Placer(const Measure& measure, double size, const Rect& bounds)
    : measure_(measure), size_(size), bounds_(bounds) {}

void Placer::avoid(const Stroke& stroke) { strokes_.push_back(&stroke); }

void Placer::avoid(const Rect& box, Part part, std::uint32_t index) {
  boxes_.push_back({box, part, index});
}

bool Placer::is_free(const Rect& box, double clearance, const LabelRequest& self) const {
  if (!contains(bounds_, box)) return false;
  const Rect wide = grown(box, std::fmax(clearance, kLabelClear));
  for (const Box& other : boxes_) {
    const bool own = other.part == self.part && other.index == self.index;
    if (overlap(own ? grown(box, 1.0) : wide, other.rect)) return false;
  }
  for (const Stroke* stroke : strokes_) {
    const bool own = stroke->part == self.part && stroke->index == self.index;
    const double clear = (own ? kOwnClear : clearance) + stroke->weight / 2.0;
    if (touches_line(grown(box, clear), stroke->points)) return false;
  }
  return std::none_of(leaders_.begin(), leaders_.end(), [&](const Stroke& leader) {
    return touches_line(grown(box, 2.0), leader.points);
  });
}

bool Placer::near_own_line(const Rect& box, const LabelRequest& self) const {
  if (self.anchor.kind != Anchor::Kind::kLine) return true;
  return std::any_of(self.anchor.lines.begin(), self.anchor.lines.end(), [&](const auto* line) {
    return touches_line(grown(box, 3.0 * kGap), *line);
  });
}

bool Placer::leader_free(Px from, Px to, const LabelRequest& self, bool cross) const {
  for (const Box& other : boxes_) {
    const bool own = other.part == self.part && other.index == self.index;
    if (!own && touches(grown(other.rect, 2.0), from, to)) return false;
  }
  const Rect around{std::fmin(from.x, to.x), std::fmin(from.y, to.y), std::fmax(from.x, to.x),
                    std::fmax(from.y, to.y)};
  const auto hits = [&](const Stroke& stroke) { return touches_line(around, stroke.points); };
  if (std::any_of(leaders_.begin(), leaders_.end(), hits)) return false;
  if (cross) return true;
  return std::none_of(strokes_.begin(), strokes_.end(), [&](const Stroke* stroke) {
    return !(stroke->part == self.part && stroke->index == self.index) && hits(*stroke);
  });
}

void Placer::gather_point(const Anchor& a, const TextBlock& b) {
  const double d = a.radius + kGap;
  const double s = a.radius * 0.7 + 2.0;  // diagonal places
  const double up = a.at.y - b.height;
  const double mid = a.at.y - b.height / 2.0;
  const double west = a.at.x - b.width;
  candidates_.insert(candidates_.end(), {{a.at.x + d, mid, 0.0},
                                         {a.at.x + s + 2.0, up - s, 0.0},
                                         {a.at.x + s + 2.0, a.at.y + s, 0.0},
                                         {west - d, mid, 1.0},
                                         {west - s - 2.0, up - s, 1.0},
                                         {west - s - 2.0, a.at.y + s, 1.0}});
  for (const double lean : {0.5, 0.25, 0.75, 0.05, 0.95}) {
    const double left = a.at.x - b.width * lean;
    candidates_.push_back({left, up - d, lean});
    candidates_.push_back({left, a.at.y + d, lean});
  }
}

void Placer::gather_line(const std::vector<Px>& line, const TextBlock& b) {
  if (line.size() < 2) return;
  for (const double fraction : {0.72, 0.8, 0.64, 0.88, 0.56, 0.48, 0.4, 0.32, 0.24, 0.16, 0.94,
                                0.08, 0.68, 0.76, 0.6, 0.84, 0.52, 0.44, 0.36, 0.28, 0.2, 0.12}) {
    Px at;
    Px d;
    sample(line, fraction, at, d);
    // The box that touches the line's parallel at kGap and is centred on the normal (n points up).
    const Px n{d.y, -d.x};
    const double off =
        kGap + (std::fabs(n.x) * b.width + std::fabs(n.y) * b.height) / 2.0;
    for (const double side : {1.0, -1.0}) {
      const double x = at.x + side * n.x * off;
      const double y = at.y + side * n.y * off;
      candidates_.push_back({x - b.width / 2.0, y - b.height / 2.0, side * n.x >= 0.0 ? 0.0 : 1.0});
    }
  }
}

void Placer::gather_rule(const Anchor& anchor, const TextBlock& b) {
  const Px from = anchor.lines.front()->front();
  const Px to = anchor.lines.front()->back();
  const bool vertical = std::fabs(to.x - from.x) < std::fabs(to.y - from.y);
  const double run = vertical ? to.y - from.y : to.x - from.x;
  const double inset = run < 0.0 ? -kGap : kGap;
  for (int i = 0; i < 12; ++i) {
    const double along = inset + (run - 2.0 * inset) * i / 12.0;
    for (const double side : {-1.0, 1.0}) {
      Candidate c;
      if (vertical) {
        c.left = side < 0.0 ? from.x - kGap - b.width : from.x + kGap;
        c.top = from.y + along - (run < 0.0 ? b.height : 0.0);
        c.align = side < 0.0 ? 1.0 : 0.0;
      } else {
        c.left = from.x + along - (run < 0.0 ? b.width : 0.0);
        c.top = side < 0.0 ? from.y - 3.0 - b.height : from.y + 3.0;
      }
      candidates_.push_back(c);
    }
  }
}

void Placer::gather(const LabelRequest& request, const TextBlock& block) {
  candidates_.clear();
  switch (request.anchor.kind) {
    case Anchor::Kind::kPoint:
      gather_point(request.anchor, block);
      break;
    case Anchor::Kind::kLine:
      for (const auto* line : request.anchor.lines) gather_line(*line, block);
      break;
    case Anchor::Kind::kRule:
      gather_rule(request.anchor, block);
      break;
  }
}

void Placer::accept(const LabelRequest& request, const TextBlock& block, Candidate at,
                    PlacedLabel& out) {
  out.part = request.part;
  out.index = request.index;
  out.slot = request.slot;
  out.box = rect_at(at.left, at.top, block);
  out.lines = set(block, at.left, at.top, at.align, size_, request.ink, request.label.strong);
  boxes_.push_back({out.box, Part::kNone, 0});
}

bool Placer::try_places(const LabelRequest& request, const TextBlock& block, PlacedLabel& out) {
  gather(request, block);
  for (const double clearance : kPasses) {
    for (const Candidate& c : candidates_) {
      if (!is_free(rect_at(c.left, c.top, block), clearance, request)) continue;
      accept(request, block, c, out);
      return true;
    }
  }
  return false;
}

bool Placer::try_leader(const LabelRequest& request, const TextBlock& block, PlacedLabel& out) {
  constexpr double kDiagonal = 0.70710678118654752;
  constexpr Px kWays[] = {{1, 0},          {kDiagonal, -kDiagonal},  {kDiagonal, kDiagonal},
                          {-1, 0},         {-kDiagonal, -kDiagonal}, {-kDiagonal, kDiagonal},
                          {0, -1},         {0, 1}};
  Px from = request.anchor.at;
  if (request.anchor.kind != Anchor::Kind::kPoint) {
    Px direction;
    if (request.anchor.lines.empty() || request.anchor.lines.front()->empty()) return false;
    sample(*request.anchor.lines.front(), 0.6, from, direction);
  }
  for (const bool cross : {false, true}) {
    for (double reach = request.anchor.radius + 18.0; reach < 200.0; reach *= 1.35) {
      for (const Px way : kWays) {
        const double x = from.x + way.x * (reach + block.width / 2.0);
        const double y = from.y + way.y * (reach + block.height / 2.0);
        const Candidate c{x - block.width / 2.0, y - block.height / 2.0, way.x < 0.0 ? 1.0 : 0.0};
        const Rect box = rect_at(c.left, c.top, block);
        if (!is_free(box, kLabelClear, request)) continue;
        const Px to = nearest_on(grown(box, 2.0), from);
        if (!leader_free(from, to, request, cross)) continue;
        accept(request, block, c, out);
        const double length = std::fmax(1e-6, distance(to, from, from));
        const double t = std::fmin(1.0, request.anchor.radius / length);
        out.leader = true;
        out.leader_from = {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
        out.leader_to = to;
        leaders_.push_back({.points = {out.leader_from, to}});
        return true;
      }
    }
  }
  return false;
}

bool Placer::place(const LabelRequest& request, const PlacedLabel* previous, Px moved,
                   PlacedLabel& out) {
  const bool strong = request.label.strong;
  const TextBlock one = one_line(measure_, request.label.text, size_, strong);
  const TextBlock two = two_lines(measure_, request.label.text, size_, strong);
  const TextBlock brief = one_line(measure_, request.label.brief, size_, strong);
  if (previous != nullptr && !previous->leader) {
    const TextBlock& same = previous->brief ? brief : previous->lines.size() > 1 ? two : one;
    const Candidate c{previous->box.left + moved.x, previous->box.top + moved.y, 0.0};
    const Rect box = rect_at(c.left, c.top, same);
    if (same.width > 0.0 && is_free(box, kPasses[2], request) && near_own_line(box, request)) {
      accept(request, same, c, out);
      out.brief = previous->brief;
      return true;
    }
  }
  if (try_places(request, one, out)) return true;
  const bool wraps = two.lines.size() > 1;
  if (wraps && try_places(request, two, out)) return true;
  const bool leads = request.label.keep && request.part == Part::kMark;
  if (leads && try_leader(request, one, out)) return true;
  if (leads && wraps && try_leader(request, two, out)) return true;
  if (request.label.brief.empty()) return false;
  out.brief = true;
  return try_places(request, brief, out) || (request.label.keep && try_leader(request, brief, out));
}

}  // namespace kvseats::chart
