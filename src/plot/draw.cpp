#include <algorithm>
#include <cmath>

#include "chart/geometry.h"
#include "gfx/imgui_renderer.h"
#include "plot/plot.h"

namespace kvseats::plot {
namespace {

using chart::Ink;

constexpr float kTau = 6.2831853F;

ImVec2 at(chart::Px px, ImVec2 origin) {
  return {origin.x + static_cast<float>(px.x), origin.y + static_cast<float>(px.y)};
}

// One pixel wide lines are sharp only when they lie on pixel centres.
float crisp(double value) {
  return static_cast<float>(std::floor(value)) + 0.5F;
}

class Painter {
 public:
  Painter(ImDrawList& list, ImVec2 origin, const Look& look)
      : list_(list), origin_(origin), look_(look) {}

  ImU32 ink(Ink ink, double opacity = 1.0) const { return color(*look_.theme, ink, opacity); }

  void segments(const std::vector<chart::Px>& pairs, ImU32 tone, float weight) {
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
      list_.AddLine(at(pairs[i], origin_), at(pairs[i + 1], origin_), tone, weight);
    }
  }

  void polyline(const std::vector<chart::Px>& line, ImU32 tone, float weight) {
    list_.PathClear();
    for (const chart::Px& px : line) list_.PathLineTo(at(px, origin_));
    list_.PathStroke(tone, ImDrawFlags_None, weight);
  }

  void stroke(const chart::Stroke& stroke) {
    const ImU32 tone = ink(stroke.ink, stroke.opacity);
    const auto weight = static_cast<float>(stroke.weight);
    if (stroke.dash == chart::Dash::kSolid) {
      polyline(stroke.points, tone, weight);
      return;
    }
    const chart::DashPattern pattern = chart::dash_pattern(stroke.dash, stroke.weight);
    segments(chart::dashes(stroke.points, pattern.on, pattern.off), tone, weight);
  }

  // Bands are thin and wind along a curve: triangles between both sides, not one polygon.
  void area(const chart::Area& area) {
    const ImU32 tone = ink(area.ink, area.opacity);
    if (area.hatch.empty()) return between(area.outline, tone);
    segments(area.hatch, tone, 1.0F);
  }

  // Both sides run from the leftmost point to the rightmost one.
  void between(const std::vector<chart::Px>& outline, ImU32 tone) {
    if (outline.size() < 3) return;
    const auto by_x = [](chart::Px a, chart::Px b) { return a.x < b.x; };
    const auto ends = std::minmax_element(outline.begin(), outline.end(), by_x);
    const auto from = static_cast<std::size_t>(ends.first - outline.begin());
    const auto to = static_cast<std::size_t>(ends.second - outline.begin());
    const std::size_t n = outline.size();
    std::vector<chart::Px> one;
    std::vector<chart::Px> other;
    for (std::size_t i = from;; i = (i + 1) % n) {
      one.push_back(outline[i]);
      if (i == to) break;
    }
    for (std::size_t i = from;; i = (i + n - 1) % n) {
      other.push_back(outline[i]);
      if (i == to) break;
    }
    std::vector<chart::Px> all = outline;
    std::sort(all.begin(), all.end(), by_x);
    const auto count = static_cast<int>(n);
    list_.PrimReserve((count - 1) * 6, count * 2);
    const auto first = static_cast<ImDrawIdx>(list_._VtxCurrentIdx);
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    for (const chart::Px px : all) {
      list_.PrimWriteVtx(at({px.x, height_at(one, px.x)}, origin_), white, tone);
      list_.PrimWriteVtx(at({px.x, height_at(other, px.x)}, origin_), white, tone);
    }
    for (int i = 0; i + 1 < count; ++i) {
      for (const int corner : {0, 1, 2, 1, 3, 2}) {
        list_.PrimWriteIdx(static_cast<ImDrawIdx>(first + i * 2 + corner));
      }
    }
  }

  static double height_at(const std::vector<chart::Px>& line, double x) {
    const auto next = std::lower_bound(line.begin(), line.end(), x,
                                       [](chart::Px p, double value) { return p.x < value; });
    if (next == line.end()) return line.back().y;
    if (next == line.begin() || next->x <= x) return next->y;
    const chart::Px before = *(next - 1);
    return before.y + (next->y - before.y) * (x - before.x) / (next->x - before.x);
  }

  void grid(const chart::Layout& layout) {
    const ImU32 tone = ink(Ink::kGrid);
    const auto& plot = layout.plot;
    const auto left = origin_.x + static_cast<float>(plot.left);
    const auto right = origin_.x + static_cast<float>(plot.right);
    const auto top = origin_.y + static_cast<float>(plot.top);
    const auto bottom = origin_.y + static_cast<float>(plot.bottom);
    for (const auto& tick : layout.x_ticks) {
      const float x = origin_.x + crisp(tick.at) - 0.5F;
      list_.AddRectFilled({x, top}, {x + 1.0F, bottom}, tone);
    }
    for (const auto& tick : layout.y_ticks) {
      const float y = origin_.y + crisp(tick.at) - 0.5F;
      list_.AddRectFilled({left, y}, {right, y + 1.0F}, tone);
    }
  }

  void mark(const chart::PlacedMark& mark) {
    const ImVec2 center = at(mark.at, origin_);
    const auto radius = static_cast<float>(mark.radius);
    const ImU32 tone = ink(mark.ink);
    if (mark.beyond != 0) return arrow(center, radius, mark.beyond, tone);
    switch (mark.shape) {
      case chart::MarkShape::kRing:
        list_.AddCircleFilled(center, radius + 1.5F, ink(Ink::kGround));
        list_.AddCircle(center, radius - 1.0F, tone, 0, 2.0F);
        break;
      case chart::MarkShape::kDot:
        list_.AddCircleFilled(center, radius + 1.5F, ink(Ink::kGround));
        list_.AddCircleFilled(center, radius, tone);
        break;
      case chart::MarkShape::kDiamond:
        list_.AddNgonFilled(center, radius + 3.0F, ink(Ink::kGround), 4);
        list_.AddNgonFilled(center, radius + 1.0F, tone, 4);
        break;
      case chart::MarkShape::kCross:
        cross(center, radius, tone);
        break;
    }
  }

  void handle(const chart::Layout& layout) {
    const ImVec2 center = at(layout.handle, origin_);
    const auto radius = static_cast<float>(layout.handle_radius);
    if (look_.handle_focused) {
      list_.AddCircle(center, radius + 6.0F, ink(Ink::kData), 0, 2.0F);
    } else if (look_.handle_hot) {
      list_.AddCircleFilled(center, radius + 9.0F, ink(Ink::kPoint, 0.18));
    }
    list_.AddCircleFilled(center, radius + 2.5F, ink(Ink::kGround));
    list_.AddCircleFilled(center, radius, ink(Ink::kPoint));
  }

  void label(const chart::PlacedLabel& label) {
    if (label.leader) {
      list_.AddLine(at(label.leader_from, origin_), at(label.leader_to, origin_),
                    ink(Ink::kSoft, 0.6), 1.0F);
    }
    for (const auto& line : label.lines) draw_text(list_, look_, line, origin_, true);
  }

 private:
  void cross(ImVec2 center, float radius, ImU32 tone) {
    const float arm = radius - 1.0F;
    list_.AddLine({center.x - arm, center.y - arm}, {center.x + arm, center.y + arm}, tone, 2.0F);
    list_.AddLine({center.x - arm, center.y + arm}, {center.x + arm, center.y - arm}, tone, 2.0F);
  }

  // Outside of the axes: a triangle on the border, pointing out (1 right, 2 up, 3 left, 4 down).
  void arrow(ImVec2 center, float radius, int direction, ImU32 tone) {
    const float turn = kTau / 4.0F * static_cast<float>(direction - 1);
    ImVec2 corners[3];
    for (int i = 0; i < 3; ++i) {
      const float angle = turn + kTau / 3.0F * static_cast<float>(i);
      corners[i] = {center.x + radius * std::cos(angle), center.y - radius * std::sin(angle)};
    }
    list_.AddTriangleFilled(corners[0], corners[1], corners[2], tone);
  }

  ImDrawList& list_;
  ImVec2 origin_;
  const Look& look_;
};

}  // namespace

void draw(ImDrawList& list, const chart::Chart& chart, const chart::Layout& layout, ImVec2 origin,
          const Look& look) {
  Painter painter(list, origin, look);
  const ImVec2 upper_left = at({layout.plot.left, layout.plot.top}, origin);
  const ImVec2 lower_right = at({layout.plot.right, layout.plot.bottom}, origin);
  painter.grid(layout);
  list.PushClipRect(upper_left, lower_right, true);
  if (look.shade != nullptr && !chart.shade.empty()) {
    gfx::add_shade(list, upper_left, lower_right, *look.shade);
  }
  for (const auto& area : layout.areas) painter.area(area);
  list.PopClipRect();
  for (const auto& stroke : layout.strokes) painter.stroke(stroke);
  for (const auto& mark : layout.marks) painter.mark(mark);
  for (const auto* ticks : {&layout.x_ticks, &layout.y_ticks}) {
    for (const auto& tick : *ticks) draw_text(list, look, tick.label, origin, false);
  }
  draw_text(list, look, layout.x_title, origin, false);
  draw_text(list, look, layout.y_title, origin, false);
  for (const auto& label : layout.labels) painter.label(label);
  if (layout.handle_shown) painter.handle(layout);
  for (const auto& note : layout.notes) draw_text(list, look, note, origin, false);
}

void draw(ImDrawList& list, const chart::BarLayout& layout, ImVec2 origin, const Look& look) {
  Painter painter(list, origin, look);
  for (const auto& segment : layout.segments) {
    const ImVec2 upper_left = at({segment.box.left, segment.box.top}, origin);
    const ImVec2 lower_right = at({segment.box.right, segment.box.bottom}, origin);
    // Upon the full data hue its own lines would not be seen.
    const bool faint = segment.ink == Ink::kData && !segment.hatch.empty();
    list.AddRectFilled(upper_left, lower_right, painter.ink(segment.ink, faint ? 0.25 : 1.0), 2.0F);
    list.PushClipRect(upper_left, lower_right, true);
    painter.segments(segment.hatch, painter.ink(Ink::kData), 1.0F);
    list.PopClipRect();
  }
  painter.segments(layout.leaders, painter.ink(Ink::kSoft), 1.0F);
  for (const auto& text : layout.texts) draw_text(list, look, text, origin, false);
}

}  // namespace kvseats::plot
