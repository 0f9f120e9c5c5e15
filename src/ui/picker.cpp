#include <algorithm>

#include "ui/controls.h"

namespace kvseats::ui {
namespace {

using chart::Ink;

constexpr float kPad = 10.0F;

void chevron(Kit& kit, float x, float y) {
  const ImU32 tone = kit.skin(Ink::kSoft);
  kit.list().AddTriangleFilled({x - 4.0F, y - 2.0F}, {x + 4.0F, y - 2.0F}, {x, y + 3.0F}, tone);
}

// Where the list goes: below its combo if there is room, else above.
ImRect place(const Kit& kit, const ImRect& anchor, float wanted) {
  const auto bottom = static_cast<float>(kit.input.height) - 8.0F;
  const auto right = static_cast<float>(kit.input.width) - 8.0F;
  const float wide = std::min(std::max(anchor.GetWidth(), 340.0F), right - 8.0F);
  const float left = std::clamp(anchor.Min.x, 8.0F, std::max(8.0F, right - wide));
  const float below = bottom - anchor.Max.y - 4.0F;
  const float above = anchor.Min.y - 12.0F;
  const bool down = below >= std::min(wanted, 240.0F) || below >= above;
  const float tall = std::min(wanted, std::max(80.0F, down ? below : above));
  const float top = down ? anchor.Max.y + 4.0F : anchor.Min.y - 4.0F - tall;
  return {left, top, left + wide, top + tall};
}

void move_by_key(Kit& kit, int count) {
  int by = 0;
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) by = 1;
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) by = -1;
  if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) by = 8;
  if (ImGui::IsKeyPressed(ImGuiKey_PageUp)) by = -8;
  if (by == 0 || count == 0) return;
  kit.pick.at = std::clamp(kit.pick.at + by, 0, count - 1);
  kit.pick.follow = true;
}

// One row; true when it is chosen with the pointer.
bool draw_row(Kit& kit, const ImRect& rect, const PickRow& row, ImGuiID id, bool at, bool current) {
  const Hand hand = kit.item(id, rect, {.stop = false});
  kit.record(id, row.words, Role::kOption, rect, current ? "selected" : "", hand);
  if (at || hand.hovered) {
    kit.list().AddRectFilled(rect.Min, rect.Max,
                             kit.skin(at ? Ink::kDataTint : Ink::kPanel, at ? 0.6 : 1.0), 4.0F);
  }
  const float size = kit.skin.text_control;
  const float base = Kit::baseline_in(rect, size);
  // The name comes first; the note takes what is left.
  const float left = rect.Min.x + kPad;
  const float right = rect.Max.x - kPad;
  const float name = kit.text_cut(left, base, size, Ink::kInk, row.words, right - left, current);
  const float room = right - left - name - 12.0F;
  const float note = std::min(room, kit.width(row.note, kit.skin.text_label));
  kit.text_cut(right - note, base, kit.skin.text_label, Ink::kSoft, row.note, room);
  if (hand.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return hand.clicked;
}

int draw_rows(Kit& kit, ImGuiID id, const ImRect& area, std::span<const PickRow> rows,
              std::string_view current) {
  int chosen = -1;
  ImGui::SetCursorScreenPos(area.Min);
  ImGui::BeginChild("rows", area.GetSize(), ImGuiChildFlags_None, ImGuiWindowFlags_NoNav);
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const float tall = kit.skin.control;
  const float wide = ImGui::GetContentRegionAvail().x;
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    const float y = top.y + tall * static_cast<float>(i);
    const ImRect rect(top.x, y, top.x + wide, y + tall);
    if (i == kit.pick.at && kit.pick.follow) {
      ImGui::ScrollToRect(ImGui::GetCurrentWindow(), rect, ImGuiScrollFlags_KeepVisibleEdgeY);
    }
    if (!ImGui::IsRectVisible(rect.Min, rect.Max)) continue;
    const PickRow& row = rows[static_cast<std::size_t>(i)];
    if (draw_row(kit, rect, row, ImHashData(&i, sizeof i, id), i == kit.pick.at,
                 row.value == current)) {
      chosen = i;
    }
  }
  kit.pick.follow = false;
  ImGui::SetCursorScreenPos({top.x, top.y + tall * static_cast<float>(rows.size())});
  ImGui::Dummy({wide, 0});
  kit.zone(ZoneKind::kScroll, area);
  ImGui::EndChild();
  return chosen;
}

// The filter above the rows; the row that Enter chooses, or -1. True in `close`: Escape.
int draw_search(Kit& kit, ImGuiID id, const ImRect& rect, std::string_view placeholder, int count,
                bool& close) {
  const ImGuiID field = ImHashStr("search", 0, id);
  const std::string label(placeholder);
  if (kit.pick.opened) kit.start_edit(field, {}, label, false);
  const bool empty = kit.pick.filter.empty();
  const FieldResult typed =
      text_field(kit, field, rect, label, kit.pick.filter, kit.pick.filter, {});
  if (empty && kit.edit.id == field && kit.edit.text.empty() && !kit.input.overlay_text) {
    kit.text(rect.Min.x + kPad, Kit::baseline_in(rect, kit.skin.text_control),
             kit.skin.text_control, Ink::kSoft, placeholder);
  }
  if (typed.changed) {
    kit.pick.filter = typed.text;
    kit.pick.at = 0;
    kit.pick.follow = true;
  }
  close = typed.cancelled;
  // Leaving the field by a press elsewhere chooses nothing.
  const bool pointed =
      ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseReleased(ImGuiMouseButton_Left);
  return typed.committed && !typed.left && !pointed && count > 0
             ? std::clamp(kit.pick.at, 0, count - 1)
             : -1;
}

}  // namespace

bool combo(Kit& kit, ImGuiID id, const ImRect& rect, std::string_view label, std::string_view words,
           std::string_view note) {
  const bool open = kit.pick.id == id;
  const Hand hand = kit.item(id, rect, {.keys = kKeysActivate | kKeysUpDown});
  kit.record(id, label, Role::kCombo, rect, words, hand);
  kit.list().AddRectFilled(rect.Min, rect.Max, kit.skin(Ink::kField), kit.skin.radius);
  const Ink border = open ? Ink::kData : hand.hovered ? Ink::kSoft : Ink::kLine;
  kit.list().AddRect(rect.Min, rect.Max, kit.skin(border), kit.skin.radius, 0, open ? 2.0F : 1.0F);
  const float size = kit.skin.text_control;
  const float base = Kit::baseline_in(rect, size);
  float right = rect.Max.x - kPad;
  chevron(kit, right - 4.0F, rect.GetCenter().y);
  right -= 16.0F;
  const float left = rect.Min.x + kPad;
  if (!note.empty() &&
      kit.width(words, size) + kit.width(note, kit.skin.text_label) + 8.0F <= right - left) {
    right -= 8.0F + kit.text_right(right, base, kit.skin.text_label, Ink::kSoft, note);
  }
  kit.text_cut(left, base, size, Ink::kInk, words, right - left);
  if (hand.ring) kit.ring(rect, kit.skin.radius);
  if (hand.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (hand.clicked || (hand.focused && !open && kit.key(ImGuiKey_DownArrow))) {
    kit.pick = {};
    kit.pick.id = open ? 0 : id;
    kit.pick.opened = !open;
  }
  return kit.pick.id == id;
}

int pick_list(Kit& kit, ImGuiID id, const ImRect& anchor, std::string_view search,
              std::span<const PickRow> rows, std::string_view current) {
  const int count = static_cast<int>(rows.size());
  const float pad = 6.0F;
  const float head = search.empty() ? 0.0F : kit.skin.control + pad;
  const float wanted =
      head + 2.0F * pad + kit.skin.control * static_cast<float>(std::clamp(count, 1, 12));
  if (kit.pick.opened) {
    ImGui::OpenPopupEx(id);
    const auto now = std::find_if(rows.begin(), rows.end(),
                                  [&](const PickRow& row) { return row.value == current; });
    kit.pick.at = now == rows.end() ? 0 : static_cast<int>(now - rows.begin());
    kit.pick.follow = true;
  }
  const ImRect box =
      place(kit, anchor, kit.pick.opened || search.empty() ? wanted : std::max(wanted, 240.0F));
  ImGui::SetNextWindowPos(box.Min);
  ImGui::SetNextWindowSize(box.GetSize());
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                      ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                      ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollbar;
  if (!ImGui::BeginPopupEx(id, kFlags)) {
    kit.pick = {};
    return -1;
  }
  bool close = search.empty() && ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  move_by_key(kit, count);
  int chosen = -1;
  ImRect area = box;
  area.Expand(-pad);
  if (!search.empty()) {
    const ImRect field(area.Min.x, area.Min.y, area.Max.x, area.Min.y + kit.skin.control);
    chosen = draw_search(kit, id, field, search, count, close);
    area.Min.y += head;
  } else if (!kit.pick.opened && count > 0 &&
             (kit.key(ImGuiKey_Enter) || kit.key(ImGuiKey_Space))) {
    chosen = std::clamp(kit.pick.at, 0, count - 1);
  }
  kit.pick.opened = false;
  const int clicked = draw_rows(kit, id, area, rows, current);
  if (clicked >= 0) chosen = clicked;
  if (count == 0) {
    kit.text(area.Min.x + kPad, area.Min.y + 20.0F, kit.skin.text_control, Ink::kSoft,
             "Nothing by this name");
  }
  if (chosen >= 0 || close) {
    ImGui::CloseCurrentPopup();
    kit.pick = {};
    kit.focus(id, !ImGui::IsMouseReleased(ImGuiMouseButton_Left));
  }
  ImGui::EndPopup();
  return chosen;
}

}  // namespace kvseats::ui
