#pragma once

#include <string_view>

/// Who wrote a report.
namespace kvseats::scenario {

/// Of the program; the build passes it, a plain compile says the newest.
#ifdef KVSEATS_VERSION
inline constexpr std::string_view kVersion = KVSEATS_VERSION;
#else
inline constexpr std::string_view kVersion = "0.1.0";
#endif

/// What `git describe` said when this was built, with `-dirty` when files differed from it, or the
/// environment variable KVSEATS_COMMIT; `unknown` for a tree without Git. A function, so that a new
/// commit compiles one file.
[[nodiscard]] std::string_view commit();

}  // namespace kvseats::scenario
