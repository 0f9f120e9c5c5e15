#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

/// Numbers as logs print them: `404,352`, `49.36`, `1166.62`, `3840,00`, `-0.45`.
namespace kvseats::logs {

/// digits ÷ 10^decimals, exactly as printed: what a printed figure stands for follows from it.
struct Number {
  std::uint64_t digits = 0;
  int decimals = 0;
  bool negative = false;
  friend bool operator==(const Number&, const Number&) = default;
};

/// The nearest double. Exact for whole numbers up to 2^53.
[[nodiscard]] double to_double(const Number& n);

/// The whole number, if it is one and not negative.
[[nodiscard]] std::optional<std::uint64_t> to_whole(const Number& n);

/// Reads a number at the start of `text` and sets `used` to the bytes it took. A comma before
/// exactly three digits groups thousands; any other is a decimal comma (llama.cpp under a
/// continental locale). A point that no digit follows ends the sentence and is left. At most 17
/// digits; nothing if there is no number, or a longer one.
[[nodiscard]] std::optional<Number> read_number(std::string_view text, std::size_t& used);

}  // namespace kvseats::logs
