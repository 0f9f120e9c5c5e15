#include "device/device.h"

namespace kvseats::device {

units::Bytes seen_memory(const Device& device) {
  if (device.torch_total) return *device.torch_total;
  if (device.reported) return left_after(*device.reported, device.driver_reserved);
  return device.marketed;
}

std::string seen_memory_source(const Device& device) {
  if (device.torch_total) return "engine's own print of the total; " + device.source;
  if (device.reported && device.driver_reserved.raw() != 0) {
    return "driver's total less what the driver reserves; " + device.source;
  }
  if (device.reported) return "driver's total; " + device.source;
  return "marketed size, no print of the reported one known; " + device.source;
}

}  // namespace kvseats::device
