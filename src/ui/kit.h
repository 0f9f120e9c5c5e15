#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "imgui.h"
#include "imgui_internal.h"
#include "ui/app.h"
#include "ui/registry.h"
#include "ui/skin.h"
#include "ui/slides.h"
#include "ui/store.h"

/// What every control of the interface needs: where it is drawn, how it looks, who has the focus,
/// which text is being edited, and where its actions go.
///
/// Keyboard focus is ours, not ImGui's navigation: Tab walks the controls in the order they are
/// drawn and leaves at the ends, arrows belong to the control that has the focus, everything else
/// stays with the page. A control becomes a stop by calling `Kit::item`.
namespace kvseats::ui {

/// What pointer and keyboard did to one control in this frame.
struct Hand {
  bool hovered = false;
  bool held = false;     ///< the pointer is down on it
  bool pressed = false;  ///< the pointer went down on it now
  bool clicked = false;  ///< clicked, tapped, or activated by key
  bool focused = false;
  bool ring = false;     ///< focused by keyboard: draw the ring
  bool entered = false;  ///< the keyboard focus arrived in this frame
};

/// Options of `Kit::item`.
struct ItemOptions {
  std::uint32_t keys = kKeysActivate;  ///< KeyUse bits it wants while focused
  bool stop = true;                    ///< Tab stops here
  bool drags = false;                  ///< a drag that starts here belongs to it
  bool enabled = true;
  bool passive = false;  ///< something else on top takes the pointer
};

/// The text field that is being edited.
struct EditState {
  ImGuiID id = 0;        ///< 0: none
  std::string text;      ///< as it stands now
  std::string original;  ///< before it was touched
  std::string label;
  ImRect rect;
  float font_px = 14;
  bool numeric = false;
  bool fresh = false;         ///< its field has not been drawn since it began
  std::uint32_t gesture = 0;  ///< of all changes until it ends
  bool changed = false;       ///< new text since the last frame
  bool touched = false;       ///< changed at some time
  bool committed = false;     ///< the overlay was left or Enter was pressed
  bool cancelled = false;
  bool left = false;  ///< committed by leaving the overlay
  bool seen = false;  ///< its field was drawn in this frame
};

/// The open list of a combo.
struct PickState {
  ImGuiID id = 0;  ///< of the combo; 0: none
  std::string filter;
  int at = -1;          ///< highlighted row
  bool opened = false;  ///< in this frame
  bool follow = false;  ///< scroll to the highlighted row
};

class Kit {
 public:
  // --- Frame --------------------------------------------------------------------------------
  void begin(const FrameInput& input, const Skin& skin);
  void end(FrameResult& result);

  // --- Drawing ------------------------------------------------------------------------------
  [[nodiscard]] ImDrawList& list() const { return *ImGui::GetWindowDrawList(); }
  /// Text with its baseline at y; returns its width. `strong`: semibold.
  float text(float x, float baseline, float size, chart::Ink ink, std::string_view words,
             bool strong = false) const;
  /// The same, ending at x.
  float text_right(float x, float baseline, float size, chart::Ink ink, std::string_view words,
                   bool strong = false) const;
  /// As much as fits into `room`, with an ellipsis if not all.
  float text_cut(float x, float baseline, float size, chart::Ink ink, std::string_view words,
                 float room, bool strong = false) const;
  [[nodiscard]] float width(std::string_view words, float size, bool strong = false) const;
  /// Lines of running text, broken at spaces; returns the height taken (`leading` a line).
  float paragraph(float x, float top, float room, float size, float leading, chart::Ink ink,
                  std::string_view words, bool strong = false) const;
  /// The baseline that centres capitals of `size` in the rectangle.
  [[nodiscard]] static float baseline_in(const ImRect& rect, float size);
  void ring(const ImRect& rect, float radius) const;

  // --- Items --------------------------------------------------------------------------------
  [[nodiscard]] static ImGuiID id(std::string_view name);
  Hand item(ImGuiID id, const ImRect& rect, const ItemOptions& options = {});
  void record(ImGuiID id, std::string_view label, Role role, const ImRect& rect,
              std::string_view value, const Hand& hand, bool enabled = true);
  void zone(ZoneKind kind, const ImRect& rect);
  void focus(ImGuiID id, bool by_key);
  [[nodiscard]] ImGuiID focused() const { return focus_; }
  /// A key for the control that has the focus, repeats included; false while text is edited.
  [[nodiscard]] bool key(ImGuiKey key) const;

  // --- Editing ------------------------------------------------------------------------------
  void start_edit(ImGuiID id, std::string_view text, std::string_view label, bool numeric);
  void stop_edit();
  void overlay_text(std::uint32_t id, EditEvent event, std::string_view text);

  // --- Actions ------------------------------------------------------------------------------
  void push(Action action) { actions.push_back(std::move(action)); }
  void push(std::string_view key, std::string text, std::uint32_t gesture = 0);
  /// A number for all actions of one drag or one typing.
  std::uint32_t next_gesture() { return ++gestures_; }

  Skin skin;
  FrameInput input;
  Registry registry;
  Slides slides;
  EditState edit;
  PickState pick;
  std::vector<Action> actions;
  std::vector<Effect> effects;
  std::uint32_t gesture = 0;   ///< of the drag under way
  bool dragging = false;       ///< some control is held: nothing else may move
  bool hovering_item = false;  ///< for touch: the pointer is on a control

  // Where the focus should go at the next opportunity (`App::focus_in`).
  void enter(FocusFrom from);

 private:
  struct Stop {
    ImGuiID id = 0;
    std::uint32_t keys = 0;
  };
  void walk_tab();
  void scroll_to(const ImRect& rect) const;
  [[nodiscard]] int index_of(ImGuiID id) const;
  void scroll_by_touch();

  std::vector<Stop> stops_;  // of this frame, growing
  std::vector<Stop> last_stops_;
  std::vector<Zone> zones_;
  ImGuiID focus_ = 0;
  bool focus_ring_ = false;
  bool focus_moved_ = false;  // scroll it into view
  std::uint32_t gestures_ = 0;
  ImGuiWindow* touch_window_ = nullptr;
  enum class Enter : std::uint8_t { kNone, kFirst, kLast } enter_ = Enter::kNone;
};

}  // namespace kvseats::ui
