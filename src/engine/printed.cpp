#include "engine/printed.h"

#include <cmath>

#include "units/text.h"

namespace kvseats::engine {

std::string two_decimals(double value) {
  // A tie is exact only in multiples of 1/8; "%.2f" then takes the even digit.
  const double eighths = value * 8;
  const double hundredths = std::floor(value * 100);
  const bool tie = eighths == std::floor(eighths) && value * 100 - hundredths == 0.5;
  const bool down = tie && std::floor(hundredths / 2) * 2 == hundredths;
  return units::fixed(down ? hundredths / 100 : value, 2, false);
}

std::string gib_text(units::Bytes bytes) {
  return two_decimals(static_cast<double>(bytes.raw()) / 1073741824.0);
}

}  // namespace kvseats::engine
