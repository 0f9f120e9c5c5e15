// An SDL2 window with an OpenGL 3.3 core context. All of SDL's life time is here.
#pragma once

#include <memory>
#include <string>

#include "gfx/gl.h"
#include "host/desktop/options.h"
#include "host/shell.h"

struct SDL_Window;
union SDL_Event;

namespace kvseats::host {

class Window {
 public:
  // Null with `error` set when there is no display, or it has no OpenGL 3.3.
  static std::unique_ptr<Window> open(const DesktopOptions& options, std::string& error);
  ~Window();

  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  const gfx::Gl& gl() const { return gl_; }
  // Size of the drawable and its scale, as they are now.
  SurfaceSize size() const;
  // Logical px of the App per unit of SDL's mouse coordinates.
  double mouse_scale() const;
  void show_frame();
  void set_title(const std::string& title);
  // Waits for the next event: `seconds` infinity waits for ever, 0 only looks. False: none came.
  bool wait(SDL_Event& event, double seconds);

 private:
  Window() = default;
  bool create(const DesktopOptions& options, std::string& error);

  SDL_Window* window_ = nullptr;
  void* context_ = nullptr;
  gfx::Gl gl_;
  double asked_scale_ = 0;
  bool vsync_ = false;
};

// Seconds of a monotone clock.
double clock_s();

}  // namespace kvseats::host
