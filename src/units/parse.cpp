#include <array>
#include <utility>

#include "units/decimal.h"
#include "units/text.h"

namespace kvseats::units {
namespace {

constexpr std::size_t kLongestInput = 400;
constexpr int kLargestPower = 9999;

/// A number as typed: 0.DIGITS × 10^point and whatever followed it.
struct Typed {
  std::string digits;
  int point = 0;
  bool comma_thousands = false;  ///< one comma and three digits: thousands, or a decimal comma?
  std::string suffix;            ///< lower case, trimmed
  std::string suffix_as_typed;   ///< for messages: "MiB"
};

template <class T>
using Result = tl::expected<T, Diagnostic>;

/// "\"what was typed\"", cut to a readable length.
std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 40;
  const bool cut = text.size() > kShown;
  return "\"" + valid_utf8(text.substr(0, kShown)) + (cut ? "…\"" : "\"");
}

tl::unexpected<Diagnostic> fail(std::string code, std::string text, std::string remedy) {
  return tl::unexpected(diagnose(std::move(code), "", std::move(text), std::move(remedy)));
}

tl::unexpected<Diagnostic> not_a_number(std::string_view typed) {
  return fail("E-NUMBER", quoted(typed) + " is not a number.",
              "Write digits, as 8192, 8,192 or 1.5.");
}

/// Spaces and minus signs beyond ASCII, as spreadsheets and phones insert them.
std::string plain_ascii(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 6> kTable = {{{"\xC2\xA0", ' '},
                                                                        {"\xE2\x80\xAF", ' '},
                                                                        {"\xE2\x80\x89", ' '},
                                                                        {"\xE2\x80\x99", ' '},
                                                                        {"'", ' '},
                                                                        {"\xE2\x88\x92", '-'}}};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t used = 1;
    char c = text[i];
    for (const auto& [from, to] : kTable) {
      if (text.substr(i, from.size()) == from) {
        used = from.size();
        c = to;
      }
    }
    out += c;
    i += used;
  }
  return out;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// "8,192" → true: one to three digits, then groups of exactly three.
bool is_grouped(std::string_view text, std::string_view separators) {
  std::size_t run = 0;
  bool first = true;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && separators.find(text[i]) == std::string_view::npos) {
      ++run;
      continue;
    }
    if (i == text.size() && first) return run > 0;
    if (run == 0 || run > 3 || (!first && run != 3)) return false;
    first = false;
    run = 0;
  }
  return true;
}

std::string digits_only(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_digit(c)) out += c;
  }
  return out;
}

std::size_t count_of(std::string_view text, char c) {
  std::size_t n = 0;
  for (const char one : text) n += one == c ? 1 : 0;
  return n;
}

/// Where the decimal mark of `body` is, or npos. Sets `comma_thousands` when a comma could be
/// either.
std::size_t decimal_mark(std::string_view body, bool& comma_thousands) {
  const std::size_t dots = count_of(body, '.');
  const std::size_t commas = count_of(body, ',');
  if (dots != 0 && commas != 0) {
    return body.find_last_of(".,");
  }
  if (dots == 1) return body.find('.');
  if (dots > 1 || commas != 1) return std::string_view::npos;
  const std::size_t at = body.find(',');
  const bool three_after = body.size() - at - 1 == 3;
  const bool plain_before = at >= 1 && at <= 3 && body[0] != '0' && is_grouped(body, ",");
  comma_thousands = three_after && plain_before;
  return comma_thousands ? std::string_view::npos : at;
}

/// The digits of a body of digits, points, commas, spaces and underscores.
bool read_body(std::string_view body, Typed& out) {
  if (body.empty() || !is_digit(body.back())) return false;
  const std::size_t mark = decimal_mark(body, out.comma_thousands);
  const std::string_view whole = body.substr(0, mark);
  const std::string_view fraction =
      mark == std::string_view::npos ? std::string_view() : body.substr(mark + 1);
  if (digits_only(fraction).size() != fraction.size()) return false;
  if (!whole.empty() && !(is_digit(whole.front()) && is_digit(whole.back()))) return false;
  std::string tidy;
  for (const char c : whole) {
    if (c != '_') tidy += c;
  }
  const char used = mark == std::string_view::npos ? '\0' : body[mark];
  if (used != '\0' && tidy.find(used) != std::string::npos) return false;  // 1,2,3.4,5
  if (!tidy.empty() && !is_grouped(tidy, " .,")) return false;
  const std::string digits = digits_only(tidy);
  out.digits = digits + std::string(fraction);
  out.point = static_cast<int>(digits.size());
  return true;
}

/// Reads "e9", "e-3" at `at`; returns the position after it, or `at` if there is no exponent.
std::size_t read_exponent(std::string_view text, std::size_t at, int& power) {
  if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return at;
  std::size_t i = at + 1;
  const bool negative = i < text.size() && text[i] == '-';
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
  if (i >= text.size() || !is_digit(text[i])) return at;
  int n = 0;
  for (; i < text.size() && is_digit(text[i]); ++i) {
    if (n <= kLargestPower) n = n * 10 + (text[i] - '0');
  }
  power = negative ? -n : n;
  return i;
}

Result<Typed> read_number(std::string_view typed) {
  const std::string ascii = plain_ascii(typed.substr(0, kLongestInput + 1));
  const std::string_view text = trimmed(ascii);
  if (text.empty()) return fail("E-EMPTY", "The value is empty.", "Write a number.");
  if (typed.size() > kLongestInput) {
    return fail("E-NUMBER", quoted(typed) + " has more than 400 characters.",
                "Write a number of at most 400 digits.");
  }
  if (text.front() == '-') {
    if (text.size() < 2 || (!is_digit(text[1]) && text[1] != '.')) return not_a_number(typed);
    return fail("E-NEGATIVE", quoted(typed) + " is negative.", "Write a number of zero or more.");
  }
  const std::size_t end = text.find_first_not_of("0123456789.,_ ");
  Typed number;
  if (!read_body(trimmed(text.substr(0, end)), number)) return not_a_number(typed);
  if (end == std::string_view::npos) return number;
  int power = 0;
  const std::size_t after = read_exponent(text, end, power);
  number.point += power;
  number.suffix_as_typed = trimmed(text.substr(after));
  number.suffix = lower(number.suffix_as_typed);
  return number;
}

/// floor(number × unit), and whether it is exact; unit ≤ 2^60. Out of range beyond 64 bits.
struct Product {
  std::uint64_t value = 0;
  bool exact = true;
};

Product times(const Typed& number, std::uint64_t unit) {
  const int count = static_cast<int>(number.digits.size());
  const auto digit = [&](int i) -> std::uint64_t {
    if (i < 0 || i >= count) return 0;
    return static_cast<std::uint64_t>(number.digits[static_cast<std::size_t>(i)] - '0');
  };
  Product p;
  if (number.digits.find_first_not_of('0') == std::string::npos) return p;
  for (int i = 0; i < number.point && p.value != kOutOfRange; ++i) {
    p.value = checked_add(checked_mul(p.value, 10), digit(i));
  }
  p.value = checked_mul(p.value, unit);
  // Horner from the last digit: floor((a + floor(x)) / 10) = floor((a + x) / 10) for whole a.
  std::uint64_t rest = 0;
  for (int i = count - 1; i >= number.point; --i) {
    const std::uint64_t sum = digit(i) * unit + rest;
    p.exact = p.exact && sum % 10 == 0;
    rest = sum / 10;
  }
  p.value = checked_add(p.value, rest);
  return p;
}

tl::unexpected<Diagnostic> too_large(std::string_view typed) {
  return fail("E-OVERFLOW", quoted(typed) + " is larger than this program counts.",
              "Write a number below 18,446,744,073,709,551,615.");
}

tl::unexpected<Diagnostic> two_readings(std::string_view typed, const std::string& one,
                                        const std::string& two) {
  return fail("E-AMBIGUOUS", quoted(typed) + " can be read in two ways.",
              "Write " + one + " or " + two + ".");
}

/// The two readings of "1,234" where a fraction makes sense.
tl::unexpected<Diagnostic> comma_readings(std::string_view typed, const Typed& number) {
  const std::string before = number.digits.substr(0, number.digits.size() - 3);
  const std::string after = number.digits.substr(number.digits.size() - 3);
  return two_readings(typed, number.digits + number.suffix_as_typed,
                      before + "." + after + number.suffix_as_typed);
}

struct Unit {
  std::string_view name;
  std::uint64_t size;
};

const Unit* find_unit(std::string_view name, const Unit* begin, const Unit* end) {
  for (const Unit* u = begin; u != end; ++u) {
    if (u->name == name) return u;
  }
  return nullptr;
}

constexpr std::uint64_t kKi = 1024;
constexpr std::uint64_t kKilo = 1000;
constexpr std::array<Unit, 5> kCountUnits = {
    {{"", 1}, {"k", kKi}, {"ki", kKi}, {"m", kKi* kKi}, {"mi", kKi* kKi}}};
constexpr std::array<Unit, 18> kSizeUnits = {{{"", 1},
                                              {"b", 1},
                                              {"byte", 1},
                                              {"bytes", 1},
                                              {"ki", kKi},
                                              {"kib", kKi},
                                              {"mi", kKi* kKi},
                                              {"mib", kKi* kKi},
                                              {"gi", kKi* kKi* kKi},
                                              {"gib", kKi* kKi* kKi},
                                              {"ti", kKi* kKi* kKi* kKi},
                                              {"tib", kKi* kKi* kKi* kKi},
                                              {"kb", kKilo},
                                              {"mb", kKilo* kKilo},
                                              {"gb", kKilo* kKilo* kKilo},
                                              {"tb", kKilo* kKilo* kKilo* kKilo},
                                              {"pb", kKilo* kKilo* kKilo* kKilo* kKilo},
                                              {"pib", kKi* kKi* kKi* kKi* kKi}}};

}  // namespace

tl::expected<std::uint64_t, Diagnostic> parse_count(std::string_view text) {
  const Result<Typed> number = read_number(text);
  if (!number) return tl::unexpected(number.error());
  const Unit* unit =
      find_unit(number->suffix, kCountUnits.data(), kCountUnits.data() + kCountUnits.size());
  if (unit == nullptr) {
    return fail("E-UNIT", quoted(number->suffix_as_typed) + " is not a unit of counts.",
                "Write the number alone, or with k (1,024) or m (1,048,576).");
  }
  if (unit->size != 1 && number->comma_thousands) return comma_readings(text, *number);
  const Product alone = times(*number, 1);
  if (!alone.exact && unit->size == 1) {
    return fail("E-WHOLE", quoted(text) + " is not a whole number.",
                "Write a whole number; a comma groups thousands, as 8,192.");
  }
  if (!alone.exact) {
    const std::uint64_t decimal = unit->size == kKi ? kKilo : kKilo * kKilo;
    return two_readings(text, plain(times(*number, unit->size).value),
                        plain(times(*number, decimal).value));
  }
  const Product whole = times(*number, unit->size);
  if (whole.value == kOutOfRange) return too_large(text);
  return whole.value;
}

tl::expected<Bytes, Diagnostic> parse_size(std::string_view text) {
  const Result<Typed> number = read_number(text);
  if (!number) return tl::unexpected(number.error());
  const std::string& suffix = number->suffix;
  if (suffix.size() == 1 && std::string_view("kmgt").find(suffix[0]) != std::string_view::npos) {
    const char large = suffix[0] == 'k' ? 'k' : static_cast<char>(suffix[0] - 'a' + 'A');
    const std::string_view typed = trimmed(text);
    const std::string figure(trimmed(typed.substr(0, typed.size() - 1)));
    return two_readings(text, figure + large + "B", figure + (large == 'k' ? 'K' : large) + "iB");
  }
  const Unit* unit = find_unit(suffix, kSizeUnits.data(), kSizeUnits.data() + kSizeUnits.size());
  if (unit == nullptr) {
    return fail("E-UNIT", quoted(number->suffix_as_typed) + " is not a unit of memory.",
                "Write GB, MB (powers of 1,000), GiB, MiB (powers of 1,024), or bytes alone.");
  }
  if (number->comma_thousands && unit->size != 1) return comma_readings(text, *number);
  const Product product = times(*number, unit->size);
  if (product.value == kOutOfRange) return too_large(text);
  return bytes(product.value);
}

tl::expected<double, Diagnostic> parse_decimal(std::string_view text) {
  const Result<Typed> number = read_number(text);
  if (!number) return tl::unexpected(number.error());
  if (!number->suffix.empty()) {
    return fail("E-UNIT", quoted(number->suffix_as_typed) + " is not expected here.",
                "Write the number alone.");
  }
  if (number->comma_thousands) return comma_readings(text, *number);
  const std::optional<double> value = detail::nearest_double(number->digits, number->point);
  if (!value) {
    return fail("E-OVERFLOW", quoted(text) + " is larger than this program counts.",
                "Write a number below 1e308.");
  }
  return *value;
}

tl::expected<double, Diagnostic> parse_fraction(std::string_view text) {
  const Result<Typed> number = read_number(text);
  if (!number) return tl::unexpected(number.error());
  const bool percent = number->suffix == "%";
  if (!percent && !number->suffix.empty()) {
    return fail("E-UNIT", quoted(number->suffix_as_typed) + " is not expected here.",
                "Write a fraction as 0.9 or 90%.");
  }
  const std::optional<double> value =
      detail::nearest_double(number->digits, number->point - (percent ? 2 : 0));
  if (!value || !(*value > 0) || *value > 1) {
    return fail("E-FRACTION", quoted(text) + " is not a fraction above 0 and up to 1.",
                "Write a fraction as 0.9 or 90%.");
  }
  return *value;
}

}  // namespace kvseats::units
