#include "ui/views.h"

namespace kvseats::ui {

using chart::Ink;

namespace {

float button_at(Ui& ui, float right, float y, std::string_view words, bool& pressed) {
  const float wide = ui.kit.width(words, ui.kit.skin.text_control) + 24.0F;
  const ImRect rect(right - wide, y - ui.kit.skin.control / 2.0F, right, y + ui.kit.skin.control / 2.0F);
  pressed = button(ui.kit, Kit::id(words), rect, words, ButtonLook::kBordered);
  return right - wide - 8.0F;
}

}  // namespace

float strip(Ui& ui, const ImRect& area) {
  Kit& kit = ui.kit;
  const float size = kit.skin.text_sentence;
  const float base = Kit::baseline_in(area, size);
  kit.list().AddRectFilled({area.Min.x, area.Max.y - 1.0F}, area.Max, kit.skin(Ink::kLine));
  float x = area.Min.x + 20.0F;
  x += kit.text(x, base, size, Ink::kInk, "KV", true) + 4.0F;
  x += kit.text(x, base, size, Ink::kData, "Seats", true) + 20.0F;
  float right = area.Max.x - 20.0F;
  const float middle = area.GetCenter().y;
  bool theme = false;
  bool copy = false;
  right = button_at(ui, right, middle, kit.input.dark ? "Light" : "Dark", theme);
  const bool just_copied = kit.input.now_s < ui.view.copied_until_s;
  right = button_at(ui, right, middle, just_copied ? "Copied" : "Copy query", copy) - 12.0F;
  if (theme) ui.view.theme = kit.input.dark ? Theme::kLight : Theme::kDark;
  if (copy) {
    kit.effects.push_back({EffectKind::kCopyText, ui.store.query(), {}});
    ui.view.copied_until_s = kit.input.now_s + 1.5;
  }
  for (const scenario::Span& span : ui.store.answer().sentence) {
    if (x >= right) break;
    x += kit.text_cut(x, base, size, Ink::kInk, span.text, right - x, span.strong);
  }
  return area.GetHeight();
}

}  // namespace kvseats::ui
