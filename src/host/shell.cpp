#include "host/shell.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <cfloat>

namespace kvseats::host {

namespace {

// ImGui takes one step of a press and release per frame, and shows the result one frame later.
constexpr int kDigestFrames = 3;
// A finger that was lifted hovers this many frames longer, so that its tap is complete.
constexpr int kHoverAfterTouch = 3;

ImGuiMouseSource imgui_source(PointerSource source) {
  if (source == PointerSource::kTouch) return ImGuiMouseSource_TouchScreen;
  return source == PointerSource::kPen ? ImGuiMouseSource_Pen : ImGuiMouseSource_Mouse;
}

gfx::Rgba rgba(std::uint32_t rgb) {
  const auto channel = [&](unsigned shift) {
    return static_cast<float>((rgb >> shift) & 0xFFU) / 255.0F;
  };
  return {channel(16), channel(8), channel(0), 1};
}

// What is said when a platform has no way to do it.
std::string_view excuse(ui::EffectKind kind) {
  switch (kind) {
    case ui::EffectKind::kCopyText:
      return "Copying is not possible here";
    case ui::EffectKind::kSaveFile:
      return "The file could not be saved";
    case ui::EffectKind::kOpenFile:
      return "Drop the file here instead";
    case ui::EffectKind::kOpenUrl:
      return "The link could not be opened";
    case ui::EffectKind::kSetQuery:
    case ui::EffectKind::kAnnounce:
      break;
  }
  return {};
}

void move_away(ImGuiIO& io) {
  io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
}

}  // namespace

Shell::Shell(Host& host, const ShellOptions& options, const ui::AppResources& resources,
             std::string_view query)
    : host_(host), options_(options), app_(ui::App::create(resources, query)) {}

Shell::~Shell() {
  make_current();
  if (renderer_) renderer_->detach();
}

void Shell::make_current() {
  ImGui::SetCurrentContext(app_->context());
}

// --- GL context -----------------------------------------------------------------------------

void Shell::context_ready(const gfx::Gl& gl) {
  make_current();
  if (context_) {
    context_->restore();
  } else {
    context_ = std::make_unique<gfx::Context>(gl, options_.dialect);
    renderer_ = std::make_unique<gfx::ImGuiRenderer>(*context_);
  }
  renderer_->attach();
  unseen_ = FramePacer::kSettleFrames - 1;
  update_visibility();
  pacer_.notify();
}

void Shell::context_lost() {
  if (context_) context_->lose();
  update_visibility();
}

int Shell::max_surface_px() const {
  return context_ ? context_->capabilities().max_texture_px : 0;
}

std::string_view Shell::graphics_error() const {
  return renderer_ ? std::string_view(renderer_->error()) : std::string_view();
}

// --- Surroundings ---------------------------------------------------------------------------

void Shell::update_visibility() {
  const bool has_area = size_.pixel_width > 0 && size_.pixel_height > 0 && size_.scale > 0;
  pacer_.set_visible(surroundings_.visible && has_area && context_ && context_->alive());
}

void Shell::resize(const SurfaceSize& size) {
  if (size == size_) return;
  size_ = size;
  update_visibility();
  pacer_.notify();
}

void Shell::set_surroundings(const Surroundings& surroundings) {
  if (surroundings == surroundings_) return;
  surroundings_ = surroundings;
  update_visibility();
  pacer_.notify();
}

void Shell::set_focus(bool focused, ui::FocusFrom from) {
  if (focused == focused_) return;
  focused_ = focused;
  make_current();
  ImGuiIO& io = ImGui::GetIO();
  io.AddFocusEvent(focused);
  if (focused) {
    app_->focus_in(from);
  } else {
    io.ClearInputKeys();
  }
  pacer_.notify();
}

// --- Input ----------------------------------------------------------------------------------

void Shell::pointer(const PointerEvent& event) {
  make_current();
  ImGuiIO& io = ImGui::GetIO();
  source_ = event.source;
  let_go();
  send_modifiers(event.modifiers);
  io.AddMouseSourceEvent(imgui_source(event.source));
  const auto move = [&] {
    io.AddMousePosEvent(static_cast<float>(event.x), static_cast<float>(event.y));
  };
  switch (event.kind) {
    case PointerKind::kMove:
      move();
      moved_ = pressed_;
      break;
    case PointerKind::kDown:
      leave_in_ = 0;
      move();
      io.AddMouseButtonEvent(event.button, true);
      pressed_ = true;
      break;
    case PointerKind::kUp:
      move();
      released_ = event.button;
      if (!moved_) let_go();
      if (event.source == PointerSource::kTouch) leave_in_ = kHoverAfterTouch;
      break;
    case PointerKind::kLeave:
      move_away(io);
      break;
    case PointerKind::kCancel:
      // Away first: a release over the control would count as a click.
      move_away(io);
      for (int button = 0; button < ImGuiMouseButton_COUNT; ++button) {
        io.AddMouseButtonEvent(button, false);
      }
      pressed_ = false;
      break;
  }
  pacer_.notify();
}

// Sends the button up that `pointer` kept back: ImGui takes moves and a release in one frame, and
// what was dragged so fast, or while a frame took long, would stay where it was.
void Shell::let_go() {
  if (released_ < 0) return;
  ImGui::GetIO().AddMouseButtonEvent(released_, false);
  released_ = -1;
  pressed_ = false;
  pacer_.notify();
}

void Shell::send_modifiers(unsigned modifiers) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Shift, (modifiers & kModShift) != 0);
  io.AddKeyEvent(ImGuiMod_Ctrl, (modifiers & kModCtrl) != 0);
  io.AddKeyEvent(ImGuiMod_Alt, (modifiers & kModAlt) != 0);
  io.AddKeyEvent(ImGuiMod_Super, (modifiers & kModSuper) != 0);
}

void Shell::wheel(double x, double y, unsigned modifiers) {
  make_current();
  send_modifiers(modifiers);
  ImGui::GetIO().AddMouseWheelEvent(static_cast<float>(x), static_cast<float>(y));
  send_modifiers(kModNone);  // a pinch says Ctrl without any key that would be lifted later
  pacer_.notify();
}

void Shell::wheel_went_by() {
  app_->wheel_went_by();
  pacer_.notify();
}

void Shell::key(int key, bool down, unsigned modifiers) {
  make_current();
  send_modifiers(modifiers);
  if (key >= ImGuiKey_NamedKey_BEGIN && key < ImGuiKey_NamedKey_END) {
    ImGui::GetIO().AddKeyEvent(static_cast<ImGuiKey>(key), down);
  }
  pacer_.notify();
}

void Shell::text(std::string_view utf8) {
  make_current();
  ImGui::GetIO().AddInputCharactersUTF8(std::string(utf8).c_str());
  pacer_.notify();
}

void Shell::edit_text(std::uint32_t id, ui::EditEvent event, std::string_view text) {
  make_current();
  app_->edit_text(id, event, text);
  pacer_.notify();
}

void Shell::set_query(std::string_view query) {
  make_current();
  app_->set_query(query);
  pacer_.notify();
}

void Shell::open_file(std::string_view name, std::span<const std::byte> bytes) {
  make_current();
  app_->open_file(name, bytes);
  pacer_.notify();
}

void Shell::open_paths(std::span<const std::string_view> paths) {
  make_current();
  app_->open_paths(paths);
  pacer_.notify();
}

// --- Frames ---------------------------------------------------------------------------------

void Shell::run_app(double now_s) {
  make_current();
  result_ = app_->frame({.width = size_.pixel_width / size_.scale,
                         .height = size_.pixel_height / size_.scale,
                         .scale = size_.scale,
                         .touch = source_ == PointerSource::kTouch,
                         .dark = surroundings_.dark,
                         .reduced_motion = surroundings_.reduced_motion,
                         .focused = focused_,
                         .overlay_text = options_.overlay_text,
                         .now_s = now_s});
  // Moves may still wait behind the press that came with them.
  if (ImGui::GetCurrentContext()->InputEventsQueue.empty()) {
    moved_ = false;
    let_go();
  }
  for (const ui::Effect& effect : result_.effects) {
    if (perform(effect) == Support::kDone) continue;
    const std::string_view words = excuse(effect.kind);
    if (!words.empty()) host_.announce(words);
  }
  host_.present(result_);
}

Support Shell::perform(const ui::Effect& effect) {
  switch (effect.kind) {
    case ui::EffectKind::kSetQuery:
      return host_.set_query(effect.text, effect.name == "drag");
    case ui::EffectKind::kCopyText:
      return host_.copy_text(effect.text);
    case ui::EffectKind::kSaveFile:
      return host_.save_file(effect.name, effect.text);
    case ui::EffectKind::kOpenFile:
      return host_.open_file();
    case ui::EffectKind::kOpenUrl:
      return host_.open_url(effect.text);
    case ui::EffectKind::kAnnounce:
      return host_.announce(effect.text);
  }
  return Support::kUnsupported;
}

// Hover and tooltip of a finger end a few frames after it has left.
void Shell::lift_finger() {
  if (leave_in_ == 0 || --leave_in_ > 0) return;
  move_away(ImGui::GetIO());
  pacer_.notify();
}

// The first frames of a context only settle the layout: meanwhile the driver compiles, and no piece
// of the work keeps the thread long.
bool Shell::frame(double now_s) {
  if (!context_ || !context_->alive() || size_.pixel_width <= 0 || size_.pixel_height <= 0) {
    return false;
  }
  run_app(now_s);
  if (unseen_ > 0) {
    --unseen_;
    pacer_.laid_out();
    return false;
  }
  renderer_->render(*ImGui::GetDrawData(), rgba(result_.paper), options_.keeps_picture);
  pacer_.drew(now_s, result_.next_frame_s);
  lift_finger();
  return true;
}

const ui::FrameResult& Shell::digest(double now_s) {
  if (size_.pixel_width <= 0 || size_.pixel_height <= 0) return result_;
  for (int i = 0; i < kDigestFrames; ++i) {
    run_app(now_s);
    if (result_.edit.active) break;
  }
  pacer_.notify();
  return result_;
}

}  // namespace kvseats::host
