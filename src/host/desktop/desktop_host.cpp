#include "host/desktop/desktop_host.h"

#include <SDL.h>
#include <imgui.h>

#include <cstdio>
#include <utility>

#include "disk/disk.h"
#include "host/desktop/window.h"

namespace kvseats::host {

namespace {

SDL_SystemCursor system_cursor(int imgui_cursor) {
  switch (imgui_cursor) {
    case ImGuiMouseCursor_TextInput:
      return SDL_SYSTEM_CURSOR_IBEAM;
    case ImGuiMouseCursor_ResizeAll:
      return SDL_SYSTEM_CURSOR_SIZEALL;
    case ImGuiMouseCursor_ResizeNS:
      return SDL_SYSTEM_CURSOR_SIZENS;
    case ImGuiMouseCursor_ResizeEW:
      return SDL_SYSTEM_CURSOR_SIZEWE;
    case ImGuiMouseCursor_ResizeNESW:
      return SDL_SYSTEM_CURSOR_SIZENESW;
    case ImGuiMouseCursor_ResizeNWSE:
      return SDL_SYSTEM_CURSOR_SIZENWSE;
    case ImGuiMouseCursor_Hand:
      return SDL_SYSTEM_CURSOR_HAND;
    case ImGuiMouseCursor_Wait:
      return SDL_SYSTEM_CURSOR_WAIT;
    case ImGuiMouseCursor_Progress:
      return SDL_SYSTEM_CURSOR_WAITARROW;
    case ImGuiMouseCursor_NotAllowed:
      return SDL_SYSTEM_CURSOR_NO;
    default:
      return SDL_SYSTEM_CURSOR_ARROW;
  }
}

}  // namespace

DesktopHost::~DesktopHost() {
  if (cursor_ != nullptr) SDL_FreeCursor(static_cast<SDL_Cursor*>(cursor_));
}

Support DesktopHost::set_query(std::string_view query, bool dragging) {
  if (!dragging) window_.set_title("KV Seats " + std::string(query));
  return Support::kDone;
}

Support DesktopHost::copy_text(std::string_view text) {
  const bool done = SDL_SetClipboardText(std::string(text).c_str()) == 0;
  return done ? Support::kDone : Support::kUnsupported;
}

Support DesktopHost::save_file(std::string_view name, std::string_view content) {
  const std::string path(disk::base_name(name));
  if (content.empty() && path.ends_with(".png")) {
    picture_ = path;
    return Support::kDone;
  }
  if (!disk::write_file(path, content)) return Support::kUnsupported;
  return announce("Saved " + path);
}

std::string DesktopHost::wanted_picture() {
  return std::exchange(picture_, {});
}

Support DesktopHost::open_file() {
  return Support::kUnsupported;
}

Support DesktopHost::open_url(std::string_view url) {
  if (!url.starts_with("https://")) return Support::kUnsupported;
  const bool done = SDL_OpenURL(std::string(url).c_str()) == 0;
  return done ? Support::kDone : Support::kUnsupported;
}

Support DesktopHost::announce(std::string_view sentence) {
  std::fprintf(stderr, "%.*s\n", static_cast<int>(sentence.size()), sentence.data());
  return Support::kDone;
}

void DesktopHost::present(const ui::FrameResult& result) {
  if (result.cursor != cursor_kind_) {
    cursor_kind_ = result.cursor;
    SDL_ShowCursor(result.cursor < 0 ? SDL_DISABLE : SDL_ENABLE);
    SDL_Cursor* cursor = SDL_CreateSystemCursor(system_cursor(result.cursor));
    SDL_SetCursor(cursor);
    if (cursor_ != nullptr) SDL_FreeCursor(static_cast<SDL_Cursor*>(cursor_));
    cursor_ = cursor;
  }
  const bool typing = ImGui::GetIO().WantTextInput;
  if (typing == typing_) return;
  typing_ = typing;
  if (typing) {
    SDL_StartTextInput();
  } else {
    SDL_StopTextInput();
  }
}

void use_sdl_clipboard() {
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
    SDL_SetClipboardText(text);
  };
  platform.Platform_GetClipboardTextFn = [](ImGuiContext*) -> const char* {
    // ImGui reads it before it asks again; ours is freed with the context's own buffer.
    ImGuiPlatformIO& own = ImGui::GetPlatformIO();
    if (own.Platform_ClipboardUserData != nullptr) SDL_free(own.Platform_ClipboardUserData);
    own.Platform_ClipboardUserData = SDL_GetClipboardText();
    return static_cast<const char*>(own.Platform_ClipboardUserData);
  };
}

}  // namespace kvseats::host
