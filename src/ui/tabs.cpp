#include <algorithm>
#include <cmath>

#include "ui/views.h"

namespace kvseats::ui {

using chart::Ink;

namespace {

float tradeoff_tab(Ui& ui, float x, float y, float width) {
  const float bottom = static_cast<float>(ui.kit.input.height) - 20.0F;
  const bool wide = ui.view.form == Form::kWide;
  const float free = bottom - y - ImGui::GetScrollY();
  // A page gives the canvas the height that a long table asked for: the plot must not keep it.
  const float height = wide ? std::clamp(free, 360.0F, std::max(360.0F, width * 0.62F))
                            : std::clamp(width * 1.05F, 380.0F, 520.0F);
  return frontier(ui, x, y, width, height);
}

struct Tab {
  std::string_view view;  // of the page key `view`
  std::string_view words;
  float (*draw)(Ui& ui, float x, float y, float width);
};
constexpr Tab kTabs[] = {
    {"tradeoff", "Trade-off", tradeoff_tab},
    {"memory", "Memory", allocation},
    {"levers", "Levers", levers},
    {"allocation", "Allocation", pool_view},
    {"byhand", "By hand", by_hand},
    {"compare", "Compare", compare},
    {"services", "Services", services_view},
    {"plan", "Plan", plan_view},
};

}  // namespace

// The first one is what a link without `view` shows.
float tabs(Ui& ui, float x, float y, float width) {
  Kit& kit = ui.kit;
  const Tab* now = &kTabs[0];
  for (const Tab& one : kTabs) {
    if (ui.store.page("view") == one.view) now = &one;
  }
  const float start = y;
  const float tall = kit.skin.touch ? 44.0F : 34.0F;
  const auto line = [&] {
    kit.list().AddRectFilled({x, y + tall - 1.0F}, {x + width, y + tall}, kit.skin(Ink::kLine));
  };
  float left = x;
  line();
  for (const Tab& one : kTabs) {
    const float wide = std::ceil(kit.width(one.words, kit.skin.text_control, true));
    if (left > x && left + wide > x + width) {
      left = x;
      y += tall;
      line();
    }
    const ImRect rect(left - 8.0F, y, left + wide + 8.0F, y + tall);
    if (tab(kit, Kit::id(one.view), rect, one.words, &one == now)) {
      ui.store.set_page("view", &one == &kTabs[0] ? std::string_view() : one.view);
      now = &one;
    }
    left += wide + 24.0F;
  }
  y += tall;
  // A slide that nobody sees would ask for frames for ever.
  if (now->draw != tradeoff_tab && now->draw != levers && ui.view.plot.sliding) {
    ui.view.plot.sliding = false;
    ui.view.plot.revision = 0;
  }
  return y + 8.0F - start + now->draw(ui, x, y + 8.0F, width);
}

}  // namespace kvseats::ui
