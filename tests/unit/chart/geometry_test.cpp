#include "chart/geometry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "unit/chart/samples.h"

namespace kvseats::chart {
namespace {

constexpr Rect kBox{0, 0, 100, 50};

TEST(ChartGeometry, ThinningKeepsEveryPointWithinTheTolerance) {
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    samples::Random r(seed);
    std::vector<Px> line;
    double y = 0;
    for (int i = 0; i < 200; ++i) line.push_back({double(i), y += r.between(-0.4, 0.6)});
    const std::vector<Px> thin = thinned(line, 0.5);
    EXPECT_LT(thin.size(), line.size());
    EXPECT_EQ(thin.front(), line.front());
    EXPECT_EQ(thin.back(), line.back());
    for (const Px p : line) {
      double best = 1e9;
      for (std::size_t i = 1; i < thin.size(); ++i) {
        best = std::fmin(best, distance(p, thin[i - 1], thin[i]));
      }
      EXPECT_LE(best, 0.5 + 1e-9) << seed;
    }
  }
}

TEST(ChartGeometry, AStraightLineThinsToItsEnds) {
  std::vector<Px> line;
  for (int i = 0; i <= 50; ++i) line.push_back({i * 3.0, i * -1.7});
  EXPECT_EQ(thinned(line, 0.1).size(), 2U);
  line.push_back({100, 100});
  EXPECT_EQ(thinned(line, 0.1).size(), 3U);
}

TEST(ChartGeometry, ALineThatTurnsBackKeepsItsTurn) {
  const std::vector<Px> line{{0, 0}, {50, 0}, {100, 0}, {40, 0}, {0, 0}};
  const std::vector<Px> thin = thinned(line, 0.5);
  EXPECT_NE(std::find(thin.begin(), thin.end(), Px{100, 0}), thin.end());
}

TEST(ChartGeometry, CutsExactlyAtTheEdges) {
  const auto runs = cut({{-10, 25}, {50, 25}, {50, 80}, {90, 80}, {90, 10}}, kBox);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].front(), (Px{0, 25}));
  EXPECT_EQ(runs[0].back(), (Px{50, 50}));
  EXPECT_EQ(runs[1].front(), (Px{90, 50}));
  EXPECT_EQ(runs[1].back(), (Px{90, 10}));
  EXPECT_TRUE(cut({{-10, -10}, {-10, 90}}, kBox).empty());
}

TEST(ChartGeometry, CutOutIsWhatCutLeaves) {
  const std::vector<Px> line{{-10, 25}, {50, 25}, {110, 25}, {110, 100}};
  const auto out = cut_out(line, kBox);
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0].back(), (Px{0, 25}));
  EXPECT_EQ(out[1].front(), (Px{100, 25}));
  EXPECT_EQ(out[1].back(), (Px{110, 100}));
  EXPECT_TRUE(cut_out({{10, 10}, {20, 20}}, kBox).empty());
  ASSERT_EQ(cut_out({{10, 10}, {20, 80}}, kBox).size(), 1U);
  EXPECT_EQ(cut_out({{200, 10}, {220, 80}}, kBox)[0].size(), 2U);
}

TEST(ChartGeometry, PolygonsAreCutToTheRectangle) {
  const auto polygon = cut_polygon({{-50, -50}, {200, -50}, {200, 200}, {-50, 200}}, kBox);
  ASSERT_EQ(polygon.size(), 4U);
  for (const Px p : polygon) EXPECT_TRUE(contains(kBox, {p.x, p.y, p.x, p.y}));
  EXPECT_TRUE(cut_polygon({{200, 200}, {210, 200}, {200, 210}}, kBox).empty());
}

TEST(ChartGeometry, DashesCoverTheirShareOfTheLine) {
  const auto pairs = dashes({{0, 0}, {70, 0}, {70, 30}}, 6, 4);
  double drawn = 0;
  for (std::size_t i = 0; i < pairs.size(); i += 2)
    drawn += distance(pairs[i], pairs[i + 1], pairs[i + 1]);
  EXPECT_NEAR(drawn, 60.0, 1e-6);
  EXPECT_TRUE(dashes({{0, 0}, {70, 0}}, 0, 4).empty());
}

TEST(ChartGeometry, HatchLinesStayInsideAndDoNotCrawl) {
  const std::vector<Px> square{{0, 0}, {40, 0}, {40, 40}, {0, 40}};
  const std::vector<Px> wider{{0, 0}, {80, 0}, {80, 40}, {0, 40}};
  const auto a = hatch_lines(square, 5);
  const auto b = hatch_lines(wider, 5);
  ASSERT_GT(a.size(), 8U);
  for (const Px p : a) EXPECT_TRUE(contains(grown({0, 0, 40, 40}, 1e-9), {p.x, p.y, p.x, p.y}));
  // A line of the narrow square continues in the wide one: the same x + y.
  EXPECT_NEAR(a[4].x + a[4].y, b[4].x + b[4].y, 1e-9);
}

TEST(ChartGeometry, SegmentsTouchRectangles) {
  EXPECT_TRUE(touches(kBox, {-10, 60}, {60, -10}));
  EXPECT_TRUE(touches(kBox, {10, 10}, {20, 20}));
  EXPECT_FALSE(touches(kBox, {-10, 0}, {0, -10}));
  EXPECT_TRUE(touches(kBox, {100, 0}, {200, 0}));
  EXPECT_FALSE(touches(kBox, {101, 0}, {101, 50}));
}

}  // namespace
}  // namespace kvseats::chart
