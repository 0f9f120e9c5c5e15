#include "units/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "units/decimal.h"

namespace kvseats::units {
namespace {

constexpr double kLargest = 0x1.fffffffffffffp+1023;

bool finite(double x) {
  return x >= -kLargest && x <= kLargest;
}

/// "404357" → "404,357"; `digits` holds digits only.
std::string with_commas(std::string_view digits) {
  std::string out(digits.substr(0, (digits.size() + 2) % 3 + 1));
  for (std::size_t i = out.size(); i < digits.size(); i += 3) {
    out += ',';
    out += digits.substr(i, 3);
  }
  return out;
}

/// The part of 0.DIGITS × 10^point before the decimal point, at least "0".
std::string whole_part(const detail::ExactDecimal& d) {
  if (d.point <= 0) return "0";
  const auto width = static_cast<std::size_t>(d.point);
  std::string out = d.digits.substr(0, width);
  out.resize(width, '0');
  return out;
}

/// `decimals` digits after the point.
std::string fraction_part(const detail::ExactDecimal& d, int decimals) {
  std::string out;
  for (int i = 0; i < decimals; ++i) {
    const int at = d.point + i;
    const bool inside = at >= 0 && at < static_cast<int>(d.digits.size());
    out += inside ? d.digits[static_cast<std::size_t>(at)] : '0';
  }
  return out;
}

struct Scale {
  std::uint64_t unit;
  std::string_view name;
};
constexpr std::array<Scale, 7> kBinary = {{{1, "B"},
                                           {std::uint64_t{1} << 10, "KiB"},
                                           {std::uint64_t{1} << 20, "MiB"},
                                           {std::uint64_t{1} << 30, "GiB"},
                                           {std::uint64_t{1} << 40, "TiB"},
                                           {std::uint64_t{1} << 50, "PiB"},
                                           {std::uint64_t{1} << 60, "EiB"}}};
constexpr std::array<Scale, 7> kDecimal = {{{1, "B"},
                                            {1000, "kB"},
                                            {1000000, "MB"},
                                            {1000000000, "GB"},
                                            {1000000000000, "TB"},
                                            {1000000000000000, "PB"},
                                            {1000000000000000000, "EB"}}};

/// A size in one unit: whole, `decimals` digits, and whether that is all of it.
struct Figure {
  std::uint64_t whole = 0;
  std::uint64_t fraction = 0;
  int decimals = 0;
  bool exact = true;
};

/// n / unit with `decimals` digits, half up. The remainder times ten stays below 2^64 for every
/// unit up to EiB.
Figure figure(std::uint64_t n, std::uint64_t unit, int decimals) {
  Figure f{n / unit, 0, decimals, true};
  std::uint64_t rest = n % unit;
  std::uint64_t full = 1;
  for (int i = 0; i < decimals; ++i) {
    f.fraction = f.fraction * 10 + rest * 10 / unit;
    rest = rest * 10 % unit;
    full *= 10;
  }
  f.exact = rest == 0;
  if (rest >= unit - rest) ++f.fraction;
  if (f.fraction == full) {
    f.fraction = 0;
    ++f.whole;
  }
  return f;
}

int digits_in(std::uint64_t n) {
  int count = 1;
  for (; n >= 10; n /= 10) ++count;
  return count;
}

std::string figure_text(Figure f, std::string_view unit) {
  std::string out = grouped(f.whole);
  if (f.decimals > 0) {
    std::string fraction = plain(f.fraction);
    while (fraction.size() < static_cast<std::size_t>(f.decimals)) fraction.insert(0, 1, '0');
    if (f.exact) fraction.erase(fraction.find_last_not_of('0') + 1);
    if (!fraction.empty()) out += "." + fraction;
  }
  return out + " " + std::string(unit);
}

/// Index of the largest unit that is not above n.
std::size_t scale_of(std::uint64_t n, const std::array<Scale, 7>& scales) {
  std::size_t i = 0;
  while (i + 1 < scales.size() && n >= scales[i + 1].unit) ++i;
  return i;
}

const std::array<Scale, 7>& scales_of(SizeUnit unit) {
  return unit == SizeUnit::kGib ? kBinary : kDecimal;
}

/// n in its own unit with as many decimals as `decimals_for(whole)` says; when rounding reaches the
/// next unit (1,023.96 MiB) the figure is written there instead.
std::pair<Figure, std::string_view> in_own_unit(std::uint64_t n, SizeUnit unit,
                                                int (*decimals_for)(std::uint64_t whole)) {
  const auto& scales = scales_of(unit);
  std::size_t i = scale_of(n, scales);
  Figure f = figure(n, scales[i].unit, i == 0 ? 0 : decimals_for(n / scales[i].unit));
  if (i != 0 && i + 1 < scales.size() && f.whole >= scales[i + 1].unit / scales[i].unit) {
    ++i;
    f = figure(n, scales[i].unit, decimals_for(1));
  } else if (i != 0 && digits_in(f.whole) > digits_in(n / scales[i].unit)) {
    f = figure(n, scales[i].unit, decimals_for(f.whole));  // 9.9996 → 10.00
  }
  return {f, scales[i].name};
}

int four_digits(std::uint64_t whole) {
  return std::max(0, 4 - digits_in(whole));
}
int for_prose(std::uint64_t whole) {
  return whole < 10 ? 1 : 0;
}

}  // namespace

std::string plain(std::uint64_t n) {
  if (n == kOutOfRange) return "out of range";
  std::array<char, 20> digits;  // of 2^64 − 1
  std::size_t first = digits.size();
  do {
    digits[--first] = static_cast<char>('0' + n % 10);
    n /= 10;
  } while (n != 0);
  return {digits.data() + first, digits.size() - first};
}

std::string grouped(std::uint64_t n) {
  return n == kOutOfRange ? "out of range" : with_commas(plain(n));
}

std::string fixed(double value, int decimals, bool group) {
  if (!finite(value)) return "–";
  const detail::ExactDecimal all = detail::exact_decimal(value);
  const detail::ExactDecimal d = detail::rounded(all, all.point + decimals);
  std::string out = value < 0 && !d.digits.empty() ? "-" : "";
  out += group ? with_commas(whole_part(d)) : whole_part(d);
  return decimals == 0 ? out : out + "." + fraction_part(d, decimals);
}

namespace {

/// What a person wrote with few decimals, as most fractions are, without big numbers: of a size
/// below a million the only one with `places` decimals that reads back, as whole / 10^places is
/// rounded once (IEEE division) and neighbours with so few are far apart. Empty: there is none.
std::string with_few_decimals(double size) {
  constexpr int kFew = 6;
  if (size >= 1e6) return "";
  double scale = 1;
  for (int places = 1; places <= kFew; ++places) {
    scale *= 10;
    const double whole = std::floor(size * scale + 0.5);
    if (whole / scale != size) continue;
    std::string digits = plain(static_cast<std::uint64_t>(whole));
    const auto width = static_cast<std::size_t>(places);
    if (digits.size() <= width) digits.insert(0, width + 1 - digits.size(), '0');
    return digits.insert(digits.size() - width, 1, '.');
  }
  return "";
}

}  // namespace

std::string shortest(double value) {
  if (!finite(value)) return "–";
  if (value == 0) return "0";
  const std::string sign = value < 0 ? "-" : "";
  const double size = std::fabs(value);
  if (size < kMaxExactJson && std::floor(size) == size) {
    return sign + plain(static_cast<std::uint64_t>(size));
  }
  if (std::string few = with_few_decimals(size); !few.empty()) return sign + few;
  const detail::ExactDecimal d = detail::shortest_decimal(size);
  const int count = static_cast<int>(d.digits.size());
  if (d.point > 21 || d.point < -5) {
    const int power = d.point - 1;
    std::string out = sign + d.digits.substr(0, 1);
    if (count > 1) out += "." + d.digits.substr(1);
    return out + (power < 0 ? "e-" : "e+") + plain(static_cast<std::uint64_t>(std::abs(power)));
  }
  const std::string whole = sign + whole_part(d);
  return count > d.point ? whole + "." + fraction_part(d, count - d.point) : whole;
}

std::string size_text(Bytes size, SizeUnit unit) {
  if (!size.in_range()) return "out of range";
  const auto [f, name] = in_own_unit(size.raw(), unit, four_digits);
  return figure_text(f, name);
}

std::string size_about(Bytes size, SizeUnit unit) {
  if (!size.in_range()) return "out of range";
  auto [f, name] = in_own_unit(size.raw(), unit, for_prose);
  const bool exact = f.exact;
  f.exact = true;  // prose carries no padding zeros; the word "about" says it
  return (exact ? "" : "about ") + figure_text(f, name);
}

std::string size_both(Bytes size, SizeUnit first) {
  const SizeUnit second = first == SizeUnit::kGib ? SizeUnit::kGb : SizeUnit::kGib;
  const std::string one = size_text(size, first);
  const std::string two = size_text(size, second);
  return one == two ? one : one + " (" + two + ")";
}

std::string tokens_short(std::uint64_t n) {
  constexpr std::uint64_t kMega = std::uint64_t{1} << 20;
  if (n == kOutOfRange || n == 0 || n % 1024 != 0) return grouped(n);
  return n % kMega == 0 ? grouped(n / kMega) + "M" : grouped(n / 1024) + "k";
}

}  // namespace kvseats::units
