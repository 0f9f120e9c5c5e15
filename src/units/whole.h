#pragma once

#include <compare>
#include <cstdint>

/// Whole numbers with a meaning: bytes, tokens, requests, blocks, parameters.
///
/// A `Whole<Tag>` is an unsigned 64-bit count that cannot be mixed with a count of something else
/// and that never wraps: a result that does not fit becomes the value *out of range*, which every
/// later operation keeps. A report shows it as "out of range" (JSON null with `E-RANGE`).
///
///     Bytes per_token = bytes(131072);
///     Bytes request = per_token * 8192;      // 1 GiB
///     uint64_t seats = pool / request;       // how many whole requests fit
///     Bytes bad = bytes(1) * UINT64_MAX * 2; // !bad.in_range(), and stays so
///
/// Makers are named (`bytes(n)`, `tokens(n)`), the way out is named too (`raw()`). There is no
/// implicit conversion in either direction. Cross-dimension products are written where the
/// dimension is known (room `engine`), as `uint64_t` counts times a quantity.
namespace kvseats::units {

/// The raw value that stands for "out of range". No real deployment reaches 2^64 - 1 bytes.
inline constexpr std::uint64_t kOutOfRange = UINT64_MAX;

/// The largest integer that every JSON reader keeps exactly: 2^53 - 1.
inline constexpr std::uint64_t kMaxExactJson = 9007199254740991ULL;

/// a + b, or `kOutOfRange` if either is out of range or the sum does not fit.
[[nodiscard]] constexpr std::uint64_t checked_add(std::uint64_t a, std::uint64_t b) {
  if (a == kOutOfRange || b == kOutOfRange || a > kOutOfRange - 1 - b) return kOutOfRange;
  return a + b;
}

/// a × b, or `kOutOfRange`. Zero times out-of-range stays out of range: an unknown is not nothing.
[[nodiscard]] constexpr std::uint64_t checked_mul(std::uint64_t a, std::uint64_t b) {
  if (a == kOutOfRange || b == kOutOfRange) return kOutOfRange;
  if (a != 0 && b > (kOutOfRange - 1) / a) return kOutOfRange;
  return a * b;
}

/// a − b cut off at zero ("what is left"); out of range stays out of range.
[[nodiscard]] constexpr std::uint64_t saturating_sub(std::uint64_t a, std::uint64_t b) {
  if (a == kOutOfRange) return kOutOfRange;
  if (b == kOutOfRange) return 0;
  return a > b ? a - b : 0;
}

/// ceil(a / b). `b` must not be 0 (a bug: returns out of range).
[[nodiscard]] constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
  if (a == kOutOfRange || b == kOutOfRange || b == 0) return kOutOfRange;
  return a / b + (a % b != 0 ? 1 : 0);
}

/// The smallest multiple of `step` that is at least `a`. `step` must not be 0.
[[nodiscard]] constexpr std::uint64_t round_up(std::uint64_t a, std::uint64_t step) {
  return checked_mul(ceil_div(a, step), step);
}

/// Quotient and remainder of a × num / den, exact for every product: the 128 bits of it are kept in
/// two halves and divided bit by bit (there is no 128-bit type that every compiler has). A quotient
/// beyond 64 bits, a factor that is out of range and a `den` of 0 give `kOutOfRange`.
struct QuotientRemainder {
  std::uint64_t quotient = kOutOfRange;
  std::uint64_t remainder = 0;
};
[[nodiscard]] constexpr QuotientRemainder mul_div(std::uint64_t a, std::uint64_t num,
                                                  std::uint64_t den) {
  if (a == kOutOfRange || num == kOutOfRange || den == 0) return {};
  if (((a | num) >> 32) == 0 || a == 0 || num <= kOutOfRange / a) {
    return {a * num / den, a * num % den};
  }
  constexpr std::uint64_t kLow = 0xffffffff;
  const std::uint64_t low_low = (a & kLow) * (num & kLow);
  const std::uint64_t high_low = (a >> 32) * (num & kLow);
  const std::uint64_t low_high = (a & kLow) * (num >> 32);
  const std::uint64_t middle = (low_low >> 32) + (high_low & kLow) + low_high;  // never wraps
  const std::uint64_t low = (middle << 32) | (low_low & kLow);
  std::uint64_t rest = (a >> 32) * (num >> 32) + (high_low >> 32) + (middle >> 32);
  if (rest >= den) return {};
  std::uint64_t quotient = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const bool carry = (rest >> 63) != 0;
    rest = (rest << 1) | ((low >> bit) & 1);
    if (carry || rest >= den) {
      rest -= den;
      quotient |= std::uint64_t{1} << bit;
    }
  }
  return {quotient, rest};
}

/// floor(a × num / den), exact.
[[nodiscard]] constexpr std::uint64_t mul_div_floor(std::uint64_t a, std::uint64_t num,
                                                    std::uint64_t den) {
  return mul_div(a, num, den).quotient;
}

/// ceil(a × num / den), exact.
[[nodiscard]] constexpr std::uint64_t mul_div_ceil(std::uint64_t a, std::uint64_t num,
                                                   std::uint64_t den) {
  const QuotientRemainder result = mul_div(a, num, den);
  return result.remainder == 0 ? result.quotient : checked_add(result.quotient, 1);
}

/// A count of `Tag`s. Default is zero. Comparable; out of range compares above everything.
template <class Tag>
class Whole {
 public:
  constexpr Whole() = default;
  [[nodiscard]] static constexpr Whole of(std::uint64_t raw) { return Whole(raw); }
  [[nodiscard]] static constexpr Whole out_of_range() { return Whole(kOutOfRange); }

  /// The number itself; check `in_range()` first where it matters.
  [[nodiscard]] constexpr std::uint64_t raw() const { return raw_; }
  [[nodiscard]] constexpr bool in_range() const { return raw_ != kOutOfRange; }
  /// In range and exactly representable in every JSON reader.
  [[nodiscard]] constexpr bool exact_in_json() const { return raw_ <= kMaxExactJson; }

  friend constexpr Whole operator+(Whole a, Whole b) { return of(checked_add(a.raw_, b.raw_)); }
  friend constexpr Whole operator*(Whole a, std::uint64_t n) { return of(checked_mul(a.raw_, n)); }
  friend constexpr Whole operator*(std::uint64_t n, Whole a) { return a * n; }
  constexpr Whole& operator+=(Whole b) { return *this = *this + b; }

  /// What is left of a after b, at least zero.
  [[nodiscard]] friend constexpr Whole left_after(Whole a, Whole b) {
    return of(saturating_sub(a.raw_, b.raw_));
  }
  /// How many whole b fit into a; out of range if b is zero (there is no limit).
  friend constexpr std::uint64_t operator/(Whole a, Whole b) {
    if (!a.in_range() || !b.in_range() || b.raw_ == 0) return kOutOfRange;
    return a.raw_ / b.raw_;
  }

  friend constexpr bool operator==(Whole, Whole) = default;
  friend constexpr auto operator<=>(Whole, Whole) = default;

 private:
  explicit constexpr Whole(std::uint64_t raw) : raw_(raw) {}
  std::uint64_t raw_ = 0;
};

using Bytes = Whole<struct BytesTag>;
using Tokens = Whole<struct TokensTag>;
using Requests = Whole<struct RequestsTag>;
using Blocks = Whole<struct BlocksTag>;
using Params = Whole<struct ParamsTag>;

[[nodiscard]] constexpr Bytes bytes(std::uint64_t n) {
  return Bytes::of(n);
}
[[nodiscard]] constexpr Bytes kib(std::uint64_t n) {
  return Bytes::of(n) * 1024;
}
[[nodiscard]] constexpr Bytes mib(std::uint64_t n) {
  return Bytes::of(n) * 1048576;
}
[[nodiscard]] constexpr Bytes gib(std::uint64_t n) {
  return Bytes::of(n) * 1073741824;
}
[[nodiscard]] constexpr Bytes megabytes(std::uint64_t n) {
  return Bytes::of(n) * 1000000;
}
[[nodiscard]] constexpr Bytes gigabytes(std::uint64_t n) {
  return Bytes::of(n) * 1000000000;
}
[[nodiscard]] constexpr Tokens tokens(std::uint64_t n) {
  return Tokens::of(n);
}
[[nodiscard]] constexpr Requests requests(std::uint64_t n) {
  return Requests::of(n);
}
[[nodiscard]] constexpr Blocks blocks(std::uint64_t n) {
  return Blocks::of(n);
}
[[nodiscard]] constexpr Params params(std::uint64_t n) {
  return Params::of(n);
}

/// An exact non-negative fraction, for example 9/16 byte per element. `den` is never 0.
struct Ratio {
  std::uint64_t num = 0;
  std::uint64_t den = 1;
  friend constexpr bool operator==(const Ratio&, const Ratio&) = default;
};

/// ceil(n × ratio): fractional bytes round up.
[[nodiscard]] constexpr Bytes bytes_ceil(std::uint64_t n, Ratio per_item) {
  return Bytes::of(mul_div_ceil(n, per_item.num, per_item.den));
}

/// a + b, reduced. Denominators here are small powers of two times block sizes, so no overflow.
[[nodiscard]] constexpr Ratio add(Ratio a, Ratio b);
/// a × n, reduced.
[[nodiscard]] constexpr Ratio times(Ratio a, std::uint64_t n);

namespace detail {
constexpr std::uint64_t gcd(std::uint64_t a, std::uint64_t b) {
  while (b != 0) {
    const std::uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}
constexpr Ratio reduced(std::uint64_t num, std::uint64_t den) {
  if (num == kOutOfRange || den == kOutOfRange) return {kOutOfRange, 1};
  const std::uint64_t g = gcd(num, den);
  return g == 0 ? Ratio{0, 1} : Ratio{num / g, den / g};
}
}  // namespace detail

constexpr Ratio add(Ratio a, Ratio b) {
  const std::uint64_t g = detail::gcd(a.den, b.den);
  const std::uint64_t num =
      checked_add(checked_mul(a.num, b.den / g), checked_mul(b.num, a.den / g));
  return detail::reduced(num, checked_mul(a.den / g, b.den));
}

constexpr Ratio times(Ratio a, std::uint64_t n) {
  return detail::reduced(checked_mul(a.num, n), a.den);
}

}  // namespace kvseats::units
