#pragma once

#include "chart/theme.h"
#include "imgui.h"
#include "plot/plot.h"

/// Colours and measures of the interface, and what they make of ImGui's own style.
///
/// All lengths are logical pixels on a grid of 4. Colours are the chart's tokens, so that a
/// control, a curve and a bar of the same meaning are the same colour.
namespace kvseats::ui {

struct Skin {
  const chart::Theme* theme = nullptr;
  plot::Fonts fonts;
  bool touch = false;

  float control = 30.0F;  ///< height of a control; 44 with touch
  float radius = 6.0F;
  float text_control = 14.0F;
  float text_label = 12.5F;
  float text_head = 11.0F;  ///< spaced capitals
  float text_sentence = 15.0F;

  [[nodiscard]] ImU32 operator()(chart::Ink ink, double opacity = 1.0) const {
    return plot::color(*theme, ink, opacity);
  }
};

[[nodiscard]] Skin make_skin(bool dark, bool touch, plot::Fonts fonts);

/// Writes the skin into the current ImGui context: what ImGui draws itself (scroll bars, text
/// fields, pop-up windows) looks like the rest.
void apply(const Skin& skin);

}  // namespace kvseats::ui
