#pragma once

#include <vector>

#include "engine/vllm/settings.h"

/// The pool of one GPU before it is cut into blocks:
///
///     pool = ceil(util × total) − weights − activations − graphs − runtime
///
/// util is a fraction of the card's *total* memory; what other programs hold does not shrink the
/// pool, but start-up fails when less than util × total is free (gpu_worker.py, request_memory).
///
/// Activations are the peak of the profile run, which is the larger of two:
///
///  * forward: step tokens × (3 × intermediate ÷ tp + 3 × hidden) × 2 B (gate and up, their
///  product,
///    the residual stream); intermediate is taken from the parameter count where it is not
///    declared;
///  * sampler: sequences × vocabulary × bytes per logit. Up to 0.18 a logit costs 39 B (fp32
///  copies,
///    sorted values, 64-bit indices): 1,024 × 151,936 prints 5.58 to 5.64 GiB, 1,024 × 128,256
///    prints 4.76 and 4.84, 1,024 × 201,088 prints 7.4, 256 × 151,936 leaves 1.45 with the runtime.
///    From 0.19 on the same leftovers come to about 17 B. Low 15 B (models whose profile run skips
///    the sort: 2.12 GiB for 1,024 × 131,072), high 52 B.
///
/// Runtime is what NCCL, the driver and the allocator keep: 0.02 to 0.35 GiB on one GPU (typically
/// 0.14), 0.25 to 1.4 with tensor parallelism (typically 0.55). CUDA graphs are charged from 0.21
/// on: prints go from below 0 to 2.4 GiB, typically 0.6.
///
/// Sources: llm-d benchmark logs on H100 (vLLM 0.11.0), vllm-project/vllm issues 10517 and 21348
/// and the start-up logs listed with the cases in tests/cases/vllm.jsonl.
namespace kvseats::engine::vllm {

struct Budget {
  units::Bytes usable;              ///< ceil(util × total)
  std::vector<BudgetTerm> terms;    ///< used, weights, activations, graphs, runtime (or overhead)
  units::Bytes typical, low, high;  ///< pool, cut off at 0
  bool no_room = false;             ///< nothing is left at the typical estimate
  bool occupied = false;            ///< other programs hold what util asks for
};

[[nodiscard]] Budget budget_of(const Inputs& in, const Settings& settings);

}  // namespace kvseats::engine::vllm
