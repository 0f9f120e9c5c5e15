#pragma once

#include <string_view>

/// What the captures of the patterns mean, once for all engines.
namespace kvseats::logs {

/// What a fact is good for.
enum class Use {
  kInput,     ///< part of the deployment: becomes the scenario key of the same row
  kResult,    ///< follows from the deployment and the pool: compared to the digit
  kEstimate,  ///< measured by the engine, estimated here: compared with the range
  kDetail,    ///< read for the sake of another fact, or only told
};

struct Fact {
  std::string_view name;  ///< of the capture
  std::string_view label;
  std::string_view unit;  ///< "GiB", "MiB", "tokens", "blocks", "x", "" for a word
  Use use = Use::kDetail;
  std::string_view key = {};  ///< scenario key, for `kInput`
};

/// By name; nullptr if unknown.
[[nodiscard]] const Fact* find_fact(std::string_view name);

}  // namespace kvseats::logs
