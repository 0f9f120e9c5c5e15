#include <algorithm>
#include <cmath>

#include "ui/views.h"

namespace kvseats::ui {

using chart::Ink;

float tabs(Ui& ui, float x, float y, float width) {
  constexpr std::string_view kWords[] = {"Trade-off", "Memory", "Levers", "By hand", "Compare"};
  constexpr std::string_view kViews[] = {"tradeoff", "memory", "levers", "byhand", "compare"};
  constexpr int kTabs = 5;
  Kit& kit = ui.kit;
  int now = 0;
  for (int i = 1; i < kTabs; ++i) {
    if (ui.store.page("view") == kViews[i]) now = i;
  }
  const float tall = kit.skin.touch ? 44.0F : 34.0F;
  const float start = y;
  const auto line = [&] {
    kit.list().AddRectFilled({x, y + tall - 1.0F}, {x + width, y + tall}, kit.skin(Ink::kLine));
  };
  line();
  float left = x;
  for (int i = 0; i < kTabs; ++i) {
    const float wide = std::ceil(kit.width(kWords[i], kit.skin.text_control, true));
    if (left > x && left + wide > x + width) {  // a second row where the width ends
      left = x;
      y += tall;
      line();
    }
    const ImRect rect(left - 8.0F, y, left + wide + 8.0F, y + tall);
    if (tab(kit, Kit::id(kViews[i]), rect, kWords[i], i == now)) {
      ui.store.set_page("view", i == 0 ? std::string_view() : kViews[i]);
    }
    left += wide + 24.0F;
  }
  const float top = y + tall + 8.0F;
  const float above = top - start;
  if (now == 1) return above + allocation(ui, x, top, width);
  if (now == 2) return above + levers(ui, x, top, width);
  if (now == 3) return above + by_hand(ui, x, top, width);
  if (now == 4) return above + compare(ui, x, top, width);
  const float bottom = static_cast<float>(kit.input.height) - 20.0F;
  const bool wide = ui.view.form == Form::kWide;
  const float free = bottom - top - ImGui::GetScrollY();
  // A page gives the canvas the height that a long table asked for: the plot must not keep it.
  const float height = wide ? std::clamp(free, 360.0F, std::max(360.0F, width * 0.62F))
                            : std::clamp(width * 1.05F, 380.0F, 520.0F);
  return above + tradeoff(ui, x, top, width, height);
}

}  // namespace kvseats::ui
