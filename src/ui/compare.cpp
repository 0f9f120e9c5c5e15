#include <algorithm>
#include <cmath>

#include "scenario/compare.h"
#include "ui/views.h"

// Scenarios and models beside each other: what differs, bytes per token, curves.
namespace kvseats::ui {
namespace {

using chart::Ink;
using scenario::Compared;
using scenario::ComparedRow;
using scenario::Comparison;

/// What was pressed; carried out last, since it replaces what is drawn.
struct Pressed {
  enum class Kind : std::uint8_t { kNone, kPin, kUnpin, kUse, kAdd, kLeave };
  Kind kind = Kind::kNone;
  std::string text;
};

/// Buttons in rows, broken where the width ends.
struct Buttons {
  Ui& ui;
  float x, y, width;
  float left;
  float top;
  Buttons(Ui& u, float at_x, float at_y, float wide)
      : ui(u), x(at_x), y(at_y), width(wide), left(at_x), top(at_y) {}

  bool add(std::string_view words, std::string_view label) {
    Kit& kit = ui.kit;
    const float wide = std::min(width, std::ceil(kit.width(words, kit.skin.text_control)) + 24.0F);
    if (left > x && left + wide > x + width) {
      left = x;
      y += kit.skin.control + 8.0F;
    }
    const ImRect rect(left, y, left + wide, y + kit.skin.control);
    left += wide + 8.0F;
    return button(kit, Kit::id(label), rect, words, ButtonLook::kBordered, label);
  }
  [[nodiscard]] float height() const { return y - top + ui.kit.skin.control; }
};

bool holds(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// Pin, and for each of the others: make it the scenario, take it away.
float acts(Ui& ui, const Comparison& c, float x, float y, float width, Pressed& pressed) {
  Buttons row(ui, x, y, width);
  const std::vector<std::string> pins = ui.store.pins();
  const std::string& now = ui.store.answer().report.query;
  if (holds(pins, now)) {
    if (row.add("Unpin this", "Unpin this scenario")) pressed = {Pressed::Kind::kUnpin, now};
  } else if (pins.size() < scenario::kMostPins && row.add("Pin this", "Pin this scenario")) {
    pressed = {Pressed::Kind::kPin, now};
  }
  for (const Compared& one : c.scenarios) {
    if (one.current) continue;
    if (row.add("Use " + one.name, "Use " + one.name)) pressed = {Pressed::Kind::kUse, one.query};
    if (holds(pins, one.query)) {
      if (row.add("Unpin", "Unpin " + one.name)) pressed = {Pressed::Kind::kUnpin, one.query};
    } else if (one.by_model && row.add("Leave out", "Leave out " + one.name)) {
      pressed = {Pressed::Kind::kLeave, one.report.model.slug};
    }
  }
  return row.left > x || row.y > y ? row.height() : 0.0F;
}

// The list of models, to add one beside the scenario.
float adder(Ui& ui, float x, float y, float width, Pressed& pressed) {
  Kit& kit = ui.kit;
  const ImGuiID id = Kit::id("compare model");
  const ImRect rect(x, y, x + std::min(width, 320.0F), y + kit.skin.control);
  if (!combo(kit, id, rect, "A model beside it", "Add a model", {})) return kit.skin.control;
  const std::vector<PickRow> rows = model_rows(ui);
  const int chosen = pick_list(kit, id, rect, "Search models", rows, {});
  if (chosen >= 0) pressed = {Pressed::Kind::kAdd, rows[static_cast<std::size_t>(chosen)].value};
  return kit.skin.control;
}

// Spaces that are no place to break a line at.
std::string unbroken(std::string_view words) {
  std::string out;
  for (const char c : words) {
    if (c == ' ') {
      out += "\xC2\xA0";
    } else {
      out += c;
    }
  }
  return out;
}

// The terms of a sum stay whole where there is room, "window 1,024" always.
std::string whole_terms(const Kit& kit, std::string_view words, float room) {
  constexpr std::string_view kPlus = " + ";
  constexpr std::string_view kWindow = " window ";
  std::string out;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(kPlus), words.size());
    const std::string_view term = words.substr(0, end);
    const std::size_t window = std::min(term.find(kWindow), term.size());
    const bool fits = kit.width(term, kit.skin.text_control, true) <= room;
    out += fits ? unbroken(term)
                : std::string(term.substr(0, window)) +
                      (window < term.size() ? " " + unbroken(term.substr(window + 1)) : "");
    words.remove_prefix(end);
    if (words.empty()) break;
    out += " +\xC2\xA0";
    words.remove_prefix(kPlus.size());
  }
  return out;
}

// A value that is not the current scenario's is strong, with a bar at its left.
float value_cell(Kit& kit, const ComparedRow& row, std::size_t i, float x, float y, float width) {
  const bool differs = row.values[i] != row.values[0];
  const float room = width - 12.0F;
  const bool is_sum = row.id == "geometry";
  const std::string words = is_sum ? whole_terms(kit, row.values[i], room) : row.values[i];
  const float tall =
      kit.paragraph(x + 8.0F, y, room, kit.skin.text_control, 20.0F, Ink::kInk, words, differs);
  if (differs) {
    kit.list().AddRectFilled({x, y + 1.0F}, {x + 3.0F, y + tall - 1.0F}, kit.skin(Ink::kData));
  }
  return tall;
}

// A column for each scenario.
float columns(Ui& ui, const Comparison& c, float x, float y, float width) {
  Kit& kit = ui.kit;
  const float start = y;
  const float first = std::round(width * 0.2F);
  const float wide = (width - first) / static_cast<float>(c.scenarios.size());
  const auto at = [&](std::size_t i) { return x + first + wide * static_cast<float>(i); };
  float tall = 0.0F;
  for (std::size_t i = 0; i < c.scenarios.size(); ++i) {
    tall = std::max(tall, kit.paragraph(at(i) + 8.0F, y, wide - 16.0F, kit.skin.text_control, 20.0F,
                                        Ink::kInk, c.scenarios[i].name, true));
  }
  y += tall + 6.0F;
  for (const ComparedRow& row : c.rows) {
    if (!row.differs) continue;
    kit.list().AddRectFilled({x, y}, {x + width, y + 1.0F}, kit.skin(Ink::kGrid));
    y += 5.0F;
    tall = kit.paragraph(x, y, first - 8.0F, kit.skin.text_control, 20.0F, Ink::kSoft, row.label);
    std::string all;
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      tall = std::max(tall, value_cell(kit, row, i, at(i), y, wide - 4.0F));
      all += (i == 0 ? "" : " | ") + row.values[i];
    }
    kit.record(Kit::id(row.id), row.label, Role::kText, {x, y, x + width, y + tall}, all, {});
    y += tall + 5.0F;
  }
  return y - start + 20.0F;
}

// One below the other, where columns would be too narrow.
float stacked(Ui& ui, const Comparison& c, float x, float y, float width) {
  Kit& kit = ui.kit;
  const float start = y;
  const float half = std::round(width * 0.5F);
  for (const ComparedRow& row : c.rows) {
    if (!row.differs) continue;
    const float top = y;
    y += kit.paragraph(x, y, width, kit.skin.text_control, 20.0F, Ink::kSoft, row.label) + 2.0F;
    std::string all;
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      const float name =
          kit.paragraph(x + 8.0F, y, half - 16.0F, 13.0F, 20.0F, Ink::kInk, c.scenarios[i].name);
      y += std::max(name, value_cell(kit, row, i, x + half, y, width - half)) + 4.0F;
      all += (i == 0 ? "" : " | ") + row.values[i];
    }
    kit.record(Kit::id(row.id), row.label, Role::kText, {x, top, x + width, y}, all, {});
    kit.list().AddRectFilled({x, y + 2.0F}, {x + width, y + 3.0F}, kit.skin(Ink::kGrid));
    y += 12.0F;
  }
  return y - start + 12.0F;
}

void carry_out(Ui& ui, const Pressed& pressed) {
  Action action;
  switch (pressed.kind) {
    case Pressed::Kind::kNone:
      return;
    case Pressed::Kind::kPin:
    case Pressed::Kind::kUnpin:
      action.kind = pressed.kind == Pressed::Kind::kPin ? Action::Kind::kPin : Action::Kind::kUnpin;
      action.pin = pressed.text;
      ui.kit.push(std::move(action));
      return;
    case Pressed::Kind::kUse:
      ui.store.change_places(pressed.text);
      return;
    case Pressed::Kind::kAdd:
    case Pressed::Kind::kLeave:
      action.page = {{"models", scenario::with_model_named(ui.store.page("models"), pressed.text,
                                                           pressed.kind == Pressed::Kind::kAdd)}};
      ui.kit.push(std::move(action));
      return;
  }
}

}  // namespace

float compare(Ui& ui, float x, float y, float width) {
  Kit& kit = ui.kit;
  const Comparison& c = ui.store.answer().compared;
  const float start = y;
  Pressed pressed;
  y += 12.0F;
  y += adder(ui, x, y, width, pressed) + 8.0F;
  const float acted = acts(ui, c, x, y, width, pressed);
  y += acted + (acted > 0.0F ? 12.0F : 0.0F);
  y += kit.paragraph(x, y, width, kit.skin.text_sentence, 22.0F, Ink::kInk, c.sentence) + 12.0F;
  for (const units::Diagnostic& why : c.diagnostics) {
    y += kit.paragraph(x, y, width, 13.0F, 18.0F, Ink::kBad, why.text + ".") + 6.0F;
  }
  if (c.scenarios.size() > 1) {
    const bool roomy = width / static_cast<float>(c.scenarios.size() + 1) >= 120.0F;
    y += roomy ? columns(ui, c, x, y, width) : stacked(ui, c, x, y, width);
    y += titled_bars(ui, c.tokens, x, y, width);
    y += still_plot(ui, ui.view.compared, c.curves, ui.store.answer().revision, x, y, width);
  }
  carry_out(ui, pressed);
  return y - start;
}

}  // namespace kvseats::ui
