#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/version.h"

/// Which cache and weight formats an engine has, and whether the card has arithmetic for them.
namespace kvseats::engine {

/// Formats that an engine of one version has: ids of `model::CacheFormat` and
/// `model::WeightFormat`. An empty list says nothing about its kind.
struct FormatLists {
  std::vector<std::string_view> cache;
  std::vector<std::string_view> weights;
};

/// A format and the first release that has it.
struct FormatSince {
  std::string_view id;
  Version first;
};

/// Ids of the formats that `version` has, in the table's order.
[[nodiscard]] std::vector<std::string_view> formats_up_to(std::span<const FormatSince> table,
                                                          Version version);

/// `E-FORMAT-ENGINE` for a cache or weight format that is not in the lists, naming the nearest that
/// is (by bytes per number); `W-NO-HARDWARE` for one whose arithmetic the card lacks, where the
/// card's arithmetic is known. `engine` is the name for people, with its version.
[[nodiscard]] units::Diagnostics check_formats(std::string_view engine, const FormatLists& lists,
                                               const Inputs& in);

/// The dense arithmetic that a format of this id computes in; none for formats that are widened to
/// 16 bit first (awq, gptq, GGUF, bitsandbytes …).
[[nodiscard]] std::optional<device::Arithmetic> arithmetic_of(std::string_view format);

}  // namespace kvseats::engine
