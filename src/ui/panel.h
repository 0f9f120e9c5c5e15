#pragma once

#include <string>
#include <string_view>

#include "ui/controls.h"

/// What lies over the whole surface until it is closed: a log beside the prediction, a model file
/// and what was read of it. And the parts such panels are made of.
namespace kvseats::ui {

struct Ui;

/// An open panel (`ViewState::panel`).
struct Panel {
  Panel() = default;
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;
  virtual ~Panel() = default;
  /// Draws it below `top`. May close it (`close_panel`); the App keeps it alive until this returns.
  virtual void draw(Ui& ui, float top, float width, float height) = 0;
};

/// Plots as pictures and data, all of it as text; for the window, where no page has a dialog.
void open_save_panel(Ui& ui);

void close_panel(Ui& ui);
/// Escape closes it unless a text is being typed; call at the end of `draw`.
void close_on_escape(Ui& ui);

inline constexpr float kPanelPad = 28.0F;

/// Where a panel's two parts stand: what is asked at the left (or above), what came out at the
/// right (or below).
struct PanelPlaces {
  bool wide = false;
  float left = 0;    ///< width of the part that asks, from `kPanelPad` on
  float bottom = 0;  ///< where both end
  ImRect beside;     ///< the other part, when `wide`; else it begins below the first
};
[[nodiscard]] PanelPlaces panel_places(float top, float width, float height);

/// Text of many lines: ImGui's own field, so that pasting, selecting and undo are its own.
struct TextBox {
  std::string text;
  bool focus = false;  ///< takes the keyboard in the next frame
};
/// `hint` stands in the box while it is empty; `label` is its accessible name.
void text_box(Kit& kit, TextBox& box, const ImRect& rect, std::string_view label,
              std::string_view hint);

/// Buttons one after the other, in as many rows as they need.
class ButtonRow {
 public:
  ButtonRow(Kit& kit, float x, float y, float width)
      : kit_(kit), left_(x), right_(x + width), x_(x), top_(y), y_(y) {}
  /// True when it was pressed.
  bool operator()(std::string_view words);
  /// The height taken.
  [[nodiscard]] float tall() const { return y_ + kit_.skin.control - top_; }

 private:
  Kit& kit_;
  float left_, right_, x_, top_, y_;
};

/// A part of the panel that scrolls: `content(x, y, width)` draws and returns its height.
template <class Content>
void scroll_part(Kit& kit, const char* name, const ImRect& area, const Content& content) {
  ImGui::SetCursorScreenPos(area.Min);
  ImGui::BeginChild(name, area.GetSize(), ImGuiChildFlags_None,
                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float tall = content(at.x, at.y, area.GetWidth() - 16.0F);
  ImGui::SetCursorScreenPos({at.x, at.y + tall});
  ImGui::Dummy({1, 24});
  if (ImGui::GetScrollMaxY() > 0.0F) kit.zone(ZoneKind::kScroll, area);
  ImGui::EndChild();
}

/// Diagnostics as paragraphs, each recorded under its code; the height taken.
float diagnostics_text(Kit& kit, const units::Diagnostics& list, float x, float y, float width);

}  // namespace kvseats::ui
