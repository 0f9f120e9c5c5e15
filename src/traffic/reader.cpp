#include "traffic/reader.h"

#include "traffic/lengths.h"

namespace kvseats::traffic {

// Of its own name: only what is called through the pointer may be left for later.
namespace later {

tl::expected<std::uint64_t, units::Diagnostic> mean(std::string_view text) {
  const auto lengths = parse_lengths(text);
  if (!lengths) return tl::unexpected(lengths.error());
  return lengths->mean_up();
}

}  // namespace later

MeanReader* const volatile kMeanReader = later::mean;

bool spells_lengths(std::string_view text) {
  for (const char c : text) {
    const char letter = static_cast<char>(c | 0x20);
    const bool is_letter = letter >= 'a' && letter <= 'z';
    if (is_letter && letter != 'k' && letter != 'm' && letter != 'x') return true;
    if (c == '/' || c == '@' || c == '-') return true;
  }
  return false;
}

}  // namespace kvseats::traffic
