#pragma once

#include "engine/vllm/groups.h"

/// What vLLM would refuse or what a person should know about this deployment.
namespace kvseats::engine::vllm {

/// `E-TP` a tp that does not divide the attention heads, `E-DCP` a dcp that the engine refuses,
/// `N-REPLICATED` heads or latents that several GPUs hold, `W-LAYOUT` a layout that is only
/// estimated.
[[nodiscard]] units::Diagnostics check(const Inputs& in, const Settings& settings,
                                       const Layout& layout);

}  // namespace kvseats::engine::vllm
