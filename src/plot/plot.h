#pragma once

#include <cstdint>

#include "chart/layout.h"
#include "chart/theme.h"
#include "gfx/shade.h"
#include "imgui.h"

/// Charts on a Dear ImGui draw list: a `chart::Layout` becomes strokes, text and one shader pass.
///
///     const chart::Layout layout = chart::lay_out(chart, {.width = 960, .height = 560,
///                                                         .measure = plot::measure(fonts)});
///     plot::draw(*ImGui::GetWindowDrawList(), chart, layout, origin, look);
///     const chart::Point under = chart::data_at(layout, plot::to_layout(mouse, origin));
///
/// Positions are logical pixels; `origin` is where the picture's upper left corner lies on the
/// surface. Nothing here knows what the numbers mean, decides a colour or places a label: colours
/// come from the theme by role, places from the layout. Nothing fails and nothing is kept between
/// calls.
namespace kvseats::plot {

/// The two cuts of one family. Both must be of the current ImGui context; null draws ImGui's own.
struct Fonts {
  ImFont* regular = nullptr;
  ImFont* bold = nullptr;
};

/// Text widths exactly as `draw` will draw them, for `LayoutOptions::measure`. `fonts` is borrowed
/// and has to outlive the layout call.
[[nodiscard]] chart::Measure measure(const Fonts& fonts);

/// How a picture looks at this moment.
struct Look {
  const chart::Theme* theme = nullptr;
  Fonts fonts;
  bool handle_hot = false;      ///< the pointer is over the operating point, or drags it
  bool handle_focused = false;  ///< it has the keyboard: focus ring
  /// Colour of the area, or null: none. It must outlive the frame (see `shader_field`).
  const gfx::Field* shade = nullptr;
};

/// One colour of a theme as ImGui packs it; `opacity` 0 … 1.
[[nodiscard]] ImU32 color(const chart::Theme& theme, chart::Ink ink, double opacity = 1.0);

/// Text with its baseline at `at.y`, whole pixels. `halo` draws the ground around the letters, so
/// that grid lines stay out of them.
void draw_text(ImDrawList& list, const Look& look, const chart::Text& text, ImVec2 origin,
               bool halo);

void draw(ImDrawList& list, const chart::Chart& chart, const chart::Layout& layout, ImVec2 origin,
          const Look& look);
void draw(ImDrawList& list, const chart::BarLayout& layout, ImVec2 origin, const Look& look);

/// A place of the surface in the layout's own pixels.
[[nodiscard]] inline chart::Px to_layout(ImVec2 surface, ImVec2 origin) {
  return {static_cast<double>(surface.x) - static_cast<double>(origin.x),
          static_cast<double>(surface.y) - static_cast<double>(origin.y)};
}

/// The field of a chart in the form the shader pass takes, with the theme's colours of pool use.
/// `revision` must differ whenever values or theme do; `id` tells fields of one surface apart. An
/// empty field gives one that is not drawn.
[[nodiscard]] gfx::Field shader_field(const chart::Field& field, const chart::Theme& theme,
                                      std::uint32_t id, std::uint32_t revision);

}  // namespace kvseats::plot
