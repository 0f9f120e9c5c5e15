#include <algorithm>
#include <cmath>

#include "ui/views.h"

namespace kvseats::ui {

using chart::Ink;

float tabs(Ui& ui, float x, float y, float width) {
  constexpr std::string_view kWords[] = {"Trade-off", "By hand"};
  constexpr std::string_view kViews[] = {"tradeoff", "byhand"};
  Kit& kit = ui.kit;
  const int now = ui.store.page("view") == kViews[1] ? 1 : 0;
  const float tall = kit.skin.touch ? 44.0F : 34.0F;
  kit.list().AddRectFilled({x, y + tall - 1.0F}, {x + width, y + tall}, kit.skin(Ink::kLine));
  float left = x;
  for (int i = 0; i < 2; ++i) {
    const float wide = std::ceil(kit.width(kWords[i], kit.skin.text_control, true));
    const ImRect rect(left - 8.0F, y, left + wide + 8.0F, y + tall);
    if (tab(kit, Kit::id(kViews[i]), rect, kWords[i], i == now)) {
      ui.store.set_page("view", i == 0 ? std::string_view() : kViews[i]);
    }
    left += wide + 24.0F;
  }
  const float top = y + tall + 8.0F;
  if (now == 1) return tall + 8.0F + by_hand(ui, x, top, width);
  const float bottom = static_cast<float>(kit.input.height) - 20.0F;
  const bool wide = ui.view.form == Form::kWide;
  const float free = bottom - top - ImGui::GetScrollY();
  const float height = wide ? std::max(360.0F, free) : std::clamp(width * 1.05F, 380.0F, 520.0F);
  return tall + 8.0F + tradeoff(ui, x, top, width, height);
}

namespace {

// Left: what it is and where it comes from. Middle: the arithmetic. Right: the value.
float ledger_row(Ui& ui, const units::LedgerRow& row, float x, float y, float width) {
  Kit& kit = ui.kit;
  const bool narrow = width < 560.0F;
  const float indent = row.parent.empty() ? 0.0F : 16.0F;
  const std::string value = scenario::ledger_text(row, ui.store.unit());
  const float value_room = narrow ? width : std::round(width * 0.3F);
  const float name_room = (narrow ? width : std::round(width * 0.32F)) - indent;
  float left =
      kit.paragraph(x + indent, y, name_room, kit.skin.text_control, 20.0F, Ink::kInk, row.label);
  left += kit.paragraph(x + indent, y + left, name_room, 12.0F, 16.0F, Ink::kSoft, row.source);
  float middle = 0.0F;
  float right = 0.0F;
  if (narrow) {
    left += kit.paragraph(x + indent, y + left, name_room, kit.skin.text_control, 20.0F, Ink::kInk,
                          value, true);
    left += kit.paragraph(x + indent, y + left, name_room, 13.0F, 18.0F, Ink::kSoft, row.formula);
  } else {
    const float from = x + std::round(width * 0.34F);
    middle =
        kit.paragraph(from, y, std::round(width * 0.36F), 13.0F, 20.0F, Ink::kSoft, row.formula);
    if (kit.width(value, kit.skin.text_control, true) <= value_room - 16.0F) {
      kit.text_right(x + width, y + 15.0F, kit.skin.text_control, Ink::kInk, value, true);
    } else {
      right = kit.paragraph(x + width - value_room + 16.0F, y, value_room - 16.0F,
                            kit.skin.text_control, 20.0F, Ink::kInk, value, true);
    }
  }
  const float tall = std::max(std::max(left, middle), std::max(right, 20.0F));
  kit.record(Kit::id(row.id), row.label, Role::kText, {x, y, x + width, y + tall}, value, {});
  return tall;
}

}  // namespace

float by_hand(Ui& ui, float x, float y, float width) {
  const float start = y;
  for (const units::LedgerRow& row : ui.store.answer().report.ledger) {
    y += 8.0F;
    y += ledger_row(ui, row, x, y, width) + 8.0F;
    ui.kit.list().AddRectFilled({x, y}, {x + width, y + 1.0F}, ui.kit.skin(Ink::kGrid));
  }
  return y - start + 20.0F;
}

}  // namespace kvseats::ui
