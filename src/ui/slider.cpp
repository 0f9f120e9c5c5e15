#include <algorithm>
#include <cmath>

#include "chart/pick.h"
#include "ui/controls.h"

namespace kvseats::ui {
namespace {

using chart::Ink;

constexpr float kThumb = 7.0F;
constexpr double kPull = 5.0;  // px within which a power of two attracts

double by_key(const Kit& kit, const chart::Axis& axis, double value) {
  const chart::Handle none;
  if (kit.key(ImGuiKey_RightArrow)) return chart::next_snap(axis, none, value, 1);
  if (kit.key(ImGuiKey_LeftArrow)) return chart::next_snap(axis, none, value, -1);
  if (kit.key(ImGuiKey_Home)) return axis.min;
  if (kit.key(ImGuiKey_End)) return axis.max;
  return value;
}

}  // namespace

std::optional<double> slider(Kit& kit, ImGuiID id, const ImRect& rect, std::string_view label,
                             const chart::Axis& axis, double value, std::string_view text) {
  const Hand hand = kit.item(id, rect, {.keys = kKeysLeftRight | kKeysHomeEnd, .drags = true});
  kit.record(id, label, Role::kSlider, rect, text, hand);
  const float left = rect.Min.x + kThumb;
  const float right = rect.Max.x - kThumb;
  double next = value;
  if (hand.held) {
    chart::Layout line;
    line.plot = {0, 0, static_cast<double>(right - left), 1};
    line.x = axis;
    const double at = static_cast<double>(ImGui::GetIO().MousePos.x - left);
    next = chart::snapped(line, {}, chart::data_at(line, {at, 0}).x, kPull);
  } else if (hand.focused) {
    next = by_key(kit, axis, value);
  }
  const double fraction = std::clamp(chart::fraction_of(axis, next), 0.0, 1.0);
  const double shown = kit.slides(id, fraction);
  const float x = left + static_cast<float>(shown) * (right - left);
  const float y = std::floor(rect.GetCenter().y) + 0.5F;
  ImDrawList& list = kit.list();
  list.AddRectFilled({rect.Min.x, y - 1.5F}, {rect.Max.x, y + 1.5F}, kit.skin(Ink::kLine), 1.5F);
  list.AddRectFilled({rect.Min.x, y - 1.5F}, {x, y + 1.5F}, kit.skin(Ink::kData), 1.5F);
  list.AddCircleFilled({x, y}, kThumb, kit.skin(Ink::kField));
  list.AddCircle({x, y}, kThumb - 1.0F, kit.skin(Ink::kData), 0,
                 hand.hovered || hand.held ? 3.0F : 2.0F);
  if (hand.ring) list.AddCircle({x, y}, kThumb + 4.0F, kit.skin(Ink::kData), 0, 2.0F);
  if (hand.hovered || hand.held) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (next == value) return std::nullopt;
  return next;
}

}  // namespace kvseats::ui
