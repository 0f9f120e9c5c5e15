#include <algorithm>

#include "ui/controls.h"

namespace kvseats::ui {

using chart::Ink;

bool button(Kit& kit, ImGuiID id, const ImRect& rect, std::string_view words, ButtonLook look,
            std::string_view label) {
  const Hand hand = kit.item(id, rect);
  kit.record(id, label.empty() ? words : label, Role::kButton, rect, {}, hand);
  const bool bordered = look == ButtonLook::kBordered;
  const float radius = kit.skin.radius;
  if (bordered || hand.hovered) {
    const Ink fill = hand.held ? Ink::kGrid : bordered && !hand.hovered ? Ink::kField : Ink::kPanel;
    kit.list().AddRectFilled(rect.Min, rect.Max,
                             kit.skin(bordered || hand.held ? fill : Ink::kGrid), radius);
  }
  if (bordered) kit.list().AddRect(rect.Min, rect.Max, kit.skin(Ink::kLine), radius);
  const float size = bordered ? kit.skin.text_control : kit.skin.text_label;
  const float x = rect.GetCenter().x - kit.width(words, size) / 2.0F;
  kit.text(x, Kit::baseline_in(rect, size), size, bordered ? Ink::kInk : Ink::kSoft, words);
  if (hand.ring) kit.ring(rect, radius);
  if (hand.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return hand.clicked;
}

bool tab(Kit& kit, ImGuiID id, const ImRect& rect, std::string_view words, bool active) {
  const Hand hand = kit.item(id, rect);
  kit.record(id, words, Role::kTab, rect, active ? "selected" : "", hand);
  const float size = kit.skin.text_control;
  const float x = rect.GetCenter().x - kit.width(words, size, true) / 2.0F;
  kit.text(x, Kit::baseline_in(rect, size), size, active || hand.hovered ? Ink::kInk : Ink::kSoft,
           words, active);
  if (active) {
    kit.list().AddRectFilled({x, rect.Max.y - 2.0F}, {x + kit.width(words, size, true), rect.Max.y},
                             kit.skin(Ink::kData));
  }
  if (hand.ring) kit.ring(rect, kit.skin.radius);
  if (hand.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return hand.clicked;
}

namespace {

ImDrawFlags corners_of(int i, int count) {
  if (count == 1) return ImDrawFlags_RoundCornersAll;
  if (i == 0) return ImDrawFlags_RoundCornersLeft;
  return i + 1 == count ? ImDrawFlags_RoundCornersRight : ImDrawFlags_RoundCornersNone;
}

ImRect cell_of(const ImRect& rect, int i, int count) {
  const float wide = rect.GetWidth() / static_cast<float>(count);
  const float left = ImFloor(rect.Min.x + wide * static_cast<float>(i));
  const float right =
      i + 1 == count ? rect.Max.x : ImFloor(rect.Min.x + wide * (static_cast<float>(i) + 1));
  return {left, rect.Min.y, right, rect.Max.y};
}

void draw_cell(Kit& kit, const ImRect& cell, int i, int count, std::string_view words, bool chosen,
               bool hovered) {
  const float size = kit.skin.text_control - (cell.GetWidth() < 34.0F ? 1.0F : 0.0F);
  if (chosen || hovered) {
    kit.list().AddRectFilled(cell.Min, cell.Max, kit.skin(chosen ? Ink::kData : Ink::kPanel),
                             kit.skin.radius, corners_of(i, count));
  }
  if (i > 0) {
    kit.list().AddRectFilled(cell.Min, {cell.Min.x + 1.0F, cell.Max.y}, kit.skin(Ink::kLine));
  }
  kit.text(cell.GetCenter().x - kit.width(words, size, chosen) / 2.0F, Kit::baseline_in(cell, size),
           size, chosen ? Ink::kOnData : Ink::kInk, words, chosen);
}

}  // namespace

int choice(Kit& kit, ImGuiID id, const ImRect& rect, std::string_view label,
           std::span<const std::string_view> words, int at) {
  const int count = static_cast<int>(words.size());
  int chosen = -1;
  // One stop for the whole row; arrows choose.
  const Hand row = kit.item(id, rect, {.keys = kKeysLeftRight, .passive = true});
  if (row.focused && kit.key(ImGuiKey_RightArrow)) chosen = std::min(at + 1, count - 1);
  if (row.focused && kit.key(ImGuiKey_LeftArrow)) chosen = std::max(at - 1, 0);
  kit.list().AddRectFilled(rect.Min, rect.Max, kit.skin(Ink::kField), kit.skin.radius);
  std::string name(label);
  name += ' ';
  const std::size_t stem = name.size();
  for (int i = 0; i < count; ++i) {
    const std::string_view word = words[static_cast<std::size_t>(i)];
    const ImRect cell = cell_of(rect, i, count);
    const ImGuiID cell_id = ImHashData(&i, sizeof i, id);
    const Hand hand = kit.item(cell_id, cell, {.stop = false});
    name.resize(stem);
    name += word;
    Hand shown = hand;
    shown.focused = row.focused && i == at;
    kit.record(cell_id, name, Role::kRadio, cell, i == at ? "selected" : "", shown);
    draw_cell(kit, cell, i, count, word, i == at, hand.hovered);
    if (hand.pressed) kit.focus(id, false);
    if (hand.clicked) chosen = i;
    if (hand.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  kit.list().AddRect(rect.Min, rect.Max, kit.skin(Ink::kLine), kit.skin.radius);
  if (row.ring) kit.ring(rect, kit.skin.radius);
  return chosen == at ? -1 : chosen;
}

}  // namespace kvseats::ui
