#pragma once

#include <cstdint>
#include <string>

/// People to requests at once, by Little's law: N = λ × W, the mean number of requests in a system
/// is their arrival rate times the mean time each spends there, whatever the distributions.
///
/// Source: John D. C. Little, "A Proof for the Queuing Formula: L = λW", Operations Research 9
/// (1961); for people who think between requests, the interactive response time law, N × (W + Z) of
/// which W are in the system: Peter J. Denning, Jeffrey P. Buzen, "The Operational Analysis of
/// Queueing Network Models", ACM Computing Surveys 10 (1978).
///
/// Times are nanoseconds. Requests are rounded up to whole ones; the arithmetic is shown as text.
namespace kvseats::traffic {

struct AtOnce {
  double mean = 0;             ///< before rounding
  std::uint64_t requests = 0;  ///< rounded up, at least 1 where anybody asks at all
  std::string arithmetic;      ///< "5,000 people × 2 % = 100 at once"
};

/// The least whole number of requests that is at least `mean`; a product of decimals such as
/// 5,000 × 0.02 is not pushed over a whole number by its last bit. At most 10^15.
[[nodiscard]] std::uint64_t rounded_up(double mean);

/// A share of the people has a request running at any time. `active` in [0, 1].
[[nodiscard]] AtOnce at_once(std::uint64_t people, double active);

/// `per_second` requests arrive, each stays `in_system_ns`.
[[nodiscard]] AtOnce at_once(double per_second, std::uint64_t in_system_ns);

/// Everybody asks, waits `in_system_ns` for the answer, thinks `think_ns`, and asks again.
[[nodiscard]] AtOnce at_once(std::uint64_t people, std::uint64_t in_system_ns,
                             std::uint64_t think_ns);

/// "12.5 s": seconds with at most two decimals.
[[nodiscard]] std::string seconds_text(std::uint64_t ns);

}  // namespace kvseats::traffic
