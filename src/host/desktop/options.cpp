#include "host/desktop/options.h"

#include <cstdlib>
#include <optional>

namespace kvseats::host {

namespace {

constexpr int kLargestSide = 16384;

// The whole of `text` as a number; nothing when anything else is in it.
std::optional<double> number(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (copy.empty() || *end != '\0' || !(value >= 0)) return std::nullopt;
  return value;
}

bool set_size(DesktopOptions& options, std::string_view text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) return false;
  const auto width = number(text.substr(0, cross));
  const auto height = number(text.substr(cross + 1));
  if (!width || !height || *width < 1 || *height < 1) return false;
  if (*width > kLargestSide || *height > kLargestSide) return false;
  options.width = static_cast<int>(*width);
  options.height = static_cast<int>(*height);
  options.sized = true;
  return true;
}

bool set_scale(DesktopOptions& options, std::string_view text) {
  constexpr double kLeast = 0.25;
  constexpr double kMost = 8;
  const auto scale = number(text);
  if (!scale || *scale < kLeast || *scale > kMost) return false;
  options.scale = *scale;
  return true;
}

void add_query(DesktopOptions& options, std::string_view text) {
  if (!options.query.empty() && !text.empty()) options.query += '&';
  options.query += text;
}

// False when the value is not one this option takes.
bool set_option(DesktopOptions& options, std::string_view name, std::string_view value) {
  if (name == "--query") {
    add_query(options, value);
    return true;
  }
  if (name == "--size") return set_size(options, value);
  if (name == "--scale") return set_scale(options, value);
  if (name == "--theme") {
    options.dark = value == "dark";
    return value == "dark" || value == "light";
  }
  if (name == "--screenshot") {
    options.screenshot = value;
    return !value.empty();
  }
  if (name == "--frames") {
    const auto seconds = number(value);
    options.frames_s = seconds.value_or(-1);
    return seconds.has_value();
  }
  return false;
}

bool is_file(std::string_view word) {
  for (const std::string_view end : {".json", ".gguf", ".safetensors", ".log"}) {
    if (word.ends_with(end)) return true;
  }
  return false;
}

bool known(std::string_view name) {
  for (const std::string_view option :
       {"--query", "--size", "--scale", "--theme", "--screenshot", "--frames"}) {
    if (name == option) return true;
  }
  return false;
}

}  // namespace

DesktopOptions parse_options(std::span<const char* const> words) {
  DesktopOptions options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "--help" || word == "-h") {
      options.help = true;
    } else if (!word.starts_with('-') && word.find('=') != std::string_view::npos) {
      add_query(options, word);
    } else if (!word.starts_with('-') && is_file(word)) {
      options.files.emplace_back(word);
    } else if (!known(word)) {
      options.error = "unknown option " + std::string(word) + "; --help lists them";
      return options;
    } else if (i + 1 == words.size()) {
      options.error = std::string(word) + " needs a value";
      return options;
    } else if (!set_option(options, word, words[++i])) {
      options.error = std::string(word) + " does not take " + words[i];
      return options;
    }
  }
  return options;
}

std::string_view usage() {
  return "kvseats-gui [KEY=VALUE...] [FILE...] [options]\n"
         "  FILE                 the files of one model (.json, .gguf, .safetensors), or a .log\n"
         "  --query QUERY        a scenario as in a link: model=llama-3.1-8b&gpu=h100-sxm\n"
         "  --size WxH           size of the window, 1440x900 by default\n"
         "  --scale S            device pixels per logical pixel, as the display by default\n"
         "  --theme light|dark\n"
         "  --screenshot FILE    write the final picture (.png or .ppm) and exit\n"
         "  --frames SECONDS     stay idle that long, print the frames drawn in it, and exit\n"
         "  --help\n";
}

}  // namespace kvseats::host
