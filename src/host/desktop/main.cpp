// kvseats-gui: the interface in a window of its own.
#include <SDL.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "disk/disk.h"
#include "embedded/catalogue.h"
#include "embedded/fonts.h"
#include "gfx/readback.h"
#include "host/desktop/desktop_host.h"
#include "host/desktop/kept.h"
#include "host/desktop/options.h"
#include "host/desktop/png.h"
#include "host/desktop/window.h"
#include "host/shell.h"

namespace {

using namespace kvseats;  // NOLINT: this file is the program

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

ui::AppResources embedded_resources() {
  return {.catalogue = bytes_of(embedded::catalogue("catalogue.txt")),
          .font_regular = bytes_of(embedded::fonts("inter-regular.otf")),
          .font_bold = bytes_of(embedded::fonts("inter-semibold.otf")),
          .strip = ui::strip,
          .read_model = ui::model_reader(),
          .read_log = ui::log_reader(),
          .read_head = disk::read_head};
}

std::string ppm_file(const std::vector<std::uint8_t>& rgba, int width, int height) {
  std::string file = "P6\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n";
  for (std::size_t i = 0; i + 3 < rgba.size(); i += 4) {
    file.append(reinterpret_cast<const char*>(&rgba[i]), 3);
  }
  return file;
}

bool save_screenshot(const host::Window& window, const std::string& path) {
  const host::SurfaceSize size = window.size();
  const gfx::Context context(window.gl(), gfx::Dialect::kCore330);
  const auto pixels = gfx::read_pixels(context, size.pixel_width, size.pixel_height);
  const bool ppm = path.ends_with(".ppm");
  return disk::write_file(path, ppm ? ppm_file(pixels, size.pixel_width, size.pixel_height)
                                    : host::png_file(pixels, size.pixel_width, size.pixel_height));
}

// The picture that a person asked for; what asked for it is no longer on it.
void save_picture(const host::Window& window, host::DesktopHost& desktop) {
  const std::string path = desktop.wanted_picture();
  if (path.empty()) return;
  desktop.announce(save_screenshot(window, path) ? "Saved " + path : "Not saved: " + path);
}

// One task of the command line that ends the program by itself.
class Errand {
 public:
  Errand(const host::DesktopOptions& options, const host::Window& window)
      : options_(options), window_(window) {}

  bool screenshot_due(bool settled) const { return settled && !options_.screenshot.empty(); }
  bool take_screenshot() const { return save_screenshot(window_, options_.screenshot); }

  // Seconds until the idle watch ends; infinity when nobody asked for it or it has not begun.
  double left_s(double now_s) const { return begun_ ? until_s_ - now_s : INFINITY; }
  void watch_idle(bool settled, double now_s, std::uint64_t frames) {
    if (begun_ || !settled || options_.frames_s < 0) return;
    begun_ = true;
    until_s_ = now_s + options_.frames_s;
    first_ = frames;
  }
  bool done(double now_s) const { return begun_ && now_s >= until_s_; }
  unsigned long long idle_frames(std::uint64_t frames) const { return frames - first_; }

 private:
  const host::DesktopOptions& options_;
  const host::Window& window_;
  bool begun_ = false;
  double until_s_ = 0;
  std::uint64_t first_ = 0;
};

// Draws what is due. 0: go on, 1: failure, 2: the errand is done.
int draw_due(host::Shell& shell, host::Window& window, host::DesktopHost& desktop, Errand& errand) {
  const double now = host::clock_s();
  if (shell.pacer().next(now).kind == host::Pace::kDraw && shell.frame(now)) {
    const bool settled = shell.pacer().settled(host::clock_s());
    if (errand.screenshot_due(settled)) return errand.take_screenshot() ? 2 : 1;
    if (settled) save_picture(window, desktop);
    window.show_frame();
  }
  errand.watch_idle(shell.pacer().settled(host::clock_s()), host::clock_s(),
                    shell.pacer().frames());
  if (!errand.done(host::clock_s())) return 0;
  std::printf("%llu\n", errand.idle_frames(shell.pacer().frames()));
  return 2;
}

double wait_s(host::Shell& shell, const Errand& errand) {
  const double now = host::clock_s();
  const host::NextFrame next = shell.pacer().next(now);
  double wait = errand.left_s(now);
  if (next.kind == host::Pace::kDraw) wait = 0;
  if (next.kind == host::Pace::kWait) wait = std::fmin(wait, next.at_s - now);
  return wait;
}

int run(host::Shell& shell, host::Window& window, host::DesktopHost& desktop,
        const host::DesktopOptions& options) {
  Errand errand(options, window);
  std::vector<std::string> dropped;
  for (;;) {
    SDL_Event event;
    for (bool any = window.wait(event, wait_s(shell, errand)); any; any = window.wait(event, 0)) {
      if (!host::handle_event(event, shell, window, dropped)) return 0;
    }
    const int outcome = draw_due(shell, window, desktop, errand);
    if (!shell.graphics_error().empty()) {
      std::fprintf(stderr, "kvseats-gui: %s\n", std::string(shell.graphics_error()).c_str());
      return 1;
    }
    if (outcome != 0) return outcome == 2 ? 0 : 1;
  }
}

// Whoever asks for a picture or a count wants it of what was said, not of the last time.
bool is_errand(const host::DesktopOptions& options) {
  return !options.screenshot.empty() || options.frames_s >= 0;
}

// As it was left the last time, where nothing else was asked for.
void take_up(host::DesktopOptions& options) {
  std::string note;
  const host::Kept kept = host::load_kept(host::kept_path(), note);
  if (!note.empty()) std::fprintf(stderr, "kvseats-gui: %s\n", note.c_str());
  if (!options.sized && kept.width > 0) {
    options.width = kept.width;
    options.height = kept.height;
  }
  if (options.query.empty() && options.files.empty()) options.query = kept.query;
}

void keep(const host::Window& window, host::Shell& shell) {
  const host::SurfaceSize size = window.size();
  const auto logical = [&](int pixels) {
    return static_cast<int>(std::lround(pixels / size.scale));
  };
  if (size.scale <= 0) return;
  host::save_kept(host::kept_path(), {.width = logical(size.pixel_width),
                                      .height = logical(size.pixel_height),
                                      .query = shell.app().query()});
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<const char*> words(argv + 1, argv + argc);
  host::DesktopOptions options = host::parse_options(words);
  if (options.help) {
    std::fputs(std::string(host::usage()).c_str(), stdout);
    return 0;
  }
  const bool stays = options.error.empty() && !is_errand(options);
  if (stays) take_up(options);
  std::string error = options.error;
  const auto window = error.empty() ? host::Window::open(options, error) : nullptr;
  if (!window) {
    std::fprintf(stderr, "kvseats-gui: %s\n", error.c_str());
    return options.error.empty() ? 1 : 2;
  }
  host::DesktopHost desktop(*window);
  host::Shell shell(desktop, {.dialect = gfx::Dialect::kCore330}, embedded_resources(),
                    options.query);
  host::use_sdl_clipboard();
  shell.set_surroundings({.dark = options.dark});
  shell.resize(window->size());
  shell.context_ready(window->gl());
  const std::vector<std::string_view> files(options.files.begin(), options.files.end());
  if (!files.empty()) shell.open_paths(files);
  const int status = run(shell, *window, desktop, options);
  if (stays && status == 0) keep(*window, shell);
  return status;
}
