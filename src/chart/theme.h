#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Colours by role. A chart names roles (`Ink`); only a renderer turns them into colours, through
/// one of two tables of tokens, so that light, dark and the page's own theme need no other chart.
namespace kvseats::chart {

/// What a stroke, fill or text means. The order is the order of `Theme::colors`.
enum class Ink : std::uint8_t {
  kGround,     ///< the page behind everything; halo of text
  kPanel,      ///< side panel
  kField,      ///< inside of an input
  kInk,        ///< text and marks that carry the message
  kSoft,       ///< units, captions, ticks, ghosts
  kLine,       ///< borders
  kGrid,       ///< grid lines
  kData,       ///< the data hue: cache, the curve
  kDataTint,   ///< its tint: shading, allocated but unused
  kPoint,      ///< what the hand moves, and what would help
  kBad,        ///< what does not fit
  kWeights,    ///< stacked bars: the fixed part
  kOverhead,   ///< stacked bars: working memory
  kUnused,     ///< stacked bars: left free
  kOnData,     ///< text upon kData and kBad
  kOnWeights,  ///< text upon kWeights and kPoint
  kPointText,  ///< kPoint as text (darker where kPoint itself is too light to read)
  kCount,
};

inline constexpr std::size_t kInkCount = static_cast<std::size_t>(Ink::kCount);

/// sRGB, 8 bits a channel, no alpha.
struct Rgb {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
  friend bool operator==(const Rgb&, const Rgb&) = default;
};

/// A table of tokens. `dark` tells renderers which way "stronger" goes.
struct Theme {
  std::array<Rgb, kInkCount> colors{};
  bool dark = false;
  [[nodiscard]] constexpr Rgb operator[](Ink ink) const {
    return colors[static_cast<std::size_t>(ink)];
  }
};

[[nodiscard]] const Theme& light_theme();
[[nodiscard]] const Theme& dark_theme();

/// The token's name, also of the page's custom property: `data` is `--kv-data`.
[[nodiscard]] std::string_view ink_name(Ink ink);

/// The ink in which text upon a fill of `fill` can be read in both themes (4.5:1).
[[nodiscard]] Ink text_on(Ink fill);

/// The ink for text that belongs to a thing drawn in `ink` (4.5:1 on ground and panel).
[[nodiscard]] Ink text_ink(Ink ink);

/// "#2a6fbb".
[[nodiscard]] std::string hex(Rgb color);

/// WCAG 2 contrast ratio, 1 … 21 (relative luminance with the exact sRGB curve).
[[nodiscard]] double contrast(Rgb a, Rgb b);

/// How strongly a pool that is used by `value` (see `Field`) is shaded: the opacity of `kDataTint`
/// for 0 ≤ value ≤ 1 (paper at 0, strongest at 1), of `kSoft` above 1 (a faint step at each 1, 2,
/// 4, 8). Both renderers use this one curve: the SVG writer as bands, the shader as a table.
inline constexpr double kShadeMost = 0.8;     ///< opacity of the tint at value 1
inline constexpr double kShadeAbove = 0.025;  ///< opacity of each step above 1
struct Shade {
  Ink ink = Ink::kDataTint;
  double opacity = 0.0;
};
[[nodiscard]] Shade shade_of(double value);

/// `shade_of` as RGBA for a texture of `kRampSize` texels over log2(value) from -6 to +4 (texel
/// centres), premultiplied by nothing; out-of-range values clamp.
inline constexpr std::size_t kRampSize = 256;
inline constexpr double kRampMin = -6.0;
inline constexpr double kRampMax = 4.0;
[[nodiscard]] std::array<std::uint8_t, kRampSize * 4> shade_ramp(const Theme& theme);

}  // namespace kvseats::chart
