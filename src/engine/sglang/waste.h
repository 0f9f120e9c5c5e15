#pragma once

#include <vector>

#include "engine/sglang/pools.h"

/// Where the allocation of one request goes that it does not need, on the fullest GPU:
///
///     rounding      the last page of the full pool is not full
///     window        the window pool holds up to a page beyond the window; layers with a window
///                   that have no pool of their own keep every token
///     shared        layers that could read another layer's cache keep a copy
///     index         index keys in layers without an indexer
///     state_copies  further slots of the prefix cache
///     state_type    states kept in fp32 where the model stores 16 bit
namespace kvseats::engine::sglang {

[[nodiscard]] std::vector<WasteRow> waste_of(const Settings& settings, const Stage& stage,
                                             const Sizes& sizes, std::uint64_t tokens);

}  // namespace kvseats::engine::sglang
