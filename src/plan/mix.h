#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "plan/gpus.h"

/// Several services on one deployment: whether they fit beside each other, and what there is to
/// rent for them, the cheap against the roomy. No formula of its own: the compiled cost.
namespace kvseats::plan {

/// Requests of one kind that are wanted at once.
struct Demand {
  Load load;
  std::uint64_t users = 0;
};

/// The share of the fullest pool that one of `copies` copies uses with its even share of every
/// demand (rounded up); none if that does not fit, by memory or by the engine's sequences.
[[nodiscard]] std::optional<double> used_by(const std::vector<engine::Rank>& ranks,
                                            std::optional<std::uint64_t> seq_cap,
                                            std::span<const Demand> demands, std::uint64_t copies);

/// Fewest copies that hold them all; none if not even one user of each fits. More copies never need
/// more each, so this bisects.
[[nodiscard]] std::optional<std::uint64_t> fewest_copies(const std::vector<engine::Rank>& ranks,
                                                         std::optional<std::uint64_t> seq_cap,
                                                         std::span<const Demand> demands);

/// One layout of one accelerator that serves the demands.
struct Offer {
  Group group;
  std::uint64_t needed = 0;  ///< GPUs: the fewest groups that do
  std::uint64_t rented = 0;  ///< as nodes are rented (gpus.h)
  std::uint64_t groups = 0;  ///< as many as the rented GPUs hold
  double free = 0;           ///< of the fullest pool, with all those groups in use: the headroom
};

/// Every layout worth trying, `bounds` as in gpus.h; those that serve, in the order of `groups()`.
/// Unusual ones only where no other serves.
[[nodiscard]] std::vector<Offer> offers(const engine::Profile& profile,
                                        const engine::Inputs& inputs,
                                        std::span<const Demand> demands, const Bounds& bounds);

/// What an offer costs and how much room it leaves.
struct Price {
  double cost = 0;
  double free = 0;
};

/// Indices of those that no other beats in both, the cheapest first: the Pareto front. Of equals
/// the first stays.
[[nodiscard]] std::vector<std::size_t> front(std::span<const Price> prices);

/// A front has a long tail: node after node for a percent of room each. What is worth a look costs
/// at most this many times what the cheapest does, and each has this much more room than the one
/// before.
inline constexpr double kMostTimesTheCheapest = 8;
inline constexpr double kLeastMoreRoom = 0.05;

/// Of the front those that are worth a look; the cheapest always.
[[nodiscard]] std::vector<std::size_t> useful(std::span<const Price> prices,
                                              const std::vector<std::size_t>& front);

}  // namespace kvseats::plan
