// The web side of the Host interface: it collects what the page has to do, as JSON.
#pragma once

#include <string>
#include <vector>

#include "host/host.h"

namespace kvseats::host {

class WebHost final : public Host {
 public:
  Support set_query(std::string_view query, bool dragging) override;
  Support copy_text(std::string_view text) override;
  Support save_file(std::string_view name, std::string_view content) override;
  Support open_file() override;
  Support open_url(std::string_view url) override;
  Support announce(std::string_view sentence) override;
  void present(const ui::FrameResult& result) override;

  // Everything since the last call; empty when nothing changed. `error`: of the graphics.
  std::string take_changes(std::string_view error);

 private:
  struct Wish {
    const char* kind;
    std::string text;
    std::string name;
  };
  Support wish(const char* kind, std::string_view text, std::string_view name);

  std::vector<Wish> wishes_;
  ui::FrameResult result_;
  std::string last_state_;
};

}  // namespace kvseats::host
