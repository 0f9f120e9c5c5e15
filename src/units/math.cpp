#include "units/math.h"

#include <array>
#include <cmath>
#include <limits>

namespace kvseats::units {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// ln 2 in two parts; the first has 33 bits, so k × kLn2High is exact for every exponent k.
constexpr double kLn2High = 0x1.62e42feep-1;
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

/// An unevaluated sum of two doubles, about 106 bits.
struct Pair {
  double high = 0;
  double low = 0;
};

/// a + b exactly (Knuth).
Pair two_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// a × b exactly (Dekker), without fused multiply-add; |a|, |b| below 2^996.
Pair two_product(double a, double b) {
  constexpr double kSplit = 134217729;  // 2^27 + 1
  const double ca = kSplit * a;
  const double cb = kSplit * b;
  const double ah = ca - (ca - a);
  const double bh = cb - (cb - b);
  const double al = a - ah;
  const double bl = b - bh;
  const double product = a * b;
  return {product, ((ah * bh - product) + ah * bl + al * bh) + al * bl};
}

/// x = fraction × 2^exponent with fraction in [√½, √2).
double centred_fraction(double x, int& exponent) {
  double fraction = std::frexp(x, &exponent);
  if (fraction < 0.70710678118654752) {
    fraction *= 2;
    --exponent;
  }
  return fraction;
}

/// ln x to about 60 bits, x finite and positive: k ln 2 + 2 artanh(s), s = (m − 1)/(m + 1).
Pair log_pair(double x) {
  int k = 0;
  const double m = centred_fraction(x, k);
  const double f = m - 1;  // exact
  const Pair d = two_sum(m, 1);
  const double s = f / d.high;
  const Pair back = two_product(s, d.high);
  const double s_low = ((f - back.high) - back.low - s * d.low) / d.high;
  // artanh s = s + s³/3 + s⁵/5 + …; |s| ≤ 0.1716, so the term after s²³ is below 2^-60 of the
  // first.
  const double z = s * s;
  constexpr std::array kOdd{1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                            1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3};
  double tail = 0;
  for (const double share : kOdd) tail = tail * z + share;
  tail *= z * s;
  const Pair fraction = two_sum(2 * s, 2 * (tail + s_low));
  const Pair sum = two_sum(k * kLn2High, fraction.high);
  return two_sum(sum.high, sum.low + (fraction.low + k * kLn2Low));
}

/// The cases of log, log2 and log10 that are not a positive finite number.
bool special_log(double x, double& result) {
  if (x > 0 && x < kInfinity) return false;
  result = x == 0 ? -kInfinity : (x > 0 ? x : kNaN);
  return true;
}

/// (ln x) × factor, rounded once; the factor in two parts.
double scaled_log(double x, Pair factor) {
  const Pair l = log_pair(x);
  const Pair p = two_product(l.high, factor.high);
  return p.high + (p.low + (l.high * factor.low + l.low * factor.high));
}

}  // namespace

double exp(double x) {
  if (x != x) return x;
  if (x > 709.8) return kInfinity;
  if (x < -745.2) return 0;
  constexpr double kInverseLn2 = 1.4426950408889634;
  const double k = std::floor(x * kInverseLn2 + 0.5);
  const double high = x - k * kLn2High;  // exact: nearly equal numbers
  const double r = high - k * kLn2Low;
  const double r_low = (high - r) - k * kLn2Low;
  // Taylor: |r| ≤ 0.3466, so r^14/14! is below 2^-57.
  double sum = 0;
  for (int n = 13; n >= 2; --n) sum = (sum + 1) * r / n;
  const double rest = r * sum + r_low * (1 + r);
  return std::ldexp(1 + (r + rest), static_cast<int>(k));
}

double log(double x) {
  double special = 0;
  if (special_log(x, special)) return special;
  return log_pair(x).high;
}

double log2(double x) {
  double special = 0;
  if (special_log(x, special)) return special;
  int exponent = 0;
  if (std::frexp(x, &exponent) == 0.5) return exponent - 1;
  return scaled_log(x, {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56});  // 1 / ln 2
}

double log10(double x) {
  double special = 0;
  if (special_log(x, special)) return special;
  return scaled_log(x, {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});  // 1 / ln 10
}

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y || x < 0) return kNaN;
  if (x == 0) return y > 0 ? 0 : kInfinity;
  const bool grows = (x > 1) == (y > 0);
  if (x == kInfinity || y == kInfinity || y == -kInfinity) return grows ? kInfinity : 0;
  const Pair l = log_pair(x);
  const double rough = y * l.high;
  if (rough > 710 || rough < -746) return grows ? kInfinity : 0;
  const Pair p = two_product(y, l.high);
  const double low = p.low + y * l.low;
  return exp(p.high) * (1 + low);
}

double erf(double x) {
  if (x != x) return x;
  const double size = std::fabs(x);
  if (size >= 6) return x > 0 ? 1 : -1;  // erfc(6) is below 2^-55
  constexpr double kTwoOverRootPi = 1.1283791670955126;
  const double z = size * size;
  double result = 0;
  if (size < 3) {
    // e^(−x²) Σ (2x²)^n x / (1·3·5…(2n+1)): all terms positive, no cancellation.
    double term = size;
    for (int n = 1; term > result * 1e-18; ++n) {
      result += term;
      term *= 2 * z / (2 * n + 1);
    }
    result *= kTwoOverRootPi * exp(-z);
  } else {
    // erfc = e^(−x²)/√π · 1/(x + ½/(x + 1/(x + 3/2/(x + …)))); 40 levels give 1e-14 of it at x = 3.
    double fraction = size;
    for (int n = 40; n >= 1; --n) fraction = size + 0.5 * n / fraction;
    result = 1 - 0.5 * kTwoOverRootPi * exp(-z) / fraction;
  }
  return x > 0 ? result : -result;
}

double lgamma(double x) {
  if (!(x > 0)) return x == 0 ? kInfinity : kNaN;
  if (x == kInfinity || x == 1 || x == 2) return x == kInfinity ? x : 0;
  // Stirling's series from 12 on: Σ B₂ₙ / (2n (2n−1) x^(2n−1)); smaller x are raised by
  // Γ(x) = Γ(x + n) / (x (x+1) … (x+n−1)).
  double product = 1;
  double y = x;
  for (; y < 12; ++y) product *= y;
  constexpr std::array<double, 7> kTerms = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                                            1.0 / 1188, -691.0 / 360360, 1.0 / 156};
  constexpr double kHalfLog2Pi = 0.91893853320467274;
  const double inverse = 1 / y;
  const double z = inverse * inverse;
  double series = 0;
  for (std::size_t n = kTerms.size(); n-- > 0;) series = series * z + kTerms[n];
  return (y - 0.5) * log(y) - y + kHalfLog2Pi + series * inverse - log(product);
}

}  // namespace kvseats::units
