#include "chart/scale.h"

#include <gtest/gtest.h>

#include <string>

namespace kvseats::chart {
namespace {

double seven_px_a_letter(const void* /*self*/, const std::string& label) {
  return 7.0 * static_cast<double>(label.size());
}

std::string labels(const Axis& axis, double length) {
  std::string all;
  for (const Tick& t : ticks(axis, {length, 8.0, seven_px_a_letter, nullptr})) {
    all += (all.empty() ? "" : " ") + t.label;
  }
  return all;
}

Axis log2_axis(double min, double max) {
  return {"", ScaleKind::kLog2, min, max, TickText::kBinary};
}
Axis log10_axis(double min, double max) {
  return {"", ScaleKind::kLog10, min, max, TickText::kPlain};
}
Axis linear_axis(double min, double max) {
  return {"", ScaleKind::kLinear, min, max, TickText::kPlain};
}

TEST(ChartScale, TicksReadAsPeopleWriteThem) {
  const struct {
    Axis axis;
    double length;
    const char* expected;
  } kCases[] = {
      {log2_axis(1024, 262144), 900, "1k 2k 4k 8k 16k 32k 64k 128k 256k"},
      {log2_axis(1024, 262144), 250, "1k 4k 16k 64k 256k"},
      {log2_axis(256, 4194304), 900, "256 512 1k 2k 4k 8k 16k 32k 64k 128k 256k 512k 1M 2M 4M"},
      {log2_axis(8192, 12288), 300, "8k 9k 10k 11k 12k"},
      {log10_axis(1, 1000), 480, "1 3 10 30 100 300 1,000"},
      {log10_axis(1, 1000), 150, "1 10 100 1,000"},
      {log10_axis(1, 1e6), 120, "1 1,000 1,000,000"},
      {log10_axis(1, 30), 480, "1 2 5 10 20"},
      {linear_axis(0, 1), 600, "0 0.2 0.4 0.6 0.8 1"},
      {linear_axis(0, 80), 600, "0 10 20 30 40 50 60 70 80"},
      {linear_axis(-1, 1), 300, "-1 -0.5 0 0.5 1"},
      {linear_axis(0, 1000000), 400, "0 200,000 400,000 600,000 800,000 1,000,000"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(labels(c.axis, c.length), c.expected);
  }
}

TEST(ChartScale, LabelsNeverComeCloserThanTheGap) {
  for (double length = 20; length < 1500; length *= 1.17) {
    for (const Axis& axis :
         {log2_axis(1024, 262144), log2_axis(1000, 1500), log2_axis(1, 1e12), log10_axis(1, 1000),
          log10_axis(0.37, 55), log10_axis(120, 125), log10_axis(1e-6, 1e9), linear_axis(0, 1),
          linear_axis(-3.3, 1e7), linear_axis(0, 85899345920.0)}) {
      const auto list = ticks(axis, {length, 8.0, seven_px_a_letter, nullptr});
      for (std::size_t i = 1; i < list.size(); ++i) {
        EXPECT_LT(list[i - 1].value, list[i].value);
        const double halves = 3.5 * double(list[i].label.size() + list[i - 1].label.size());
        EXPECT_GE((list[i].at - list[i - 1].at) * length, halves + 8.0 - 1e-9)
            << list[i - 1].label << " " << list[i].label << " on " << length;
      }
      if (length > 300) {
        EXPECT_GE(list.size(), 2U) << axis.min << " to " << axis.max << " on " << length;
      }
    }
  }
}

TEST(ChartScale, FractionsAndValuesAreInverse) {
  for (const Axis& axis : {log2_axis(1024, 262144), log10_axis(0.5, 2000), linear_axis(-5, 17)}) {
    EXPECT_NEAR(fraction_of(axis, axis.min), 0.0, 1e-12);
    EXPECT_NEAR(fraction_of(axis, axis.max), 1.0, 1e-12);
    for (double f = -0.5; f <= 1.5; f += 0.01) {
      EXPECT_NEAR(fraction_of(axis, value_at(axis, f)), f, 1e-12);
    }
  }
  EXPECT_NEAR(value_at(log2_axis(1024, 4096), 0.5), 2048, 1e-9);
}

TEST(ChartScale, WhatALogAxisCannotShowIsFarBelow) {
  EXPECT_LT(fraction_of(log10_axis(1, 10), 0.0), -100.0);
  EXPECT_LT(fraction_of(log10_axis(1, 10), -3.0), -100.0);
  EXPECT_LT(fraction_of(log10_axis(1, 10), 0.0 / 0.0), -100.0);
  EXPECT_GT(fraction_of(log10_axis(1, 10), 1.0 / 0.0), 100.0);
}

TEST(ChartScale, BrokenRangesAreMended) {
  const double nan = 0.0 / 0.0;
  for (const ScaleKind kind : {ScaleKind::kLinear, ScaleKind::kLog2, ScaleKind::kLog10}) {
    const double ranges[][2] = {{5, 1},  {3, 3},   {nan, 4}, {1, nan},
                                {0, 10}, {-4, -1}, {0, 0},   {1, 1.0 / 0.0}};
    for (const auto& range : ranges) {
      const Axis a = usable({"", kind, range[0], range[1], TickText::kPlain});
      EXPECT_LT(a.min, a.max) << range[0] << " " << range[1];
      EXPECT_EQ(a.max - a.max, 0.0);
      if (kind != ScaleKind::kLinear) {
        EXPECT_GT(a.min, 0.0);
      }
    }
  }
}

TEST(ChartScale, RangesGrowToTheNextTick) {
  EXPECT_EQ(rounded_outward(log2_axis(1500, 131072)).min, 1024);
  EXPECT_EQ(rounded_outward(log2_axis(1500, 131072)).max, 131072);
  EXPECT_EQ(rounded_outward(log2_axis(1500, 131073)).max, 262144);
  EXPECT_EQ(rounded_outward(log10_axis(1.5, 394)).min, 1);
  EXPECT_EQ(rounded_outward(log10_axis(1.5, 394)).max, 1000);
  EXPECT_EQ(rounded_outward(log10_axis(4, 250)).min, 3);
  EXPECT_EQ(rounded_outward(log10_axis(4, 250)).max, 300);
  EXPECT_EQ(rounded_outward(linear_axis(3, 77)).max, 80);
}

TEST(ChartScale, BinaryTextIsOnlyForWholeMultiples) {
  const Axis a = log2_axis(1, 1e9);
  EXPECT_EQ(tick_text(a, 512), "512");
  EXPECT_EQ(tick_text(a, 1024), "1k");
  EXPECT_EQ(tick_text(a, 1500), "1,500");
  EXPECT_EQ(tick_text(a, 131072), "128k");
  EXPECT_EQ(tick_text(a, 1048576), "1M");
  EXPECT_EQ(tick_text(log10_axis(1, 10), 131072), "131,072");
  EXPECT_EQ(tick_text(linear_axis(0, 1), 0.25), "0.25");
}

TEST(ChartScale, ZoomKeepsWhatIsUnderThePointer) {
  const Axis limits = log2_axis(1, 1e9);
  const Axis a = log2_axis(1024, 262144);
  const Axis in = zoomed(a, 8192, 0.5, limits);
  EXPECT_NEAR(fraction_of(in, 8192), fraction_of(a, 8192), 1e-9);
  EXPECT_NEAR(in.max / in.min, 16.0, 1e-9);
  const Axis out = zoomed(a, 8192, 100, limits);
  EXPECT_EQ(out.min, 1.0);
  EXPECT_EQ(out.max, 1e9);
}

TEST(ChartScale, PanStopsAtTheLimits) {
  const Axis limits = log2_axis(512, 524288);
  const Axis a = log2_axis(1024, 262144);
  EXPECT_NEAR(panned(a, 0.125, limits).min, 2048, 1e-6);
  const Axis far = panned(a, 9, limits);
  EXPECT_NEAR(far.max, 524288, 1e-3);
  EXPECT_NEAR(far.max / far.min, 256, 1e-6);
  EXPECT_NEAR(panned(a, -9, limits).min, 512, 1e-6);
}

}  // namespace
}  // namespace kvseats::chart
