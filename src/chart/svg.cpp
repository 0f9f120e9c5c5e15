#include "chart/svg.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "chart/describe.h"
#include "chart/geometry.h"
#include "chart/shade.h"
#include "chart/text_box.h"
#include "units/text.h"

namespace kvseats::chart {
namespace {

constexpr int kShadeSteps = 24;
constexpr double kMargin = 16.0;  // px around an exported picture

/// Writes markup into one string. Everything variable passes through `text` (escaped), `px`
/// (a number) or `paint` (a token), so nothing a chart holds can become markup.
class Svg {
 public:
  explicit Svg(const SvgOptions& options) : options_(options) { out_.reserve(16384); }

  Svg& raw(std::string_view markup) {
    out_ += markup;
    return *this;
  }

  /// Escaped for element content and double-quoted attributes; characters that XML forbids go.
  Svg& text(std::string_view s) {
    const std::string valid = units::valid_utf8(s);
    for (std::size_t i = 0; i < valid.size(); ++i) {
      const char c = valid[i];
      if (c == '&') {
        out_ += "&amp;";
      } else if (c == '<') {
        out_ += "&lt;";
      } else if (c == '>') {
        out_ += "&gt;";
      } else if (c == '"') {
        out_ += "&quot;";
      } else if (static_cast<unsigned char>(c) < 0x20) {
        out_ += ' ';
      } else if (valid.compare(i, 2, "\xEF\xBF") == 0 && i + 2 < valid.size() &&
                 static_cast<unsigned char>(valid[i + 2]) >= 0xBE) {
        i += 2;  // U+FFFE, U+FFFF
      } else {
        out_ += c;
      }
    }
    return *this;
  }

  /// A length with one decimal at most.
  Svg& px(double value) {
    double tenths = std::floor(std::fabs(value) * 10.0 + 0.5);
    if (!(tenths < 1e9)) tenths = 0.0;
    const auto n = static_cast<std::uint64_t>(tenths);
    if (value < 0.0 && n != 0) out_ += '-';
    out_ += units::plain(n / 10);
    if (n % 10 != 0) {
      out_ += '.';
      out_ += static_cast<char>('0' + n % 10);
    }
    return *this;
  }

  Svg& attribute(std::string_view name, double value) {
    raw(" ").raw(name).raw("=\"");
    return px(value).raw("\"");
  }

  /// An opacity with three decimals; 1 writes nothing.
  Svg& opacity(std::string_view name, double value) {
    if (value >= 1.0) return *this;
    raw(" ").raw(name).raw("=\"");
    return raw(units::fixed(value, 3)).raw("\"");
  }

  Svg& paint(std::string_view name, Ink ink) {
    raw(" ").raw(name).raw("=\"");
    if (options_.theme == SvgTheme::kDark) return raw(hex(dark_theme()[ink])).raw("\"");
    const std::string light = hex(light_theme()[ink]);
    if (options_.theme == SvgTheme::kLight) return raw(light).raw("\"");
    return raw("var(--kv-").raw(ink_name(ink)).raw(",").raw(light).raw(")\"");
  }

  /// Path data: one move and lines.
  Svg& line(const std::vector<Px>& points, bool close = false) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      raw(i == 0 ? "M" : "L").px(points[i].x).raw(" ").px(points[i].y);
    }
    return raw(close ? "Z" : "");
  }

  /// Path data of separate segments (pairs of points).
  Svg& pairs(const std::vector<Px>& points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      raw(i % 2 == 0 ? "M" : "L").px(points[i].x).raw(" ").px(points[i].y);
    }
    return *this;
  }

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  const SvgOptions& options_;
  std::string out_;
};

std::string safe_id(const std::string& wish) {
  std::string id;
  for (const char c : wish) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_';
    if (plain) id += c;
  }
  return id.empty() ? "chart" : id;
}

/// The paper around a picture with its own ground; on a page the page keeps the distance.
double margin_of(const SvgOptions& options) {
  return options.ground ? kMargin : 0.0;
}

void open(Svg& svg, const SvgOptions& options, const std::string& id, double height,
          const std::string& title, const std::string& text) {
  const std::string name = safe_id(options.id.empty() ? id : options.id);
  const double margin = margin_of(options);
  svg.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"");
  svg.px(-margin).raw(" ").px(-margin).raw(" ").px(options.width).raw(" ").px(height).raw("\"");
  if (!options.scalable) svg.attribute("width", options.width).attribute("height", height);
  svg.raw(" role=\"img\" aria-labelledby=\"").raw(name).raw("-t ").raw(name).raw("-d\"");
  svg.raw(" font-family=\"").text(options.font).raw("\" font-variant=\"tabular-nums\">");
  svg.raw("<title id=\"").raw(name).raw("-t\">").text(title).raw("</title>");
  svg.raw("<desc id=\"").raw(name).raw("-d\">").text(text).raw("</desc>");
  if (!options.ground) return;
  svg.raw("<rect").attribute("x", -margin).attribute("y", -margin);
  svg.attribute("width", options.width).attribute("height", height);
  svg.paint("fill", Ink::kGround).raw("/>");
}

void write_text(Svg& svg, const Text& t, bool halo) {
  if (t.text.empty()) return;
  svg.raw("<text").attribute("x", t.at.x).attribute("y", t.at.y).attribute("font-size", t.size);
  svg.paint("fill", t.ink);
  if (t.strong) svg.raw(" font-weight=\"600\"");
  if (halo) {
    svg.paint("stroke", Ink::kGround).raw(" stroke-width=\"3\" stroke-linejoin=\"round\"");
    svg.raw(" stroke-opacity=\".8\" paint-order=\"stroke\"");
  }
  svg.raw(">").text(t.text).raw("</text>");
}

void write_shade(Svg& svg, const Chart& chart, const Layout& layout) {
  svg.raw("<g shape-rendering=\"crispEdges\">");
  for (const ShadeBand& band : shade_bands(chart.shade, layout.plot, kShadeSteps)) {
    svg.raw("<path").paint("fill", band.shade.ink).opacity("fill-opacity", band.shade.opacity);
    svg.raw(" d=\"").line(band.outline, true).raw("\"/>");
  }
  svg.raw("</g>");
}

void write_grid(Svg& svg, const Layout& layout) {
  const Rect& p = layout.plot;
  std::vector<Px> lines;
  for (const PlacedTick& t : layout.x_ticks) {
    lines.insert(lines.end(), {{t.at, p.top}, {t.at, p.bottom}});
  }
  for (const PlacedTick& t : layout.y_ticks) {
    lines.insert(lines.end(), {{p.left, t.at}, {p.right, t.at}});
  }
  svg.raw("<path").paint("stroke", Ink::kGrid).raw(" d=\"").pairs(lines).raw("\"/>");
}

void write_areas(Svg& svg, const Layout& layout) {
  for (const Area& area : layout.areas) {
    if (area.opacity > 0.0) {
      svg.raw("<path").paint("fill", area.ink).opacity("fill-opacity", area.opacity);
      svg.raw(" d=\"").line(area.outline, true).raw("\"/>");
    }
    if (area.hatch.empty()) continue;
    svg.raw("<path").paint("stroke", area.ink).raw(" stroke-opacity=\".5\" d=\"");
    svg.pairs(area.hatch).raw("\"/>");
  }
}

void write_stroke(Svg& svg, const Stroke& s) {
  svg.raw("<path fill=\"none\"").paint("stroke", s.ink).attribute("stroke-width", s.weight);
  svg.opacity("stroke-opacity", s.opacity);
  const DashPattern dash = dash_pattern(s.dash, s.weight);
  if (dash.on > 0.0) {
    svg.raw(" stroke-dasharray=\"").px(dash.on).raw(" ").px(dash.off).raw("\"");
  } else {
    svg.raw(" stroke-linejoin=\"round\"");
  }
  svg.raw(" d=\"").line(s.points).raw("\"/>");
}

void write_circle(Svg& svg, Px at, double radius, Ink fill, Ink stroke, double weight) {
  svg.raw("<circle").attribute("cx", at.x).attribute("cy", at.y).attribute("r", radius);
  svg.paint("fill", fill).paint("stroke", stroke).attribute("stroke-width", weight).raw("/>");
}

/// A triangle on the border: the mark lies further in that direction.
void write_beyond(Svg& svg, const PlacedMark& m) {
  constexpr Px kWays[] = {{0, 0}, {1, 0}, {0, -1}, {-1, 0}, {0, 1}};
  const Px d = kWays[m.beyond];
  const double r = m.radius;
  const auto corner = [&](double along, double across) {
    return Px{m.at.x + (d.x * along - d.y * across) * r, m.at.y + (d.y * along + d.x * across) * r};
  };
  svg.raw("<path").paint("fill", m.ink).raw(" d=\"");
  svg.line({corner(0.4, 0.0), corner(-1.2, 1.0), corner(-1.2, -1.0)}, true).raw("\"/>");
}

void write_mark(Svg& svg, const PlacedMark& m) {
  if (m.beyond != 0) return write_beyond(svg, m);
  if (m.shape == MarkShape::kRing) {
    return write_circle(svg, m.at, m.radius, Ink::kGround, m.ink, 2.0);
  }
  if (m.shape == MarkShape::kDot)
    return write_circle(svg, m.at, m.radius, m.ink, Ink::kGround, 1.5);
  const double r = m.radius;
  if (m.shape == MarkShape::kDiamond) {
    const double d = r * 1.2;
    svg.raw("<path").paint("fill", Ink::kGround).paint("stroke", m.ink);
    svg.raw(" stroke-width=\"2\" d=\"");
    svg.line(
        {{m.at.x, m.at.y - d}, {m.at.x + d, m.at.y}, {m.at.x, m.at.y + d}, {m.at.x - d, m.at.y}},
        true);
  } else {
    svg.raw("<path").paint("stroke", m.ink).raw(" stroke-width=\"2.5\" d=\"");
    svg.pairs({{m.at.x - r, m.at.y - r},
               {m.at.x + r, m.at.y + r},
               {m.at.x - r, m.at.y + r},
               {m.at.x + r, m.at.y - r}});
  }
  svg.raw("\"/>");
}

void write_labels(Svg& svg, const Layout& layout) {
  for (const PlacedLabel& label : layout.labels) {
    if (label.leader) {
      svg.raw("<path").paint("stroke", label.lines.front().ink).raw(" stroke-opacity=\".6\" d=\"");
      svg.pairs({label.leader_from, label.leader_to}).raw("\"/>");
    }
    for (const Text& t : label.lines) write_text(svg, t, true);
  }
}

void write_axes(Svg& svg, const Layout& layout) {
  svg.raw("<g").paint("fill", Ink::kSoft).attribute("font-size", layout.x_title.size).raw(">");
  const auto plain = [&](const Text& t) {
    if (t.text.empty()) return;
    svg.raw("<text").attribute("x", t.at.x).attribute("y", t.at.y).raw(">");
    svg.text(t.text).raw("</text>");
  };
  for (const PlacedTick& t : layout.x_ticks) plain(t.label);
  for (const PlacedTick& t : layout.y_ticks) plain(t.label);
  plain(layout.x_title);
  plain(layout.y_title);
  svg.raw("</g>");
}

}  // namespace

std::string to_svg(const Chart& chart, const SvgOptions& options) {
  const double margin = 2.0 * margin_of(options);
  const Layout layout = lay_out(chart, {.width = options.width - margin,
                                        .height = options.height - margin,
                                        .text_scale = options.text_scale,
                                        .caption = options.caption});
  Svg svg(options);
  open(svg, options, chart.id, options.height, chart.title, describe_text(chart));
  write_shade(svg, chart, layout);
  write_grid(svg, layout);
  write_areas(svg, layout);
  for (const Stroke& s : layout.strokes) write_stroke(svg, s);
  for (const PlacedMark& m : layout.marks) write_mark(svg, m);
  if (layout.handle_shown) {
    write_circle(svg, layout.handle, layout.handle_radius, Ink::kPoint, Ink::kGround, 2.5);
  }
  write_axes(svg, layout);
  write_labels(svg, layout);
  for (const Text& t : layout.notes) write_text(svg, t, false);
  return svg.raw("</svg>").take();
}

namespace {

// The caption below the bars, from `top` on, in lines that fit.
std::vector<Text> caption_lines(std::string_view caption, const SvgOptions& options, double top) {
  const double size = 12.0 * options.text_scale;
  const double width = options.width - 2.0 * margin_of(options);
  const Measure measure = inter_measure();
  std::vector<Text> lines;
  double y = top + 8.0;
  while (options.caption && !caption.empty()) {
    const std::string_view line = take_line(measure, caption, size, width);
    y += size * kLineHeight;
    lines.push_back({.text = std::string(line), .at = {0.0, y}, .size = size, .ink = Ink::kSoft});
  }
  return lines;
}

}  // namespace

std::string to_svg(const BarChart& chart, const SvgOptions& options) {
  const BarLayout layout =
      lay_out(chart, BarOptions{.width = options.width - 2.0 * margin_of(options),
                                .text_scale = options.text_scale});
  Svg svg(options);
  const std::vector<Text> caption = caption_lines(chart.caption, options, layout.height);
  const double below = caption.empty() ? 0.0 : caption.back().at.y - layout.height + 8.0;
  open(svg, options, chart.id, layout.height + below + 2.0 * margin_of(options), chart.title,
       describe_text(chart));
  for (const PlacedSegment& s : layout.segments) {
    svg.raw("<rect").attribute("x", s.box.left).attribute("y", s.box.top);
    svg.attribute("width", s.box.width()).attribute("height", s.box.height());
    svg.raw(s.box.width() > 6.0 ? " rx=\"2\"" : "").paint("fill", s.ink);
    const bool tint = s.ink == Ink::kDataTint;
    svg.opacity("fill-opacity", s.hatch.empty() || tint ? 1.0 : 0.25).raw("/>");
    if (s.hatch.empty()) continue;
    svg.raw("<path")
        .paint("stroke", tint ? Ink::kData : s.ink)
        .raw(" d=\"")
        .pairs(s.hatch)
        .raw("\"/>");
  }
  if (!layout.leaders.empty()) {
    svg.raw("<path").paint("stroke", Ink::kSoft).raw(" d=\"").pairs(layout.leaders).raw("\"/>");
  }
  for (const Text& t : layout.texts) write_text(svg, t, false);
  for (const Text& t : caption) write_text(svg, t, false);
  return svg.raw("</svg>").take();
}

}  // namespace kvseats::chart
