// A two-dimensional texture of one context: pixels in, a name out.
//
//   gfx::Texture texture;
//   texture.upload(context, {.format = PixelFormat::kR32f, .width = 128, .height = 96}, data);
//   texture.bind(context);
//
// It keeps no copy of the pixels: after context loss `valid` is false and whoever has the
// pixels uploads them again. Rows are tightly packed, the first row is the bottom one.
#pragma once

#include <cstdint>

#include "gfx/context.h"

namespace kvseats::gfx {

enum class PixelFormat : std::uint8_t {
  kRgba8,  // 4 bytes a pixel, filtered
  kR32f,   // one float a pixel, nearest (read it with texelFetch)
};

struct TextureShape {
  PixelFormat format = PixelFormat::kRgba8;
  int width = 0;   // px
  int height = 0;  // px
  bool operator==(const TextureShape&) const = default;
};

class Texture {
 public:
  // Belongs to the context as it is now; false before the first upload and after a loss.
  bool valid(const Context& context) const;
  // Replaces everything.
  void upload(const Context& context, const TextureShape& shape, const void* pixels);
  // Replaces a rectangle; `pixels` points at its first pixel, rows are `row_px` pixels apart.
  void update(const Context& context, int x, int y, int width, int height, int row_px,
              const void* pixels);
  void bind(const Context& context) const;
  void free(const Context& context);
  GlName name() const { return name_; }

 private:
  TextureShape shape_;
  GlName name_ = 0;
  std::uint32_t generation_ = 0;
};

}  // namespace kvseats::gfx
