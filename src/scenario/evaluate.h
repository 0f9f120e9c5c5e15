#pragma once

#include <string_view>
#include <vector>

#include "catalogue/catalogue.h"
#include "scenario/codec.h"
#include "scenario/report.h"
#include "scenario/scenario.h"

/// The one function: a scenario in, a report out. Pure; the same bits native and wasm.
namespace kvseats::scenario {

/// Never fails: bad input becomes diagnostics and `report.ok == false`; "does not fit" is a
/// verdict. Cost: about 10 µs plus the levers (each lever is one more small evaluation).
[[nodiscard]] Report evaluate(const Scenario& scenario, const catalogue::Catalogue& catalogue);

/// The same for decoded text; its diagnostics go first into the report's.
[[nodiscard]] Report evaluate(const Decoded& decoded, const catalogue::Catalogue& catalogue);

/// Requests at once over all copies at one length, from the report's compiled form: what the
/// trade-off plot draws. Null: no limit.
[[nodiscard]] Maybe requests_at(const Report& report, std::uint64_t tokens);

/// Index into `report.levers` of the change to make: of those that bring more, one that reaches the
/// wanted requests before one that does not, then the cheapest, then the one that brings most.
[[nodiscard]] std::optional<std::size_t> cheapest_lever(const Report& report);

}  // namespace kvseats::scenario
