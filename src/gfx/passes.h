// The shader passes between ImGui's own draw calls, and the textures they keep: internal to the
// renderer.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <string>
#include <vector>

#include "gfx/cells.h"
#include "gfx/context.h"
#include "gfx/program.h"
#include "gfx/shade.h"
#include "gfx/texture.h"

namespace kvseats::gfx {

// A rectangle and the one thing that fills it.
struct PassCall {
  ImVec2 min;
  ImVec2 max;
  const Field* field = nullptr;
  const Cells* cells = nullptr;
};

// Position and size of the frame in both kinds of pixel.
struct Surface {
  ImVec2 origin;
  ImVec2 size;   // logical px
  ImVec2 scale;  // device px per logical px
  int width = 0;
  int height = 0;  // device px
};

class Passes {
 public:
  explicit Passes(Context& context) : context_(context) {}

  // Begins the program that the first view needs: `Program::begin`.
  void begin() { shade_.begin(context_); }

  // Draw calls made: 1, or 0 where there was nothing to draw or no program for it. The state of
  // the context is another one afterwards.
  int draw(const PassCall& call, const Surface& surface);
  // What a whole frame did not show is not worth its memory.
  void drop_unused();
  void free();
  const std::string& error() const;

 private:
  struct CachedField {
    std::uint32_t id = 0;
    std::uint32_t revision = 0;
    Texture logarithms;
    Texture ramp;
    bool used = false;
  };
  struct CachedCells {
    std::uint32_t id = 0;
    std::uint32_t revision = 0;
    Texture colors;
    bool used = false;
  };
  const CachedField& cached(const Field& field);
  const Texture& cached(const Cells& cells);
  int draw_shade(const PassCall& call, const Surface& surface);
  int draw_cells(const PassCall& call, const Surface& surface);
  void fill(Program& program, ImVec2 min, ImVec2 max, const Surface& surface);

  Context& context_;
  Program shade_{"shade.vert", "shade.frag", ""};
  Program cells_{"shade.vert", "cells.frag", ""};
  std::vector<CachedField> fields_;
  std::vector<CachedCells> grids_;
  GlName empty_array_ = 0;  // passes have no vertex data
  std::uint32_t generation_ = 0;
};

}  // namespace kvseats::gfx
