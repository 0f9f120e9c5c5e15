#include <algorithm>
#include <cmath>

#include "scenario/byhand.h"
#include "ui/views.h"

// The ledger as arithmetic, step by step, and three ways to take it along.
namespace kvseats::ui {
namespace {

using chart::Ink;
using scenario::HandLine;
using scenario::Notation;

struct Copy {
  std::string_view words;
  Notation notation;
};
constexpr Copy kCopies[] = {{"Copy as text", Notation::kText},
                            {"Copy as Markdown", Notation::kMarkdown},
                            {"Copy as LaTeX", Notation::kLatex}};

float copies(Ui& ui, float x, float y, float width) {
  Kit& kit = ui.kit;
  const float start = y;
  float left = x;
  for (const Copy& copy : kCopies) {
    const float wide = std::ceil(kit.width(copy.words, kit.skin.text_control)) + 24.0F;
    if (left > x && left + wide > x + width) {
      left = x;
      y += kit.skin.control + 8.0F;
    }
    const bool copied = ui.view.taken == copy.words && kit.input.now_s < ui.view.taken_until_s;
    const ImRect rect(left, y, left + wide, y + kit.skin.control);
    if (button(kit, Kit::id(copy.words), rect, copied ? "Copied" : copy.words,
               ButtonLook::kBordered, copy.words)) {
      kit.effects.push_back(
          {EffectKind::kCopyText,
           scenario::written(ui.store.answer().report, copy.notation, ui.store.unit()),
           {}});
      ui.view.taken = copy.words;
      ui.view.taken_until_s = kit.input.now_s + 1.5;
    }
    left += wide + 8.0F;
  }
  return y - start + kit.skin.control;
}

// What belongs to a line beside its equation.
float remarks(Kit& kit, const HandLine& line, float x, float y, float width) {
  float tall = 0.0F;
  if (!line.range.empty()) {
    tall += kit.paragraph(x, y, width, 12.0F, 17.0F, Ink::kSoft, "between " + line.range);
  }
  return tall + kit.paragraph(x, y + tall, width, 12.0F, 17.0F, Ink::kSoft, line.source);
}

// Left: what it is. Right: the equation, and where its inputs come from; below it where it is
// narrow.
float hand_line(Ui& ui, const HandLine& line, float x, float y, float width) {
  Kit& kit = ui.kit;
  const bool narrow = width < 560.0F;
  const float indent = line.part ? 16.0F : 0.0F;
  const float size = kit.skin.text_control;
  const float at = narrow ? indent : std::round(width * 0.3F);
  const float label_room = narrow ? width - indent : at - indent - 16.0F;
  const Ink ink = narrow ? Ink::kSoft : Ink::kInk;
  const float label = kit.paragraph(x + indent, y, label_room, size, 20.0F, ink, line.label);
  const float top = narrow ? label : 0.0F;
  const std::string words = scenario::equation(line);
  float tall = top + kit.paragraph(x + at, y + top, width - at, size, 20.0F, Ink::kInk, words);
  tall += remarks(kit, line, x + at, y + tall, width - at);
  tall = std::max(tall, label);
  kit.record(Kit::id(line.id), line.label, Role::kText, {x, y, x + width, y + tall}, words, {});
  link_row(ui, line.id, {x, y, x + width, y + tall});
  return tall;
}

}  // namespace

float hand_step(Ui& ui, std::string_view id, float x, float y, float width) {
  Kit& kit = ui.kit;
  const float start = y;
  for (const scenario::HandStep& step : ui.store.answer().hand) {
    if (!id.empty() && step.id != id) continue;
    y += 8.0F;
    y += kit.paragraph(x, y, width, kit.skin.text_sentence, 22.0F, Ink::kInk, step.title, true);
    y += 4.0F;
    for (const HandLine& line : step.lines) {
      y += 6.0F;
      y += hand_line(ui, line, x, y, width) + 6.0F;
      kit.list().AddRectFilled({x, y}, {x + width, y + 1.0F}, kit.skin(Ink::kGrid));
    }
    y += 16.0F;
  }
  return y - start;
}

float by_hand(Ui& ui, float x, float y, float width) {
  const float start = y;
  y += 12.0F;
  y += copies(ui, x, y, width) + 16.0F;
  y += hand_step(ui, {}, x, y, width);
  return y - start;
}

}  // namespace kvseats::ui
