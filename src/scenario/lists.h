#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "catalogue/catalogue.h"
#include "scenario/sweep.h"

/// What there is to choose from, as tables.
namespace kvseats::scenario {

/// `models`: slug, name, hf, per_token_bytes (16-bit cache, below every window), …; `gpus`: slug,
/// name, seen_bytes, …; `engines`; `formats`; `keys`; `presets`;
/// `services`: measured ones, with their public source. Anything else is `E-LIST`.
[[nodiscard]] tl::expected<Table, units::Diagnostic> list(std::string_view what,
                                                          const catalogue::Catalogue& catalogue);

}  // namespace kvseats::scenario
