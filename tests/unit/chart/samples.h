#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "chart/chart.h"

/// Charts for the tests of the room: the one of the lesson, and random ones from a fixed seed.
namespace kvseats::chart::samples {

/// The trade-off curve of the lesson: 404,357 tokens shared by requests of equal length.
inline Chart tradeoff() {
  constexpr double kPool = 404357;
  Chart c{.id = "tradeoff", .title = "Context against requests"};
  c.x = {"context of one request, tokens", ScaleKind::kLog2, 1024, 262144, TickText::kBinary};
  c.y = {"requests at once", ScaleKind::kLog10, 1, 1000, TickText::kPlain};
  c.shade.cols = 49;
  c.shade.rows = 33;
  for (int r = 0; r < 33; ++r) {
    for (int k = 0; k < 49; ++k) {
      c.shade.values.push_back(value_at(c.y, r / 32.0) * value_at(c.x, k / 48.0) / kPool);
    }
  }
  c.shade.isos = {{4, {"4 GPUs", "", 20}}, {8, {"8 GPUs", "", 20}}};
  std::vector<Point> steps{{1024, 394}};
  for (int n = 393; n >= 1; --n) steps.push_back({std::floor(kPool / (n + 1)) + 1, double(n)});
  const auto ghost = [&](double factor) {
    return std::vector<Point>{{1024, kPool * factor / 1024}, {262144, kPool * factor / 262144}};
  };
  c.series.push_back({.id = "double",
                      .label = {"2 GPUs, or an 8-bit cache", "8-bit cache", 30},
                      .dash = Dash::kDotted,
                      .points = ghost(2)});
  c.series.push_back({.id = "quarter",
                      .label = {"without GQA", "", 30},
                      .dash = Dash::kDotted,
                      .points = ghost(0.25)});
  c.series.push_back({.id = "now",
                      .label = {"one H100, 16-bit cache", "one H100", 80, true, true},
                      .ink = Ink::kData,
                      .join = Join::kStep,
                      .weight = 2.5,
                      .dashed_beyond = 131072,
                      .points = steps});
  c.rules.push_back({.id = "limit",
                     .value = 131072,
                     .label = {"the model's own limit, 128k", "limit", 70, true}});
  c.marks.push_back(
      {.id = "chat", .at = {1500, 100}, .label = {"Chat, 100 users: fits", "Chat", 60, true}});
  c.marks.push_back({.id = "docs",
                     .at = {13000, 100},
                     .label = {"Document QA, 100 users: needs 170 GB", "Document QA", 60, true},
                     .ink = Ink::kBad,
                     .shape = MarkShape::kDiamond});
  c.handle = {.shown = true, .at = {8192, 49}, .x_text = "", .y_text = "49"};
  c.caption = "Llama 3.1 8B on one H100";
  return c;
}

/// PCG32 (O'Neill 2014), for the same charts on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) { (void)next(); }
  std::uint32_t next() {
    const std::uint64_t old = state_;
    state_ = old * 6364136223846793005ULL + 1442695040888963407ULL;
    const auto x = static_cast<std::uint32_t>(((old >> 18U) ^ old) >> 27U);
    const auto rot = static_cast<std::uint32_t>(old >> 59U);
    return (x >> rot) | (x << ((32U - rot) & 31U));
  }
  std::uint32_t below(std::uint32_t n) { return next() % n; }
  double unit() { return next() / 4294967296.0; }
  double between(double a, double b) { return a + (b - a) * unit(); }
  bool chance(double p) { return unit() < p; }

 private:
  std::uint64_t state_;
};

inline Label random_label(Random& r) {
  static constexpr const char* kWords[] = {"cache",  "8-bit",    "of",      "requests",
                                           "Llama",  "2 ×",      "léger",   "日本語",
                                           "fits",   "needs",    "a",       "1,234",
                                           "GPUs",   "<limit>",  "longest", "&",
                                           "tokens", "reserved", "…",       "supercalifragilistic"};
  Label label;
  const std::uint32_t words = 1 + r.below(6);
  for (std::uint32_t i = 0; i < words; ++i) {
    if (i != 0) label.text += ' ';
    label.text += kWords[r.below(20)];
  }
  if (r.chance(0.5)) label.brief = kWords[r.below(20)];
  if (r.chance(0.1)) label.text.clear();
  label.priority = static_cast<int>(r.below(101));
  label.keep = r.chance(0.4);
  label.strong = r.chance(0.3);
  return label;
}

inline Axis random_axis(Random& r) {
  Axis axis;
  axis.title = r.chance(0.8) ? "an axis" : "";
  const std::uint32_t kind = r.below(3);
  axis.scale = kind == 0 ? ScaleKind::kLinear : kind == 1 ? ScaleKind::kLog2 : ScaleKind::kLog10;
  if (axis.scale == ScaleKind::kLinear) {
    axis.min = r.chance(0.5) ? 0.0 : r.between(-1e4, 1e4);
    axis.max = axis.min + std::ldexp(r.between(1, 2), static_cast<int>(r.below(30)) - 6);
  } else {
    axis.min = std::ldexp(r.chance(0.5) ? 1.0 : r.between(1, 2), static_cast<int>(r.below(14)));
    axis.max = axis.min * std::ldexp(r.between(1, 2), static_cast<int>(r.below(16)));
  }
  axis.text = r.chance(0.5)   ? TickText::kBinary
              : r.chance(0.9) ? TickText::kPlain
                              : TickText::kNone;
  return usable(axis);
}

/// Mostly inside of the axes, sometimes far out, sometimes nonsense.
inline Point random_point(Random& r, const Chart& c) {
  if (r.chance(0.02)) return {std::numeric_limits<double>::quiet_NaN(), 1};
  if (r.chance(0.02)) return {value_at(c.x, r.unit()), std::numeric_limits<double>::infinity()};
  if (r.chance(0.02)) return {-5, -7};
  return {value_at(c.x, r.between(-0.2, 1.2)), value_at(c.y, r.between(-0.2, 1.2))};
}

inline std::vector<Point> random_line(Random& r, const Chart& c) {
  std::vector<Point> line;
  const std::uint32_t count = r.below(60);
  double y = r.between(-0.3, 1.3);
  const double slope = r.between(-1.5, 1.5);
  for (std::uint32_t i = 0; i < count; ++i) {
    const double x = (i + r.between(-0.4, 0.4)) / count;
    y += (slope + r.between(-1, 1)) / count;
    line.push_back({value_at(c.x, x * 1.2 - 0.1), value_at(c.y, y)});
    if (r.chance(0.01)) line.back().y = -1;
  }
  return line;
}

inline Chart random_chart(Random& r) {
  constexpr Ink kInks[] = {Ink::kInk, Ink::kSoft, Ink::kData, Ink::kPoint, Ink::kBad};
  const auto ink = [&] { return kInks[r.below(5)]; };
  Chart c{.id = "r", .title = "random"};
  c.x = random_axis(r);
  c.y = random_axis(r);
  for (std::uint32_t n = r.below(6); n > 0; --n) {
    Series s{.label = random_label(r), .ink = ink(), .points = random_line(r, c)};
    s.dash = static_cast<Dash>(r.below(3));
    s.join = static_cast<Join>(r.below(2));
    s.weight = r.chance(0.3) ? 2.5 : 1.0;
    if (r.chance(0.2)) s.dashed_beyond = value_at(c.x, r.unit());
    c.series.push_back(s);
  }
  for (std::uint32_t n = r.below(3); n > 0; --n) {
    c.rules.push_back({.vertical = r.chance(0.6), .label = random_label(r), .ink = ink()});
    c.rules.back().value = value_at(c.rules.back().vertical ? c.x : c.y, r.between(-0.1, 1.1));
  }
  for (std::uint32_t n = r.below(7); n > 0; --n) {
    c.marks.push_back({.at = random_point(r, c), .label = random_label(r), .ink = ink()});
    c.marks.back().shape = static_cast<MarkShape>(r.below(4));
  }
  if (r.chance(0.3))
    c.bands.push_back(
        {.hatch = r.chance(0.5), .low = random_line(r, c), .high = random_line(r, c)});
  if (r.chance(0.6)) {
    c.handle = {.shown = true,
                .at = random_point(r, c),
                .label = random_label(r),
                .x_text = "8,192",
                .y_text = "49"};
  }
  if (r.chance(0.5)) {
    c.shade.cols = 2 + r.below(40);
    c.shade.rows = 2 + r.below(40);
    const double a = r.between(-3, 3);
    const double b = r.between(0, 6);
    for (std::uint32_t row = 0; row < c.shade.rows; ++row) {
      for (std::uint32_t col = 0; col < c.shade.cols; ++col) {
        const double x = double(col) / (c.shade.cols - 1);
        const double y = double(row) / (c.shade.rows - 1);
        c.shade.values.push_back(std::pow(2.0, a * x + b * y - 3));
      }
    }
    for (const double value : {1.0, 2.0, 4.0, 8.0})
      c.shade.isos.push_back({value, random_label(r)});
  }
  return c;
}

}  // namespace kvseats::chart::samples
