#include "host/desktop/kept.h"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "disk/disk.h"

namespace kvseats::host {
namespace {

constexpr std::string_view kFirst = "kvseats 1\n";
constexpr std::uint64_t kMostBytes = 1 << 17;  // a link has 64 KiB at most
constexpr int kLargestSide = 16384;

// The rest of a line that begins with `word`, taken off `text`; nothing if it does not.
std::optional<std::string_view> take_line(std::string_view& text, std::string_view word) {
  const std::size_t end = text.find('\n');
  if (!text.starts_with(word) || end == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(word.size(), end - word.size());
  text.remove_prefix(end + 1);
  return rest;
}

bool read_side(std::string_view text, int& side) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
  return error == std::errc() && end == text.data() + text.size() && side > 0 &&
         side <= kLargestSide;
}

bool has_control(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return true;
  }
  return false;
}

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace

std::string kept_text(const Kept& kept) {
  return std::string(kFirst) + "size " + std::to_string(kept.width) + "x" +
         std::to_string(kept.height) + "\nquery " + kept.query + "\n";
}

std::optional<Kept> read_kept(std::string_view text) {
  Kept kept;
  if (!text.starts_with(kFirst)) return std::nullopt;
  text.remove_prefix(kFirst.size());
  const auto size = take_line(text, "size ");
  const auto query = size ? take_line(text, "query ") : std::nullopt;
  if (!query || !text.empty() || has_control(*query)) return std::nullopt;
  const std::size_t cross = size->find('x');
  if (cross == std::string_view::npos || !read_side(size->substr(0, cross), kept.width) ||
      !read_side(size->substr(cross + 1), kept.height)) {
    return std::nullopt;
  }
  kept.query = *query;
  return kept;
}

std::string kept_path() {
  if (const char* folder = variable("XDG_CONFIG_HOME")) {
    return std::string(folder) + "/kvseats/window";
  }
  if (const char* folder = variable("APPDATA")) return std::string(folder) + "/kvseats/window";
  if (const char* home = variable("HOME")) return std::string(home) + "/.config/kvseats/window";
  return {};
}

Kept load_kept(const std::string& path, std::string& note) {
  std::string text;
  std::uint64_t size = 0;
  if (path.empty() || !disk::read_head(path, kMostBytes, text, size)) return {};
  if (auto kept = size <= kMostBytes ? read_kept(text) : std::nullopt) return *kept;
  std::error_code error;
  std::filesystem::rename(path, path + ".bad", error);
  note =
      path + " is damaged" + (error ? " and cannot be set aside" : ", and is now " + path + ".bad");
  return {};
}

bool save_kept(const std::string& path, const Kept& kept) {
  if (path.empty() || kept.width <= 0 || kept.height <= 0) return false;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  const std::string fresh = path + ".new";
  if (error || !disk::write_file(fresh, kept_text(kept))) return false;
  std::filesystem::rename(fresh, path, error);
  return !error;
}

}  // namespace kvseats::host
