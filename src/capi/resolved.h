#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenario/report.h"

/// What `auto` came to: key and text of every input that the report resolved, for the faint text in
/// an empty field. Only what the report holds.
namespace kvseats::capi {

[[nodiscard]] std::vector<std::pair<std::string, std::string>> resolved(
    const scenario::Report& report);

}  // namespace kvseats::capi
