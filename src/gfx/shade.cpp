#include "gfx/shade.h"

#include <cmath>

namespace kvseats::gfx {

bool Field::drawable() const {
  constexpr std::size_t kChannels = 4;
  return width >= 2 && height >= 2 && ramp.size() >= 2 * kChannels &&
         ramp.size() % kChannels == 0 && ramp_high > ramp_low &&
         values.size() == static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
}

std::vector<float> shade_logarithms(const Field& field) {
  // One octave of room on both sides keeps interpolation towards the ends smooth.
  const float low = field.ramp_low - 1;
  const float high = field.ramp_high + 1;
  std::vector<float> logarithms;
  logarithms.reserve(field.values.size());
  for (const float value : field.values) {
    const float log = value > 0 ? std::log2(value) : low;
    logarithms.push_back(std::fmin(std::fmax(log, low), high));
  }
  return logarithms;
}

}  // namespace kvseats::gfx
