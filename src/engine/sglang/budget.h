#pragma once

#include <vector>

#include "engine/sglang/settings.h"

/// What is left for caches on each GPU after loading:
///
///     rest = free after loading − free before loading × (1 − fraction)
///
/// The fraction is one of the memory that was *free before loading*; activations, CUDA graphs and
/// everything else have to live in the other part. `freebefore` and `freeafter` are those two as a
/// log prints them; else they are estimated:
///
///     before   total − used − context and communication: 0.5 GiB on one GPU (0.25 to 1.1), with
///              tensor parallelism 0.4 + 0.2 a GPU (3090 × 2: 0.7; H200 × 8: 2.3 to 2.5)
///     after    before − weights − what the loader keeps: 1.5 % of them (−0.5 to 6 %)
///
/// Sources: `_profile_available_bytes` (kv_cache_configurator.py at 003fca80); start-up logs in
/// sgl-project/sglang pull request 11716 and mattbucci/2x-3090-GA102-300-A1-sglang-inference.
namespace kvseats::engine::sglang {

struct Budget {
  std::vector<BudgetTerm> terms;    ///< used, runtime, weights, reserve (or overhead)
  units::Bytes typical, low, high;  ///< what is left, cut off at 0
  units::Bytes before, after;       ///< typical, free around loading
};

[[nodiscard]] Budget budget_of(const Inputs& in, const Settings& settings);

}  // namespace kvseats::engine::sglang
