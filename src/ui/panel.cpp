#include "ui/panel.h"

#include <cmath>

#include "ui/views.h"

namespace kvseats::ui {

using chart::Ink;

namespace {

int grow(ImGuiInputTextCallbackData* data) {
  if (data->EventFlag != ImGuiInputTextFlags_CallbackResize) return 0;
  auto* text = static_cast<std::string*>(data->UserData);
  text->resize(static_cast<std::size_t>(data->BufTextLen));
  data->Buf = text->data();
  return 0;
}

}  // namespace

void close_panel(Ui& ui) {
  ui.view.panel.reset();
}

void close_on_escape(Ui& ui) {
  const bool typing = ImGui::GetIO().WantTextInput || ui.kit.edit.id != 0;
  if (!typing && ImGui::IsKeyPressed(ImGuiKey_Escape)) close_panel(ui);
}

PanelPlaces panel_places(float top, float width, float height) {
  PanelPlaces out;
  out.wide = width >= 900.0F;
  out.left = out.wide ? std::floor(width * 0.42F) : width - 2.0F * kPanelPad;
  out.bottom = top + height - 20.0F;
  out.beside = {2.0F * kPanelPad + out.left, top + 20.0F, width - 12.0F, out.bottom};
  return out;
}

void text_box(Kit& kit, TextBox& box, const ImRect& rect, std::string_view label,
              std::string_view hint) {
  const ImGuiID id = Kit::id(label);
  const Hand hand = kit.item(id, rect, {.passive = true});
  kit.record(id, label, Role::kTextField, rect, box.text.substr(0, 80), hand);
  ImGui::PushOverrideID(id);
  const ImGuiID input = ImGui::GetCurrentWindow()->GetID("##text");
  if (box.focus || hand.entered) {
    ImGuiContext& g = *ImGui::GetCurrentContext();
    g.NavActivateId = input;
    g.NavActivateFlags = ImGuiActivateFlags_PreferInput;
    box.focus = false;
  }
  // ImGui's field is a child, which lies over the hint: without a ground of its own.
  kit.list().AddRectFilled(rect.Min, rect.Max, kit.skin(Ink::kField), kit.skin.radius);
  if (box.text.empty()) {
    kit.paragraph(rect.Min.x + 10.0F, rect.Min.y + 7.0F, rect.GetWidth() - 20.0F, 13.0F, 18.0F,
                  Ink::kSoft, hint);
  }
  ImGui::SetCursorScreenPos(rect.Min);
  ImGui::PushFont(kit.skin.fonts.regular, 13.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(10.0F, 8.0F));
  ImGui::PushStyleColor(ImGuiCol_FrameBg, 0U);
  ImGui::InputTextMultiline("##text", box.text.data(), box.text.capacity() + 1, rect.GetSize(),
                            ImGuiInputTextFlags_CallbackResize, grow, &box.text);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::PopFont();
  ImGui::PopID();
  const bool active = ImGui::GetActiveID() == input;
  if (active && ImGui::IsKeyPressed(ImGuiKey_Tab)) ImGui::ClearActiveID();
  kit.list().AddRect(rect.Min, rect.Max, kit.skin(active ? Ink::kData : Ink::kLine),
                     kit.skin.radius, 0, active ? 2.0F : 1.0F);
}

bool ButtonRow::operator()(std::string_view words) {
  const float wide = kit_.width(words, kit_.skin.text_control) + 24.0F;
  if (x_ > left_ && x_ + wide > right_) {
    x_ = left_;
    y_ += kit_.skin.control + 8.0F;
  }
  const ImRect rect(x_, y_, x_ + wide, y_ + kit_.skin.control);
  x_ += wide + 8.0F;
  return button(kit_, Kit::id(words), rect, words, ButtonLook::kBordered);
}

float diagnostics_text(Kit& kit, const units::Diagnostics& list, float x, float y, float width) {
  const float start = y;
  for (const units::Diagnostic& d : list) {
    const Ink ink = d.severity == units::Severity::kError ? Ink::kBad : Ink::kSoft;
    const std::string where = d.where.empty() ? "" : " (at " + d.where + ")";
    const std::string words = d.text + "." + (d.remedy.empty() ? "" : " " + d.remedy) + where;
    const float tall = kit.paragraph(x, y, width, 13.0F, 20.0F, ink, d.code + ": " + words);
    kit.record(Kit::id(d.code), d.code, Role::kText, {x, y, x + width, y + tall}, words, {});
    y += tall;
  }
  return y - start;
}

}  // namespace kvseats::ui
