#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "catalogue/catalogue.h"
#include "scenario/codec.h"
#include "scenario/report.h"

/// The inverse questions: `solve for=context`, `solve for=users`.
namespace kvseats::scenario {

/// What was asked for and what came out. The report is the forward answer of the same scenario.
struct Solution {
  std::string target;  ///< `context`, `users`
  Report report;
  std::string sentence;
  units::Diagnostics diagnostics;
  bool ok = true;
};

/// `target` unknown gives `E-SOLVE` naming the known ones.
[[nodiscard]] Solution solve(std::string_view target, const Decoded& decoded,
                             const catalogue::Catalogue& catalogue);

/// `{"schema", "for", "sentence", "context" or "users" …, "diagnostics"}`.
[[nodiscard]] std::string to_json(const Solution& solution, int indent = 2);

}  // namespace kvseats::scenario
