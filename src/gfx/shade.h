// A field of numbers shown as colour: the data, the colours, and the colour of one value.
//
//   gfx::Field field{.id = 1, .revision = 7, .width = 128, .height = 96, .values = …};
//   gfx::Shade shade{.field = &field, .style = {…}};
//   gfx::add_shade(draw_list, min, max, shade);     // gfx/imgui_renderer.h
//
// Meaning of a value v: up to 1 it lies inside ("v of what there is"), shown by a tint that is
// nothing at 0 and strongest at 1; above 1 it lies outside, shown in flat bands, one for each
// threshold passed. Nothing is computed from the values but colour.
//
// Shape: `values` holds width x height numbers, row 0 at the bottom edge, column 0 at the left;
// the corner samples sit exactly on the corners of the rectangle, between samples the value is
// interpolated bilinearly. Not-a-number and negative values are drawn as 0.
// Source of the interpolation: shaders/shade.frag, the same lines.
#pragma once

#include <array>
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

// A plain value without any GL object in it. Whoever owns it bumps `revision` when the values
// change; `id` tells fields of one surface apart. It has to outlive the frame that shows it.
struct Field {
  std::uint32_t id = 0;
  std::uint32_t revision = 0;
  int width = 0;   // samples, at least 2
  int height = 0;  // samples, at least 2
  std::vector<float> values;
};

inline constexpr int kShadeBands = 4;

struct ShadeStyle {
  Rgba paper;  // at 0
  Rgba edge;   // at 1, just inside
  // How the tint grows: weight of `edge` is v to this power; 1 is proportional.
  float gamma = 1.6F;
  // Values above 1: bands[i] from thresholds[i] up to thresholds[i + 1]. Ascending, the first
  // usually 1; values between 1 and the first threshold get `paper`.
  std::array<float, kShadeBands> thresholds{1, 2, 4, 8};
  std::array<Rgba, kShadeBands> bands{};
  // Softness of the steps between bands, in device pixels.
  float soften_px = 1;
};

struct Shade {
  const Field* field = nullptr;
  ShadeStyle style;
};

// The colour of one value, as the shader computes it (without the softening between bands).
// For faces without a GPU and for the test that both agree.
Rgba shade_colour(const ShadeStyle& style, double value);

}  // namespace kvseats::gfx
