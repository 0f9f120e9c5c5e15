// The part of a host that is the same everywhere: one App, its renderer, its pacer, and the
// events in a form both hosts can produce.
//
//   Shell shell(host, {.dialect = gfx::Dialect::kCore330}, resources, "model=llama-3.1-8b");
//   shell.context_ready(gl);                       // a GL context is current
//   shell.resize({.pixel_width = 2880, .pixel_height = 1800, .scale = 2});
//   shell.pointer({.kind = PointerKind::kMove, .x = 10, .y = 20});
//   if (shell.pacer().next(now).kind == Pace::kDraw) shell.frame(now);
//
// Units: x and y in logical px, pixel_* in device px, times in seconds.
// Failure: without a context, or on a surface of zero size, `frame` does nothing. Every event
// wakes the pacer; none of them draws.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "gfx/context.h"
#include "gfx/imgui_renderer.h"
#include "host/frame_pacer.h"
#include "host/host.h"
#include "ui/app.h"

namespace kvseats::host {

struct ShellOptions {
  gfx::Dialect dialect = gfx::Dialect::kCore330;
  bool overlay_text = false;   // the host lays real text fields over the surface
  bool keeps_picture = false;  // what was drawn is shown until something else is
};

// The surface: zero sized while hidden or not laid out yet.
struct SurfaceSize {
  int pixel_width = 0;
  int pixel_height = 0;
  double scale = 1;  // device px per logical px
  bool operator==(const SurfaceSize&) const = default;
};

// Surroundings that change the picture.
struct Surroundings {
  bool dark = false;
  bool reduced_motion = false;
  bool visible = true;  // on screen, in a shown tab
  bool operator==(const Surroundings&) const = default;
};

enum class PointerKind : std::uint8_t { kMove, kDown, kUp, kLeave, kCancel };
enum class PointerSource : std::uint8_t { kMouse, kTouch, kPen };

struct PointerEvent {
  PointerKind kind = PointerKind::kMove;
  PointerSource source = PointerSource::kMouse;
  double x = 0;
  double y = 0;
  int button = 0;          // 0 primary, 1 secondary, 2 middle; for kDown and kUp
  unsigned modifiers = 0;  // Modifier bits held then, so that none can get stuck
};

// Modifier bits of events.
enum Modifier : unsigned {
  kModNone = 0,
  kModShift = 1,
  kModCtrl = 2,
  kModAlt = 4,
  kModSuper = 8,  // Cmd on a Mac
};

class Shell {
 public:
  Shell(Host& host, const ShellOptions& options, const ui::AppResources& resources,
        std::string_view query);
  ~Shell();

  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

  ui::App& app() { return *app_; }
  FramePacer& pacer() { return pacer_; }

  // --- GL context ---------------------------------------------------------------------------
  // A context is current and usable: the first one, or a new one after a loss.
  void context_ready(const gfx::Gl& gl);
  // It is gone. State, text and scroll positions are kept; frames stop until `context_ready`.
  void context_lost();
  // Largest surface side in device px; 0 before the first context.
  int max_surface_px() const;
  // Empty, or which shader failed where.
  std::string_view graphics_error() const;

  // --- Surroundings -------------------------------------------------------------------------
  void resize(const SurfaceSize& size);
  void set_surroundings(const Surroundings& surroundings);
  // Without focus, keys and modifiers are released and ImGui's key navigation rests.
  void set_focus(bool focused, ui::FocusFrom from);

  // --- Input --------------------------------------------------------------------------------
  void pointer(const PointerEvent& event);
  // Wheel in lines (one notch is 1), positive y towards the top. `modifiers` as held then.
  void wheel(double x, double y, unsigned modifiers);
  void wheel_went_by();
  // `key` is an ImGuiKey of 1.92 (512 and up); characters come through `text`.
  void key(int key, bool down, unsigned modifiers);
  void text(std::string_view utf8);
  void edit_text(std::uint32_t id, ui::EditEvent event, std::string_view text);
  void set_query(std::string_view query);
  void open_file(std::string_view name, std::span<const std::byte> bytes);
  void open_paths(std::span<const std::string_view> paths);

  // --- Frames -------------------------------------------------------------------------------
  // Draws one frame, carries out its effects, tells the pacer. False: nothing was drawn, for there
  // is nothing to draw on, or it is one of a context's first frames.
  bool frame(double now_s);
  // Runs the App without drawing until queued events have taken effect (at most three times), so
  // that a host can answer within an event: "is a text field being edited now?"
  const ui::FrameResult& digest(double now_s);
  const ui::FrameResult& last_result() const { return result_; }

 private:
  void make_current();
  void update_visibility();
  void send_modifiers(unsigned modifiers);
  void run_app(double now_s);
  void lift_finger();
  void let_go();
  Support perform(const ui::Effect& effect);

  Host& host_;
  ShellOptions options_;
  std::unique_ptr<ui::App> app_;
  FramePacer pacer_;
  std::unique_ptr<gfx::Context> context_;
  std::unique_ptr<gfx::ImGuiRenderer> renderer_;
  SurfaceSize size_;
  Surroundings surroundings_;
  bool focused_ = false;
  PointerSource source_ = PointerSource::kMouse;
  int leave_in_ = 0;      // frames until a lifted finger stops hovering
  int unseen_ = 0;        // frames of this context that are laid out and not drawn
  bool pressed_ = false;  // a button is down
  bool moved_ = false;    // since the last frame, while one was
  int released_ = -1;     // button that goes up once a frame has seen where it was taken
  ui::FrameResult result_;
};

}  // namespace kvseats::host
