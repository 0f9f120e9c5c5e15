#include "logs/number.h"

namespace kvseats::logs {
namespace {

constexpr std::size_t kMostDigits = 17;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t n = 0;
  while (at + n < text.size() && n <= kMostDigits && is_digit(text[at + n])) ++n;
  return n;
}

// Appends `count` digits; false beyond what a 64-bit number holds with room to spare.
bool append(Number& n, std::string_view text, std::size_t at, std::size_t count,
            std::size_t& total) {
  total += count;
  if (total > kMostDigits) return false;
  for (std::size_t i = 0; i < count; ++i) {
    n.digits = n.digits * 10 + static_cast<std::uint64_t>(text[at + i] - '0');
  }
  return true;
}

}  // namespace

double to_double(const Number& n) {
  double scale = 1;
  for (int i = 0; i < n.decimals; ++i) scale *= 10;
  const double value = static_cast<double>(n.digits) / scale;
  return n.negative ? -value : value;
}

std::optional<std::uint64_t> to_whole(const Number& n) {
  if (n.negative) return std::nullopt;
  std::uint64_t value = n.digits;
  for (int i = 0; i < n.decimals; ++i) {
    if (value % 10 != 0) return std::nullopt;
    value /= 10;
  }
  return value;
}

std::optional<Number> read_number(std::string_view text, std::size_t& used) {
  Number n;
  std::size_t at = 0;
  if (!text.empty() && text[0] == '-') {
    n.negative = true;
    at = 1;
  }
  std::size_t total = 0;
  const std::size_t first = digits_at(text, at);
  if (first == 0 || !append(n, text, at, first, total)) return std::nullopt;
  at += first;
  bool grouped = first <= 3;
  while (grouped && at < text.size() && text[at] == ',' && digits_at(text, at + 1) == 3) {
    if (!append(n, text, at + 1, 3, total)) return std::nullopt;
    at += 4;
  }
  if (at < text.size() && (text[at] == '.' || text[at] == ',')) {
    const std::size_t fraction = digits_at(text, at + 1);
    if (fraction != 0) {
      if (!append(n, text, at + 1, fraction, total)) return std::nullopt;
      n.decimals = static_cast<int>(fraction);
      at += 1 + fraction;
    }
  }
  used = at;
  return n;
}

}  // namespace kvseats::logs
