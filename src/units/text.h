#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "units/diagnostic.h"
#include "units/whole.h"

/// Numbers to text and back. English, `.` for decimals, `,` for thousands, never a locale call.
///
/// Binary and decimal sizes never mix: a text carries either GiB/MiB/KiB (powers of 1,024) or
/// GB/MB/kB (powers of 1,000), and `both()` gives the two side by side.
namespace kvseats::units {

/// 404357 → "404,357". Out of range → "out of range".
[[nodiscard]] std::string grouped(std::uint64_t n);
/// 404357 → "404357".
[[nodiscard]] std::string plain(std::uint64_t n);

/// A double with exactly `decimals` digits (0 … 9), rounded half away from zero on the exact binary
/// value, thousands grouped if asked: the one routine that writes ratios. NaN and infinities do not
/// occur in reports; they write "–".
[[nodiscard]] std::string fixed(double value, int decimals, bool group = true);

/// The shortest decimal text that reads back as the same double (for JSON and for links): at most
/// 17 significant digits, no exponent between 1e-6 and 1e21.
[[nodiscard]] std::string shortest(double value);

enum class SizeUnit { kGib, kGb };

/// A size for people, three to four significant digits, exact where it is exact: 1073741824 →
/// "1 GiB" or "1.074 GB"; 131072 → "128 KiB"; below 1,024 → "512 B". A trailing-zero-free figure is
/// written only when the value is exact, so "1 GiB" is exactly one GiB and "1.00 GiB" is not.
[[nodiscard]] std::string size_text(Bytes size, SizeUnit unit);
/// The same for prose, rounded to whole units (one decimal below ten): 70272 → "about 69 KiB",
/// 131072 → "128 KiB".
[[nodiscard]] std::string size_about(Bytes size, SizeUnit unit);
/// "53 GB (49.36 GiB)"; the first is the unit asked for.
[[nodiscard]] std::string size_both(Bytes size, SizeUnit first);
/// A token count for a label: 8192 → "8k", 131072 → "128k", 1500 → "1,500", 1048576 → "1M".
[[nodiscard]] std::string tokens_short(std::uint64_t n);

/// Parsers of what a person types. Each accepts the whole text or gives a diagnostic whose `where`
/// the caller fills in. Spaces around are ignored, units are read in any case.
///
/// Numbers come as English and as continental keyboards write them: `8192`, `8,192`, `8 192`,
/// `8_192`, `1.5`, `1,5`, `1.234.567,8`, `7e9`. A point alone is a decimal point. A comma alone is
/// a decimal comma unless exactly three digits follow it; then a count reads it as thousands, and
/// where a fraction makes sense too the text is refused with both readings, never guessed.
///
/// Codes: E-EMPTY nothing typed; E-NUMBER not a number; E-NEGATIVE; E-OVERFLOW too large; E-UNIT an
/// unknown unit; E-AMBIGUOUS two readings, both in the remedy; E-WHOLE a fraction where a whole
/// number is needed; E-FRACTION not in (0, 1].
///
/// Tokens and other counts: `128k` (k = 1,024), `1m` (1,048,576). `1.5k` is E-AMBIGUOUS (1536 or
/// 1500).
[[nodiscard]] tl::expected<std::uint64_t, Diagnostic> parse_count(std::string_view text);
/// Bytes: `53GB`, `49.4 GiB`, `1536MiB`, `80Gi`; a bare number is bytes. `80g` is E-AMBIGUOUS. A
/// fraction of a byte rounds down, computed exactly.
[[nodiscard]] tl::expected<Bytes, Diagnostic> parse_size(std::string_view text);
/// Fractions in (0, 1]: `0.9`, `90%`.
[[nodiscard]] tl::expected<double, Diagnostic> parse_fraction(std::string_view text);
/// A non-negative decimal number: `1.75`, `1,234.5`; the nearest double, so `shortest()` reads
/// back.
[[nodiscard]] tl::expected<double, Diagnostic> parse_decimal(std::string_view text);

/// Small text helpers shared by the rooms above.
[[nodiscard]] std::string_view trimmed(std::string_view text);
[[nodiscard]] std::string lower(std::string_view text);
/// Replaces malformed UTF-8 by U+FFFD, so that whatever came in can go out as JSON or HTML text.
[[nodiscard]] std::string valid_utf8(std::string_view text);
/// Damerau-Levenshtein distance, capped at `limit` + 1 (cost bounded): for "did you mean".
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

}  // namespace kvseats::units
