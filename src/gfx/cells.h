// A grid of coloured squares: tens of thousands of them for the price of one small texture.
//
//   gfx::Cells cells{.id = 1, .revision = 7, .columns = 208, .rows = 122, .colors = …, .gap =
//   0.3F}; gfx::add_cells(draw_list, min, max, cells);     // gfx/imgui_renderer.h
//
// Shape: `colors` holds columns x rows colours of 4 bytes (RGBA, straight), row 0 at the top,
// column 0 at the left; each fills its part of the rectangle. A cell of no opacity shows what is
// below. Cost: one texture, uploaded when `revision` changes or a context was lost; one quad.
#pragma once

#include <cstdint>
#include <vector>

namespace kvseats::gfx {

// A plain value without any GL object in it; the same duties as for a Field (gfx/shade.h).
struct Cells {
  std::uint32_t id = 0;
  std::uint32_t revision = 0;
  int columns = 0;
  int rows = 0;
  std::vector<std::uint8_t> colors;
  float gap = 0;  // part of a cell's side that stays empty, at its right and lower edge, 0 to 1

  // All sizes agree; a grid that is not drawable is left out.
  bool drawable() const {
    constexpr std::size_t kChannels = 4;
    return columns > 0 && rows > 0 &&
           colors.size() ==
               static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows) * kChannels;
  }
};

}  // namespace kvseats::gfx
