#pragma once

#include <vector>

#include "engine/llamacpp/caches.h"

/// What one request takes, as a `Cost`, and the devices as ranks.
///
/// Separate slots: a request takes its whole slot, so a shorter one costs as much as the slot and a
/// longer one needs a server started for it (or does not fit, when `nctx` fixes the cells).
/// Unified: the cost is the whole server's, started for a request of that length; shorter requests
/// share its cells. Either way the bytes are those of `caches_of`, cell for cell.
namespace kvseats::engine::llamacpp {

/// One device that holds something.
struct Device {
  std::uint32_t index = 0;
  std::vector<Cache> caches;
  units::Bytes reserved;  ///< all rows of the server as started
  units::Bytes weights;   ///< filled in by the budget
};

/// Devices with layers, in order; with the cache in host memory their lists are empty.
[[nodiscard]] std::vector<Device> devices_of(const Inputs& in, const Settings& settings);

/// Bytes of one request of a length on a device.
[[nodiscard]] Cost cost_of(const std::vector<Cache>& caches, const Settings& settings);

/// A rank without capacity.
[[nodiscard]] Rank rank_of(const Device& device, const Settings& settings);

}  // namespace kvseats::engine::llamacpp
