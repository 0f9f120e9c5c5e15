#include <array>
#include <utility>

#include "logs/engine_tables.h"
#include "units/whole.h"

namespace kvseats::logs {
namespace {

std::uint64_t power(std::uint64_t base, int exponent) {
  std::uint64_t value = 1;
  for (int i = 0; i < exponent; ++i) value *= base;
  return value;
}

}  // namespace

std::optional<std::uint64_t> plain_count(std::string_view text) {
  if (text.empty() || text.size() > 18) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

std::optional<std::uint64_t> vllm_count(std::string_view text) {
  if (text.empty()) return std::nullopt;
  constexpr std::string_view kDecimal = "kmgt";
  constexpr std::string_view kBinary = "KMGT";
  const std::size_t decimal = kDecimal.find(text.back());
  const std::size_t binary = kBinary.find(text.back());
  if (decimal == std::string_view::npos && binary == std::string_view::npos) {
    return plain_count(text);
  }
  text.remove_suffix(1);
  if (binary != std::string_view::npos) {
    const auto whole = plain_count(text);
    if (!whole) return std::nullopt;
    return units::checked_mul(*whole, power(1024, static_cast<int>(binary) + 1));
  }
  std::size_t used = 0;
  const auto number = read_number(text, used);
  if (!number || used != text.size() || number->negative || number->decimals > 12) {
    return std::nullopt;
  }
  const std::uint64_t scale = power(10, number->decimals);
  return units::mul_div_floor(number->digits, power(1000, static_cast<int>(decimal) + 1), scale);
}

std::span<const EngineTables* const> engine_tables() {
  static const std::array kTables = {&vllm_tables(), &sglang_tables(), &llamacpp_tables(),
                                     &trtllm_tables()};
  return kTables;
}

}  // namespace kvseats::logs
