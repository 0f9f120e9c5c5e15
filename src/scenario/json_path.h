#pragma once

#include <string>
#include <string_view>

/// One value out of JSON text that `to_json` wrote, by path: `concurrency.requests`,
/// `services.0.needed_bytes`, `ledger.3.id`.
namespace kvseats::scenario {

/// The value as it stands in the text (a string without its quotes, escapes kept; an object or
/// array whole). Empty: there is no such path. For our own JSON only: malformed text gives empty or
/// part. Cost: linear in the text; no recursion.
[[nodiscard]] std::string_view json_path(std::string_view json, std::string_view path);

}  // namespace kvseats::scenario
