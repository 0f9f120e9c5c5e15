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

}  // namespace kvseats::ui
