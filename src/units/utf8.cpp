#include <array>
#include <cstdint>

#include "units/text.h"

namespace kvseats::units {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

/// What may follow a lead byte: how many continuation bytes, and the range of the first of them
/// (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF).
struct Lead {
  int more = -1;  // −1: not a lead byte
  std::uint8_t low = 0x80;
  std::uint8_t high = 0xBF;
};

Lead lead_of(std::uint8_t b) {
  if (b < 0x80) return {0};
  if (b < 0xC2) return {};
  if (b < 0xE0) return {1};
  if (b == 0xE0) return {2, 0xA0, 0xBF};
  if (b == 0xED) return {2, 0x80, 0x9F};
  if (b < 0xF0) return {2};
  if (b == 0xF0) return {3, 0x90, 0xBF};
  if (b < 0xF4) return {3};
  if (b == 0xF4) return {3, 0x80, 0x8F};
  return {};
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && static_cast<std::uint8_t>(text[i]) < 0x80) ++i;
  std::string out(text.substr(0, i));
  while (i < text.size()) {
    const Lead lead = lead_of(static_cast<std::uint8_t>(text[i]));
    std::size_t length = 1;
    bool good = lead.more >= 0;
    for (int k = 0; good && k < lead.more; ++k) {
      const auto b = static_cast<std::uint8_t>(i + length < text.size() ? text[i + length] : 0);
      good = k == 0 ? b >= lead.low && b <= lead.high : b >= 0x80 && b <= 0xBF;
      if (good) ++length;
    }
    // One replacement for each maximal broken piece, as the Unicode standard recommends.
    out += good ? text.substr(i, length) : kReplacement;
    i += length;
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t longer = a.size() > b.size() ? a.size() : b.size();
  const std::size_t shorter = a.size() > b.size() ? b.size() : a.size();
  // Names are short. A longer text is no near miss of anything, and the cost stays bounded.
  constexpr std::size_t kLongest = 128;
  if (longer - shorter > limit || longer > kLongest) return limit + 1;
  std::array<std::array<std::size_t, kLongest + 1>, 3> rows{};
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i - 1) % 3];
    row[0] = i;
    std::size_t best = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      const std::size_t step = (above[j] < row[j - 1] ? above[j] : row[j - 1]) + 1;
      row[j] = change < step ? change : step;
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && rows[(i - 2) % 3][j - 2] + 1 < row[j]) row[j] = rows[(i - 2) % 3][j - 2] + 1;
      if (row[j] < best) best = row[j];
    }
    // No later row gets below `limit`: a swap reaches back two rows, but costs one more, and the
    // row before this one had at least `limit`.
    if (best > limit) return limit + 1;
  }
  const std::size_t distance = rows[a.size() % 3][b.size()];
  return distance > limit ? limit + 1 : distance;
}

}  // namespace kvseats::units
