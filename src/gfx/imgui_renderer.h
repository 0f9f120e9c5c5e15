// Draws what Dear ImGui asks for, and shader passes in between, on one gfx::Context.
//
//   gfx::ImGuiRenderer renderer(context);
//   renderer.attach();                        // once, the ImGui context being current
//   …frame…
//   renderer.render(*ImGui::GetDrawData(), paper);
//
// The one file of this room that knows ImGui. Textures: ImGui 1.92 asks for them one by one
// (ImTextureData); they are made, updated and freed in `render`. After the context was lost and
// restored, everything is made anew from what ImGui keeps in memory, in the first `render`.
//
// Passes: `add_shade` and `add_cells` put a marker into a draw list. When the renderer comes to it,
// it draws the pass with the clip rectangle of that place and then puts its own state back, so
// order, clipping and pixel density stay ImGui's.
//
// Failure: `error()` is empty, or says which shader failed and where ("shade.frag:12: …").
// Without the ImGui program nothing is drawn; without a pass's program that pass is left out.
#pragma once

#include <memory>
#include <string>

#include "gfx/cells.h"
#include "gfx/context.h"
#include "gfx/shade.h"

struct ImDrawData;
struct ImDrawList;
struct ImVec2;

namespace kvseats::gfx {

// Fills the rectangle min..max (ImGui's coordinates) of `list` with the field's colours, over
// what is there already and below what comes after. The field is not copied: it has to stay
// alive and unchanged until the frame is rendered. Needs no renderer: without one (headless)
// the marker does nothing.
void add_shade(ImDrawList& list, const ImVec2& min, const ImVec2& max, const Field& field);

// The same for a grid of squares.
void add_cells(ImDrawList& list, const ImVec2& min, const ImVec2& max, const Cells& cells);

class ImGuiRenderer {
 public:
  explicit ImGuiRenderer(Context& context);
  ~ImGuiRenderer();  // frees the GL objects if the context is alive

  ImGuiRenderer(const ImGuiRenderer&) = delete;
  ImGuiRenderer& operator=(const ImGuiRenderer&) = delete;

  // Tells the current ImGui context what this renderer can do (textures on request, vertex
  // offsets, largest texture), and begins to compile. Call before the first frame, and again after
  // `restore`; the driver works meanwhile, and the first `render` waits for what is left.
  void attach();

  // Clears to `paper` and draws. The ImGui context of `data` is current. Where the surface still
  // shows what was drawn last (`kept`), the same picture is not drawn again: of the frames that
  // settle a layout most repeat the one before.
  void render(ImDrawData& data, const Rgba& paper, bool kept = false);

  // Before the ImGui context goes away: its textures are freed, so that none is left behind.
  void detach();

  const std::string& error() const;
  // Draw calls of the last `render`; 0 when there was nothing to draw, nothing new, or it could
  // not.
  int draw_calls() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace kvseats::gfx
