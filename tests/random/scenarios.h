#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "catalogue/catalogue.h"
#include "traffic/random.h"

/// Scenarios by chance: for the properties that must hold whatever is asked, for the comparison of
/// compilers and browsers, and for the fuzzer. The same seed gives the same query everywhere.
namespace kvseats::testing {

/// Where chance comes from: a seed, or the bytes of a fuzzer (which then steers it). Bytes that are
/// used up give 0, so that a longer input only adds to a query.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_(seed), seeded_(true) {}
  explicit Draws(std::string_view bytes) : bytes_(bytes) {}

  /// 0 … n − 1; 0 for n ≤ 1.
  std::uint64_t below(std::uint64_t n);
  /// True once in `n`; never once the bytes are used up.
  bool one_in(std::uint64_t n) { return below(n) == n - 1; }
  /// One of a list that is not empty.
  template <class List>
  const auto& one_of(const List& list) {
    return list[static_cast<std::size_t>(below(list.size()))];
  }
  /// One of the words of a list that is written with spaces between them.
  std::string_view word_of(std::string_view words);

 private:
  traffic::Random random_;
  std::string_view bytes_;
  bool seeded_ = false;
};

/// A link: a model (three of four from the catalogue, else a shape by chance), a GPU, an engine
/// with options, and about one in ten of the other keys. Three of four queries have values that a
/// person could mean; the others take anything their fields allow, ends of ranges included.
[[nodiscard]] std::string random_query(Draws& draws, const catalogue::Catalogue& catalogue);

/// `shape=` of up to four groups of layers of any kind.
[[nodiscard]] std::string random_shape(Draws& draws);

}  // namespace kvseats::testing
