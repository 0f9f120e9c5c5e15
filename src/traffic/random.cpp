#include "traffic/random.h"

#include <bit>

#include "units/math.h"

namespace kvseats::traffic {

std::uint64_t Random::below(std::uint64_t n) {
  if (n <= 1) return 0;
  const int unused = std::countl_zero(n - 1);
  while (true) {
    const std::uint64_t drawn = next() >> unused;
    if (drawn < n) return drawn;
  }
}

std::uint64_t Random::exponential(std::uint64_t mean) {
  constexpr double kUnit = 0x1p-53;
  const double u = static_cast<double>((next() >> 11) + 1) * kUnit;
  return static_cast<std::uint64_t>(-units::log(u) * static_cast<double>(mean));
}

}  // namespace kvseats::traffic
