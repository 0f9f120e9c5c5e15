#include "gfx/passes.h"

#include <algorithm>

namespace kvseats::gfx {

// The field's two textures, made when they are missing, changed or void.
const Passes::CachedField& Passes::cached(const Field& field) {
  auto found = std::find_if(fields_.begin(), fields_.end(),
                            [&](const CachedField& candidate) { return candidate.id == field.id; });
  if (found == fields_.end()) {
    found = fields_.insert(fields_.end(), CachedField{});
    found->id = field.id;
  }
  found->used = true;
  if (found->logarithms.valid(context_) && found->revision == field.revision) return *found;
  found->revision = field.revision;
  const TextureShape grid{
      .format = PixelFormat::kR32f, .width = field.width, .height = field.height};
  found->logarithms.upload(context_, grid, shade_logarithms(field).data());
  const TextureShape row{
      .format = PixelFormat::kRgba8, .width = static_cast<int>(field.ramp.size() / 4), .height = 1};
  found->ramp.upload(context_, row, field.ramp.data());
  return *found;
}

const Texture& Passes::cached(const Cells& cells) {
  auto found = std::find_if(grids_.begin(), grids_.end(),
                            [&](const CachedCells& grid) { return grid.id == cells.id; });
  if (found == grids_.end()) {
    found = grids_.insert(grids_.end(), CachedCells{});
    found->id = cells.id;
  }
  found->used = true;
  if (found->colors.valid(context_) && found->revision == cells.revision) return found->colors;
  found->revision = cells.revision;
  found->colors.upload(
      context_, {.format = PixelFormat::kRgba8, .width = cells.columns, .height = cells.rows},
      cells.colors.data());
  return found->colors;
}

// The pass's one rectangle.
void Passes::fill(Program& program, ImVec2 min, ImVec2 max, const Surface& surface) {
  const Gl& gl = context_.gl();
  if (generation_ != context_.generation()) {
    generation_ = context_.generation();
    gl.GenVertexArrays(1, &empty_array_);
  }
  const auto across = [&](float x) { return (x - surface.origin.x) / surface.size.x * 2 - 1; };
  const auto upward = [&](float y) { return 1 - (y - surface.origin.y) / surface.size.y * 2; };
  gl.Uniform4f(program.uniform(context_, "corners"), across(min.x), upward(max.y), across(max.x),
               upward(min.y));
  gl.BindVertexArray(empty_array_);
  gl.DrawArrays(gl::kTriangleStrip, 0, 4);
}

int Passes::draw(const PassCall& call, const Surface& surface) {
  return call.field != nullptr ? draw_shade(call, surface) : draw_cells(call, surface);
}

int Passes::draw_shade(const PassCall& call, const Surface& surface) {
  if (!call.field->drawable()) return 0;
  const Gl& gl = context_.gl();
  gl.ActiveTexture(gl::kTexture0);
  const CachedField& field = cached(*call.field);
  if (!shade_.use(context_)) return 0;
  field.logarithms.bind(context_);
  gl.ActiveTexture(gl::kTexture0 + 1);
  field.ramp.bind(context_);
  gl.Uniform1i(shade_.uniform(context_, "logarithms"), 0);
  gl.Uniform1i(shade_.uniform(context_, "ramp"), 1);
  gl.Uniform2f(shade_.uniform(context_, "ramp_range"), call.field->ramp_low, call.field->ramp_high);
  fill(shade_, call.min, call.max, surface);
  return 1;
}

int Passes::draw_cells(const PassCall& call, const Surface& surface) {
  if (!call.cells->drawable()) return 0;
  const Gl& gl = context_.gl();
  gl.ActiveTexture(gl::kTexture0);
  const Texture& colors = cached(*call.cells);
  if (!cells_.use(context_)) return 0;
  colors.bind(context_);
  gl.Uniform1i(cells_.uniform(context_, "cells"), 0);
  gl.Uniform2f(cells_.uniform(context_, "gap"), call.cells->gap, call.cells->gap);
  fill(cells_, call.min, call.max, surface);
  return 1;
}

void Passes::drop_unused() {
  for (CachedField& field : fields_) {
    if (field.used) continue;
    field.logarithms.free(context_);
    field.ramp.free(context_);
  }
  for (CachedCells& grid : grids_) {
    if (!grid.used) grid.colors.free(context_);
  }
  std::erase_if(fields_, [](const CachedField& field) { return !field.used; });
  std::erase_if(grids_, [](const CachedCells& grid) { return !grid.used; });
  for (CachedField& field : fields_) field.used = false;
  for (CachedCells& grid : grids_) grid.used = false;
}

void Passes::free() {
  for (CachedField& field : fields_) field.used = false;
  for (CachedCells& grid : grids_) grid.used = false;
  drop_unused();
  shade_.free(context_);
  cells_.free(context_);
  if (context_.alive() && generation_ == context_.generation()) {
    context_.gl().DeleteVertexArrays(1, &empty_array_);
  }
  generation_ = 0;
}

const std::string& Passes::error() const {
  return shade_.error().empty() ? cells_.error() : shade_.error();
}

}  // namespace kvseats::gfx
