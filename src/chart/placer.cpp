#include "chart/placer.h"

#include <algorithm>
#include <cmath>

#include "chart/geometry.h"

namespace kvseats::chart {
namespace {

constexpr double kOwnClear = 2.0;    // of its own curve, where that bends
constexpr double kLabelClear = 4.0;  // between two labels, at least
constexpr double kFarthest = 160.0;  // a leader, about
constexpr double kLeadFrom[] = {0.6, 0.4, 0.8,
                                0.25};  // of a curve, where a line to its name starts
constexpr double kStrangerCurve = 9.0;  // from other curves, so that it is plain which is named
constexpr double kPasses[] = {10.0, 5.0, 3.0};  // from strangers, first try to last

bool owns(const LabelRequest& self, const Stroke& stroke) {
  return stroke.part == self.part && stroke.index == self.index;
}

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

/// The height of a line that runs right only, between its points before and at `next`.
double height_at(const std::vector<Px>& line, std::vector<Px>::const_iterator next, double x) {
  if (next == line.begin()) return next->y;
  const Px from = *(next - 1);
  if (next == line.end()) return from.y;
  return from.y + (next->y - from.y) * (x - from.x) / (next->x - from.x);
}

/// The same for one that falls: where it comes in and goes out is all there is to know.
bool touches_falling(const Rect& box, const std::vector<Px>& line) {
  const auto first =
      std::lower_bound(line.begin(), line.end(), box.left, [](Px p, double x) { return p.x < x; });
  if (first == line.end() || height_at(line, first, box.left) > box.bottom) return false;
  const auto last =
      std::upper_bound(first, line.end(), box.right, [](double x, Px p) { return x < p.x; });
  return height_at(line, last, box.right) >= box.top;
}

}  // namespace

Placer::Placer(const Measure& measure, double size, const Rect& bounds,
               const std::vector<Stroke>& strokes)
    : measure_(measure), size_(size), bounds_(bounds), strokes_(strokes) {
  for (const Stroke& stroke : strokes) {
    Extent extent{{1e300, 1e300, -1e300, -1e300}, stroke.points.size() > 1};
    for (std::size_t i = 0; i < stroke.points.size(); ++i) {
      const Px p = stroke.points[i];
      Rect& r = extent.around;
      r = {std::fmin(r.left, p.x), std::fmin(r.top, p.y), std::fmax(r.right, p.x),
           std::fmax(r.bottom, p.y)};
      if (i == 0) continue;
      const Px before = stroke.points[i - 1];
      extent.falls = extent.falls && p.x >= before.x && p.y >= before.y;
    }
    extents_.push_back(extent);
  }
}

bool Placer::touches_stroke(const Rect& box, const Stroke& stroke) const {
  const Extent& extent = extents_[static_cast<std::size_t>(&stroke - strokes_.data())];
  const Rect& r = extent.around;
  if (r.left > box.right || r.right < box.left || r.top > box.bottom || r.bottom < box.top) {
    return false;
  }
  return extent.falls ? touches_falling(box, stroke.points) : touches_line(box, stroke.points);
}

void Placer::avoid(const Rect& box, Part part, std::uint32_t index) {
  boxes_.push_back({box, part, index});
}

bool may_interrupt(const Stroke& stroke) {
  return stroke.part == Part::kIso || (stroke.part == Part::kSeries && stroke.weight < 2.0);
}

bool Placer::clear_of(const Stroke& stroke, const Rect& box, double clearance,
                      const LabelRequest& self) const {
  double clear = clearance;
  if (owns(self, stroke)) {
    clear = kOwnClear;
  } else if (self.anchor.kind == Anchor::Kind::kLine &&
             (stroke.part == Part::kSeries || stroke.part == Part::kIso)) {
    clear = std::fmax(clear, kStrangerCurve);
  }
  return !touches_stroke(grown(box, clear + stroke.weight / 2.0), stroke);
}

bool Placer::leaders_clear(const Rect& box) const {
  for (std::size_t i = 1; i < leaders_.size(); i += 2) {
    if (touches(box, leaders_[i - 1], leaders_[i])) return false;
  }
  return true;
}

bool Placer::is_free(const Rect& box, double clearance, const LabelRequest& self,
                     Manners manners) const {
  if (!contains(bounds_, box)) return false;
  const Rect wide = grown(box, std::fmax(clearance, kLabelClear));
  for (const Box& other : boxes_) {
    const bool own = other.part == self.part && other.index == self.index;
    if (overlap(own ? grown(box, 1.0) : wide, other.rect)) return false;
  }
  for (const Stroke& stroke : strokes_) {
    if (manners == Manners::kInterrupt && may_interrupt(stroke)) continue;
    if (!clear_of(stroke, box, clearance, self)) return false;
  }
  return leaders_clear(grown(box, 2.0));
}

const Stroke* Placer::longest_of(const LabelRequest& self) const {
  const Stroke* best = nullptr;
  double most = 0.0;
  for (const Stroke& s : strokes_) {
    if (!owns(self, s) || s.points.size() < 2) continue;
    const double span = distance(s.points.front(), s.points.back(), s.points.back());
    if (best != nullptr && span <= most) continue;
    best = &s;
    most = span;
  }
  return best;
}

bool Placer::near_own_line(const Rect& box, const LabelRequest& self) const {
  if (self.anchor.kind != Anchor::Kind::kLine) return true;
  for (const Stroke& s : strokes_) {
    if (owns(self, s) && touches_stroke(grown(box, 3.0 * kGap), s)) return true;
  }
  return false;
}

bool Placer::leader_free(Px from, Px to, const LabelRequest& self, bool cross) const {
  for (const Box& other : boxes_) {
    const bool own = other.part == self.part && other.index == self.index;
    if (!own && touches(grown(other.rect, 2.0), from, to)) return false;
  }
  const Rect around{std::fmin(from.x, to.x), std::fmin(from.y, to.y), std::fmax(from.x, to.x),
                    std::fmax(from.y, to.y)};
  if (!leaders_clear(around)) return false;
  if (cross) return true;
  for (const Stroke& stroke : strokes_) {
    if (!owns(self, stroke) && touches_stroke(around, stroke)) return false;
  }
  return true;
}

void Placer::gather(const LabelRequest& request, const TextBlock& block, bool on_curve) {
  candidates_.clear();
  switch (request.anchor.kind) {
    case Anchor::Kind::kPoint:
      places_around(request.anchor.at, request.anchor.radius, block, candidates_);
      break;
    case Anchor::Kind::kLine:
      if (const Stroke* longest = longest_of(request)) {
        places_along(longest->points, block, on_curve, candidates_);
        for (const Stroke& s : strokes_) {
          if (!owns(request, s) || &s == longest) continue;
          places_along(s.points, block, on_curve, candidates_);
        }
      }
      break;
    case Anchor::Kind::kRule:
      places_beside(request.anchor.at, request.anchor.to, block, candidates_);
      break;
  }
}

void Placer::accept(const LabelRequest& request, const TextBlock& block, const Place& at,
                    PlacedLabel& out) {
  out.part = request.part;
  out.index = request.index;
  out.slot = request.slot;
  out.box = rect_at(at.left, at.top, block);
  out.on_curve = at.on_curve;
  out.lines = set(block, at.left, at.top, at.align, size_, request.ink, request.label->strong);
  boxes_.push_back({out.box, Part::kNone, 0});
}

bool Placer::try_places(const LabelRequest& request, const TextBlock& block, Manners manners,
                        PlacedLabel& out) {
  if (block.width <= 0.0) return false;
  gather(request, block, false);
  const bool line = request.anchor.kind == Anchor::Kind::kLine;
  for (const double clearance : kPasses) {
    if (!line && clearance == kPasses[0]) continue;  // beside a point the nearest place is the best
    for (const Place& c : candidates_) {
      if (!is_free(rect_at(c.left, c.top, block), clearance, request, manners)) continue;
      accept(request, block, c, out);
      return true;
    }
  }
  return false;
}

bool Placer::try_on_curve(const LabelRequest& request, const TextBlock& block, PlacedLabel& out) {
  if (block.width <= 0.0) return false;
  gather(request, block, true);
  for (const Place& c : candidates_) {
    const Rect box = rect_at(c.left, c.top, block);
    if (!free_on_curve(box, request)) continue;
    accept(request, block, c, out);
    return true;
  }
  return false;
}

bool Placer::free_on_curve(const Rect& box, const LabelRequest& self) const {
  if (!is_free(box, kPasses[1], self, Manners::kInterrupt)) return false;
  for (const Stroke& stroke : strokes_) {
    if (owns(self, stroke) || !may_interrupt(stroke)) continue;
    if (!clear_of(stroke, box, kPasses[1], self)) return false;
  }
  return true;
}

bool Placer::try_leader(const LabelRequest& request, const TextBlock& block, bool cross,
                        PlacedLabel& out) {
  if (block.width <= 0.0) return false;
  if (request.anchor.kind == Anchor::Kind::kPoint) {
    return try_leader_from(request.anchor.at, request, block, cross, out);
  }
  const Stroke* longest = longest_of(request);
  if (longest == nullptr) return false;
  const Path path(longest->points);
  for (const double fraction : kLeadFrom) {
    if (try_leader_from(path.at(fraction), request, block, cross, out)) return true;
  }
  return false;
}

bool Placer::try_leader_from(Px from, const LabelRequest& request, const TextBlock& block,
                             bool cross, PlacedLabel& out) {
  constexpr double kDiagonal = 0.70710678118654752;
  constexpr Px kWays[] = {{1, 0},
                          {kDiagonal, -kDiagonal},
                          {kDiagonal, kDiagonal},
                          {-1, 0},
                          {-kDiagonal, -kDiagonal},
                          {-kDiagonal, kDiagonal},
                          {0, -1},
                          {0, 1}};
  double reach = request.anchor.radius + 18.0;
  while (reach < kFarthest) {
    for (const Px way : kWays) {
      const double left = from.x + way.x * (reach + block.width / 2.0) - block.width / 2.0;
      const double top = from.y + way.y * (reach + block.height / 2.0) - block.height / 2.0;
      const Rect box = rect_at(left, top, block);
      if (!is_free(box, kLabelClear, request, Manners::kStrict)) continue;
      const Px to = nearest_on(grown(box, 2.0), from);
      if (!leader_free(from, to, request, cross)) continue;
      accept(request, block, {left, top, way.x < 0.0 ? 1.0 : 0.0, false}, out);
      lead(request, from, to, out);
      return true;
    }
    reach *= 1.35;
  }
  return false;
}

void Placer::lead(const LabelRequest& request, Px from, Px to, PlacedLabel& out) {
  const double length = std::fmax(1e-6, distance(to, from, from));
  const double t = std::fmin(1.0, request.anchor.radius / length);
  out.leader = true;
  out.leader_from = {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
  out.leader_to = to;
  leaders_.push_back(out.leader_from);
  leaders_.push_back(to);
}

// A name that a line leads to stays where it was; the line follows its curve.
bool Placer::lead_again(const LabelRequest& request, const PlacedLabel& previous,
                        PlacedLabel& out) {
  const Stroke* longest = longest_of(request);
  if (longest == nullptr || request.anchor.kind != Anchor::Kind::kLine) return false;
  const Path path(longest->points);
  Px from = path.at(kLeadFrom[0]);
  for (const double fraction : kLeadFrom) {
    const Px here = path.at(fraction);
    if (distance(here, previous.leader_from, previous.leader_from) <
        distance(from, previous.leader_from, previous.leader_from)) {
      from = here;
    }
  }
  const Label& label = *request.label;
  const TextBlock block =
      one_line(measure_, previous.brief ? label.brief : label.text, size_, label.strong);
  const Rect box = rect_at(previous.box.left, previous.box.top, block);
  const Px to = nearest_on(grown(box, 2.0), from);
  if (block.width <= 0.0 || !is_free(box, kLabelClear, request, Manners::kStrict) ||
      !leader_free(from, to, request, true)) {
    return false;
  }
  accept(request, block, {box.left, box.top, 0.0, false}, out);
  out.brief = previous.brief;
  lead(request, from, to, out);
  return true;
}

bool Placer::place_again(const LabelRequest& request, const PlacedLabel& previous, Px moved,
                         PlacedLabel& out) {
  const Label& label = *request.label;
  const bool two = previous.lines.size() > 1;
  const TextBlock block =
      two ? two_lines(measure_, label.text, size_, label.strong)
          : one_line(measure_, previous.brief ? label.brief : label.text, size_, label.strong);
  const Place c{previous.box.left + moved.x, previous.box.top + moved.y, 0.0, previous.on_curve};
  const Rect box = rect_at(c.left, c.top, block);
  const bool fits = previous.on_curve ? free_on_curve(box, request)
                                      : is_free(box, kPasses[2], request, Manners::kStrict);
  if (block.width <= 0.0 || !fits || !near_own_line(box, request)) return false;
  accept(request, block, c, out);
  out.brief = previous.brief;
  return true;
}

bool Placer::place_beside_line(const LabelRequest& request, PlacedLabel& out) {
  const Label& label = *request.label;
  const bool strong = label.strong;
  const TextBlock one = one_line(measure_, label.text, size_, strong);
  const TextBlock brief = one_line(measure_, label.brief, size_, strong);
  const Stroke* longest = longest_of(request);
  const bool thin = longest != nullptr && may_interrupt(*longest);
  if (thin && try_on_curve(request, one, out)) return true;
  if (try_places(request, one, Manners::kStrict, out)) return true;
  if (thin && try_on_curve(request, brief, out)) return out.brief = true;
  const TextBlock two = two_lines(measure_, label.text, size_, strong);
  if (two.count > 1 && try_places(request, two, Manners::kStrict, out)) return true;
  out.brief = true;
  if (try_places(request, brief, Manners::kStrict, out)) return true;
  return label.keep && try_leader(request, brief, true, out);
}

bool Placer::place_beside_point(const LabelRequest& request, PlacedLabel& out) {
  const Label& label = *request.label;
  const TextBlock one = one_line(measure_, label.text, size_, label.strong);
  const TextBlock two = two_lines(measure_, label.text, size_, label.strong);
  const bool wraps = two.count > 1;
  for (const Manners manners : {Manners::kStrict, Manners::kInterrupt}) {
    if (try_places(request, one, manners, out)) return true;
    if (wraps && try_places(request, two, manners, out)) return true;
  }
  // Then a line to it, if that crosses nothing; then its short form; then a line across.
  const bool leads = label.keep && request.part == Part::kMark;
  if (leads && try_leader(request, wraps ? two : one, false, out)) return true;
  const TextBlock brief = one_line(measure_, label.brief, size_, label.strong);
  out.brief = true;
  if (try_places(request, brief, Manners::kStrict, out)) return true;
  if (try_places(request, brief, Manners::kInterrupt, out)) return true;
  if (leads && try_leader(request, brief, true, out)) return true;
  out.brief = false;
  return leads && try_leader(request, wraps ? two : one, true, out);
}

bool Placer::place(const LabelRequest& request, const PlacedLabel* previous, Px moved,
                   PlacedLabel& out) {
  if (previous != nullptr) {
    const bool again = previous->leader ? lead_again(request, *previous, out)
                                        : place_again(request, *previous, moved, out);
    if (again) return true;
  }
  return request.anchor.kind == Anchor::Kind::kLine ? place_beside_line(request, out)
                                                    : place_beside_point(request, out);
}

}  // namespace kvseats::chart
