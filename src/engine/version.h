#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "units/diagnostic.h"

/// Release numbers of engines that count major.minor.patch, and the months they came out in.
namespace kvseats::engine {

/// `0.11.2` → {0, 11, 2}.
struct Version {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint32_t patch = 0;
  friend auto operator<=>(const Version&, const Version&) = default;
};

[[nodiscard]] std::string to_text(Version version);

/// The newest release of a month.
struct Release {
  std::uint32_t month = 0;  ///< 202511
  Version version;
};

/// Reads `0.11.2`, `v0.11`, `0.19.x`, `1.2.0rc3` or a month `2025-11` (the newest release of that
/// month or before; the first release for earlier ones). None for text that is none of these.
/// `releases` is oldest first and not empty.
[[nodiscard]] std::optional<Version> parse_version(std::string_view text,
                                                   std::span<const Release> releases);

/// What a person's `version` comes to: the newest release for empty text and `auto`. Adds
/// `E-VERSION` (not understood; the newest is taken) or `W-VERSION-NEWER` to `list`. `engine` is
/// its name for people, `example` a release number to write it like.
[[nodiscard]] Version choose_version(std::string_view text, std::span<const Release> releases,
                                     std::string_view engine, std::string_view example,
                                     units::Diagnostics& list);

}  // namespace kvseats::engine
