#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenario/report.h"
#include "units/json_writer.h"
#include "units/text.h"

/// A report in words, as members of an open JSON object.
namespace kvseats::capi {

/// `"sentence":[{"text","strong","ledger"}],"figures":[{"question","value","unit"}],"notes":[…],
/// "lever":…`
void write_prose(units::JsonWriter& json, const scenario::Report& report, units::SizeUnit unit);

/// `{"key":"value",…}` in the order given.
void write_pairs(units::JsonWriter& json,
                 const std::vector<std::pair<std::string, std::string>>& pairs);

}  // namespace kvseats::capi
