#pragma once

#include <cstdint>
#include <string>

#include "chart/chart.h"
#include "chart/layout.h"

/// Charts as SVG text: for the page without WebGL2, print, phones, pages without JavaScript,
/// embeds before they are touched, and export.
///
/// The text is well-formed whatever strings the chart holds, has no style attribute, style element,
/// script or event handler (so a strict Content-Security-Policy does not touch it), no reference to
/// another file, and carries role, title and description for screen readers.
namespace kvseats::chart {

enum class SvgTheme : std::uint8_t {
  kLight,
  kDark,
  kAuto,  ///< every colour as `var(--kv-NAME, light value)`: the page's theme decides
};

struct SvgOptions {
  double width = 960.0;
  double height = 560.0;  ///< bars: ignored, the chart says how high it is
  SvgTheme theme = SvgTheme::kAuto;
  std::string font = "Inter, system-ui, sans-serif";
  /// Prefix of ids; empty: the chart's id. Must differ between two pictures of one page.
  std::string id{};
  double text_scale = 1.0;
  bool ground = false;   ///< paint the background, with a margin (exports); else transparent
  bool caption = false;  ///< the caption as last line (exports)
  bool scalable = true;  ///< width 100 % of its box (viewBox only); false: fixed width and height
};

[[nodiscard]] std::string to_svg(const Chart& chart, const SvgOptions& options);
[[nodiscard]] std::string to_svg(const BarChart& chart, const SvgOptions& options);

}  // namespace kvseats::chart
