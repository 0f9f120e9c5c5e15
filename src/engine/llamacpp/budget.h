#pragma once

#include <vector>

#include "engine/llamacpp/needs.h"

/// What a device has for the cache: there is no memory fraction, the cache must fit into
///
///     memory − used − weights on the device − compute buffer − runtime − margin
///
/// Weights: layers lie whole on a device; the token embedding stays in host memory unless it is the
/// output head as well (llama-model.cpp, dev_input is the CPU: Llama 3.1 8B Q4_K_M prints
/// 4,403.49 MiB on the GPU and 281.81 MiB in host memory); experts of the first `ncmoe` layers stay
/// there too.
///
/// Compute buffer: the engine asks its allocator for the worst graph at n_ubatch tokens; taken as
/// the larger of n_ubatch × vocabulary × 4 B (printed: Llama 3 8B 258.50 MiB for 250.50, gpt-oss
/// 398.38 for 392.75) and n_ubatch × the widest activations, and without flash attention
/// n_ubatch × cells × heads × 4 B more (a print of LM Studio: 9,240 MiB at 131,072 cells and
/// 32 heads). Low 60 %, high twice that and 256 MiB.
///
/// Runtime: the driver's context and the backend's pool, 0.2 / 0.45 / 0.9 GiB. Margin: what --fit
/// leaves free on every device, 1 GiB (--fit-target, common/arg.cpp).
namespace kvseats::engine::llamacpp {

struct Budget {
  std::vector<BudgetTerm> terms;    ///< of this device
  units::Bytes typical, low, high;  ///< left for the cache, cut off at 0
};

/// Bytes of weights on each device of `devices_of`, and what stays in host memory.
struct WeightSplit {
  std::vector<units::Bytes> on_device;
  units::Bytes in_host;
};
[[nodiscard]] WeightSplit split_weights(const Inputs& in, const Settings& settings);

[[nodiscard]] Budget budget_of(const Inputs& in, const Settings& settings, units::Bytes weights);

}  // namespace kvseats::engine::llamacpp
