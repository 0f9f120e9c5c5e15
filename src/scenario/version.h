#pragma once

#include <string_view>

/// Who wrote a report. The build passes both; a plain compile says so.
namespace kvseats::scenario {

#ifdef KVSEATS_VERSION
inline constexpr std::string_view kVersion = KVSEATS_VERSION;
#else
inline constexpr std::string_view kVersion = "0.1.0";
#endif

#ifdef KVSEATS_COMMIT
inline constexpr std::string_view kCommit = KVSEATS_COMMIT;
#else
inline constexpr std::string_view kCommit = "unknown";
#endif

}  // namespace kvseats::scenario
