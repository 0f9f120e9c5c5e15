#pragma once

#include <vector>

#include "engine/llamacpp/needs.h"

/// Where the allocation of one request goes that it does not need, on one device:
///
///     slot          cells of its slot beyond its tokens, with their rounding
///     window        cells for the step budget, and for the other slots' windows when unified
///     slots         streams of the other slots, where even a unified server has them
///     state_copies  states of the other slots of a unified server, and of speculation
///     spare_v       rows of V wider than the layer, and V beside a latent
///
/// What a request needs and these rows add up to its cost (tested). A state counts in 32 bit.
namespace kvseats::engine::llamacpp {

[[nodiscard]] std::vector<WasteRow> waste_of(const std::vector<Cache>& caches,
                                             const Settings& settings, std::uint64_t tokens);

}  // namespace kvseats::engine::llamacpp
