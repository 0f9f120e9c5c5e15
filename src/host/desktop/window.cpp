#include "host/desktop/window.h"

#include <SDL.h>

#include <cmath>

namespace kvseats::host {

namespace {

constexpr double kUsualDpi = 96;

std::string refusal(const std::string& what) {
  return what + ". The command line program kvseats needs neither display nor OpenGL";
}

// X11 reports no scale, only dots per inch; below 1.2 times the usual ones it is left alone.
double scale_by_dpi(SDL_Window* window) {
  constexpr double kWorthScaling = 1.2;
  constexpr double kStep = 4;  // quarters
  float dpi = 0;
  if (SDL_GetDisplayDPI(SDL_GetWindowDisplayIndex(window), nullptr, &dpi, nullptr) != 0) return 1;
  const double scale = static_cast<double>(dpi) / kUsualDpi;
  return scale < kWorthScaling ? 1 : std::fmin(std::round(scale * kStep) / kStep, 4);
}

// SDL falls back to drivers that show nothing; those are for whoever asked for them by name.
bool has_display() {
  const std::string driver = SDL_GetCurrentVideoDriver();
  return (driver != "offscreen" && driver != "dummy" && driver != "evdev") ||
         SDL_GetHint(SDL_HINT_VIDEODRIVER) != nullptr;
}

void ask_for_core_33() {
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, SDL_GL_CONTEXT_FORWARD_COMPATIBLE_FLAG);
  SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
  SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
}

}  // namespace

double clock_s() {
  return static_cast<double>(SDL_GetPerformanceCounter()) /
         static_cast<double>(SDL_GetPerformanceFrequency());
}

std::unique_ptr<Window> Window::open(const DesktopOptions& options, std::string& error) {
  std::unique_ptr<Window> window(new Window());
  if (!window->create(options, error)) return nullptr;
  return window;
}

bool Window::create(const DesktopOptions& options, std::string& error) {
  // A screen saver may start and the desktop's compositor stays on: this is no game.
  SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
  SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
  if (SDL_Init(SDL_INIT_VIDEO) != 0 || !has_display()) {
    error = refusal("there is no display to open a window on");
    return false;
  }
  ask_for_core_33();
  asked_scale_ = options.scale;
  window_ = SDL_CreateWindow("KV Seats", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                             options.width, options.height,
                             SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
  if (window_ != nullptr) context_ = SDL_GL_CreateContext(window_);
  if (context_ == nullptr ||
      !gfx::load_gl(gl_, [](const char* name) { return SDL_GL_GetProcAddress(name); })) {
    error = refusal("this display offers no OpenGL 3.3 (" + std::string(SDL_GetError()) + ")");
    return false;
  }
  vsync_ = SDL_GL_SetSwapInterval(1) == 0;
  // Asked for pixels: the window is as large as that many logical px at this scale.
  const double grow = mouse_scale() > 0 ? 1 / mouse_scale() : 1;
  SDL_SetWindowSize(window_, static_cast<int>(std::lround(options.width * grow)),
                    static_cast<int>(std::lround(options.height * grow)));
  SDL_SetWindowMinimumSize(window_, 320, 240);
  return true;
}

Window::~Window() {
  if (context_ != nullptr) SDL_GL_DeleteContext(context_);
  if (window_ != nullptr) SDL_DestroyWindow(window_);
  SDL_Quit();
}

SurfaceSize Window::size() const {
  int width = 0;
  int pixel_width = 0;
  int pixel_height = 0;
  SDL_GetWindowSize(window_, &width, nullptr);
  SDL_GL_GetDrawableSize(window_, &pixel_width, &pixel_height);
  double scale = width > 0 ? static_cast<double>(pixel_width) / width : 1;
  if (asked_scale_ > 0) {
    scale = asked_scale_;
  } else if (pixel_width == width) {
    scale = scale_by_dpi(window_);
  }
  return {.pixel_width = pixel_width, .pixel_height = pixel_height, .scale = scale};
}

double Window::mouse_scale() const {
  int width = 0;
  SDL_GetWindowSize(window_, &width, nullptr);
  const SurfaceSize surface = size();
  return width > 0 ? surface.pixel_width / (surface.scale * width) : 1;
}

void Window::show_frame() {
  constexpr Uint32 kFrame_ms = 12;
  SDL_GL_SwapWindow(window_);
  if (!vsync_) SDL_Delay(kFrame_ms);  // an animation must not run away with the processor
}

void Window::set_title(const std::string& title) {
  SDL_SetWindowTitle(window_, title.c_str());
}

bool Window::wait(SDL_Event& event, double seconds) {
  constexpr double kLongest_s = 3600;
  if (std::isinf(seconds)) return SDL_WaitEvent(&event) == 1;
  const double wait_ms = std::ceil(std::fmin(std::fmax(seconds, 0), kLongest_s) * 1000);
  return SDL_WaitEventTimeout(&event, static_cast<int>(wait_ms)) == 1;
}

}  // namespace kvseats::host
