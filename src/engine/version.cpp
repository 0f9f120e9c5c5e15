#include "engine/version.h"

#include <array>

#include "units/text.h"

namespace kvseats::engine {
namespace {

using units::diagnose;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Up to three numbers separated by dots; the rest of the text (x, rc1, .dev3) is ignored.
std::optional<Version> parse_numbers(std::string_view text) {
  std::array<std::uint32_t, 3> part{};
  std::size_t count = 0;
  std::size_t at = 0;
  while (count < part.size() && at < text.size() && is_digit(text[at])) {
    std::uint32_t n = 0;
    while (at < text.size() && is_digit(text[at]) && n < 100000) {
      n = n * 10 + static_cast<std::uint32_t>(text[at++] - '0');
    }
    part[count++] = n;
    if (at >= text.size() || text[at] != '.') break;
    ++at;
  }
  if (count < 2) return std::nullopt;
  return Version{part[0], part[1], part[2]};
}

// `2025-11` or `2025-11-30` → 202511.
std::optional<std::uint32_t> parse_month(std::string_view text) {
  const bool shaped = text.size() >= 7 && text[4] == '-' && text.substr(0, 2) == "20";
  if (!shaped) return std::nullopt;
  std::uint32_t month = 0;
  for (const std::size_t i : {0u, 1u, 2u, 3u, 5u, 6u}) {
    if (!is_digit(text[i])) return std::nullopt;
    month = month * 10 + static_cast<std::uint32_t>(text[i] - '0');
  }
  if (month % 100 == 0 || month % 100 > 12) return std::nullopt;
  return month;
}

}  // namespace

std::string to_text(Version version) {
  return units::plain(version.major) + "." + units::plain(version.minor) + "." +
         units::plain(version.patch);
}

std::optional<Version> parse_version(std::string_view text, std::span<const Release> releases) {
  if (const auto month = parse_month(text)) {
    Version found = releases.front().version;
    for (const Release& release : releases) {
      if (release.month <= *month) found = release.version;
    }
    return found;
  }
  if (!text.empty() && text.front() == 'v') text.remove_prefix(1);
  return parse_numbers(text);
}

Version choose_version(std::string_view text, std::span<const Release> releases,
                       std::string_view engine, std::string_view example,
                       units::Diagnostics& list) {
  const Version newest = releases.back().version;
  const std::string body = units::lower(units::trimmed(text));
  if (body.empty() || body == "auto") return newest;
  const auto parsed = parse_version(body, releases);
  const std::string name(engine);
  if (!parsed) {
    list.push_back(diagnose("E-VERSION", "version",
                            "\"" + std::string(text) + "\" is not a version of " + name,
                            "Write it as " + std::string(example) +
                                ", as a month 2025-11, or leave it out for the newest."));
    return newest;
  }
  if (*parsed > newest) {
    list.push_back(diagnose(
        "W-VERSION-NEWER", "version",
        name + " " + to_text(*parsed) + " is newer than the newest known, " + to_text(newest),
        "The rules of " + to_text(newest) + " are used; compare with the engine's own log."));
  }
  return *parsed;
}

}  // namespace kvseats::engine
