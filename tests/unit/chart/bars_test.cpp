#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "chart/geometry.h"
#include "chart/layout.h"

namespace kvseats::chart {
namespace {

BarChart memory() {
  BarChart b{.id = "memory", .title = "Memory of one GPU"};
  b.bars.push_back({.name = "Memory of one GPU",
                    .value = "85.5 GB (79.6 GiB)",
                    .segments = {{"w", "weights", "16.1 GB", 16.1, Ink::kWeights},
                                 {"o", "overhead", "7.9 GB", 7.9, Ink::kOverhead},
                                 {"c", "cache in use", "49 × 1.07 GB = 52.6 GB", 52.6},
                                 {"r", "left of the pool", "0.4 GB", 0.4, Ink::kDataTint},
                                 {"u", "unused", "8.5 GB", 8.5, Ink::kUnused}}});
  return b;
}

Rect box_of(const Text& t) {
  return {t.at.x, t.at.y - t.size * 0.75, t.at.x + t.width, t.at.y + t.size * 0.2};
}

void expect_apart(const BarLayout& l, const std::string& what) {
  SCOPED_TRACE(what);
  for (std::size_t i = 0; i < l.texts.size(); ++i) {
    const Rect box = box_of(l.texts[i]);
    EXPECT_GE(box.left, -0.01) << l.texts[i].text;
    EXPECT_LE(box.right, l.width + 0.01) << l.texts[i].text;
    EXPECT_LE(box.bottom, l.height + 0.01) << l.texts[i].text;
    for (std::size_t k = i + 1; k < l.texts.size(); ++k) {
      EXPECT_FALSE(overlap(box, box_of(l.texts[k]))) << l.texts[i].text << " " << l.texts[k].text;
    }
  }
}

TEST(ChartBars, PartsAreAsLongAsTheirShare) {
  const BarLayout l = lay_out(memory(), {.width = 855});
  ASSERT_EQ(l.segments.size(), 5U);
  EXPECT_NEAR(l.segments[0].box.left, 0.0, 1e-9);
  EXPECT_NEAR(l.segments[2].box.left, 240.0, 1e-6);
  EXPECT_NEAR(l.segments[4].box.right, 855.0, 1e-6);
}

TEST(ChartBars, EveryPartIsNamedAndNothingOverlaps) {
  for (const double width : {300.0, 330.0, 390.0, 520.0, 960.0, 1400.0}) {
    for (const double scale : {1.0, 2.0}) {
      const BarLayout l = lay_out(memory(), {.width = width, .text_scale = scale});
      if (scale == 1.0) expect_apart(l, std::to_string(width));
      const BarChart chart = memory();
      for (const Segment& s : chart.bars[0].segments) {
        EXPECT_TRUE(std::any_of(l.texts.begin(), l.texts.end(),
                                [&](const Text& t) { return t.text.rfind(s.name, 0) == 0; }))
            << s.name << " at " << width;
      }
    }
  }
}

TEST(ChartBars, TextInsideStaysInside) {
  const BarLayout l = lay_out(memory(), {.width = 960});
  for (const Text& t : l.texts) {
    if (t.ink == Ink::kSoft) continue;  // above or below
    EXPECT_TRUE(std::any_of(l.segments.begin(), l.segments.end(), [&](const PlacedSegment& s) {
      return contains(s.box, box_of(t));
    })) << t.text;
  }
}

TEST(ChartBars, ATextWiderThanThePictureIsBroken) {
  BarChart b{.id = "bills"};
  b.bars.push_back(
      {.name = "chat", .segments = {{"c", "", "1 GPU for 100 users of 1,500 tokens each", 1.0}}});
  const BarLayout l = lay_out(b, {.width = 120});
  expect_apart(l, "120");
  std::string all;
  for (const Text& t : l.texts) all += t.text + " ";
  EXPECT_NE(all.find("1 GPU for"), std::string::npos) << all;
  EXPECT_NE(all.find("each"), std::string::npos) << all;
}

TEST(ChartBars, ManyBarsShareOneScale) {
  BarChart b{.id = "models", .title = "Bytes per token"};
  b.bars.push_back({.name = "Llama 2 7B", .value = "512 KiB", .segments = {{"", "", "", 524288}}});
  b.bars.push_back(
      {.name = "Llama 3.1 8B", .value = "128 KiB", .segments = {{"", "", "", 131072}}});
  for (const double width : {200.0, 500.0}) {
    const BarLayout l = lay_out(b, {.width = width, .thickness = 20});
    ASSERT_EQ(l.segments.size(), 2U);
    EXPECT_NEAR(l.segments[0].box.width() / l.segments[1].box.width(), 4.0, 1e-6);
    expect_apart(l, std::to_string(width));
  }
}

TEST(ChartBars, NothingAndNonsenseAreFine) {
  EXPECT_EQ(lay_out(BarChart{}, BarOptions{}).height, 0.0);
  BarChart b;
  b.bars.push_back({.name = "x", .segments = {{"", "a", "", 0.0}, {"", "b", "", -5.0}}});
  EXPECT_TRUE(lay_out(b, BarOptions{}).segments.empty());
}

}  // namespace
}  // namespace kvseats::chart
