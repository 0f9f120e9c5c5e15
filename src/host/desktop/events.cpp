#include <SDL.h>
#include <imgui.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "host/desktop/desktop_host.h"
#include "host/desktop/window.h"

namespace kvseats::host {

namespace {

struct KeyPair {
  SDL_Keycode sdl;
  ImGuiKey imgui;
};
constexpr std::array kKeys{
    KeyPair{SDLK_TAB, ImGuiKey_Tab},           KeyPair{SDLK_LEFT, ImGuiKey_LeftArrow},
    KeyPair{SDLK_RIGHT, ImGuiKey_RightArrow},  KeyPair{SDLK_UP, ImGuiKey_UpArrow},
    KeyPair{SDLK_DOWN, ImGuiKey_DownArrow},    KeyPair{SDLK_PAGEUP, ImGuiKey_PageUp},
    KeyPair{SDLK_PAGEDOWN, ImGuiKey_PageDown}, KeyPair{SDLK_HOME, ImGuiKey_Home},
    KeyPair{SDLK_END, ImGuiKey_End},           KeyPair{SDLK_INSERT, ImGuiKey_Insert},
    KeyPair{SDLK_DELETE, ImGuiKey_Delete},     KeyPair{SDLK_BACKSPACE, ImGuiKey_Backspace},
    KeyPair{SDLK_SPACE, ImGuiKey_Space},       KeyPair{SDLK_RETURN, ImGuiKey_Enter},
    KeyPair{SDLK_ESCAPE, ImGuiKey_Escape},     KeyPair{SDLK_KP_ENTER, ImGuiKey_KeypadEnter},
    KeyPair{SDLK_PLUS, ImGuiKey_Equal},        KeyPair{SDLK_MINUS, ImGuiKey_Minus},
    KeyPair{SDLK_LCTRL, ImGuiKey_LeftCtrl},    KeyPair{SDLK_RCTRL, ImGuiKey_RightCtrl},
    KeyPair{SDLK_LSHIFT, ImGuiKey_LeftShift},  KeyPair{SDLK_RSHIFT, ImGuiKey_RightShift},
    KeyPair{SDLK_LALT, ImGuiKey_LeftAlt},      KeyPair{SDLK_RALT, ImGuiKey_RightAlt},
    KeyPair{SDLK_LGUI, ImGuiKey_LeftSuper},    KeyPair{SDLK_RGUI, ImGuiKey_RightSuper},
};

ImGuiKey imgui_key(SDL_Keycode code) {
  if (code >= SDLK_a && code <= SDLK_z) return static_cast<ImGuiKey>(ImGuiKey_A + (code - SDLK_a));
  if (code >= SDLK_0 && code <= SDLK_9) return static_cast<ImGuiKey>(ImGuiKey_0 + (code - SDLK_0));
  if (code >= SDLK_F1 && code <= SDLK_F12) {
    return static_cast<ImGuiKey>(ImGuiKey_F1 + (code - SDLK_F1));
  }
  for (const KeyPair& pair : kKeys) {
    if (pair.sdl == code) return pair.imgui;
  }
  return ImGuiKey_None;
}

unsigned modifiers(int sdl) {
  unsigned bits = kModNone;
  if ((sdl & KMOD_SHIFT) != 0) bits |= kModShift;
  if ((sdl & KMOD_CTRL) != 0) bits |= kModCtrl;
  if ((sdl & KMOD_ALT) != 0) bits |= kModAlt;
  if ((sdl & KMOD_GUI) != 0) bits |= kModSuper;
  return bits;
}

PointerSource source_of(Uint32 which) {
  return which == SDL_TOUCH_MOUSEID ? PointerSource::kTouch : PointerSource::kMouse;
}

int button_of(Uint8 sdl) {
  if (sdl == SDL_BUTTON_LEFT) return 0;
  if (sdl == SDL_BUTTON_RIGHT) return 1;
  return sdl == SDL_BUTTON_MIDDLE ? 2 : -1;
}

void handle_button(const SDL_MouseButtonEvent& button, Shell& shell, double mouse_scale) {
  const int number = button_of(button.button);
  if (number < 0) return;
  const bool down = button.state == SDL_PRESSED;
  SDL_CaptureMouse(down ? SDL_TRUE : SDL_FALSE);  // a drag may leave the window
  shell.pointer({.kind = down ? PointerKind::kDown : PointerKind::kUp,
                 .source = source_of(button.which),
                 .x = button.x * mouse_scale,
                 .y = button.y * mouse_scale,
                 .button = number,
                 .modifiers = modifiers(SDL_GetModState())});
}

void handle_window(const SDL_WindowEvent& event, Shell& shell, const Window& window) {
  switch (event.event) {
    case SDL_WINDOWEVENT_LEAVE:
      if (SDL_GetMouseState(nullptr, nullptr) == 0) shell.pointer({.kind = PointerKind::kLeave});
      break;
    case SDL_WINDOWEVENT_FOCUS_GAINED:
      shell.set_focus(true, ui::FocusFrom::kPointer);
      break;
    case SDL_WINDOWEVENT_FOCUS_LOST:
      shell.set_focus(false, ui::FocusFrom::kPointer);
      break;
    default:  // moved to another display, resized, shown, exposed …
      shell.resize(window.size());
      shell.pacer().notify();
      break;
  }
}

}  // namespace

// SDL tells of files one by one; those between a begin and its end are of one drop.
void handle_drop(const SDL_DropEvent& drop, Shell& shell, std::vector<std::string>& dropped) {
  if (drop.type == SDL_DROPBEGIN) dropped.clear();
  if (drop.type == SDL_DROPFILE && drop.file != nullptr) dropped.emplace_back(drop.file);
  if (drop.file != nullptr) SDL_free(drop.file);
  if (drop.type != SDL_DROPCOMPLETE) return;
  const std::vector<std::string_view> paths(dropped.begin(), dropped.end());
  shell.open_paths(paths);
  dropped.clear();
}

bool handle_event(const SDL_Event& event, Shell& shell, const Window& window,
                  std::vector<std::string>& dropped) {
  const double scale = window.mouse_scale();
  switch (event.type) {
    case SDL_QUIT:
      return false;
    case SDL_WINDOWEVENT:
      handle_window(event.window, shell, window);
      break;
    case SDL_MOUSEMOTION:
      shell.pointer({.kind = PointerKind::kMove,
                     .source = source_of(event.motion.which),
                     .x = event.motion.x * scale,
                     .y = event.motion.y * scale,
                     .modifiers = modifiers(SDL_GetModState())});
      break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
      handle_button(event.button, shell, scale);
      break;
    case SDL_MOUSEWHEEL:
      shell.wheel(-static_cast<double>(event.wheel.preciseX),
                  static_cast<double>(event.wheel.preciseY), modifiers(SDL_GetModState()));
      break;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
      shell.key(imgui_key(event.key.keysym.sym), event.type == SDL_KEYDOWN,
                modifiers(event.key.keysym.mod));
      break;
    case SDL_TEXTINPUT:
      shell.text(event.text.text);
      break;
    case SDL_DROPBEGIN:
    case SDL_DROPFILE:
    case SDL_DROPTEXT:
    case SDL_DROPCOMPLETE:
      handle_drop(event.drop, shell, dropped);
      break;
    default:
      break;
  }
  return true;
}

}  // namespace kvseats::host
