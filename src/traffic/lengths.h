#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "traffic/random.h"
#include "units/diagnostic.h"

/// How long requests are: a distribution over whole tokens, with whole weights.
///
/// Every kind comes to the same form, a sorted list of lengths and how often each occurs. Mean,
/// quantiles, histogram and samples are of that list and exact for it.
///
/// | text                  | meaning                                                              |
/// | --------------------- | -------------------------------------------------------------------- |
/// | `800`                 | always 800                                                           |
/// | `500-2000`            | every whole number between, equally likely                           |
/// | `p50=800/p95=3000`    | lognormal with this median and this percentile (`p90`, `p95`, `p99`) |
/// | `128@30/256@12/512`   | a list: 128 thirty times, 256 twelve times, 512 once                 |
/// | a name                | one of `named_lengths()`                                             |
///
/// The lognormal: μ = ln P50, σ = (ln P95 − ln P50) ÷ Φ⁻¹(0.95), cut into 1,000 slices of equal
/// weight, each at its upper end exp(μ + σ Φ⁻¹(k/1000)) rounded to a whole token, the last at
/// k = 999.5. So P50, P95, P99 are exactly those of the lognormal; the mean is within 1 % of
/// exp(μ + σ²/2) for P95 ≤ 6 × P50 (above it by the slices' ends, below by what lies beyond the
/// last). Lengths are positive and skewed, and two quantiles, which is what dashboards show,
/// determine this law; whoever knows more pastes a list.
///
/// Ranges of more than 4,096 numbers are represented by 4,096 of them, evenly spaced, both ends
/// included: same mean.
namespace kvseats::traffic {

/// A length and how often it occurs among `Lengths::total()`.
struct Atom {
  std::uint64_t tokens = 0;
  std::uint64_t weight = 1;
  friend bool operator==(const Atom&, const Atom&) = default;
};

/// A bar of a histogram: lengths `from` … `to`, both included.
struct Bar {
  std::uint64_t from = 0, to = 0, count = 0;
  friend bool operator==(const Bar&, const Bar&) = default;
};

inline constexpr std::uint64_t kMostTokens = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kMostWeight = std::uint64_t{1} << 22;  ///< of all atoms together
inline constexpr std::size_t kMostListed = 1000000;  ///< lengths in a pasted list or a CSV
inline constexpr std::size_t kMostBins = 64;         ///< of a list in a link

class Lengths {
 public:
  /// Always 0.
  Lengths() : Lengths(std::vector<Atom>{{.tokens = 0, .weight = 1}}) {}

  [[nodiscard]] static Lengths fixed(std::uint64_t tokens);
  /// `low` ≤ `high`.
  [[nodiscard]] static Lengths between(std::uint64_t low, std::uint64_t high);
  /// 1 ≤ `p50` ≤ `high`, which is the percentile `percent` (51 … 99). Cut at `kMostTokens`.
  [[nodiscard]] static Lengths lognormal(std::uint64_t p50, std::uint64_t high,
                                         std::uint64_t percent = 95);
  /// In any order, equal lengths added up. Not empty; weights together at most `kMostWeight`.
  [[nodiscard]] static Lengths of(std::vector<Atom> atoms);

  /// Ascending, each length once, each weight at least 1.
  [[nodiscard]] const std::vector<Atom>& atoms() const { return atoms_; }
  /// Sum of the weights, at least 1.
  [[nodiscard]] std::uint64_t total() const { return up_to_.back(); }
  [[nodiscard]] std::uint64_t shortest() const { return atoms_.front().tokens; }
  [[nodiscard]] std::uint64_t longest() const { return atoms_.back().tokens; }
  [[nodiscard]] double mean() const;
  /// The mean rounded up to a whole token: what a plain division counts with.
  [[nodiscard]] std::uint64_t mean_up() const;
  /// The least length that at least `num` of `den` requests do not exceed (the inverse of the
  /// distribution function, Hyndman & Fan 1996, type 1). `num` ≤ `den`, `den` ≥ 1 and below 2^20.
  [[nodiscard]] std::uint64_t quantile(std::uint64_t num, std::uint64_t den = 100) const;
  [[nodiscard]] std::uint64_t sample(Random& random) const;
  /// At most `bars` bars of equal width over shortest … longest; those of no width are left out.
  [[nodiscard]] std::vector<Bar> histogram(std::size_t bars) const;

  friend bool operator==(const Lengths&, const Lengths&) = default;

 private:
  explicit Lengths(std::vector<Atom> sorted);
  [[nodiscard]] std::uint64_t sum() const;

  std::vector<Atom> atoms_;
  std::vector<std::uint64_t> up_to_;  ///< weights of all atoms so far
};

/// Of at most `kMostBins` lengths, for a link. Lengths that differ more are gathered into slices of
/// equal weight, each at its mean (rounded to the nearest): mean within half a token, quantiles
/// within a slice.
[[nodiscard]] Lengths gathered(const Lengths& lengths);

/// `128@30/256@12/512`: the list form, every atom.
[[nodiscard]] std::string list_text(const Lengths& lengths);

/// The text form of the table above. Codes: what `units::parse_count` has; `E-LENGTHS` none of the
/// forms; `E-ORDER` the second number is the smaller one; `E-ZERO` a median of 0; `E-TOO-LARGE`
/// beyond `kMostTokens`; `E-TOO-MANY` more than `kMostBins` in a list, or more than `kMostWeight`
/// in all.
[[nodiscard]] tl::expected<Lengths, units::Diagnostic> parse_lengths(std::string_view text);

/// Real lengths as they were pasted: numbers apart by line breaks, blanks, commas or semicolons (a
/// comma is never part of a number here). With `column`, the text is a CSV whose first line names
/// its columns, and the one of that name counts (any case). Limits are checked before anything is
/// stored: `E-TOO-MANY` more than `kMostListed`; `E-COLUMN` no such column, with those there are,
/// or a first line of names and no `column`; `E-NUMBER` with the line; `E-EMPTY`.
[[nodiscard]] tl::expected<Lengths, units::Diagnostic> parse_list(std::string_view text,
                                                                  std::string_view column = {});

/// Two lists beside each other, without names: two numbers in every line, of at least two.
[[nodiscard]] bool is_two_columns(std::string_view text);

/// The first (0) or second (1) of them. Limits and codes are those of `parse_list`.
[[nodiscard]] tl::expected<Lengths, units::Diagnostic> parse_one_of_two(std::string_view text,
                                                                        std::size_t which);

/// Φ⁻¹(u), 10⁻¹⁰ < u < 1 − 10⁻¹⁰: the quantile of the standard normal. Michael J. Wichura,
/// "Algorithm AS 241: The Percentage Points of the Normal Distribution", Applied Statistics 37
/// (1988), routine PPND16; about 16 digits.
[[nodiscard]] double normal_quantile(double u);

}  // namespace kvseats::traffic
