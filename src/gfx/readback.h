// Pixels back from the surface, for screenshots and tests.
#pragma once

#include <cstdint>
#include <vector>

#include "gfx/context.h"

namespace kvseats::gfx {

// RGBA, 4 bytes a pixel, the top row first; of the current surface, right after a frame was
// rendered and before it is shown. Empty when the context is not alive.
std::vector<std::uint8_t> read_pixels(const Context& context, int width, int height);

}  // namespace kvseats::gfx
