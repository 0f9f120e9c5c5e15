// What the window keeps from one start to the next: its size and the last scenario, in a small file
// of the person's configuration folder. Without one, or where it cannot be written, nothing is kept
// and all else works.
//
//   kvseats 1
//   size 1440x900
//   query model=llama-3.1-8b&gpu=h100-sxm
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kvseats::host {

struct Kept {
  int width = 0;  // logical px; 0: not known
  int height = 0;
  std::string query;
  bool operator==(const Kept&) const = default;
};

std::string kept_text(const Kept& kept);

// Nothing for a text that `kept_text` does not write: cut short, of another program, damaged.
std::optional<Kept> read_kept(std::string_view text);

// $XDG_CONFIG_HOME/kvseats/window, else ~/.config/kvseats/window (on Windows in %APPDATA%); empty
// where there is no such folder.
std::string kept_path();

// What is kept at `path`, or nothing. A file that is damaged is set aside as `path`.bad, so that it
// does no harm a second time; `note` then says so.
Kept load_kept(const std::string& path, std::string& note);

// Makes the folder if need be. Whole or not at all. False: not kept.
bool save_kept(const std::string& path, const Kept& kept);

}  // namespace kvseats::host
