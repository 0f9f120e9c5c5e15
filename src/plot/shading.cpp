#include "plot/plot.h"

namespace kvseats::plot {

gfx::Field shader_field(const chart::Field& field, const chart::Theme& theme, std::uint32_t id,
                        std::uint32_t revision) {
  gfx::Field out;
  out.id = id;
  out.revision = revision;
  if (field.empty()) return out;
  out.width = static_cast<int>(field.cols);
  out.height = static_cast<int>(field.rows);
  out.values.reserve(field.values.size());
  for (const double value : field.values) out.values.push_back(static_cast<float>(value));
  const auto ramp = chart::shade_ramp(theme);
  out.ramp.assign(ramp.begin(), ramp.end());
  out.ramp_low = static_cast<float>(chart::kRampMin);
  out.ramp_high = static_cast<float>(chart::kRampMax);
  return out;
}

}  // namespace kvseats::plot
