#include "chart/pick.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/chart/samples.h"

namespace kvseats::chart {
namespace {

TEST(ChartPick, TheHandleComesFirst) {
  const Layout l = lay_out(samples::tradeoff(), {});
  EXPECT_EQ(hit(l, l.handle, 6).part, Part::kHandle);
  EXPECT_EQ(hit(l, {l.handle.x + 12, l.handle.y}, 6).part, Part::kHandle);
}

TEST(ChartPick, MarksLabelsAndCurvesAreFound) {
  const Layout l = lay_out(samples::tradeoff(), {});
  const Hit mark = hit(l, {l.marks[1].at.x + 3, l.marks[1].at.y - 2}, 6);
  EXPECT_EQ(mark.part, Part::kMark);
  EXPECT_EQ(mark.index, 1U);
  for (const PlacedLabel& label : l.labels) {
    const Hit h = hit(l, {(label.box.left + label.box.right) / 2, label.box.top + 2}, 0.5);
    EXPECT_EQ(h.part, label.part);
    EXPECT_EQ(h.index, label.index);
  }
  const Px on = px_of(l, {65536, 404357.0 * 2 / 65536});
  EXPECT_EQ(hit(l, {on.x, on.y + 2}, 6).part, Part::kSeries);
  EXPECT_EQ(hit(l, {on.x, on.y + 2}, 6).index, 0U);
  EXPECT_EQ(hit(l, px_of(l, {1100, 2}), 6).part, Part::kNone);
}

TEST(ChartPick, SnapsToPowersOfTwoAndTheirHalves) {
  const Layout l = lay_out(samples::tradeoff(), {});
  const Handle h{};
  EXPECT_EQ(snapped(l, h, 8200, 5), 8192);
  EXPECT_EQ(snapped(l, h, 8100, 5), 8192);
  EXPECT_EQ(snapped(l, h, 12400, 5), 12288);
  EXPECT_EQ(snapped(l, h, 1e9, 5), 262144);
  EXPECT_EQ(snapped(l, h, 3, 5), 1024);
}

TEST(ChartPick, SnapsToTheHandlesOwnValues) {
  const Layout l = lay_out(samples::tradeoff(), {});
  EXPECT_EQ(snapped(l, {.snaps = {10000}}, 10030, 5), 10000);
  EXPECT_NE(snapped(l, {}, 10030, 5), 10000);
}

TEST(ChartPick, InBetweenItIsWholeAndTidy) {
  const Layout l = lay_out(samples::tradeoff(), {});
  for (double x = 1024; x < 262144; x *= 1.0137) {
    const double v = snapped(l, {}, x, 4);
    EXPECT_EQ(v, std::floor(v));
    EXPECT_NEAR(px_of(l, {v, 1}).x, px_of(l, {x, 1}).x, 4.6) << x;
    EXPECT_GE(v, 1024);
    EXPECT_LE(v, 262144);
  }
  EXPECT_EQ(std::fmod(snapped(l, {}, 10001, 1), 16), 0);
}

TEST(ChartPick, ArrowKeysWalkTheLikedValues) {
  const Axis x = samples::tradeoff().x;
  EXPECT_EQ(next_snap(x, {}, 8192, 1), 12288);
  EXPECT_EQ(next_snap(x, {}, 12288, 1), 16384);
  EXPECT_EQ(next_snap(x, {}, 8192, -1), 6144);
  EXPECT_EQ(next_snap(x, {}, 9000, -1), 8192);
  EXPECT_EQ(next_snap(x, {}, 262144, 1), 262144);
  EXPECT_EQ(next_snap(x, {}, 1024, -1), 1024);
  EXPECT_EQ(next_snap(x, {.snaps = {9000}}, 8192, 1), 9000);
  double v = 1024;
  int steps = 0;
  while (v < 262144 && steps++ < 100) v = next_snap(x, {}, v, 1);
  EXPECT_EQ(steps, 16);
}

}  // namespace
}  // namespace kvseats::chart
