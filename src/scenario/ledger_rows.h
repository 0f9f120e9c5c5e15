#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenario/answer.h"
#include "units/ledger.h"

/// Rows of the report's ledger: how a number is written down with its formula and its source.
namespace kvseats::scenario::rows {

/// "81,920 B"
[[nodiscard]] std::string bytes_text(units::Bytes bytes);

/// A row without formula, inputs or source.
[[nodiscard]] units::LedgerRow row(std::string id, std::string label, units::LedgerValue value,
                                   std::string unit);

/// A number that follows from other rows; its source is "computed".
[[nodiscard]] units::LedgerRow derived(std::string id, std::string label, std::uint64_t value,
                                       std::string unit, std::string formula,
                                       std::vector<std::string> inputs);

/// A number that was given ("yours"), or comes from `source`.
[[nodiscard]] units::LedgerRow input(std::string id, std::string label, std::uint64_t value,
                                     std::string unit, bool yours, std::string source);

}  // namespace kvseats::scenario::rows

namespace kvseats::scenario {

/// The model's own rows (`model.*`, `cache.format`) and one token's, part by part.
void add_model_rows(const Answer& answer, units::Ledger& out);

}  // namespace kvseats::scenario
