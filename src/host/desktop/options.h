// What `kvseats-gui` was asked for on its command line. Pure: words in, options or an error out.
//
//   kvseats-gui [KEY=VALUE…] [FILE…] [--query QUERY] [--size WxH] [--scale S] [--theme light|dark]
//               [--screenshot FILE.png|FILE.ppm] [--frames SECONDS] [--help]
//
// KEY=VALUE words are the scenario, as for `kvseats eval`; they follow what --query says. FILEs are
// opened as if they were dropped: those of one model (.json, .gguf, .safetensors), or one .log.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kvseats::host {

struct DesktopOptions {
  std::string query;  // "model=…&gpu=…", empty: the defaults
  std::vector<std::string> files;
  int width = 1440;  // logical px of the window
  int height = 900;
  bool sized = false;  // --size was given
  double scale = 0;    // device px per logical px; 0: as the display says
  bool dark = false;
  std::string screenshot;  // file to write once the picture is final, then exit; empty: none
  double frames_s = -1;    // once final, stay idle that long, print the frames drawn, then exit
  bool help = false;
  std::string error;  // not empty: what is wrong with which word
};

// `words` without the program's name. Sizes from 1 to 16,384, scales from 0.25 to 8.
DesktopOptions parse_options(std::span<const char* const> words);

// The text for --help.
std::string_view usage();

}  // namespace kvseats::host
