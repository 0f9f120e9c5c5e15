#include "gfx/readback.h"

#include <algorithm>

namespace kvseats::gfx {

std::vector<std::uint8_t> read_pixels(const Context& context, int width, int height) {
  if (!context.alive() || width <= 0 || height <= 0) return {};
  const std::size_t row = static_cast<std::size_t>(width) * 4;
  const auto rows = static_cast<std::size_t>(height);
  std::vector<std::uint8_t> pixels(row * rows);
  context.gl().PixelStorei(gl::kPackAlignment, 1);
  context.gl().ReadPixels(0, 0, width, height, gl::kRgba, gl::kUnsignedByte, pixels.data());
  // GL counts rows from the bottom.
  for (std::size_t y = 0; y < rows / 2; ++y) {
    std::uint8_t* upper = pixels.data() + y * row;
    std::uint8_t* lower = pixels.data() + (rows - 1 - y) * row;
    std::swap_ranges(upper, upper + row, lower);
  }
  return pixels;
}

}  // namespace kvseats::gfx
