#include <algorithm>
#include <cmath>

#include "ui/views.h"

namespace kvseats::ui {
namespace {

using chart::Ink;

// A button that makes the lever the scenario; one step of undo.
float lever_button(Ui& ui, const scenario::Report::Lever& lever, float x, float y, float width) {
  Kit& kit = ui.kit;
  const std::string words = "Use " + lever.label;
  const float wide = std::min(width, std::ceil(kit.width(words, kit.skin.text_control)) + 24.0F);
  const ImRect rect(x, y, x + wide, y + kit.skin.control);
  const std::string query = lever.query;  // the report is replaced below
  if (button(kit, Kit::id(lever.id), rect, words, ButtonLook::kBordered)) {
    ui.store.load_over(query);
  }
  return wide;
}

}  // namespace

float levers(Ui& ui, float x, float y, float width) {
  const Answer& answer = ui.store.answer();
  const float start = y;
  y += 12.0F;
  y += titled_bars(ui, answer.next, x, y, width);
  float left = x;
  bool any = false;
  // A copy: a press replaces the report under our feet.
  const auto offered = answer.report.levers;
  for (const scenario::Report::Lever& lever : offered) {
    if (lever.price_rank < 0 || !lever.helps) continue;
    const float wide = std::ceil(ui.kit.width("Use " + lever.label, ui.kit.skin.text_control)) + 24;
    if (any && left + wide > x + width) {
      left = x;
      y += ui.kit.skin.control + 8.0F;
    }
    left += lever_button(ui, lever, left, y, width) + 8.0F;
    any = true;
  }
  if (any) y += ui.kit.skin.control + 28.0F;
  y += titled_bars(ui, ui.store.answer().levers, x, y, width);
  return y - start;
}

}  // namespace kvseats::ui
