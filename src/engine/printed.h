#pragma once

#include <string>

#include "units/whole.h"

/// Numbers as the logs of engines print them.
namespace kvseats::engine {

/// "%.2f" of the engine's language: a tie that is exact in binary goes to the even digit.
[[nodiscard]] std::string two_decimals(double value);

/// Bytes in units of 2^30 with two decimals: "49.36". (Python and C++ divide as doubles.)
[[nodiscard]] std::string gib_text(units::Bytes bytes);

}  // namespace kvseats::engine
