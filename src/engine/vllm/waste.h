#pragma once

#include <vector>

#include "engine/vllm/needs.h"

/// Where the allocation of one request goes that it does not need, on the fullest GPU:
///
///     padding        layers added to fill the last group of a bucket, or a stage's largest group
///     rounding       the last block of a request is not full
///     window         blocks held for the step budget and for a window that straddles blocks
///     state_copies   pages beside the running state (align, all, speculative tokens)
///     state_padding  a state is smaller than the page it gets
///
/// What a request needs and these rows add up to blocks × block bytes (tested). Cross attention's
/// encoder budget counts as needed.
namespace kvseats::engine::vllm {

[[nodiscard]] std::vector<WasteRow> waste_of(const Layout& layout, const Settings& settings,
                                             std::uint64_t tokens);

}  // namespace kvseats::engine::vllm
