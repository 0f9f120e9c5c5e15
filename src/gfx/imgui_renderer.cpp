#include "gfx/imgui_renderer.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "gfx/passes.h"
#include "gfx/program.h"
#include "gfx/texture.h"

namespace kvseats::gfx {

namespace {

Surface surface_of(const ImDrawData& data) {
  return {.origin = data.DisplayPos,
          .size = data.DisplaySize,
          .scale = data.FramebufferScale,
          .width = static_cast<int>(std::lround(data.DisplaySize.x * data.FramebufferScale.x)),
          .height = static_cast<int>(std::lround(data.DisplaySize.y * data.FramebufferScale.y))};
}

// Only a marker that the renderer recognises; drawing happens in ImGuiRenderer::State.
void pass_marker(const ImDrawList*, const ImDrawCmd*) {}

// A sum over all that a picture is drawn from. Two that differ and agree here are a matter of
// 2^-64.
class Fingerprint {
 public:
  void add(const void* data, std::size_t size) {
    const char* at = static_cast<const char*>(data);
    for (; size >= sizeof(sum_); at += sizeof(sum_), size -= sizeof(sum_))
      add_word(at, sizeof(sum_));
    if (size > 0) add_word(at, size);
  }
  template <typename... Values>
  void add_values(const Values&... values) {
    (add(&values, sizeof(values)), ...);
  }
  std::uint64_t sum() const { return sum_; }

 private:
  void add_word(const char* at, std::size_t size) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, size);
    sum_ = (sum_ ^ word) * 0x9E3779B97F4A7C15U;
    sum_ ^= sum_ >> 32U;
  }
  std::uint64_t sum_ = 1;
};

void add_pass(Fingerprint& print, const PassCall& call) {
  print.add_values(call.min, call.max);
  if (call.field != nullptr) print.add_values(call.field->id, call.field->revision);
  if (call.cells != nullptr)
    print.add_values(call.cells->id, call.cells->revision, call.cells->gap);
}

// Of one list; false when it calls a function that may draw anything.
bool add_list(Fingerprint& print, const ImDrawList& list) {
  for (const ImDrawCmd& command : list.CmdBuffer) {
    print.add_values(command.ClipRect, command.VtxOffset, command.IdxOffset, command.ElemCount);
    if (command.UserCallback == nullptr) {
      print.add_values(command.GetTexID());
    } else if (command.UserCallback == pass_marker) {
      add_pass(print, *static_cast<const PassCall*>(command.UserCallbackData));
    } else if (command.UserCallback != ImDrawCallback_ResetRenderState) {
      return false;
    }
  }
  print.add(list.VtxBuffer.Data, static_cast<std::size_t>(list.VtxBuffer.size_in_bytes()));
  print.add(list.IdxBuffer.Data, static_cast<std::size_t>(list.IdxBuffer.size_in_bytes()));
  return true;
}

// 0: cannot be told.
std::uint64_t fingerprint(const ImDrawData& data, const Rgba& paper, std::uint32_t generation) {
  Fingerprint print;
  print.add_values(data.DisplayPos, data.DisplaySize, data.FramebufferScale, paper, generation);
  for (const ImDrawList* list : data.CmdLists) {
    if (!add_list(print, *list)) return 0;
  }
  return print.sum();
}

bool textures_wait(const ImDrawData& data) {
  return data.Textures != nullptr &&
         std::any_of(data.Textures->begin(), data.Textures->end(),
                     [](const ImTextureData* texture) {
                       return texture->Status != ImTextureStatus_OK &&
                              texture->Status != ImTextureStatus_Destroyed;
                     });
}

const void* offset_pointer(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

}  // namespace

void add_shade(ImDrawList& list, const ImVec2& min, const ImVec2& max, const Field& field) {
  PassCall call{.min = min, .max = max, .field = &field};
  list.AddCallback(pass_marker, &call, sizeof(call));
}

void add_cells(ImDrawList& list, const ImVec2& min, const ImVec2& max, const Cells& cells) {
  PassCall call{.min = min, .max = max, .cells = &cells};
  list.AddCallback(pass_marker, &call, sizeof(call));
}

struct ImGuiRenderer::State {
  struct CachedAtlas {
    int id = 0;  // ImTextureData::UniqueID
    Texture texture;
  };

  explicit State(Context& of) : context(of), passes(of) {}

  void prepare_objects();
  void free_objects();
  void serve_texture(ImTextureData& texture);
  void drop_atlas(ImTextureData& texture);
  void set_up(const Surface& surface);
  void draw_list(const ImDrawList& list, const Surface& surface);
  void draw_elements(const ImDrawCmd& command);
  bool clip(const ImDrawCmd& command, const Surface& surface);

  Context& context;
  Program ui{"ui.vert", "ui.frag", ""};
  Passes passes;
  std::vector<CachedAtlas> atlases;
  std::array<GlName, 2> buffers{};  // vertices, indices
  GlName vertex_array = 0;
  std::uint32_t generation = 0;
  int draw_calls = 0;
  std::uint64_t shown = 0;  // fingerprint of the last picture
  std::string error;
};

void ImGuiRenderer::State::prepare_objects() {
  if (generation == context.generation()) return;
  const Gl& gl = context.gl();
  generation = context.generation();
  gl.GenBuffers(2, buffers.data());
  gl.GenVertexArrays(1, &vertex_array);
}

void ImGuiRenderer::State::free_objects() {
  passes.free();
  for (CachedAtlas& atlas : atlases) atlas.texture.free(context);
  atlases.clear();
  ui.free(context);
  if (context.alive() && generation == context.generation()) {
    const Gl& gl = context.gl();
    gl.DeleteBuffers(2, buffers.data());
    gl.DeleteVertexArrays(1, &vertex_array);
  }
  generation = 0;
}

void ImGuiRenderer::State::drop_atlas(ImTextureData& texture) {
  for (std::size_t i = 0; i < atlases.size(); ++i) {
    if (atlases[i].id != texture.UniqueID) continue;
    atlases[i].texture.free(context);
    atlases.erase(atlases.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  texture.SetTexID(ImTextureID_Invalid);
  texture.SetStatus(ImTextureStatus_Destroyed);
}

// Carries out what ImGui asks for one texture: make, change, or free it.
void ImGuiRenderer::State::serve_texture(ImTextureData& texture) {
  if (texture.Status == ImTextureStatus_WantDestroy && texture.UnusedFrames > 0) {
    drop_atlas(texture);
    return;
  }
  if (texture.Status == ImTextureStatus_WantCreate) {
    CachedAtlas atlas{.id = texture.UniqueID, .texture = {}};
    atlas.texture.upload(
        context, {.format = PixelFormat::kRgba8, .width = texture.Width, .height = texture.Height},
        texture.GetPixels());
    texture.SetTexID(atlas.texture.name());
    atlases.push_back(atlas);
    texture.SetStatus(ImTextureStatus_OK);
    return;
  }
  if (texture.Status != ImTextureStatus_WantUpdates) return;
  for (CachedAtlas& atlas : atlases) {
    if (atlas.id != texture.UniqueID) continue;
    for (const ImTextureRect& part : texture.Updates) {
      atlas.texture.update(context, part.x, part.y, part.w, part.h, texture.Width,
                           texture.GetPixelsAt(part.x, part.y));
    }
  }
  texture.SetStatus(ImTextureStatus_OK);
}

// Everything the interface's own draw calls rely on; called again after each pass.
void ImGuiRenderer::State::set_up(const Surface& surface) {
  const Gl& gl = context.gl();
  gl.Viewport(0, 0, surface.width, surface.height);
  gl.Enable(gl::kBlend);
  gl.BlendEquation(gl::kFuncAdd);
  gl.BlendFuncSeparate(gl::kSrcAlpha, gl::kOneMinusSrcAlpha, gl::kOne, gl::kOneMinusSrcAlpha);
  gl.Disable(gl::kCullFace);
  gl.Disable(gl::kDepthTest);
  gl.Disable(gl::kStencilTest);
  gl.Enable(gl::kScissorTest);
  ui.use(context);
  const float sx = 2.0F / surface.size.x;
  const float sy = -2.0F / surface.size.y;
  gl.Uniform4f(ui.uniform(context, "transform"), sx, sy, -1.0F - surface.origin.x * sx,
               1.0F - surface.origin.y * sy);
  gl.Uniform1i(ui.uniform(context, "atlas"), 0);
  gl.ActiveTexture(gl::kTexture0);
  gl.BindVertexArray(vertex_array);
  gl.BindBuffer(gl::kArrayBuffer, buffers[0]);
  gl.BindBuffer(gl::kElementArrayBuffer, buffers[1]);
  gl.EnableVertexAttribArray(0);
  gl.EnableVertexAttribArray(1);
  gl.EnableVertexAttribArray(2);
}

// False when nothing of the command is left inside the surface.
bool ImGuiRenderer::State::clip(const ImDrawCmd& command, const Surface& surface) {
  const float left = (command.ClipRect.x - surface.origin.x) * surface.scale.x;
  const float top = (command.ClipRect.y - surface.origin.y) * surface.scale.y;
  const float right = (command.ClipRect.z - surface.origin.x) * surface.scale.x;
  const float bottom = (command.ClipRect.w - surface.origin.y) * surface.scale.y;
  if (right <= left || bottom <= top) return false;
  const auto whole = [](float px) { return static_cast<GlInt>(std::lround(px)); };
  context.gl().Scissor(whole(left), surface.height - whole(bottom), whole(right) - whole(left),
                       whole(bottom) - whole(top));
  return true;
}

void ImGuiRenderer::State::draw_elements(const ImDrawCmd& command) {
  const Gl& gl = context.gl();
  const ImTextureID texture = command.GetTexID();
  if (texture == ImTextureID_Invalid) return;
  gl.BindTexture(gl::kTexture2D, static_cast<GlName>(texture));
  // WebGL2 has no base vertex, so an offset into the vertices is put into the pointers.
  const std::size_t base = command.VtxOffset * sizeof(ImDrawVert);
  constexpr GlSize kStride = sizeof(ImDrawVert);
  gl.VertexAttribPointer(0, 2, gl::kFloat, 0, kStride,
                         offset_pointer(base + offsetof(ImDrawVert, pos)));
  gl.VertexAttribPointer(1, 2, gl::kFloat, 0, kStride,
                         offset_pointer(base + offsetof(ImDrawVert, uv)));
  gl.VertexAttribPointer(2, 4, gl::kUnsignedByte, 1, kStride,
                         offset_pointer(base + offsetof(ImDrawVert, col)));
  gl.DrawElements(gl::kTriangles, static_cast<GlSize>(command.ElemCount),
                  sizeof(ImDrawIdx) == 2 ? gl::kUnsignedShort : gl::kUnsignedInt,
                  offset_pointer(command.IdxOffset * sizeof(ImDrawIdx)));
  ++draw_calls;
}

void ImGuiRenderer::State::draw_list(const ImDrawList& list, const Surface& surface) {
  const Gl& gl = context.gl();
  gl.BufferData(gl::kArrayBuffer, list.VtxBuffer.size_in_bytes(), list.VtxBuffer.Data,
                gl::kStreamDraw);
  gl.BufferData(gl::kElementArrayBuffer, list.IdxBuffer.size_in_bytes(), list.IdxBuffer.Data,
                gl::kStreamDraw);
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback == ImDrawCallback_ResetRenderState) {
      set_up(surface);
    } else if (command.UserCallback == pass_marker) {
      if (!clip(command, surface)) continue;
      draw_calls += passes.draw(*static_cast<const PassCall*>(command.UserCallbackData), surface);
      set_up(surface);
    } else if (command.UserCallback != nullptr) {
      command.UserCallback(&list, &command);
    } else if (clip(command, surface)) {
      draw_elements(command);
    }
  }
}

ImGuiRenderer::ImGuiRenderer(Context& context) : state_(std::make_unique<State>(context)) {}

ImGuiRenderer::~ImGuiRenderer() {
  state_->free_objects();
}

void ImGuiRenderer::attach() {
  ImGuiIO& io = ImGui::GetIO();
  io.BackendRendererName = "kvseats";
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset | ImGuiBackendFlags_RendererHasTextures;
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Renderer_TextureMaxWidth = state_->context.capabilities().max_texture_px;
  platform.Renderer_TextureMaxHeight = state_->context.capabilities().max_texture_px;
  detach();  // what an earlier context held is asked for again
  state_->ui.begin(state_->context);
  state_->passes.begin();
}

void ImGuiRenderer::detach() {
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
    if (texture->RefCount == 1 && texture->Status != ImTextureStatus_Destroyed) {
      state_->drop_atlas(*texture);
    }
  }
}

void ImGuiRenderer::render(ImDrawData& data, const Rgba& paper, bool kept) {
  State& state = *state_;
  state.draw_calls = 0;
  const Surface surface = surface_of(data);
  if (!state.context.alive() || surface.width <= 0 || surface.height <= 0) return;
  const std::uint64_t print = kept ? fingerprint(data, paper, state.context.generation()) : 0;
  if (print != 0 && print == state.shown && !textures_wait(data)) return;
  state.shown = print;
  state.prepare_objects();
  if (data.Textures != nullptr) {
    for (ImTextureData* texture : *data.Textures) state.serve_texture(*texture);
  }
  const Gl& gl = state.context.gl();
  gl.Disable(gl::kScissorTest);
  gl.ClearColor(paper.r, paper.g, paper.b, paper.a);
  gl.Clear(gl::kColorBufferBit);
  if (!state.ui.use(state.context)) return;
  state.set_up(surface);
  for (const ImDrawList* list : data.CmdLists) state.draw_list(*list, surface);
  gl.Disable(gl::kScissorTest);
  gl.BindVertexArray(0);
  state.passes.drop_unused();
}

const std::string& ImGuiRenderer::error() const {
  state_->error = state_->ui.error().empty() ? state_->passes.error() : state_->ui.error();
  return state_->error;
}

int ImGuiRenderer::draw_calls() const {
  return state_->draw_calls;
}

}  // namespace kvseats::gfx
