#include "ui/kit.h"

#include <algorithm>
#include <cfloat>

namespace kvseats::ui {

// --- Frame ----------------------------------------------------------------------------------

void Kit::begin(const FrameInput& frame, const Skin& with) {
  input = frame;
  skin = with;
  registry.clear();
  last_stops_ = std::move(stops_);
  stops_.clear();
  zones_.clear();
  edit.seen = false;
  hovering_item = false;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    dragging = false;
    gesture = 0;
  }
  slides.begin(frame.now_s, dragging || frame.reduced_motion);
  walk_tab();
}

void Kit::walk_tab() {
  if (!input.focused) {
    focus_ring_ = false;
    return;
  }
  const bool forward = ImGui::IsKeyPressed(ImGuiKey_Tab) && !ImGui::GetIO().KeyShift;
  const bool backward = ImGui::IsKeyPressed(ImGuiKey_Tab) && ImGui::GetIO().KeyShift;
  int to = index_of(focus_);
  const int count = static_cast<int>(last_stops_.size());
  if (enter_ != Enter::kNone && count > 0) {
    to = enter_ == Enter::kFirst ? 0 : count - 1;
    enter_ = Enter::kNone;
  } else if (forward) {
    ++to;
  } else if (backward) {
    to = to < 0 ? count - 1 : to - 1;
  } else {
    return;
  }
  pick = {};
  if (edit.id != 0) {
    edit.committed = true;
    ImGui::ClearActiveID();
  }
  const bool inside = to >= 0 && to < count;
  focus(inside ? last_stops_[static_cast<std::size_t>(to)].id : 0, true);
}

int Kit::index_of(ImGuiID id) const {
  if (id == 0) return -1;
  for (std::size_t i = 0; i < last_stops_.size(); ++i) {
    if (last_stops_[i].id == id) return static_cast<int>(i);
  }
  return -1;
}

void Kit::enter(FocusFrom from) {
  focus_ = 0;
  focus_ring_ = false;
  enter_ = from == FocusFrom::kForward    ? Enter::kFirst
           : from == FocusFrom::kBackward ? Enter::kLast
                                          : Enter::kNone;
}

void Kit::end(FrameResult& result) {
  if (edit.id != 0 && !edit.seen) stop_edit();
  scroll_by_touch();
  result.zones = std::move(zones_);
  result.effects = std::move(effects);
  effects.clear();
  const auto now = std::find_if(stops_.begin(), stops_.end(),
                                [this](const Stop& stop) { return stop.id == focus_; });
  const bool found = focus_ != 0 && now != stops_.end();
  if (found) result.keys = now->keys;
  if (edit.id != 0) result.keys |= kKeysText | kKeysLeftRight | kKeysHomeEnd | kKeysDelete;
  if (edit.id != 0 || pick.id != 0) result.keys |= kKeysEscape | kKeysActivate;
  if (pick.id != 0) result.keys |= kKeysUpDown | kKeysPage;
  result.keys |= kKeysUndo;
  if (edit.id == 0) result.keys |= kKeysHelp;
  result.tab_leaves_forward = stops_.empty() || (found && now + 1 == stops_.end());
  result.tab_leaves_backward = !found || now == stops_.begin();
  if (edit.id == 0) return;
  result.edit = {
      .active = true,
      .id = edit.id,
      .rect = {edit.rect.Min.x, edit.rect.Min.y, edit.rect.GetWidth(), edit.rect.GetHeight()},
      .text = edit.text,
      .numeric = edit.numeric,
      .label = edit.label,
      .font_px = edit.font_px};
}

// ImGui has no drag-to-scroll: a finger that moves on no control moves the list under it.
void Kit::scroll_by_touch() {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  const bool down = ImGui::IsMouseDown(ImGuiMouseButton_Left);
  if (!input.touch || !down) {
    touch_window_ = nullptr;
    return;
  }
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    touch_window_ = hovering_item ? nullptr : g.HoveredWindow;
    return;
  }
  if (touch_window_ == nullptr || touch_window_->ScrollMax.y <= 0.0F) return;
  ImGui::SetScrollY(touch_window_, touch_window_->Scroll.y - g.IO.MouseDelta.y);
}

// --- Items ----------------------------------------------------------------------------------

ImGuiID Kit::id(std::string_view name) {
  return ImGui::GetCurrentWindow()->GetID(name.data(), name.data() + name.size());
}

void Kit::focus(ImGuiID id, bool by_key) {
  focus_ = id;
  focus_ring_ = by_key;
  focus_moved_ = by_key;
}

bool Kit::key(ImGuiKey key) const {
  return edit.id == 0 && ImGui::IsKeyPressed(key);
}

void Kit::scroll_to(const ImRect& rect) const {
  ImRect room = rect;
  room.Expand(12.0F);
  ImGui::ScrollToRect(ImGui::GetCurrentWindow(), room, ImGuiScrollFlags_KeepVisibleEdgeY);
}

Hand Kit::item(ImGuiID id, const ImRect& rect, const ItemOptions& options) {
  Hand hand;
  if (options.stop && options.enabled) stops_.push_back({id, options.keys});
  hand.focused = id == focus_ && input.focused;
  hand.ring = hand.focused && focus_ring_;
  if (hand.focused && focus_moved_) {
    scroll_to(rect);
    hand.entered = true;
    focus_moved_ = false;
  }
  const bool visible = ImGui::ItemAdd(rect, id, nullptr, ImGuiItemFlags_NoNav);
  if (!visible || !options.enabled || options.passive) return hand;
  const bool press_counts = options.drags;
  hand.clicked = ImGui::ButtonBehavior(
      rect, id, &hand.hovered, &hand.held,
      press_counts ? ImGuiButtonFlags_PressedOnClick : ImGuiButtonFlags_PressedOnClickRelease);
  hand.pressed = hand.held && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  if (hand.hovered || hand.held) hovering_item = true;
  if (hand.pressed) {
    if (options.stop) focus(id, false);
    hand.focused = options.stop;
    hand.ring = false;
    if (options.drags) gesture = next_gesture();
  }
  if (options.drags) {
    if (hand.held) dragging = true;
    zone(ZoneKind::kDrag, rect);
  }
  const bool activates = (options.keys & kKeysActivate) != 0 && hand.focused;
  if (activates && (key(ImGuiKey_Space) || key(ImGuiKey_Enter))) hand.clicked = true;
  return hand;
}

void Kit::record(ImGuiID id, std::string_view label, Role role, const ImRect& rect,
                 std::string_view value, const Hand& hand, bool enabled) {
  const ImRect clip = ImGui::GetCurrentWindow()->ClipRect;
  ImRect seen = rect;
  seen.ClipWith(clip);
  if (seen.GetWidth() <= 0.0F || seen.GetHeight() <= 0.0F) return;
  registry.add({.id = id,
                .label = std::string(label),
                .role = role,
                .rect = {rect.Min.x, rect.Min.y, rect.GetWidth(), rect.GetHeight()},
                .value = std::string(value),
                .enabled = enabled,
                .focused = hand.focused});
}

void Kit::zone(ZoneKind kind, const ImRect& rect) {
  ImRect seen = rect;
  seen.ClipWith(ImGui::GetCurrentWindow()->ClipRect);
  if (seen.GetWidth() <= 0.0F || seen.GetHeight() <= 0.0F) return;
  Zone zone{.kind = kind,
            .rect = {seen.Min.x, seen.Min.y, seen.GetWidth(), seen.GetHeight()},
            .can_up = false,
            .can_down = false};
  if (kind == ZoneKind::kScroll) {
    const ImGuiWindow* window = ImGui::GetCurrentWindow();
    zone.can_up = window->Scroll.y > 0.0F;
    zone.can_down = window->Scroll.y < window->ScrollMax.y;
  }
  zones_.push_back(zone);
}

// --- Editing --------------------------------------------------------------------------------

void Kit::start_edit(ImGuiID id, std::string_view text, std::string_view label, bool numeric) {
  edit = {};
  edit.id = id;
  edit.text = text;
  edit.original = edit.text;
  edit.label = label;
  edit.numeric = numeric;
  edit.fresh = true;
  edit.seen = true;
  edit.gesture = next_gesture();
}

void Kit::stop_edit() {
  if (edit.id != 0 && ImGui::GetActiveID() == edit.id) ImGui::ClearActiveID();
  edit = {};
}

void Kit::overlay_text(std::uint32_t id, EditEvent event, std::string_view text) {
  if (id == 0 || id != edit.id) return;
  if (event == EditEvent::kCancel) {
    edit.cancelled = true;
    return;
  }
  edit.changed = edit.changed || edit.text != text;
  edit.text = text;
  edit.left = event == EditEvent::kLeave;
  if (event == EditEvent::kCommit || edit.left) edit.committed = true;
}

void Kit::push(std::string_view key, std::string text, std::uint32_t gesture_number) {
  Action action;
  action.edits.push_back({key, std::move(text)});
  action.gesture = gesture_number;
  actions.push_back(std::move(action));
}

}  // namespace kvseats::ui
