#include "units/decimal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace kvseats::units::detail {
namespace {

constexpr int kLowestExponent = -1074;  // of the last bit of a subnormal double
constexpr std::uint64_t kHiddenBit = std::uint64_t{1} << 52;

/// |x| = m × 2^e with m < 2^53; m has its hidden bit unless x is subnormal.
struct Binary {
  std::uint64_t m = 0;
  int e = 0;
};

Binary binary_of(double x) {
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(x), &exponent);
  Binary b{static_cast<std::uint64_t>(std::ldexp(fraction, 53)), exponent - 53};
  if (b.e < kLowestExponent) {
    b.m >>= kLowestExponent - b.e;  // exact: those bits of a subnormal are zero
    b.e = kLowestExponent;
  }
  return b;
}

/// A natural number in base 10^9, least limb first. 96 limbs hold 864 digits.
class BigNatural {
 public:
  explicit BigNatural(std::uint64_t n) {
    for (; n != 0; n /= kBase) limbs_[size_++] = static_cast<std::uint32_t>(n % kBase);
  }

  void multiply(std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      carry += std::uint64_t{limbs_[i]} * factor;
      limbs_[i] = static_cast<std::uint32_t>(carry % kBase);
      carry /= kBase;
    }
    for (; carry != 0; carry /= kBase) limbs_[size_++] = static_cast<std::uint32_t>(carry % kBase);
  }

  [[nodiscard]] std::string digits() const {
    std::string text(size_ * 9, '0');
    for (std::size_t i = 0; i < size_; ++i) {
      std::uint32_t limb = limbs_[i];
      for (std::size_t j = 0; j < 9; ++j, limb /= 10) {
        text[text.size() - 1 - i * 9 - j] = static_cast<char>('0' + limb % 10);
      }
    }
    return text.substr(std::min(text.find_first_not_of('0'), text.size()));
  }

 private:
  static constexpr std::uint32_t kBase = 1000000000;
  std::array<std::uint32_t, 96> limbs_{};
  std::size_t size_ = 0;
};

void drop_trailing_zeros(std::string& digits) {
  digits.erase(digits.find_last_not_of('0') + 1);
}

ExactDecimal decimal_of(std::uint64_t m, int e) {
  if (m == 0) return {};
  while (e < 0 && (m & 1) == 0) {
    m >>= 1;
    ++e;
  }
  BigNatural big(m);
  for (int left = e; left > 0; left -= 29) big.multiply(std::uint32_t{1} << std::min(left, 29));
  constexpr std::uint32_t kFiveTo12 = 244140625;
  int fives = std::max(-e, 0);
  for (; fives >= 12; fives -= 12) big.multiply(kFiveTo12);
  for (; fives > 0; --fives) big.multiply(5);
  ExactDecimal d{big.digits(), 0};
  d.point = static_cast<int>(d.digits.size()) - std::max(-e, 0);
  drop_trailing_zeros(d.digits);
  return d;
}

/// Half way to the next double below and above. Everything between reads as `b`; the ends
/// themselves do so when b.m is even (ties to even).
ExactDecimal middle_below(Binary b) {
  if (b.m == kHiddenBit && b.e > kLowestExponent) return decimal_of(4 * b.m - 1, b.e - 2);
  return decimal_of(2 * b.m - 1, b.e - 1);
}
ExactDecimal middle_above(Binary b) {
  return decimal_of(2 * b.m + 1, b.e - 1);
}

/// −1, 0 or 1. Zero has no digits and sorts below everything.
int compare(const ExactDecimal& a, const ExactDecimal& b) {
  if (a.digits.empty() || b.digits.empty()) {
    return static_cast<int>(b.digits.empty()) - static_cast<int>(a.digits.empty());
  }
  if (a.point != b.point) return a.point < b.point ? -1 : 1;
  const int order = a.digits.compare(b.digits);
  return order < 0 ? -1 : (order > 0 ? 1 : 0);
}

/// Where `d` lies for a reader that rounds to nearest: −1 below b's interval, 0 in it, 1 above.
int side(const ExactDecimal& d, Binary b) {
  const bool closed = (b.m & 1) == 0;
  if (b.m != 0) {
    const int low = compare(d, middle_below(b));
    if (low < 0 || (low == 0 && !closed)) return -1;
  }
  const int high = compare(d, middle_above(b));
  return high > 0 || (high == 0 && !closed) ? 1 : 0;
}

Binary next_up(Binary b) {
  ++b.m;
  return b.m == 2 * kHiddenBit ? Binary{kHiddenBit, b.e + 1} : b;
}
Binary next_down(Binary b) {
  --b.m;
  if (b.m < kHiddenBit && b.e > kLowestExponent) return {2 * kHiddenBit - 1, b.e - 1};
  return b;
}

/// Within a few units in the last place; for ≤ 15 digits and |power| ≤ 22 correctly rounded, since
/// both operands are exact then and one operation rounds once.
double approximate(const ExactDecimal& d) {
  std::uint64_t head = 0;
  const std::size_t taken = std::min<std::size_t>(d.digits.size(), 17);
  for (std::size_t i = 0; i < taken; ++i)
    head = head * 10 + static_cast<std::uint64_t>(d.digits[i] - '0');
  double x = static_cast<double>(head);
  int power = d.point - static_cast<int>(taken);
  for (; power >= 22; power -= 22) x *= 1e22;
  for (; power <= -22; power += 22) x /= 1e22;
  double rest = 1;
  for (int i = 0; i < std::abs(power); ++i) rest *= 10;
  return power < 0 ? x / rest : x * rest;
}

}  // namespace

ExactDecimal exact_decimal(double x) {
  const Binary b = binary_of(x);
  return decimal_of(b.m, b.e);
}

ExactDecimal rounded(const ExactDecimal& d, int keep) {
  if (keep >= static_cast<int>(d.digits.size())) return d;
  if (keep < 0) return {};
  const auto kept = static_cast<std::size_t>(keep);
  const bool up = d.digits[kept] >= '5';
  ExactDecimal r{d.digits.substr(0, kept), d.point};
  if (up) {
    std::size_t i = kept;
    while (i > 0 && r.digits[i - 1] == '9') r.digits[--i] = '0';
    if (i > 0) {
      ++r.digits[i - 1];
    } else {
      r.digits.insert(r.digits.begin(), '1');
      ++r.point;
    }
  }
  drop_trailing_zeros(r.digits);
  return r;
}

ExactDecimal shortest_decimal(double x) {
  const Binary b = binary_of(x);
  const ExactDecimal all = decimal_of(b.m, b.e);
  // Normal doubles never need the search below 15: rounding to 15 digits and dropping zeros finds
  // every shorter text. Subnormals carry fewer digits.
  for (int keep = b.m < kHiddenBit ? 1 : 15; keep < 17; ++keep) {
    ExactDecimal short_one = rounded(all, keep);
    if (side(short_one, b) == 0) return short_one;
  }
  return rounded(all, 17);
}

std::optional<double> nearest_double(std::string_view digits, int point) {
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string_view::npos) return 0.0;
  ExactDecimal d{std::string(digits.substr(first)), point - static_cast<int>(first)};
  drop_trailing_zeros(d.digits);
  if (d.point > 310) return std::nullopt;
  if (d.point < -330) return 0.0;
  constexpr double kLargest = 0x1.fffffffffffffp+1023;
  double x = approximate(d);
  const int power = d.point - static_cast<int>(d.digits.size());
  if (d.digits.size() <= 15 && power <= 22 && power >= -22) return x;
  if (!(x <= kLargest)) x = kLargest;
  Binary b = binary_of(x);
  for (int where = side(d, b); where != 0; where = side(d, b)) {
    b = where > 0 ? next_up(b) : next_down(b);
    if (b.e > 971) return std::nullopt;
  }
  return std::ldexp(static_cast<double>(b.m), b.e);
}

}  // namespace kvseats::units::detail
