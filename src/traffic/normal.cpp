#include <array>
#include <cmath>

#include "traffic/lengths.h"
#include "units/math.h"

// Algorithm AS 241, PPND7, without its third range (u below 10⁻¹¹), which nobody here asks for.
namespace kvseats::traffic {
namespace {

using Row = std::array<double, 4>;

constexpr Row kA = {3.3871327179, 50.434271938, 159.29113202, 59.109374720};
constexpr Row kB = {1.0, 17.895169469, 78.757757664, 67.187563600};
constexpr Row kC = {1.4234372777, 2.7568153900, 1.3067284816, 0.17023821103};
constexpr Row kD = {1.0, 0.73700164250, 0.12021132975, 0.0};

double polynomial(const Row& row, double x) {
  double value = 0;
  for (std::size_t i = row.size(); i-- > 0;) value = value * x + row[i];
  return value;
}

}  // namespace

double normal_quantile(double u) {
  const double q = u - 0.5;
  if (std::fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kA, r) / polynomial(kB, r);
  }
  const double tail = q < 0 ? u : 1 - u;
  const double r = std::sqrt(-units::log(tail)) - 1.6;
  const double value = polynomial(kC, r) / polynomial(kD, r);
  return q < 0 ? -value : value;
}

}  // namespace kvseats::traffic
