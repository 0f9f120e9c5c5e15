// What a platform has to be able to do: the narrow interface between the shell and a window
// system. Two implementations: host/desktop (SDL2) and host/web (a canvas in a page).
//
// Everything here happens after a frame, on the thread of the frame. What a platform cannot do
// it answers with kUnsupported, never with silence; the shell then tells the person.
#pragma once

#include <cstdint>
#include <string_view>

#include "ui/app.h"

namespace kvseats::host {

enum class Support : std::uint8_t { kDone, kUnsupported };

class Host {
 public:
  virtual ~Host() = default;

  virtual Support set_query(std::string_view query, bool dragging) = 0;  // link, form, title
  virtual Support copy_text(std::string_view text) = 0;
  virtual Support save_file(std::string_view name, std::string_view content) = 0;
  virtual Support open_file() = 0;  // answered later through Shell::open_file
  virtual Support open_url(std::string_view url) = 0;
  virtual Support announce(std::string_view sentence) = 0;

  // What the last frame said about cursor, text field, zones and keys; called after each frame.
  virtual void present(const ui::FrameResult& result) = 0;
};

}  // namespace kvseats::host
