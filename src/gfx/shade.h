// A field of numbers shown as colour: the data and the colours, as plain values.
//
//   gfx::Field field{.id = 1, .revision = 7, .width = 128, .height = 96, .values = …,
//                    .ramp = rgba, .ramp_low = -6, .ramp_high = 4};
//   gfx::add_shade(draw_list, min, max, field);     // gfx/imgui_renderer.h
//
// The colour of a value v is looked up in `ramp` at log2(v); nothing else is computed from the
// values on the GPU. Between samples log2(v) is interpolated bilinearly, and between colours the
// ramp linearly, so that a step in the ramp is a soft edge in the picture.
//
// Shape: `values` holds width x height numbers, row 0 at the bottom edge, column 0 at the left;
// the corner samples sit exactly on the corners of the rectangle. Zero, negative numbers and
// not-a-number count as next to nothing (the low end of the ramp), infinity as the high end.
// Cost: two small textures, uploaded when `revision` changes or a context was lost; one quad.
#pragma once

#include <cstdint>
#include <vector>

namespace kvseats::gfx {

// Straight (not premultiplied) colour, 0 to 1, as stored (sRGB values, no linear light).
struct Rgba {
  float r = 0;
  float g = 0;
  float b = 0;
  float a = 0;
  bool operator==(const Rgba&) const = default;
};

// A plain value without any GL object in it. Whoever owns it bumps `revision` when anything in
// it changes; `id` tells fields of one surface apart. It has to stay alive and unchanged until
// the frame that shows it is rendered.
struct Field {
  std::uint32_t id = 0;
  std::uint32_t revision = 0;
  int width = 0;   // samples, at least 2
  int height = 0;  // samples, at least 2
  std::vector<float> values;
  std::vector<std::uint8_t> ramp;  // RGBA, 4 bytes a colour, at least 2 colours, low to high
  float ramp_low = -6;             // log2 of the value of the first colour's lower edge
  float ramp_high = 4;             // and of the last colour's upper edge

  // All sizes agree; a field that is not drawable is left out.
  bool drawable() const;
};

// log2 of the values as the shader gets them: finite, clamped to a little beyond the ramp.
std::vector<float> shade_logarithms(const Field& field);

}  // namespace kvseats::gfx
