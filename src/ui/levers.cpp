#include <algorithm>
#include <cmath>

#include "ui/views.h"

namespace kvseats::ui {
namespace {

using chart::Ink;

// A button for every change that helps, in rows; the query of the one that is pressed.
float lever_buttons(Ui& ui, float x, float y, float width, std::string& pressed) {
  Kit& kit = ui.kit;
  const float start = y;
  float left = x;
  for (const scenario::Report::Lever& lever : ui.store.answer().report.levers) {
    if (lever.price_rank < 0 || !lever.helps) continue;
    const std::string words = "Use " + lever.label;
    const float wide = std::min(width, std::ceil(kit.width(words, kit.skin.text_control)) + 24.0F);
    if (left > x && left + wide > x + width) {
      left = x;
      y += kit.skin.control + 8.0F;
    }
    const ImRect rect(left, y, left + wide, y + kit.skin.control);
    if (button(kit, Kit::id(lever.id), rect, words, ButtonLook::kBordered)) pressed = lever.query;
    left += wide + 8.0F;
  }
  return left > x ? y - start + kit.skin.control + 28.0F : 0.0F;
}

// Pointing at a bar brings the ghost of its lever forward in the plot below.
void point_at_rows(Ui& ui, const std::vector<ImRect>& rows) {
  constexpr std::string_view kPrefix = "next.";
  Kit& kit = ui.kit;
  const std::vector<chart::Bar>& bars = ui.store.answer().next.bars;
  for (std::size_t i = 0; i < std::min(bars.size(), rows.size()); ++i) {
    const ImGuiID id = Kit::id("row of " + bars[i].id);
    const Hand hand = kit.item(id, rows[i], {.keys = kKeysNone, .stop = false});
    kit.record(id, bars[i].name, Role::kText, rows[i], bars[i].value, hand);
    if (hand.hovered) ui.view.lever = bars[i].id.substr(kPrefix.size());
  }
}

}  // namespace

float levers(Ui& ui, float x, float y, float width) {
  const Answer& answer = ui.store.answer();
  const float start = y;
  y += 12.0F;
  // Where it came from beside where it could go; on less room one after the other.
  constexpr float kBetween = 40.0F;
  const bool beside = width >= 900.0F && !answer.levers.bars.empty();
  const float each = beside ? std::floor((width - kBetween) / 2.0F) : width;
  const float left = beside ? x + each + kBetween : x;
  std::vector<ImRect> rows;
  std::string pressed;
  float tall = titled_bars(ui, answer.next, left, y, each, &rows);
  point_at_rows(ui, rows);
  tall += lever_buttons(ui, left, y + tall, each, pressed);
  if (beside) tall = std::max(tall, titled_bars(ui, answer.levers, x, y, each));
  y += tall;
  const bool narrow = ui.view.form == Form::kNarrow;
  y += frontier(ui, x, y, width, narrow ? 380.0F : 420.0F) + 28.0F;
  if (!beside) y += titled_bars(ui, answer.levers, x, y, width);
  // Last, as it replaces the report that is drawn; one step of undo.
  if (!pressed.empty()) ui.store.load_over(pressed);
  return y - start;
}

}  // namespace kvseats::ui
