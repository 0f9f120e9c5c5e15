#include <algorithm>
#include <cmath>

#include "ui/views.h"

namespace kvseats::ui {

using chart::Ink;

float tabs(Ui& ui, float x, float y, float width) {
  constexpr std::string_view kWords[] = {"Trade-off", "Memory", "Levers", "By hand"};
  constexpr std::string_view kViews[] = {"tradeoff", "memory", "levers", "byhand"};
  constexpr int kTabs = 4;
  Kit& kit = ui.kit;
  int now = 0;
  for (int i = 1; i < kTabs; ++i) {
    if (ui.store.page("view") == kViews[i]) now = i;
  }
  const float tall = kit.skin.touch ? 44.0F : 34.0F;
  kit.list().AddRectFilled({x, y + tall - 1.0F}, {x + width, y + tall}, kit.skin(Ink::kLine));
  float left = x;
  for (int i = 0; i < kTabs; ++i) {
    const float wide = std::ceil(kit.width(kWords[i], kit.skin.text_control, true));
    const ImRect rect(left - 8.0F, y, left + wide + 8.0F, y + tall);
    if (tab(kit, Kit::id(kViews[i]), rect, kWords[i], i == now)) {
      ui.store.set_page("view", i == 0 ? std::string_view() : kViews[i]);
    }
    left += wide + 24.0F;
  }
  const float top = y + tall + 8.0F;
  if (now == 1) return tall + 8.0F + allocation(ui, x, top, width);
  if (now == 2) return tall + 8.0F + levers(ui, x, top, width);
  if (now == 3) return tall + 8.0F + by_hand(ui, x, top, width);
  const float bottom = static_cast<float>(kit.input.height) - 20.0F;
  const bool wide = ui.view.form == Form::kWide;
  const float free = bottom - top - ImGui::GetScrollY();
  // A page gives the canvas the height that a long table asked for: the plot must not keep it.
  const float height = wide ? std::clamp(free, 360.0F, std::max(360.0F, width * 0.62F))
                            : std::clamp(width * 1.05F, 380.0F, 520.0F);
  return tall + 8.0F + tradeoff(ui, x, top, width, height);
}

namespace {

// Left: what it is. Middle: the arithmetic, and where it comes from. Right: the value.
float ledger_row(Ui& ui, const units::LedgerRow& row, float x, float y, float width) {
  Kit& kit = ui.kit;
  const bool narrow = width < 560.0F;
  const float indent = row.parent.empty() ? 0.0F : 16.0F;
  const std::string value = scenario::ledger_text(row, ui.store.unit());
  const std::string_view source = row.source == "computed" ? std::string_view() : row.source;
  const float size = kit.skin.text_control;
  // Formula, then source; `at` and `room` of their column.
  const auto derivation = [&](float at, float top, float room) {
    const float tall = kit.paragraph(at, top, room, 13.0F, 20.0F, Ink::kInk, row.formula);
    return tall + kit.paragraph(at, top + tall, room, 12.0F, tall > 0.0F ? 16.0F : 20.0F,
                                Ink::kSoft, source);
  };
  float tall = 0.0F;
  if (narrow) {
    tall = kit.paragraph(x + indent, y, width - indent, size, 20.0F, Ink::kSoft, row.label);
    tall +=
        kit.paragraph(x + indent, y + tall, width - indent, size, 20.0F, Ink::kInk, value, true);
    tall += derivation(x + indent, y + tall, width - indent);
  } else {
    const float middle = std::round(width * 0.3F);
    const float right = std::round(width * 0.7F);
    tall = kit.paragraph(x + indent, y, middle - indent - 16.0F, size, 20.0F, Ink::kInk, row.label);
    tall = std::max(tall, derivation(x + middle, y, right - middle - 16.0F));
    if (kit.width(value, size, true) <= width - right) {
      kit.text_right(x + width, y + 15.0F, size, Ink::kInk, value, true);
    } else {
      tall = std::max(
          tall, kit.paragraph(x + right, y, width - right, size, 20.0F, Ink::kInk, value, true));
    }
  }
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
