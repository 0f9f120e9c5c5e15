#pragma once

#include <cstdint>

/// Chance with the same bits on every machine: SplitMix64, 64 bits of state, nothing but integers.
///
/// Source: Guy L. Steele Jr., Doug Lea, Christine H. Flood, "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014, figure 17; the constants are those of the author's public-domain
/// splitmix64.c (Sebastiano Vigna, 2015). Not for secrets.
namespace kvseats::traffic {

class Random {
 public:
  explicit Random(std::uint64_t seed = 0) : state_(seed) {}

  /// 64 bits, each value equally likely.
  [[nodiscard]] std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  /// 0 … n − 1, exactly uniform (draws again where a draw is beyond n); 0 for n = 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t n);

  /// An exponential waiting time of this mean, rounded down to whole units: −mean × ln u with u in
  /// (0, 1] of 53 bits, by the core's own logarithm. The gaps of a Poisson process.
  [[nodiscard]] std::uint64_t exponential(std::uint64_t mean);

  /// Another generator for a part of the whole, so that one part's draws move nobody else's.
  [[nodiscard]] Random split() { return Random(next()); }

 private:
  std::uint64_t state_;
};

}  // namespace kvseats::traffic
