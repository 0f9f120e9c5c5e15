#pragma once

#include <string>

#include "scenario/codec.h"

/// The text of a link from what was read: the scenario's canonical text, then the page's keys and
/// those that are not ours, as they came.
namespace kvseats::capi {

[[nodiscard]] std::string link_text(const scenario::Decoded& decoded);

/// The same with another text for the scenario: a report's `pinned_query`, which keeps its answer,
/// in a link that opens the same view and has the same things to compare.
[[nodiscard]] std::string link_text(std::string scenario, const scenario::Decoded& decoded);

}  // namespace kvseats::capi
