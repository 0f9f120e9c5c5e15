#include "gfx/context.h"

namespace kvseats::gfx {

namespace {

Capabilities read_capabilities(const Gl& gl) {
  Capabilities capabilities;
  GlInt largest = 0;
  gl.GetIntegerv(gl::kMaxTextureSize, &largest);
  if (largest > 0) capabilities.max_texture_px = largest;
  return capabilities;
}

}  // namespace

Context::Context(const Gl& gl, Dialect dialect)
    : gl_(gl), dialect_(dialect), capabilities_(read_capabilities(gl)) {}

void Context::restore() {
  alive_ = true;
  ++generation_;
  capabilities_ = read_capabilities(gl_);
}

}  // namespace kvseats::gfx
