#include "ui/panel.h"
#include "ui/views.h"

namespace kvseats::ui {

using chart::Ink;

namespace {

// `words` are drawn; `label` names it (empty: the same).
float button_at(Ui& ui, float right, float y, std::string_view words, bool& pressed,
                std::string_view label = {}) {
  const float wide = ui.kit.width(words, ui.kit.skin.text_control) + 24.0F;
  const ImRect rect(right - wide, y - ui.kit.skin.control / 2.0F, right,
                    y + ui.kit.skin.control / 2.0F);
  pressed = button(ui.kit, Kit::id(label.empty() ? words : label), rect, words,
                   ButtonLook::kBordered, label);
  return right - wide - 8.0F;
}

// The buttons of the panels that read logs and models.
float readers(Ui& ui, float right, float y, bool small) {
  bool log = false;
  bool model = false;
  if (ui.read_log.open != nullptr) {
    right = button_at(ui, right, y, small ? "Log" : "Check a log", log, "Check a log");
  }
  if (ui.read_model.ask != nullptr) {
    right = button_at(ui, right, y, small ? "Open" : "Open a model", model, "Open a model");
  }
  if (log) ui.read_log.open(ui, {});
  if (model) ui.read_model.ask(ui);
  return right;
}

// A sentence with emphasised pieces, broken at spaces; the height taken, or what it would take.
float sentence(const Kit& kit, const scenario::Sentence& spans, float x, float y, float room,
               float leading) {
  const float size = kit.skin.text_sentence;
  float at = x;
  float line = y;
  for (const scenario::Span& span : spans) {
    std::string_view rest = span.text;
    while (!rest.empty()) {
      const std::size_t space = rest.find(' ', 1);
      const std::string_view word = rest.substr(0, space);
      if (at > x && at + kit.width(word, size, span.strong) > x + room) {
        at = x;
        line += leading;
      }
      const bool leads = at == x && word.front() == ' ';
      at += kit.text(at, line + leading * 0.5F + size * 0.36F, size, Ink::kInk,
                     leads ? word.substr(1) : word, span.strong);
      rest.remove_prefix(word.size());
    }
  }
  return line + leading - y;
}

}  // namespace

float strip(Ui& ui, float width) {
  constexpr float kBar = 56.0F;
  constexpr float kLeading = 22.0F;
  Kit& kit = ui.kit;
  const ImRect bar(0, 0, width, kBar);
  const float base = Kit::baseline_in(bar, kit.skin.text_sentence);
  float x = 20.0F;
  x += kit.text(x, base, kit.skin.text_sentence, Ink::kInk, "KV", true) + 4.0F;
  x += kit.text(x, base, kit.skin.text_sentence, Ink::kData, "Seats", true) + 20.0F;
  float right = width - 20.0F;
  const bool small = width < 560.0F;
  // Large text on a telephone: the name alone, then two rows of buttons.
  const bool tight = width < 300.0F;
  const float first = tight ? kBar * 1.5F - 4.0F : kBar / 2.0F;
  const float second = tight ? kBar * 2.5F - 8.0F : kBar / 2.0F;
  bool theme = false;
  bool copy = false;
  right = button_at(ui, right, first, kit.input.dark ? "Light" : "Dark", theme);
  const bool just_copied = kit.input.now_s < ui.view.copied_until_s;
  const std::string_view words_copy = small ? "Copy" : "Copy query";
  right = button_at(ui, right, first, just_copied ? "Copied" : words_copy, copy,
                    just_copied ? "Copied" : "Copy query");
  bool save = false;
  if (!small) right = button_at(ui, right, first, "Save", save);
  right = readers(ui, tight ? width - 20.0F : right, second, small) - 12.0F;
  if (save) open_save_panel(ui);
  if (theme) ui.view.theme = kit.input.dark ? Theme::kLight : Theme::kDark;
  if (copy) {
    kit.effects.push_back({EffectKind::kCopyText, ui.store.query(), {}});
    ui.view.copied_until_s = kit.input.now_s + 1.5;
  }
  const scenario::Sentence& words = ui.store.answer().sentence;
  float whole = 0.0F;
  for (const scenario::Span& span : words)
    whole += kit.width(span.text, kit.skin.text_sentence, span.strong);
  float tall = tight ? kBar * 3.0F : kBar;
  if (x + whole <= right) {
    sentence(kit, words, x, kBar / 2.0F - kLeading / 2.0F, 1e9F, kLeading);
  } else {
    tall += sentence(kit, words, 20.0F, tall - 6.0F, width - 40.0F, kLeading) + 4.0F;
  }
  kit.list().AddRectFilled({0, tall - 1.0F}, {width, tall}, kit.skin(Ink::kLine));
  return tall;
}

}  // namespace kvseats::ui
