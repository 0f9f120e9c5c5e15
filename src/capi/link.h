#pragma once

#include <string>

#include "scenario/codec.h"

/// The text of a link from what was read: the scenario's canonical text, then the page's keys and
/// those that are not ours, as they came.
namespace kvseats::capi {

[[nodiscard]] std::string link_text(const scenario::Decoded& decoded);

}  // namespace kvseats::capi
