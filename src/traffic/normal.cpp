#include <array>
#include <cmath>

#include "traffic/lengths.h"
#include "units/math.h"

// Algorithm AS 241, PPND16, without its third range (u below 10⁻¹¹), which nobody here asks for.
namespace kvseats::traffic {
namespace {

using Row = std::array<double, 8>;

constexpr Row kA = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                    1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                    3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr Row kB = {1.0,
                    4.2313330701600911252e1,
                    6.8718700749205790830e2,
                    5.3941960214247511077e3,
                    2.1213794301586595867e4,
                    3.9307895800092710610e4,
                    2.8729085735721942674e4,
                    5.2264952788528545610e3};
constexpr Row kC = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                    3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                    2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr Row kD = {1.0,
                    2.05319162663775882187e0,
                    1.67638483018380384940e0,
                    6.89767334985100004550e-1,
                    1.48103976427480074590e-1,
                    1.51986665636164571966e-2,
                    5.47593808499534494600e-4,
                    1.05075007164441684324e-9};

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
