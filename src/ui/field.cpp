#include <algorithm>
#include <cstring>

#include "ui/controls.h"

namespace kvseats::ui {
namespace {

using chart::Ink;

constexpr float kPad = 10.0F;
constexpr std::size_t kMostText = 512;

// ImGui's own field over ours, without a frame; its text is `kit.edit.text`.
void native_input(Kit& kit, const ImRect& inner) {
  char buffer[kMostText] = {};
  const std::size_t length = std::min(kit.edit.text.size(), kMostText - 1);
  std::memcpy(buffer, kit.edit.text.data(), length);
  ImGui::PushOverrideID(kit.edit.id);
  const ImGuiID input = ImGui::GetCurrentWindow()->GetID("##text");
  if (kit.edit.fresh) {
    ImGuiContext& g = *ImGui::GetCurrentContext();
    g.NavActivateId = input;
    g.NavActivateFlags = ImGuiActivateFlags_PreferInput;
  }
  ImGui::PushFont(kit.skin.fonts.regular, kit.edit.font_px);
  // The same baseline as all other text of this size.
  const float ascent = ImGui::GetFont()->GetFontBaked(kit.edit.font_px)->Ascent;
  const float pad = Kit::baseline_in(inner, kit.edit.font_px) - ascent - inner.Min.y;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, pad));
  ImGui::SetCursorScreenPos(inner.Min);
  ImGui::SetNextItemWidth(inner.GetWidth());
  kit.edit.changed |=
      ImGui::InputText("##text", buffer, kMostText, ImGuiInputTextFlags_AutoSelectAll);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  ImGui::PopID();
  kit.edit.text = buffer;
  if (ImGui::GetActiveID() == input || kit.edit.fresh) return;
  const bool escaped = ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  (escaped ? kit.edit.cancelled : kit.edit.committed) = true;
}

FieldResult editing(Kit& kit, const ImRect& rect, const ImRect& inner) {
  EditState& edit = kit.edit;
  edit.seen = true;
  // The page's field has 8 px of padding; it must not cover what stands before the text.
  edit.rect = {inner.Min.x - 8.0F, rect.Min.y, inner.Max.x + 8.0F, rect.Max.y};
  edit.font_px = kit.skin.touch ? 16.0F : kit.skin.text_control;
  kit.zone(ZoneKind::kText, rect);
  if (!kit.input.overlay_text) native_input(kit, inner);
  edit.fresh = false;
  edit.touched |= edit.changed;
  FieldResult result{.changed = edit.changed,
                     .committed = edit.committed && !edit.cancelled,
                     .cancelled = edit.cancelled,
                     .left = edit.left,
                     .touched = edit.touched,
                     .text = edit.cancelled ? edit.original : edit.text,
                     .gesture = edit.gesture};
  edit.changed = false;
  if (result.committed || result.cancelled) kit.stop_edit();
  return result;
}

void draw_frame(Kit& kit, const ImRect& rect, const FieldLook& look, const Hand& hand,
                bool edited) {
  const bool framed = !look.bare || hand.hovered || hand.ring || edited || look.bad;
  if (!framed) return;
  kit.list().AddRectFilled(rect.Min, rect.Max, kit.skin(Ink::kField), kit.skin.radius);
  const Ink border = look.bad       ? Ink::kBad
                     : edited       ? Ink::kData
                     : hand.hovered ? Ink::kSoft
                                    : Ink::kLine;
  const bool thick = look.bad || edited;
  kit.list().AddRect(rect.Min, rect.Max, kit.skin(border), kit.skin.radius, 0, thick ? 2.0F : 1.0F);
}

}  // namespace

FieldResult text_field(Kit& kit, ImGuiID id, const ImRect& rect, std::string_view label,
                       std::string_view shown, std::string_view content, const FieldLook& look) {
  const bool edited = kit.edit.id == id;
  const Hand hand = kit.item(id, rect, {.passive = edited});
  kit.record(id, label, Role::kTextField, rect, edited ? std::string_view(kit.edit.text) : shown,
             hand);
  draw_frame(kit, rect, look, hand, edited);
  const float small = kit.skin.text_label;
  const float size = kit.skin.text_control;
  const float pad = look.bare ? 6.0F : kPad;
  ImRect inner(rect.Min.x + pad, rect.Min.y, rect.Max.x - pad, rect.Max.y);
  if (!look.prefix.empty()) {
    inner.Min.x +=
        6.0F + kit.text(inner.Min.x, Kit::baseline_in(rect, size), small, Ink::kSoft, look.prefix);
  }
  if (!edited && !look.note.empty()) {
    inner.Max.x -= 8.0F + kit.text_right(inner.Max.x, Kit::baseline_in(rect, size), small,
                                         look.note_ink, look.note);
  }
  if (edited) return editing(kit, rect, inner);
  const Ink ink = look.quiet ? Ink::kSoft : Ink::kInk;
  const bool at_end = look.right || (!look.prefix.empty() && look.note.empty());
  if (at_end && kit.width(shown, size) <= inner.GetWidth()) {
    kit.text_right(inner.Max.x, Kit::baseline_in(rect, size), size, ink, shown);
  } else {
    kit.text_cut(inner.Min.x, Kit::baseline_in(rect, size), size, ink, shown, inner.GetWidth());
  }
  kit.zone(ZoneKind::kText, rect);
  if (hand.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (hand.ring) kit.ring(rect, kit.skin.radius);
  if (hand.clicked || hand.entered) {
    kit.start_edit(id, content, label, look.numeric);
    kit.edit.rect = {inner.Min.x - 8.0F, rect.Min.y, inner.Max.x + 8.0F, rect.Max.y};
  }
  return {};
}

}  // namespace kvseats::ui
