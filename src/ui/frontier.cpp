#include <algorithm>
#include <cmath>

#include "chart/pick.h"
#include "scenario/compare.h"
#include "scenario/evaluate.h"
#include "scenario/pins.h"
#include "ui/views.h"
#include "units/text.h"

// What lies around the trade-off: the crosshair, the sentence about the point, zoom, and the levers
// that one points at and pins.
namespace kvseats::ui {
namespace {

using chart::Ink;

constexpr double kPull = 7.0;  // px within which a liked value attracts, as when dragging
constexpr float kBoxPad = 8.0F;

// Chips one after the other, in as many rows as they need.
class Chips {
 public:
  Chips(Ui& ui, float x, float y, float width) : ui_(ui), x_(x), y_(y), left_(x), width_(width) {}

  // `words` are drawn; what a press does is in the label.
  Hand operator()(std::string_view id, std::string_view words, bool pinned) {
    Kit& kit = ui_.kit;
    const float mark = pinned ? 14.0F : 0.0F;
    const float size = kit.skin.text_label + 0.5F;
    const float wide = std::min(width_, std::ceil(kit.width(words, size)) + 20.0F + mark);
    if (left_ > x_ && left_ + wide > x_ + width_) {
      left_ = x_;
      y_ += kit.skin.control + 6.0F;
    }
    const ImRect rect(left_, y_, left_ + wide, y_ + kit.skin.control);
    left_ += wide + 6.0F;
    const Hand hand = kit.item(Kit::id(id), rect);
    kit.record(Kit::id(id), (pinned ? "Unpin " : "Pin ") + std::string(words), Role::kButton, rect,
               pinned ? "pinned" : "", hand);
    draw(rect, words, size, pinned, hand);
    return hand;
  }
  // Room for a control of another kind.
  ImRect place(float wide) {
    if (left_ > x_ && left_ + wide > x_ + width_) {
      left_ = x_;
      y_ += ui_.kit.skin.control + 6.0F;
    }
    const ImRect rect(left_, y_, left_ + wide, y_ + ui_.kit.skin.control);
    left_ += wide + 6.0F;
    return rect;
  }
  // A word before them, not to be pressed.
  void head(std::string_view words) {
    const ImRect rect(left_, y_, left_, y_ + ui_.kit.skin.control);
    const float size = ui_.kit.skin.text_label + 0.5F;
    left_ += ui_.kit.text(left_, Kit::baseline_in(rect, size), size, Ink::kSoft, words) + 10.0F;
  }
  [[nodiscard]] float bottom() const { return left_ > x_ ? y_ + ui_.kit.skin.control : y_; }

 private:
  void draw(const ImRect& rect, std::string_view words, float size, bool pinned, const Hand& hand) {
    Kit& kit = ui_.kit;
    ImDrawList& list = kit.list();
    list.AddRectFilled(rect.Min, rect.Max, kit.skin(hand.hovered ? Ink::kPanel : Ink::kField),
                       kit.skin.radius);
    list.AddRect(rect.Min, rect.Max, kit.skin(pinned ? Ink::kInk : Ink::kLine), kit.skin.radius);
    float x = rect.Min.x + 10.0F;
    if (pinned) {  // its curve in small, as a legend
      const float y = std::floor(rect.GetCenter().y) + 0.5F;
      for (const float at : {0.0F, 6.0F}) {
        list.AddLine({x + at, y}, {x + at + 4.0F, y}, kit.skin(Ink::kInk), 1.6F);
      }
      x += 14.0F;
    }
    kit.text_cut(x, Kit::baseline_in(rect, size), size, Ink::kInk, words, rect.Max.x - 8.0F - x);
    if (hand.ring) kit.ring(rect, kit.skin.radius);
    if (hand.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }

  Ui& ui_;
  float x_, y_, left_, width_;
};

// Half of the prompt in common: a chip as those of the levers are.
void prefix_chip(Ui& ui, Chips& chips, std::vector<std::string>& pins, std::string& pressed) {
  const std::string query = scenario::query_with_prefix(ui.store.answer().report);
  if (query.empty()) return;
  const auto at = std::find(pins.begin(), pins.end(), query);
  const Hand hand = chips("chip.prefix", "Half the prompt shared", at != pins.end());
  if (hand.hovered || hand.ring) ui.view.ghost = query;
  if (hand.clicked) pressed = query;
  if (at != pins.end()) at->clear();
}

// Another model beside this one, from the catalogue; the row at the keyboard shows its ghost.
void model_chip(Ui& ui, Chips& chips, std::string& pressed) {
  Kit& kit = ui.kit;
  const ImGuiID id = Kit::id("chip.model");
  const ImRect rect =
      chips.place(std::ceil(kit.width("Another model", kit.skin.text_control)) + 44.0F);
  if (!combo(kit, id, rect, "Pin another model", "Another model", {})) return;
  const std::vector<PickRow> rows = model_rows(ui);
  const scenario::Scenario& now = ui.store.scenario();
  const int row = kit.pick.at;
  if (row >= 0 && row < static_cast<int>(rows.size())) {
    ui.view.ghost = scenario::query_with_model(now, rows[static_cast<std::size_t>(row)].value);
  }
  const int chosen = pick_list(kit, id, rect, "Search models", rows, {});
  if (chosen < 0) return;
  pressed = scenario::query_with_model(now, rows[static_cast<std::size_t>(chosen)].value);
}

// A button for every lever, then what else is pinned, then this deployment; the bottom.
float lever_chips(Ui& ui, float x, float y, float width) {
  const Answer& answer = ui.store.answer();
  Chips chips(ui, x, y, width);
  chips.head("What if");
  std::vector<std::string> pins = answer.pinned;
  const bool room = pins.size() < scenario::kMostPins;
  std::string pressed;
  for (const scenario::Report::Lever& lever : answer.report.levers) {
    const auto at = std::find(pins.begin(), pins.end(), lever.query);
    const Hand hand = chips("chip." + lever.id, lever.label, at != pins.end());
    if (hand.hovered || hand.ring) ui.view.lever = lever.id;
    if (hand.clicked) pressed = lever.query;
    if (at != pins.end()) at->clear();
  }
  prefix_chip(ui, chips, pins, pressed);
  if (room) model_chip(ui, chips, pressed);
  for (std::size_t i = 0; i < std::min(pins.size(), answer.pins.size()); ++i) {
    if (pins[i].empty()) continue;
    const std::string name = answer.report.query == pins[i] ? "this one" : answer.pins[i].label;
    if (chips("pin." + units::plain(i), name, true).clicked) pressed = pins[i];
  }
  const bool new_one = room && !is_pinned(ui, answer.report.query);
  if (new_one && chips("pin this", "this one", false).clicked) pressed = answer.report.query;
  if (!pressed.empty()) toggle_pin(ui, scenario::pin_text(pressed));
  return chips.bottom();
}

// Plus, minus, and all of it again; the width taken at the right end.
float zoom_buttons(Ui& ui, float right, float y) {
  Kit& kit = ui.kit;
  const auto [x_axis, y_axis] = scenario::tradeoff_axes(ui.store.answer().report);
  const Axes whole{x_axis, y_axis};
  const Zoom now = read_zoom(ui.store.page("range"));
  Zoom next = now;
  float left = right;
  const auto press = [&](std::string_view words, std::string_view label) {
    const float least = kit.skin.control;
    const float wide = std::max(least, std::ceil(kit.width(words, kit.skin.text_control)) + 20.0F);
    const ImRect rect(left - wide, y, left, y + kit.skin.control);
    left -= wide + 4.0F;
    return button(kit, Kit::id(label), rect, words, ButtonLook::kBordered, label);
  };
  if (press("+", "Zoom in")) next = zoom_about_point(ui, whole, 1.0 / 1.5);
  if (now.any()) {
    if (press("\xE2\x88\x92", "Zoom out")) next = zoom_about_point(ui, whole, 1.5);
    if (press("All", "Show all")) next = {};
  }
  if (!(next == now)) set_zoom(ui, next, 0);
  return right - left;
}

}  // namespace

Zoom zoom_about_point(const Ui& ui, const Axes& whole, double factor) {
  const chart::Point at = ui.view.plot.shown.handle.at;
  return zoomed(read_zoom(ui.store.page("range")), whole, at.x, std::max(at.y, 1.0), factor);
}

void set_zoom(Ui& ui, const Zoom& zoom, std::uint32_t gesture) {
  Action action;
  action.gesture = gesture;
  action.page = {{"range", zoom_text(zoom)}};
  ui.kit.push(std::move(action));
}

bool is_pinned(const Ui& ui, std::string_view query) {
  const std::vector<std::string>& pins = ui.store.answer().pinned;
  return std::find(pins.begin(), pins.end(), query) != pins.end();
}

void toggle_pin(Ui& ui, std::string_view query) {
  Action action;
  action.kind = is_pinned(ui, query) ? Action::Kind::kUnpin : Action::Kind::kPin;
  action.pin = query;
  ui.kit.push(std::move(action));
}

void crosshair(Ui& ui, ImVec2 origin, const ImRect& area) {
  Kit& kit = ui.kit;
  const PlotState& state = ui.view.plot;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const chart::Point under = chart::data_at(state.layout, plot::to_layout(mouse, origin));
  const double x = chart::snapped(state.layout, state.shown.handle, under.x, kPull);
  if (!(x >= 1.0)) return;
  const scenario::PointAnswer point = scenario::point_answer(
      ui.store.answer().report, static_cast<std::uint64_t>(x), ui.store.unit());
  const auto at = [&](double y) {
    const chart::Px px = chart::px_of(state.layout, {x, y});
    return ImVec2(origin.x + static_cast<float>(px.x), origin.y + static_cast<float>(px.y));
  };
  ImDrawList& list = kit.list();
  const float line = std::floor(at(1.0).x);
  list.AddRectFilled({line, area.Min.y}, {line + 1.0F, area.Max.y}, kit.skin(Ink::kSoft, 0.5));
  if (point.requests && *point.requests > 0) {
    const ImVec2 dot = at(static_cast<double>(*point.requests));
    if (dot.y > area.Min.y && dot.y < area.Max.y) {
      list.AddCircleFilled(dot, 5.0F, kit.skin(Ink::kGround));
      list.AddCircle(dot, 4.0F, kit.skin(Ink::kSoft), 0, 1.5F);
    }
  }
  // The sentence stands on paper of its own beside the pointer, and keeps inside the plot.
  const float size = kit.skin.text_label + 0.5F;
  const float room = std::min(area.GetWidth() - 16.0F, 420.0F);
  const float wide = std::min(room, std::ceil(kit.width(point.sentence, size)) + 2.0F * kBoxPad);
  const bool two = kit.width(point.sentence, size) > room - 2.0F * kBoxPad;
  const float tall = (two ? 36.0F : 18.0F) + kBoxPad;
  const bool beside = line + 14.0F + wide < area.Max.x;
  const float left = std::clamp(beside ? line + 14.0F : line - 14.0F - wide, area.Min.x + 4.0F,
                                area.Max.x - wide - 4.0F);
  const float top = std::clamp(mouse.y - tall - 14.0F, area.Min.y + 4.0F, area.Max.y - tall - 4.0F);
  const ImRect box(left, top, left + wide, top + tall);
  list.AddRectFilled(box.Min, box.Max, kit.skin(Ink::kField), kit.skin.radius);
  list.AddRect(box.Min, box.Max, kit.skin(Ink::kLine), kit.skin.radius);
  kit.paragraph(left + kBoxPad, top + kBoxPad / 2.0F, wide - 2.0F * kBoxPad + 2.0F, size, 18.0F,
                Ink::kInk, point.sentence);
  kit.record(Kit::id("crosshair"), "Crosshair", Role::kText, box, point.sentence, {});
}

float frontier(Ui& ui, float x, float y, float width, float height) {
  Kit& kit = ui.kit;
  const bool narrow = ui.view.form == Form::kNarrow;
  const float below = kit.skin.control * 2.0F + 20.0F;
  const float start = y;
  y += tradeoff(ui, x, y, width, narrow ? height : std::max(300.0F, height - below)) + 6.0F;
  const float taken = zoom_buttons(ui, x + width, y);
  const scenario::Report& report = ui.store.answer().report;
  const std::uint64_t tokens = report.reserved ? report.context : report.per_request.tokens;
  const std::string said = scenario::point_answer(report, tokens, ui.store.unit()).sentence;
  const float size = kit.skin.text_control;
  const float room = width - taken - 8.0F;
  const float middle = std::max(0.0F, (kit.skin.control - 20.0F) / 2.0F);
  const bool one = kit.width(said, size) <= room;
  const float tall =
      kit.paragraph(x, y + (one ? middle : 0.0F), room, size, 20.0F, Ink::kInk, said);
  kit.record(Kit::id("said of the point"), "At the point", Role::kText, {x, y, x + room, y + tall},
             said, {});
  y += std::max(kit.skin.control, tall) + 6.0F;
  return lever_chips(ui, x, y, width) - start;
}

}  // namespace kvseats::ui
