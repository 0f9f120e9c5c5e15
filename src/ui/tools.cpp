#include <algorithm>
#include <array>
#include <cmath>

#include "ui/panel.h"
#include "ui/views.h"
#include "units/text.h"

// What is about the interface and not the deployment: where to start from, the way back, units,
// size of the text, and what the keys do.
namespace kvseats::ui {
namespace {

using chart::Ink;

constexpr float kGap = 8.0F;
constexpr std::array<std::string_view, 4> kTextSizes = {"100", "125", "150", "200"};

// An arrow that turns back, or on.
void draw_turn(Kit& kit, const ImRect& rect, bool back, ImU32 tone) {
  constexpr float kRadius = 5.0F;
  constexpr float kPi = 3.14159265F;
  const float side = back ? 1.0F : -1.0F;
  const ImVec2 c(std::floor(rect.GetCenter().x) + 0.5F, std::floor(rect.GetCenter().y) + 1.5F);
  ImDrawList& list = kit.list();
  list.PathClear();
  const ImVec2 tip(c.x - side * 6.0F, c.y - kRadius);
  list.PathLineTo(tip);
  list.PathLineTo({c.x, c.y - kRadius});
  if (back) {
    list.PathArcTo(c, kRadius, -kPi / 2.0F, kPi / 2.0F, 12);
  } else {
    list.PathArcTo(c, kRadius, -kPi / 2.0F, -kPi * 1.5F, 12);
  }
  list.PathLineTo({c.x - side * 3.0F, c.y + kRadius});
  list.PathStroke(tone, ImDrawFlags_None, 1.6F);
  list.AddTriangleFilled({tip.x - side * 1.5F, tip.y}, {tip.x + side * 3.0F, tip.y - 3.5F},
                         {tip.x + side * 3.0F, tip.y + 3.5F}, tone);
}

void travel_button(Ui& ui, const ImRect& rect, bool back) {
  Kit& kit = ui.kit;
  const std::string_view name = back ? "Undo" : "Redo";
  const bool can = back ? ui.store.can_undo() : ui.store.can_redo();
  const ImGuiID id = Kit::id(name);
  const Hand hand = kit.item(id, rect, {.enabled = can});
  kit.record(id, name, Role::kButton, rect, {}, hand, can);
  kit.list().AddRectFilled(rect.Min, rect.Max, kit.skin(hand.hovered ? Ink::kPanel : Ink::kField),
                           kit.skin.radius);
  kit.list().AddRect(rect.Min, rect.Max, kit.skin(Ink::kLine), kit.skin.radius);
  draw_turn(kit, rect, back, kit.skin(can ? Ink::kInk : Ink::kLine));
  if (hand.ring) kit.ring(rect, kit.skin.radius);
  if (hand.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (!hand.clicked) return;
  Action action;
  action.kind = back ? Action::Kind::kUndo : Action::Kind::kRedo;
  kit.push(std::move(action));
}

void presets(Ui& ui, const ImRect& rect) {
  Kit& kit = ui.kit;
  const ImGuiID id = Kit::id("presets");
  if (!combo(kit, id, rect, "Presets", "Presets", {})) return;
  std::vector<PickRow> rows;
  for (const catalogue::Preset& preset : ui.store.catalogue().presets) {
    rows.push_back({preset.query, preset.name, {}});
  }
  const int chosen = pick_list(kit, id, rect, {}, rows, ui.store.answer().report.query);
  if (chosen < 0) return;
  Action action;
  action.kind = Action::Kind::kLoad;
  action.load = rows[static_cast<std::size_t>(chosen)].value;
  kit.push(std::move(action));
}

void set_page(Ui& ui, std::string_view key, std::string_view text) {
  Action action;
  action.page = {{key, std::string(text)}};
  ui.kit.push(std::move(action));
}

struct Shortcut {
  std::string_view keys, what;
};
constexpr std::array kShortcuts{
    Shortcut{"Tab, Shift + Tab", "to the next or the previous control"},
    Shortcut{"Arrows", "on a slider, a choice, a list or the operating point: the next value"},
    Shortcut{"Ctrl + Z, Ctrl + Shift + Z", "undo, redo"},
    Shortcut{"Page up, page down", "on the operating point: closer, farther"},
    Shortcut{"Shift + arrows", "on the operating point: move the paper"},
    Shortcut{"Home", "on the operating point: show all"},
    Shortcut{"Ctrl + wheel", "over the plot: zoom about the pointer"},
    Shortcut{"Shift + drag, middle button", "over the plot: move the paper"},
    Shortcut{"Two fingers", "over the plot: zoom and move the paper"},
    Shortcut{"Double click, double tap", "over the plot: show all"},
    Shortcut{"Enter, Space", "press what has the ring"},
    Shortcut{"Escape", "close, take back what is being typed, or leave the interface"},
    Shortcut{"?", "these lines"},
};

struct Shortcuts : Panel {
  void draw(Ui& ui, float top, float width, float height) override {
    Kit& kit = ui.kit;
    const ImRect area(kPanelPad, top + 20.0F, width - 12.0F, top + height - 20.0F);
    scroll_part(kit, "shortcuts", area, [&](float x, float y, float room) {
      const float start = y;
      y += kit.paragraph(x, y, room, 20.0F, 28.0F, Ink::kInk, "Keys and gestures", true) + 12.0F;
      const bool beside = room > 560.0F;
      const float first = beside ? 240.0F : 0.0F;
      for (const Shortcut& one : kShortcuts) {
        const float above = y;
        const float size = kit.skin.text_control;
        const float name =
            kit.paragraph(x, y, beside ? first : room, size, 22.0F, Ink::kInk, one.keys, true);
        if (!beside) y += name;
        y += kit.paragraph(x + first, y, room - first, size, 22.0F, Ink::kSoft, one.what) + 8.0F;
        kit.record(Kit::id(one.keys), one.keys, Role::kText, {x, above, x + room, y}, one.what, {});
      }
      const float wide = kit.width("Close", kit.skin.text_control) + 28.0F;
      const ImRect rect(x, y + 8.0F, x + wide, y + 8.0F + kit.skin.control);
      if (button(kit, Kit::id("close"), rect, "Close", ButtonLook::kBordered)) close_panel(ui);
      return rect.Max.y - start;
    });
    close_on_escape(ui);
  }
};

}  // namespace

float tools(Ui& ui, float x, float y, float width) {
  const float side = ui.kit.skin.control;
  const float right = x + width;
  presets(ui, {x, y, right - 2.0F * (side + kGap), y + side});
  travel_button(ui, {right - 2.0F * side - kGap, y, right - side - kGap, y + side}, true);
  travel_button(ui, {right - side, y, right, y + side}, false);
  return side;
}

void show_shortcuts(Ui& ui) {
  ui.view.panel = std::make_shared<Shortcuts>();
}

float text_factor(std::string_view page_value) {
  for (const std::string_view size : kTextSizes) {
    if (size == page_value) {
      return static_cast<float>(units::parse_count(size).value_or(100)) / 100.0F;
    }
  }
  return 1.0F;
}

float view_settings(Ui& ui, float x, float y, float width) {
  constexpr std::array<std::string_view, 2> kUnits = {"GiB", "GB"};
  Kit& kit = ui.kit;
  const float start = y;
  const float half = std::floor((width - kGap) / 2.0F);
  kit.text(x, y + 10.0F, kit.skin.text_head, Ink::kSoft, "VIEW", true);
  y += 22.0F;
  const float label = kit.skin.text_label;
  kit.text(x, y + 12.0F, label, Ink::kSoft, "Sizes in");
  kit.text(x + half + kGap, y + 12.0F, label, Ink::kSoft, "Text, %");
  y += 18.0F;
  const ImRect left(x, y, x + half, y + kit.skin.control);
  const ImRect right(x + half + kGap, y, x + width, y + kit.skin.control);
  const bool gb = ui.store.unit() == units::SizeUnit::kGb;
  const int unit = choice(kit, Kit::id("unit"), left, "Sizes in", kUnits, gb ? 1 : 0);
  if (unit >= 0) set_page(ui, "unit", unit == 0 ? "" : "GB");
  const auto at = std::find(kTextSizes.begin(), kTextSizes.end(), ui.store.page("text"));
  const int size = at == kTextSizes.end() ? 0 : static_cast<int>(at - kTextSizes.begin());
  const int chosen = choice(kit, Kit::id("text size"), right, "Text size", kTextSizes, size);
  if (chosen >= 0) {
    set_page(ui, "text",
             chosen == 0 ? std::string_view() : kTextSizes[static_cast<std::size_t>(chosen)]);
  }
  y += kit.skin.control + kGap;
  ButtonRow row(kit, x, y, width);
  if (row("Reset all")) {
    Action action;
    action.kind = Action::Kind::kLoad;
    kit.push(std::move(action));
  }
  if (row("Keys (?)")) show_shortcuts(ui);
  return y + row.tall() - start;
}

}  // namespace kvseats::ui
