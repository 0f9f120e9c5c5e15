#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// Lengths that somebody measured and published, by name. Data only: a median and a higher
/// percentile, taken as a lognormal (lengths.h). The public source of each stands beside it.
namespace kvseats::traffic {

struct NamedLengths {
  std::string_view name;   ///< as in a link: `sharegpt4-prompt`
  std::uint64_t p50 = 1;   ///< tokens
  std::uint64_t high = 1;  ///< tokens at percentile `percent`
  std::uint64_t percent = 95;
};

[[nodiscard]] std::span<const NamedLengths> named_lengths();

/// A service that somebody measured, as a person would begin with it.
struct NamedService {
  std::string_view name;            ///< `chat`
  std::string_view what;            ///< one line
  std::string_view prompt, output;  ///< in the text form of lengths.h
  std::string_view source;          ///< public
};

[[nodiscard]] std::span<const NamedService> named_services();

/// By name, in lower case as written; nullptr if there is none.
[[nodiscard]] const NamedLengths* find_named_lengths(std::string_view name);

}  // namespace kvseats::traffic
