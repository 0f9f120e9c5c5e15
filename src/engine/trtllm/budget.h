#pragma once

#include <vector>

#include "engine/trtllm/settings.h"

/// What the cache gets of one GPU:
///
///     pool = (total − used − weights − runtime − activations) × fraction
///
/// The fraction is one of what is *free once everything else is in*; `freeafter` gives that as a
/// log prints it ("available"). Estimates: activations as the profile run of the PyTorch back end
/// finds them, the widest step of max_num_tokens (50 to 300 %); runtime, decoder and communication
/// buffers 1.2 GiB on one GPU (0.6 to 3), 2 GiB (1 to 5) on several; weights and 0.5 % (0 to 4 %).
///
/// Sources: `_cal_max_memory` (tensorrt_llm/_torch/pyexecutor/_util.py), start-up logs that print
/// total, available and allocated memory.
namespace kvseats::engine::trtllm {

struct Budget {
  std::vector<BudgetTerm> terms;    ///< used, weights, runtime, activations (or overhead), unused
  units::Bytes typical, low, high;  ///< pool, cut off at 0
  units::Bytes free;                ///< typical, before the fraction
};

[[nodiscard]] Budget budget_of(const Inputs& in, const Settings& settings);

}  // namespace kvseats::engine::trtllm
