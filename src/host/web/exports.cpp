#include "host/web/exports.h"

#include <emscripten.h>
#include <imgui.h>

#include <array>
#include <cstdlib>
#include <memory>

#include "host/shell.h"
#include "host/web/web_host.h"

// src/host/web/context.js: makes Module.canvasContext the current context of the GL binding.
extern "C" void kvseats_take_context();
extern "C" void kvseats_drop_context();

namespace kvseats::host {

namespace {

struct Free {
  void operator()(std::uint8_t* bytes) const { std::free(bytes); }  // NOLINT: malloc'd by the page
};

struct Resource {
  std::unique_ptr<std::uint8_t, Free> bytes;
  std::size_t size = 0;
  std::span<const std::byte> span() const {
    return std::as_bytes(std::span<const std::uint8_t>(bytes.get(), size));
  }
};

constexpr int kResources = 3;

std::string_view view(const char* text, int size) {
  return {text, static_cast<std::size_t>(size > 0 ? size : 0)};
}

// The numbers of exports.h as keys of ImGui.
ImGuiKey imgui_key(int key) {
  constexpr std::array kKeys{ImGuiKey_None,       ImGuiKey_Tab,      ImGuiKey_LeftArrow,
                             ImGuiKey_RightArrow, ImGuiKey_UpArrow,  ImGuiKey_DownArrow,
                             ImGuiKey_PageUp,     ImGuiKey_PageDown, ImGuiKey_Home,
                             ImGuiKey_End,        ImGuiKey_Delete,   ImGuiKey_Backspace,
                             ImGuiKey_Space,      ImGuiKey_Enter,    ImGuiKey_Escape};
  if (key >= 'A' && key <= 'Z') return static_cast<ImGuiKey>(ImGuiKey_A + (key - 'A'));
  if (key < 0 || key >= static_cast<int>(kKeys.size())) return ImGuiKey_None;
  return kKeys[static_cast<std::size_t>(key)];
}

}  // namespace

struct Instance {
  WebHost host;
  std::array<Resource, kResources> resources;
  std::unique_ptr<Shell> shell;  // null until kvh_start
  std::string changes;
  std::string registry;
};

}  // namespace kvseats::host

using namespace kvseats;        // NOLINT: the C functions below are outside of namespaces
using namespace kvseats::host;  // NOLINT

extern "C" {

EMSCRIPTEN_KEEPALIVE KvhInstance* kvh_create() {
  return new Instance();
}

EMSCRIPTEN_KEEPALIVE void kvh_resource(KvhInstance* self, int kind, std::uint8_t* bytes, int size) {
  if (kind < 0 || kind >= kResources) return;
  Resource& resource = self->resources[static_cast<std::size_t>(kind)];
  resource.bytes.reset(bytes);
  resource.size = static_cast<std::size_t>(size);
}

EMSCRIPTEN_KEEPALIVE void kvh_start(KvhInstance* self, const char* query, int size) {
  const ui::AppResources resources{.catalogue = self->resources[0].span(),
                                   .font_regular = self->resources[1].span(),
                                   .font_bold = self->resources[2].span()};
  const ShellOptions options{
      .dialect = gfx::Dialect::kEs300, .overlay_text = true, .keeps_picture = true};
  self->shell = std::make_unique<Shell>(self->host, options, resources, view(query, size));
}

EMSCRIPTEN_KEEPALIVE void kvh_destroy(KvhInstance* self) {
  delete self;
}

EMSCRIPTEN_KEEPALIVE int kvh_context(KvhInstance* self, int available) {
  if (!self->shell) return 0;
  if (available != 0) {
    kvseats_take_context();
    self->shell->context_ready(gfx::web_gl());
    return self->shell->max_surface_px();
  }
  self->shell->context_lost();
  kvseats_drop_context();
  return 0;
}

EMSCRIPTEN_KEEPALIVE void kvh_resize(KvhInstance* self, int pixel_width, int pixel_height,
                                     double scale) {
  if (!self->shell) return;
  self->shell->resize({.pixel_width = pixel_width, .pixel_height = pixel_height, .scale = scale});
}

EMSCRIPTEN_KEEPALIVE void kvh_surroundings(KvhInstance* self, int bits) {
  if (!self->shell) return;
  self->shell->set_surroundings(
      {.dark = (bits & 1) != 0, .reduced_motion = (bits & 2) != 0, .visible = (bits & 4) != 0});
}

EMSCRIPTEN_KEEPALIVE void kvh_focus(KvhInstance* self, int how) {
  if (!self->shell) return;
  const ui::FocusFrom from = how == 2   ? ui::FocusFrom::kForward
                             : how == 3 ? ui::FocusFrom::kBackward
                                        : ui::FocusFrom::kPointer;
  self->shell->set_focus(how != 0, from);
}

EMSCRIPTEN_KEEPALIVE void kvh_pointer(KvhInstance* self, int kind, int source, int button, double x,
                                      double y, int modifiers) {
  if (!self->shell || kind < 0 || kind > 4 || source < 0 || source > 2) return;
  self->shell->pointer({.kind = static_cast<PointerKind>(kind),
                        .source = static_cast<PointerSource>(source),
                        .x = x,
                        .y = y,
                        .button = button,
                        .modifiers = static_cast<unsigned>(modifiers)});
}

EMSCRIPTEN_KEEPALIVE void kvh_wheel(KvhInstance* self, double x, double y, int modifiers) {
  if (self->shell) self->shell->wheel(x, y, static_cast<unsigned>(modifiers));
}

EMSCRIPTEN_KEEPALIVE void kvh_wheel_went_by(KvhInstance* self) {
  if (self->shell) self->shell->wheel_went_by();
}

EMSCRIPTEN_KEEPALIVE void kvh_key(KvhInstance* self, int key, int down, int modifiers) {
  if (!self->shell) return;
  self->shell->key(imgui_key(key), down != 0, static_cast<unsigned>(modifiers));
}

EMSCRIPTEN_KEEPALIVE void kvh_text(KvhInstance* self, const char* text, int size) {
  if (self->shell) self->shell->text(view(text, size));
}

EMSCRIPTEN_KEEPALIVE void kvh_edit(KvhInstance* self, unsigned id, int event, const char* text,
                                   int size) {
  if (!self->shell || event < 0 || event > 3) return;
  self->shell->edit_text(id, static_cast<ui::EditEvent>(event), view(text, size));
}

EMSCRIPTEN_KEEPALIVE void kvh_query(KvhInstance* self, const char* query, int size) {
  if (self->shell) self->shell->set_query(view(query, size));
}

EMSCRIPTEN_KEEPALIVE void kvh_file(KvhInstance* self, const char* name, int name_size,
                                   const std::uint8_t* bytes, int size) {
  if (!self->shell) return;
  const std::span<const std::uint8_t> content(bytes, static_cast<std::size_t>(size));
  self->shell->open_file(view(name, name_size), std::as_bytes(content));
}

EMSCRIPTEN_KEEPALIVE double kvh_next(KvhInstance* self, double now_s) {
  if (!self->shell) return -1;
  const NextFrame next = self->shell->pacer().next(now_s);
  if (next.kind == Pace::kDraw) return 0;
  return next.kind == Pace::kWait ? next.at_s - now_s : -1;
}

EMSCRIPTEN_KEEPALIVE void kvh_frame(KvhInstance* self, double now_s) {
  if (self->shell) self->shell->frame(now_s);
}

EMSCRIPTEN_KEEPALIVE void kvh_digest(KvhInstance* self, double now_s) {
  if (self->shell) self->shell->digest(now_s);
}

EMSCRIPTEN_KEEPALIVE const char* kvh_result(KvhInstance* self) {
  if (!self->shell) return nullptr;
  self->changes = self->host.take_changes(self->shell->graphics_error());
  return self->changes.empty() ? nullptr : self->changes.c_str();
}

EMSCRIPTEN_KEEPALIVE const char* kvh_registry(KvhInstance* self) {
  self->registry = "[]";
  if (self->shell) self->shell->app().registry_json(self->registry);
  return self->registry.c_str();
}

EMSCRIPTEN_KEEPALIVE unsigned kvh_frames(KvhInstance* self) {
  return self->shell ? static_cast<unsigned>(self->shell->pacer().frames()) : 0;
}

}  // extern "C"
