// The desktop side of the Host interface, and SDL's events as the shell's.
#pragma once

#include <string>
#include <vector>

#include "host/host.h"
#include "host/shell.h"

struct SDL_DropEvent;
union SDL_Event;

namespace kvseats::host {

class Window;

class DesktopHost final : public Host {
 public:
  explicit DesktopHost(Window& window) : window_(window) {}
  ~DesktopHost() override;

  Support set_query(std::string_view query, bool dragging) override;  // into the window's title
  Support copy_text(std::string_view text) override;
  // Into the working folder. A `.png` without content is the window itself, as it will be drawn
  // once it is final: whoever draws asks for `wanted_picture`.
  Support save_file(std::string_view name, std::string_view content) override;
  // The file name of a picture that is due, once; else empty.
  std::string wanted_picture();
  Support open_file() override;  // there is no dialog: files are dropped
  Support open_url(std::string_view url) override;
  Support announce(std::string_view sentence) override;  // a line on stderr
  void present(const ui::FrameResult& result) override;

 private:
  Window& window_;
  std::string picture_;
  void* cursor_ = nullptr;
  int cursor_kind_ = 0;
  bool typing_ = false;
};

// The current ImGui context copies to and pastes from SDL's clipboard.
void use_sdl_clipboard();

// Collects the files of a drop; with its end they are opened together. Frees the event's text.
void handle_drop(const SDL_DropEvent& drop, Shell& shell, std::vector<std::string>& dropped);

// Carries one event over to the shell. False: the person wants to leave. `dropped` are the files of
// the drop under way, kept from event to event until all of them are there.
bool handle_event(const SDL_Event& event, Shell& shell, const Window& window,
                  std::vector<std::string>& dropped);

}  // namespace kvseats::host
