#include "chart/places.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "chart/geometry.h"

namespace kvseats::chart {
namespace {

/// Where along a curve its name looks best, in this order, in percent of its length.
constexpr std::uint8_t kAlong[] = {72, 80, 64, 88, 56, 48, 40, 32, 24, 16, 94,
                                   8,  68, 76, 60, 84, 52, 44, 36, 28, 20, 12};

}  // namespace

Path::Path(const std::vector<Px>& line) : line_(line), length_(line.size(), 0.0) {
  for (std::size_t i = 1; i < line.size(); ++i) {
    length_[i] = length_[i - 1] + distance(line[i], line[i - 1], line[i - 1]);
  }
}

Px Path::at(double fraction) const {
  const double want = std::clamp(fraction, 0.0, 1.0) * length();
  const auto next = std::upper_bound(length_.begin() + 1, length_.end() - 1, want);
  const auto i = static_cast<std::size_t>(next - length_.begin());
  const double here = length_[i] - length_[i - 1];
  const double t = here > 0.0 ? std::clamp((want - length_[i - 1]) / here, 0.0, 1.0) : 0.0;
  return {line_[i - 1].x + (line_[i].x - line_[i - 1].x) * t,
          line_[i - 1].y + (line_[i].y - line_[i - 1].y) * t};
}

Px Path::direction(double fraction, double reach) const {
  const double by = length() > 0.0 ? reach / 2.0 / length() : 0.0;
  const Px a = at(fraction - by);
  const Px b = at(fraction + by);
  const double span = distance(a, b, b);
  if (span <= 0.0) return {1.0, 0.0};
  const double sign = b.x < a.x ? -1.0 : 1.0;
  return {sign * (b.x - a.x) / span, sign * (b.y - a.y) / span};
}

void places_around(Px p, double radius, const TextBlock& b, std::vector<Place>& list) {
  const double level = radius + kGap;
  const double out = radius * 0.7 + 4.0;
  const double lift = out - 2.0;
  for (const double left : {0.0, 1.0}) {  // right of the point, then left of it
    const double x = p.x - b.width * left;
    const double sign = 1.0 - 2.0 * left;
    list.push_back({x + sign * level, p.y - b.height / 2.0, left, false});
    list.push_back({x + sign * out, p.y - b.height - lift, left, false});
    list.push_back({x + sign * out, p.y + lift, left, false});
  }
  for (const double lean : {0.5, 0.25, 0.75, 0.05, 0.95}) {  // above and below
    const double left = p.x - b.width * lean;
    list.push_back({left, p.y - b.height - level, lean, false});
    list.push_back({left, p.y + level, lean, false});
  }
}

void places_along(const std::vector<Px>& line, const TextBlock& b, bool on_curve,
                  std::vector<Place>& list) {
  if (line.size() < 2) return;
  const Path path(line);
  for (const std::uint8_t percent : kAlong) {
    const double fraction = percent / 100.0;
    const Px at = path.at(fraction);
    const double left = at.x - b.width / 2.0;
    const double top = at.y - b.height / 2.0;
    if (on_curve) {
      list.push_back({left, top, 0.5, true});
      continue;
    }
    // The box that touches the line's parallel at kGap and is centred on the normal (n points up).
    const Px d = path.direction(fraction, b.width);
    const Px n{d.y, -d.x};
    const double off = kGap + (std::fabs(n.x) * b.width + std::fabs(n.y) * b.height) / 2.0;
    for (const double side : {off, -off}) {
      const double x = side * n.x;
      list.push_back({left + x, top + side * n.y, x >= 0.0 ? 0.0 : 1.0, false});
    }
  }
}

void places_beside(Px from, Px to, const TextBlock& b, std::vector<Place>& list) {
  const bool vertical = std::fabs(to.x - from.x) < std::fabs(to.y - from.y);
  const double run = vertical ? to.y - from.y : to.x - from.x;
  const double inset = run < 0.0 ? -kGap : kGap;
  for (int i = 0; i < 12; ++i) {
    const double along = inset + (run - 2.0 * inset) * i / 12.0;
    for (const double side : {-1.0, 1.0}) {
      Place c;
      if (vertical) {
        c.left = side < 0.0 ? from.x - kGap - b.width : from.x + kGap;
        c.top = from.y + along - (run < 0.0 ? b.height : 0.0);
        c.align = side < 0.0 ? 1.0 : 0.0;
      } else {
        c.left = from.x + along - (run < 0.0 ? b.width : 0.0);
        c.top = side < 0.0 ? from.y - 3.0 - b.height : from.y + 3.0;
      }
      list.push_back(c);
    }
  }
}

}  // namespace kvseats::chart
