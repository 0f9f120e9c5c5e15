#pragma once

#include <cstdint>

#include "model/model.h"
#include "units/whole.h"

/// The peak of a forward pass, for the budgets of engines that profile one.
namespace kvseats::engine {

/// Width of the feed-forward part, from the parameter count when the model is dense; a mixture
/// takes its experts per token and shared ones. 3.5 × hidden where nothing is known.
[[nodiscard]] std::uint64_t intermediate_width(const model::Model& model);

/// Bytes of the widest activations of a step on one GPU: tokens × (3 × intermediate ÷ tp + 3 ×
/// hidden) × 2 B (gate and up, their product, the residual stream).
[[nodiscard]] units::Bytes forward_peak(const model::Model& model, std::uint64_t tokens,
                                        std::uint32_t tp);

}  // namespace kvseats::engine
