#include "chart/theme.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "units/math.h"

namespace kvseats::chart {
namespace {

// Tokens of the look, moved a little where a test of contrast or of colour-blind safety failed:
// light point, soft and weights are darker (3:1 and 4.5:1 also on the panel and on the shading);
// dark bad is redder and dark point yellower, for they were one colour to tritanopes (ΔE 8).
constexpr Theme kLight{.colors = {{
                           {0xFB, 0xFA, 0xF7},  // ground
                           {0xF3, 0xF1, 0xEC},  // panel
                           {0xFF, 0xFF, 0xFF},  // field
                           {0x1C, 0x21, 0x27},  // ink
                           {0x54, 0x5E, 0x69},  // soft
                           {0xDA, 0xD6, 0xCD},  // line
                           {0xE9, 0xE6, 0xDF},  // grid
                           {0x2A, 0x6F, 0xBB},  // data
                           {0xBB, 0xD3, 0xEC},  // data-tint
                           {0xD0, 0x6C, 0x0A},  // point
                           {0xB8, 0x37, 0x1B},  // bad
                           {0x85, 0x8F, 0x9B},  // weights
                           {0xB5, 0xBC, 0xC4},  // overhead
                           {0xE7, 0xE4, 0xDC},  // unused
                           {0xFF, 0xFF, 0xFF},  // on-data
                           {0x1C, 0x21, 0x27},  // on-weights
                           {0x9C, 0x4E, 0x00},  // point-text
                       }},
                       .dark = false};

constexpr Theme kDark{.colors = {{
                          {0x13, 0x16, 0x1B},  // ground
                          {0x1A, 0x1E, 0x25},  // panel
                          {0x20, 0x25, 0x2D},  // field
                          {0xE9, 0xEC, 0xEF},  // ink
                          {0xA0, 0xAB, 0xB6},  // soft
                          {0x32, 0x3A, 0x45},  // line
                          {0x24, 0x2A, 0x33},  // grid
                          {0x5B, 0xA3, 0xEA},  // data
                          {0x22, 0x45, 0x6A},  // data-tint
                          {0xF5, 0xA3, 0x4F},  // point
                          {0xFF, 0x6B, 0x62},  // bad
                          {0x76, 0x82, 0x8F},  // weights
                          {0x4A, 0x54, 0x60},  // overhead
                          {0x26, 0x2C, 0x35},  // unused
                          {0x13, 0x16, 0x1B},  // on-data
                          {0x13, 0x16, 0x1B},  // on-weights
                          {0xF5, 0xA3, 0x4F},  // point-text
                      }},
                      .dark = true};

constexpr std::string_view kNames[] = {
    "ground",   "panel",  "field",     "ink",        "soft",      "line",
    "grid",     "data",   "data-tint", "point",      "bad",       "weights",
    "overhead", "unused", "on-data",   "on-weights", "point-text"};
static_assert(std::size(kNames) == kInkCount);

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : units::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(Rgb color) {
  return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

}  // namespace

const Theme& light_theme() {
  return kLight;
}
const Theme& dark_theme() {
  return kDark;
}

std::string_view ink_name(Ink ink) {
  return kNames[static_cast<std::size_t>(ink)];
}

Ink text_on(Ink fill) {
  switch (fill) {
    case Ink::kData:
    case Ink::kBad:
      return Ink::kOnData;
    case Ink::kWeights:
    case Ink::kPoint:
      return Ink::kOnWeights;
    case Ink::kUnused:
      return Ink::kSoft;
    default:
      return Ink::kInk;
  }
}

Ink text_ink(Ink ink) {
  return ink == Ink::kPoint ? Ink::kPointText : ink;
}

std::string hex(Rgb color) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "#";
  for (const std::uint8_t channel : {color.r, color.g, color.b}) {
    out += kDigits[channel >> 4U];
    out += kDigits[channel & 15U];
  }
  return out;
}

double contrast(Rgb a, Rgb b) {
  const double la = luminance(a);
  const double lb = luminance(b);
  return (std::fmax(la, lb) + 0.05) / (std::fmin(la, lb) + 0.05);
}

Shade shade_of(double value) {
  if (!(value > 0.0)) return {Ink::kDataTint, 0.0};
  if (value <= 1.0) {
    // v^0.75: about half of the strength is left where half of the pool is used.
    return {Ink::kDataTint, kShadeMost * std::sqrt(value) * std::sqrt(std::sqrt(value))};
  }
  const double step = value <= 2.0 ? 1.0 : value <= 4.0 ? 2.0 : value <= 8.0 ? 3.0 : 4.0;
  return {Ink::kSoft, kShadeAbove * step};
}

std::array<std::uint8_t, kRampSize * 4> shade_ramp(const Theme& theme) {
  constexpr double kLn2 = 0.69314718055994530942;
  std::array<std::uint8_t, kRampSize * 4> ramp{};
  for (std::size_t i = 0; i < kRampSize; ++i) {
    const double t = (static_cast<double>(i) + 0.5) / static_cast<double>(kRampSize);
    const double value = units::exp(kLn2 * (kRampMin + t * (kRampMax - kRampMin)));
    const Shade shade = shade_of(value);
    const Rgb color = theme[shade.ink];
    ramp[i * 4] = color.r;
    ramp[i * 4 + 1] = color.g;
    ramp[i * 4 + 2] = color.b;
    ramp[i * 4 + 3] = static_cast<std::uint8_t>(shade.opacity * 255.0 + 0.5);
  }
  return ramp;
}

}  // namespace kvseats::chart
