#include <algorithm>
#include <cmath>

#include "chart/pick.h"
#include "ui/views.h"
#include "units/math.h"
#include "units/text.h"

namespace kvseats::ui {
namespace {

using chart::Ink;

constexpr double kPull = 7.0;  // px within which a liked value attracts

double between(double from, double to, double t) {
  if (from == to || !(from > 0.0) || !(to > 0.0)) return to;
  return units::exp(units::log(from) * (1.0 - t) + units::log(to) * t);
}

// The height of a curve at x, between its points on a straight line of the logarithms.
double height_at(const chart::Series& series, double x) {
  const auto& points = series.points;
  if (points.empty()) return 0.0;
  const auto after = std::upper_bound(points.begin(), points.end(), x,
                                      [](double at, const chart::Point& p) { return at < p.x; });
  if (after == points.begin()) return points.front().y;
  const chart::Point& left = *(after - 1);
  if (left.x == x) return left.y;
  if (after == points.end() || series.join == chart::Join::kStep || !(left.x > 0.0)) return left.y;
  const double t = units::log(x / left.x) / units::log(after->x / left.x);
  return between(left.y, after->y, t);
}

bool comparable(const chart::Chart& a, const chart::Chart& b) {
  return a.x.scale == b.x.scale && a.y.scale == b.y.scale && !a.series.empty() &&
         !b.series.empty() && a.shade.values.size() == b.shade.values.size();
}

void blend(chart::Axis& axis, const chart::Axis& from, double t) {
  axis.min = between(from.min, axis.min, t);
  axis.max = between(from.max, axis.max, t);
}

// Axes, curves, shading and the operating point part of the way from one chart to another.
void blend(chart::Chart& shown, const chart::Chart& from, double t) {
  blend(shown.x, from.x, t);
  blend(shown.y, from.y, t);
  for (chart::Series& series : shown.series) {
    const auto before = std::find_if(from.series.begin(), from.series.end(),
                                     [&](const chart::Series& s) { return s.id == series.id; });
    if (before == from.series.end()) continue;
    for (chart::Point& point : series.points) {
      point.y = between(height_at(*before, point.x), point.y, t);
    }
  }
  for (std::size_t i = 0; i < shown.shade.values.size(); ++i) {
    shown.shade.values[i] = between(from.shade.values[i], shown.shade.values[i], t);
  }
  shown.handle.at.x = between(from.handle.at.x, shown.handle.at.x, t);
  shown.handle.at.y = between(from.handle.at.y, shown.handle.at.y, t);
}

// While a hand drags, only what it moves may move: axes and shading stay.
void hold_still(chart::Chart& next, chart::Chart& before) {
  if (!comparable(next, before)) return;
  next.x = before.x;
  next.y = before.y;
  next.shade = std::move(before.shade);
}

chart::Chart chart_now(Ui& ui) {
  const Answer& answer = ui.store.answer();
  const Zoom zoom = read_zoom(ui.store.page("range"));
  scenario::TradeoffView view{
      .lever = ui.view.lever_shown, .overlays = answer.pins, .x = zoom.x, .y = zoom.y};
  const std::string& ghost = ui.view.ghost_shown;
  std::vector<scenario::Overlay> with_ghost;
  if (!ghost.empty() && !is_pinned(ui, ghost)) {
    with_ghost = answer.pins;
    with_ghost.push_back(ui.store.ghost(ghost));
    view.overlays = with_ghost;
  }
  return scenario::tradeoff_chart(answer.report, ui.store.unit(), view);
}

// The chart of the newest answer, or one on its way to it. True if it differs from the last one.
bool update_chart(Ui& ui) {
  PlotState& state = ui.view.plot;
  const Answer& answer = ui.store.answer();
  const double now = ui.kit.input.now_s;
  const bool drags = ui.view.plot.dragged;
  const bool released = state.held && !drags;
  state.held = drags;
  const std::string pointed = ui.view.lever_shown + ' ' + ui.view.ghost_shown;
  const bool turned = state.lever != pointed;
  const bool same = state.revision == answer.revision && !turned;
  if (same && !state.sliding && !released) return false;
  if (!same || released) {
    const bool first = state.revision == 0;
    chart::Chart next = chart_now(ui);
    state.lever = pointed;
    state.target_x = next.handle.at.x;
    if (drags && !first) hold_still(next, state.shown);
    state.sliding = !first && state.revision != answer.revision && !ui.kit.dragging &&
                    !ui.kit.input.reduced_motion && comparable(state.shown, next);
    state.revision = answer.revision;
    state.start_s = now;
    if (!state.sliding) {
      state.shown = std::move(next);
      return true;
    }
    state.from = std::move(state.shown);
    state.target = std::move(next);
  }
  if (!state.sliding) return true;
  const double t = ui.kit.dragging ? 1.0 : eased(now - state.start_s);
  state.shown = state.target;
  if (t < 1.0) {
    blend(state.shown, state.from, t);
  } else {
    state.sliding = false;
  }
  return true;
}

void update_layout(Ui& ui, float width, float height) {
  PlotState& state = ui.view.plot;
  const Kit& kit = ui.kit;
  const bool changed = update_chart(ui);
  const bool same = state.width == width && state.height == height &&
                    state.dark == kit.skin.theme->dark && state.touch == kit.skin.touch;
  if (!changed && same) return;
  const chart::Layout before = std::move(state.layout);
  state.width = width;
  state.height = height;
  state.dark = kit.skin.theme->dark;
  state.touch = kit.skin.touch;
  state.layout = chart::lay_out(state.shown, {.width = static_cast<double>(width),
                                              .height = static_cast<double>(height),
                                              .measure = plot::measure(kit.skin.fonts),
                                              .touch = kit.skin.touch,
                                              .previous = changed ? &before : nullptr,
                                              .moving = state.sliding || state.dragged});
  state.shade = plot::shader_field(state.shown.shade, *kit.skin.theme, 1, state.shade.revision + 1);
}

// Arrow keys: the next liked value. Up and left are more requests, less context.
double by_key(const Kit& kit, const PlotState& state) {
  const double now = state.target_x;
  if (ImGui::GetIO().KeyShift) return now;  // moves the paper
  int direction = 0;
  if (kit.key(ImGuiKey_RightArrow) || kit.key(ImGuiKey_DownArrow)) direction = 1;
  if (kit.key(ImGuiKey_LeftArrow) || kit.key(ImGuiKey_UpArrow)) direction = -1;
  if (direction == 0) return now;
  return chart::next_snap(state.layout.x, state.shown.handle, now, direction);
}

ImRect box_of(const chart::Rect& rect, ImVec2 origin) {
  return {origin.x + static_cast<float>(rect.left), origin.y + static_cast<float>(rect.top),
          origin.x + static_cast<float>(rect.right), origin.y + static_cast<float>(rect.bottom)};
}

// The operating point and the area around it; what the hand asks for, if anything.
struct Hands {
  ImRect area;
  Hand point;
  Hand plane;
};

Hands take_hands(Ui& ui, ImVec2 origin) {
  Kit& kit = ui.kit;
  PlotState& state = ui.view.plot;
  const float reach = kit.skin.touch ? 22.0F : 14.0F;
  const ImVec2 center(origin.x + static_cast<float>(state.layout.handle.x),
                      origin.y + static_cast<float>(state.layout.handle.y));
  const ImRect grip(center.x - reach, center.y - reach, center.x + reach, center.y + reach);
  const ImGuiID id = Kit::id("operating point");
  Hands hands;
  hands.point = kit.item(
      id, grip, {.keys = kKeysLeftRight | kKeysUpDown | kKeysPage | kKeysHomeEnd, .drags = true});
  kit.record(id, "Operating point", Role::kHandle, grip,
             units::grouped(ui.store.answer().report.per_request.tokens) + " tokens", hands.point);
  hands.area = box_of(state.layout.plot, origin);
  const ImGuiID plane_id = Kit::id("plot area");
  hands.plane = kit.item(plane_id, hands.area, {.stop = false, .drags = !kit.input.touch});
  kit.record(plane_id, "Trade-off plot", Role::kHandle, hands.area, state.shown.summary,
             hands.plane);
  kit.zone(ZoneKind::kZoom, hands.area);
  if (hands.plane.pressed) kit.focus(id, false);
  return hands;
}

void operate(Ui& ui, ImVec2 origin, const Hands& hands, plot::Look& look) {
  Kit& kit = ui.kit;
  PlotState& state = ui.view.plot;
  const Hand& hand = hands.point;
  const Hand& plane = hands.plane;
  look.handle_hot = hand.hovered || hand.held || (plane.held && !state.panning);
  look.handle_focused = hand.ring;
  double x = state.target_x;
  // A finger on the paper may be the first of two: it points when it is lifted. One that the page
  // took away is nowhere.
  const bool plane_held = plane.held && !kit.input.touch;
  const bool still = !state.panning && !state.let_go && ImGui::IsMousePosValid();
  const bool pointed = still && (hand.held || plane_held || plane.clicked);
  state.dragged = !state.panning && (hand.held || plane_held);
  if (hand.hovered || state.dragged) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (pointed) {
    const chart::Px at = plot::to_layout(ImGui::GetIO().MousePos, origin);
    // A press on the point itself does not move it by the few pixels it was off.
    if (hand.pressed) return;
    if (hand.held && !ImGui::IsMouseDragging(ImGuiMouseButton_Left, 2.0F)) return;
    x = chart::snapped(state.layout, state.shown.handle, chart::data_at(state.layout, at).x, kPull);
  } else if (hand.focused) {
    x = by_key(kit, state);
  }
  if (x == state.target_x || !(x >= 1.0)) return;
  if (pointed) state.click_gesture = kit.gesture;
  set_tokens(ui, static_cast<std::uint64_t>(x), pointed ? kit.gesture : 0);
}

// Paper under the hand: the wheel with Ctrl and two fingers zoom, the middle button or Shift moves
// it; for the keyboard, with the focus on the point: PageUp and PageDown, Shift and arrows, Home.
Zoom wheel_zoom(Ui& ui, ImVec2 origin, const Hands& hands, const Zoom& now, const Axes& whole) {
  constexpr float kNotch = 0.8F;
  const ImGuiIO& io = ImGui::GetIO();
  const bool over = hands.plane.hovered || hands.point.hovered;
  if (!over || !io.KeyCtrl) return now;
  // Two fingers that move together: the host says how far, in notches of so many px.
  constexpr float kMoved = 40.0F;
  if (io.KeyAlt) {
    const float x = -io.MouseWheelH * kMoved / hands.area.GetWidth();
    const float y = io.MouseWheel * kMoved / hands.area.GetHeight();
    return panned(now, whole, static_cast<double>(x), static_cast<double>(y));
  }
  if (io.MouseWheel != 0.0F) {
    const chart::Px px = plot::to_layout(io.MousePos, origin);
    const chart::Point at = chart::data_at(ui.view.plot.layout, px);
    const float notches = std::clamp(io.MouseWheel, -4.0F, 4.0F);
    return zoomed(now, whole, at.x, at.y, static_cast<double>(std::pow(kNotch, notches)));
  }
  return now;
}

// Two presses at one place show all again; the first of them moved the point, which is taken back.
bool show_all(Ui& ui, const Hands& hands, const Zoom& now) {
  PlotState& state = ui.view.plot;
  if (!hands.plane.hovered && !hands.point.hovered) return false;
  if (!now.any() || !ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return false;
  if (state.click_gesture != 0) {
    Action back;
    back.kind = Action::Kind::kRevert;
    back.gesture = state.click_gesture;
    ui.kit.push(std::move(back));
    state.click_gesture = 0;
  }
  state.panning = true;  // until the button is up nothing follows the hand
  set_zoom(ui, {}, 0);
  return true;
}

Zoom key_zoom(Ui& ui, const Hands& hands, const Zoom& now, const Axes& whole) {
  constexpr double kStep = 0.1;
  const Kit& kit = ui.kit;
  if (!hands.point.focused) return now;
  if (kit.key(ImGuiKey_PageUp)) return zoom_about_point(ui, whole, 1.0 / 1.5);
  if (kit.key(ImGuiKey_PageDown)) return zoom_about_point(ui, whole, 1.5);
  if (kit.key(ImGuiKey_Home)) return {};
  if (!ImGui::GetIO().KeyShift) return now;
  const double x = kit.key(ImGuiKey_RightArrow) ? kStep : kit.key(ImGuiKey_LeftArrow) ? -kStep : 0;
  const double y = kit.key(ImGuiKey_UpArrow) ? kStep : kit.key(ImGuiKey_DownArrow) ? -kStep : 0;
  return x == 0 && y == 0 ? now : panned(now, whole, x, y);
}

Zoom pan_by_hand(Ui& ui, const Hands& hands, const Zoom& now, const Axes& whole) {
  PlotState& state = ui.view.plot;
  const ImGuiIO& io = ImGui::GetIO();
  const bool middle = hands.plane.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Middle);
  if (middle || (hands.plane.pressed && io.KeyShift)) {
    state.panning = true;
    state.zoom_gesture = ui.kit.next_gesture();
    return now;  // the way to the press is no part of it
  }
  const bool down = io.MouseDown[ImGuiMouseButton_Middle] || io.MouseDown[ImGuiMouseButton_Left];
  state.let_go = state.panning && !down;
  if (!down) state.panning = false;
  if (!state.panning) return now;
  ui.kit.dragging = true;
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
  if (io.MouseDelta.x == 0.0F && io.MouseDelta.y == 0.0F) return now;
  return panned(now, whole, static_cast<double>(-io.MouseDelta.x / hands.area.GetWidth()),
                static_cast<double>(io.MouseDelta.y / hands.area.GetHeight()));
}

void zoom_and_pan(Ui& ui, ImVec2 origin, const Hands& hands) {
  constexpr double kSameTurn = 1.0;  // seconds: turns of the wheel that are one step of undo
  PlotState& state = ui.view.plot;
  const auto [x, y] = scenario::tradeoff_axes(ui.store.answer().report);
  const Axes whole{x, y};
  const Zoom now = read_zoom(ui.store.page("range"));
  if (show_all(ui, hands, now)) return;
  Zoom next = wheel_zoom(ui, origin, hands, now, whole);
  if (!(next == now)) {
    const bool again = state.zoomed_s >= 0 && ui.kit.input.now_s - state.zoomed_s < kSameTurn;
    if (!again) state.zoom_gesture = ui.kit.next_gesture();
    state.zoomed_s = ui.kit.input.now_s;
    return set_zoom(ui, next, state.zoom_gesture);
  }
  next = pan_by_hand(ui, hands, now, whole);
  if (!(next == now)) return set_zoom(ui, next, state.zoom_gesture);
  next = key_zoom(ui, hands, now, whole);
  if (!(next == now)) set_zoom(ui, next, 0);
}

}  // namespace

float tradeoff(Ui& ui, float x, float y, float width, float height) {
  Kit& kit = ui.kit;
  update_layout(ui, std::floor(width), std::floor(height));
  PlotState& state = ui.view.plot;
  const ImVec2 origin(std::floor(x), std::floor(y));
  plot::Look look{.theme = kit.skin.theme, .fonts = kit.skin.fonts, .shade = &state.shade};
  const Hands hands = take_hands(ui, origin);
  zoom_and_pan(ui, origin, hands);
  operate(ui, origin, hands, look);
  plot::draw(kit.list(), state.shown, state.layout, origin, look);
  const bool resting = !hands.point.hovered && !kit.dragging && !kit.input.touch;
  if (hands.plane.hovered && resting) crosshair(ui, origin, hands.area);
  return static_cast<float>(std::max(static_cast<double>(height), state.layout.height));
}

}  // namespace kvseats::ui
