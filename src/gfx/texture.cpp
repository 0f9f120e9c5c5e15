#include "gfx/texture.h"

namespace kvseats::gfx {

namespace {

struct Transfer {
  GlEnum internal;
  GlEnum format;
  GlEnum type;
  GlEnum filter;
};

Transfer transfer(PixelFormat format) {
  if (format == PixelFormat::kR32f) {
    return {gl::kR32f, gl::kRed, gl::kFloat, gl::kNearest};
  }
  return {gl::kRgba8, gl::kRgba, gl::kUnsignedByte, gl::kLinear};
}

void set_parameter(const Gl& gl, GlEnum parameter, GlEnum value) {
  gl.TexParameteri(gl::kTexture2D, parameter, static_cast<GlInt>(value));
}

}  // namespace

bool Texture::valid(const Context& context) const {
  return name_ != 0 && context.alive() && generation_ == context.generation();
}

void Texture::upload(const Context& context, const TextureShape& shape, const void* pixels) {
  const Gl& gl = context.gl();
  const Transfer kind = transfer(shape.format);
  if (!valid(context)) {
    gl.GenTextures(1, &name_);
    generation_ = context.generation();
  }
  shape_ = shape;
  gl.BindTexture(gl::kTexture2D, name_);
  set_parameter(gl, gl::kTextureMinFilter, kind.filter);
  set_parameter(gl, gl::kTextureMagFilter, kind.filter);
  set_parameter(gl, gl::kTextureWrapS, gl::kClampToEdge);
  set_parameter(gl, gl::kTextureWrapT, gl::kClampToEdge);
  gl.PixelStorei(gl::kUnpackAlignment, 1);
  gl.PixelStorei(gl::kUnpackRowLength, 0);
  gl.TexImage2D(gl::kTexture2D, 0, static_cast<GlInt>(kind.internal), shape.width, shape.height, 0,
                kind.format, kind.type, pixels);
}

void Texture::update(const Context& context, int x, int y, int width, int height, int row_px,
                     const void* pixels) {
  if (!valid(context)) return;
  const Gl& gl = context.gl();
  const Transfer kind = transfer(shape_.format);
  gl.BindTexture(gl::kTexture2D, name_);
  gl.PixelStorei(gl::kUnpackAlignment, 1);
  gl.PixelStorei(gl::kUnpackRowLength, row_px);
  gl.TexSubImage2D(gl::kTexture2D, 0, x, y, width, height, kind.format, kind.type, pixels);
  gl.PixelStorei(gl::kUnpackRowLength, 0);
}

void Texture::bind(const Context& context) const {
  context.gl().BindTexture(gl::kTexture2D, name_);
}

void Texture::free(const Context& context) {
  if (valid(context)) context.gl().DeleteTextures(1, &name_);
  name_ = 0;
  generation_ = 0;
}

}  // namespace kvseats::gfx
