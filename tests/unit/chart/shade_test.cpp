#include "chart/shade.h"

#include <gtest/gtest.h>

#include <cmath>

#include "chart/geometry.h"
#include "unit/chart/samples.h"

namespace kvseats::chart {
namespace {

constexpr Rect kPlot{100, 20, 900, 420};

TEST(ChartShade, AContourRunsWhereTheFieldHasItsValue) {
  // requests × tokens = 404,357 × value: straight on two log axes.
  const Chart c = samples::tradeoff();
  for (const double value : {0.1, 1.0, 2.0, 8.0}) {
    const std::vector<Px> line = contour(c.shade, value, kPlot);
    EXPECT_EQ(line.front().x, kPlot.left);
    EXPECT_EQ(line.back().x, kPlot.right);
    EXPECT_LE(line.size(), 6U);
    for (const auto& run : inner_runs(line, kPlot)) {
      for (const Px p : run) {
        const double x = value_at(c.x, (p.x - kPlot.left) / kPlot.width());
        const double y = value_at(c.y, (kPlot.bottom - p.y) / kPlot.height());
        EXPECT_NEAR(x * y / 404357 / value, 1.0, 0.01);
      }
    }
  }
}

TEST(ChartShade, InnerRunsLeaveTheEdgesOut) {
  const Chart c = samples::tradeoff();
  const auto runs = inner_runs(contour(c.shade, 8.0, kPlot), kPlot);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_NEAR(runs[0].front().y, kPlot.top, 1e-6);  // enters at the top, exactly at the corner
  EXPECT_GT(runs[0].front().x, kPlot.left + 10);
}

TEST(ChartShade, InnerRunsNeverRunAlongTheEdge) {
  const Chart c = samples::tradeoff();
  for (double height = 300; height < 340; height += 0.7) {
    const Rect plot{57, 31, 701, 31 + height};
    for (const double value : {0.02, 1.0, 4.0, 8.0}) {
      for (const auto& run : inner_runs(contour(c.shade, value, plot), plot)) {
        for (std::size_t i = 1; i < run.size(); ++i) {
          EXPECT_GT(std::fabs(run[i].y - run[i - 1].y), 0.3) << value << " " << height;
        }
      }
    }
  }
}

TEST(ChartShade, BandsTileThePlot) {
  const Chart c = samples::tradeoff();
  const auto bands = shade_bands(c.shade, kPlot, 24);
  double area = 0;
  for (const ShadeBand& band : bands) {
    double twice = 0;
    for (std::size_t i = 0; i < band.outline.size(); ++i) {
      const Px a = band.outline[i];
      const Px b = band.outline[(i + 1) % band.outline.size()];
      twice += a.x * b.y - b.x * a.y;
      EXPECT_TRUE(contains(grown(kPlot, 1e-6), {a.x, a.y, a.x, a.y}));
    }
    area += std::fabs(twice) / 2;
  }
  EXPECT_NEAR(area, kPlot.width() * kPlot.height(), 1.0);
}

TEST(ChartShade, GetsStrongerTowardsTheEdgeAndFaintBeyond) {
  double last = -1;
  for (double v = 0; v <= 1.0; v += 0.05) {
    EXPECT_GE(shade_of(v).opacity, last);
    EXPECT_EQ(shade_of(v).ink, Ink::kDataTint);
    last = shade_of(v).opacity;
  }
  EXPECT_EQ(shade_of(0).opacity, 0.0);
  EXPECT_NEAR(shade_of(1).opacity, kShadeMost, 1e-9);
  EXPECT_EQ(shade_of(1.5).ink, Ink::kSoft);
  EXPECT_LT(shade_of(1.5).opacity, shade_of(3).opacity);
  EXPECT_LT(shade_of(5).opacity, shade_of(100).opacity);
}

TEST(ChartShade, AllFullAndAllEmptyFieldsAreFine) {
  Field f;
  f.cols = f.rows = 2;
  for (const double value : {0.0, 1e-9, 1.0, 1e9}) {
    f.values.assign(4, value);
    for (const ShadeBand& band : shade_bands(f, kPlot, 8)) {
      for (const Px p : band.outline) EXPECT_EQ(p.y, p.y);
    }
  }
  EXPECT_TRUE(shade_bands({}, kPlot, 8).empty());
}

TEST(ChartShade, TheRampIsTheSameCurve) {
  const auto ramp = shade_ramp(light_theme());
  const auto alpha_at = [&](double value) {
    const double t = (std::log2(value) - kRampMin) / (kRampMax - kRampMin);
    return ramp[std::size_t(t * kRampSize) * 4 + 3] / 255.0;
  };
  for (const double v : {0.1, 0.4, 0.9, 1.5, 3.0, 6.0, 12.0}) {
    EXPECT_NEAR(alpha_at(v), shade_of(v).opacity, 0.02) << v;
  }
}

}  // namespace
}  // namespace kvseats::chart
