#pragma once

#include <string>
#include <string_view>

#include "scenario/report.h"

/// What no report may be, whatever was asked.
namespace kvseats::testing {

/// What is wrong with a report, or an empty string: a refusal without a diagnostic; a number that
/// is none (NaN, infinite) or is negative; parts that do not add up to their whole (memory of a
/// GPU, children of a ledger row); an interval whose ends do not enclose its value; more requests
/// at a low pool than at a high one.
[[nodiscard]] std::string report_fault(const scenario::Report& report);

/// What is wrong with it as JSON: it cannot be read, or holds an integer beyond 2^53 − 1.
[[nodiscard]] std::string json_fault(std::string_view json);

}  // namespace kvseats::testing
