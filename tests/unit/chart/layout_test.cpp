#include "chart/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "chart/geometry.h"
#include "unit/chart/samples.h"

namespace kvseats::chart {
namespace {

Rect box_of(Px at, double radius) {
  return {at.x - radius, at.y - radius, at.x + radius, at.y + radius};
}

bool touches_any(const Rect& box, const std::vector<Px>& line) {
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (touches(box, line[i - 1], line[i])) return true;
  }
  return false;
}

Rect box_of(const Text& t) {
  return {t.at.x, t.at.y - t.size * 0.75, t.at.x + t.width, t.at.y + t.size * 0.2};
}

const PlacedLabel* find(const Layout& l, Part part, std::uint32_t index, std::uint32_t slot = 0) {
  for (const PlacedLabel& label : l.labels) {
    if (label.part == part && label.index == index && label.slot == slot) return &label;
  }
  return nullptr;
}

std::string said_in_notes(const Layout& l) {
  std::string all;
  for (const Text& note : l.notes) all += note.text;
  std::erase(all, ' ');
  return all;
}

/// Every promise about labels, for one layout.
void expect_clear(const Layout& l, const std::string& what) {
  SCOPED_TRACE(what);
  for (std::size_t i = 0; i < l.labels.size(); ++i) {
    const PlacedLabel& a = l.labels[i];
    const std::string& text = a.lines.front().text;
    EXPECT_TRUE(contains(grown(l.plot, 0.01), a.box)) << text << " leaves the plot";
    for (std::size_t k = i + 1; k < l.labels.size(); ++k) {
      EXPECT_FALSE(overlap(a.box, l.labels[k].box)) << text << " on " << l.labels[k].lines[0].text;
      if (l.labels[k].leader) {
        EXPECT_FALSE(touches(a.box, l.labels[k].leader_from, l.labels[k].leader_to)) << text;
      }
      if (a.leader) {
        EXPECT_FALSE(touches(l.labels[k].box, a.leader_from, a.leader_to)) << text;
      }
    }
    for (const Stroke& s : l.strokes) {
      EXPECT_FALSE(touches_any(grown(a.box, 0.5), s.points))
          << text << " on a stroke of part " << int(s.part) << " " << s.index;
    }
    for (const PlacedMark& m : l.marks)
      EXPECT_FALSE(overlap(a.box, box_of(m.at, m.radius))) << text;
    if (l.handle_shown) {
      EXPECT_FALSE(overlap(a.box, box_of(l.handle, l.handle_radius))) << text;
    }
    for (const Text& t : a.lines) {
      EXPECT_GE(t.at.x, a.box.left - 0.01);
      EXPECT_LE(t.at.x + t.width, a.box.right + 0.01);
    }
  }
}

void expect_ticks_apart(const Layout& l, const std::string& what) {
  SCOPED_TRACE(what);
  for (const auto* list : {&l.x_ticks, &l.y_ticks}) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Text& t = (*list)[i].label;
      if (t.text.empty()) continue;
      EXPECT_GE(t.at.x, -0.01) << t.text;
      EXPECT_LE(t.at.x + t.width, l.width + 0.01) << t.text;
      if (i > 0) {
        EXPECT_FALSE(overlap(box_of(t), box_of((*list)[i - 1].label))) << t.text;
      }
    }
  }
  for (const Text& note : l.notes) {
    EXPECT_GE(box_of(note).top, l.x_title.text.empty() ? l.plot.bottom : l.x_title.at.y);
    EXPECT_LE(note.at.y, l.height);
  }
}

void expect_nothing_lost(const Chart& c, const Layout& l) {
  const std::string notes = said_in_notes(l);
  for (std::size_t i = 0; i < c.marks.size(); ++i) {
    const Label& label = c.marks[i].label;
    if (!label.keep || label.text.empty()) continue;
    const PlacedLabel* placed = find(l, Part::kMark, std::uint32_t(i));
    std::string packed = label.text;
    std::erase(packed, ' ');
    EXPECT_TRUE((placed != nullptr && !placed->brief) || notes.find(packed) != std::string::npos)
        << label.text;
  }
}

TEST(ChartLayout, NoLabelLiesOnAnythingInTwoHundredRandomCharts) {
  int placed = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    samples::Random r(seed);
    const Chart c = samples::random_chart(r);
    LayoutOptions o{.width = r.between(260, 1600), .height = r.between(220, 1000)};
    if (r.chance(0.2)) o.text_scale = 2.0;
    o.caption = r.chance(0.2);
    o.touch = r.chance(0.2);
    const Layout l = lay_out(c, o);
    const std::string what = "seed " + std::to_string(seed);
    expect_clear(l, what);
    expect_ticks_apart(l, what);
    if (o.height > 420 && o.text_scale == 1.0) {
      SCOPED_TRACE(what);
      expect_nothing_lost(c, l);
    }
    placed += int(l.labels.size());
  }
  EXPECT_GT(placed, 700);  // they are placed, not just dropped
}

TEST(ChartLayout, StrokesStayInsideThePlot) {
  for (std::uint64_t seed = 300; seed < 360; ++seed) {
    samples::Random r(seed);
    const Layout l = lay_out(samples::random_chart(r), {});
    for (const Stroke& s : l.strokes) {
      for (const Px p : s.points) {
        EXPECT_TRUE(contains(grown(l.plot, 1e-6), {p.x, p.y, p.x, p.y})) << seed;
      }
    }
    for (const PlacedMark& m : l.marks) {
      EXPECT_TRUE(contains(grown(l.plot, 1e-6), {m.at.x, m.at.y, m.at.x, m.at.y})) << seed;
    }
  }
}

TEST(ChartLayout, TheLessonKeepsAllItsLabelsAtEverySize) {
  const Chart c = samples::tradeoff();
  for (const double width : {320.0, 360.0, 520.0, 700.0, 960.0, 1440.0}) {
    for (const double height : {300.0, 420.0, 560.0, 900.0}) {
      const Layout l = lay_out(c, {.width = width, .height = height});
      const std::string what = std::to_string(width) + " x " + std::to_string(height);
      expect_clear(l, what);
      expect_ticks_apart(l, what);
      SCOPED_TRACE(what);
      expect_nothing_lost(c, l);
      ASSERT_NE(find(l, Part::kHandle, 0, 2), nullptr);
      EXPECT_EQ(find(l, Part::kHandle, 0, 2)->lines.front().text, "49");
    }
  }
}

TEST(ChartLayout, AWidePlotNamesEverythingInPlace) {
  const Layout l = lay_out(samples::tradeoff(), {.width = 1060, .height = 560});
  EXPECT_TRUE(l.notes.empty());
  EXPECT_EQ(l.dropped, 0U);
  for (const Part part : {Part::kMark, Part::kSeries}) {
    for (std::uint32_t i = 0; i < 2; ++i) EXPECT_NE(find(l, part, i), nullptr);
  }
  EXPECT_NE(find(l, Part::kSeries, 2), nullptr);
  EXPECT_NE(find(l, Part::kRule, 0), nullptr);
}

TEST(ChartLayout, TicksAreThinnedWithTheRoom) {
  const auto labels = [](const std::vector<PlacedTick>& list) {
    std::string all;
    for (const PlacedTick& t : list) all += (all.empty() ? "" : " ") + t.label.text;
    return all;
  };
  const Chart c = samples::tradeoff();
  const Layout wide = lay_out(c, {.width = 960, .height = 560});
  EXPECT_EQ(labels(wide.x_ticks), "1k 2k 4k 8k 16k 32k 64k 128k 256k");
  EXPECT_EQ(labels(wide.y_ticks), "1 3 10 30 100 300 1,000");
  const Layout phone = lay_out(c, {.width = 360, .height = 240});
  EXPECT_EQ(labels(phone.x_ticks), "1k 4k 16k 64k 256k");
}

TEST(ChartLayout, TheCurveGoesOnDashedBeyondTheLimit) {
  const Layout l = lay_out(samples::tradeoff(), {});
  const double limit = px_of(l, {131072, 1}).x;
  int solid = 0;
  int dashed = 0;
  for (const Stroke& s : l.strokes) {
    if (s.part != Part::kSeries || s.index != 2) continue;
    (s.dash == Dash::kSolid ? solid : dashed) += 1;
    if (s.dash == Dash::kSolid) {
      EXPECT_LE(s.points.back().x, limit + 1e-9);
    }
    if (s.dash == Dash::kDashed) {
      EXPECT_GE(s.points.front().x, limit - 1e-9);
    }
  }
  EXPECT_EQ(solid, 1);
  EXPECT_EQ(dashed, 1);
}

TEST(ChartLayout, StepsAreExactAtIntegerRequests) {
  // 404,357 tokens: 3 requests fit up to 134,785 tokens each, 2 from 134,786 on.
  const Layout l = lay_out(samples::tradeoff(), {.width = 4000, .height = 2000});
  const auto height_at = [&](double tokens) {
    const double x = px_of(l, {tokens, 1}).x;
    for (const Stroke& s : l.strokes) {
      if (s.part != Part::kSeries || s.index != 2) continue;
      for (std::size_t i = 1; i < s.points.size(); ++i) {
        const Px a = s.points[i - 1];
        const Px b = s.points[i];
        if (a.x <= x && x <= b.x && std::fabs(a.y - b.y) < 0.5) return data_at(l, a).y;
      }
    }
    return 0.0;
  };
  EXPECT_NEAR(height_at(130000), 3.0, 0.01);
  EXPECT_NEAR(height_at(134700), 3.0, 0.01);
  EXPECT_NEAR(height_at(134900), 2.0, 0.01);
}

TEST(ChartLayout, PixelsAndDataAreInverse) {
  const Layout l = lay_out(samples::tradeoff(), {});
  for (const Point p : {Point{1024, 1}, Point{8192, 49}, Point{131072, 3}, Point{262144, 1000}}) {
    const Point back = data_at(l, px_of(l, p));
    EXPECT_NEAR(back.x, p.x, p.x * 1e-11);
    EXPECT_NEAR(back.y, p.y, p.y * 1e-11);
  }
}

TEST(ChartLayout, MarksOutsideStandOnTheBorderAndPointOut) {
  Chart c = samples::tradeoff();
  c.marks = {{.at = {1e9, 10}}, {.at = {4096, 1e6}}, {.at = {2, 10}}, {.at = {4096, 0.01}}};
  const Layout l = lay_out(c, {});
  EXPECT_EQ(l.marks[0].beyond, 1);
  EXPECT_EQ(l.marks[1].beyond, 2);
  EXPECT_EQ(l.marks[2].beyond, 3);
  EXPECT_EQ(l.marks[3].beyond, 4);
  EXPECT_DOUBLE_EQ(l.marks[0].at.x, l.plot.right);
}

TEST(ChartLayout, WhileAHandDragsOnlyWhatItMovesMoves) {
  Chart c = samples::tradeoff();
  Layout before = lay_out(c, {});
  for (double x = 8192; x < 12000; x += 256) {
    c.handle.at = {x, std::floor(404357 / x)};
    const Layout now = lay_out(c, {.previous = &before});
    expect_clear(now, std::to_string(x));
    for (const PlacedLabel& label : now.labels) {
      if (label.part == Part::kHandle) continue;
      const PlacedLabel* old = find(before, label.part, label.index);
      if (old == nullptr || old->leader) continue;
      // What moved had to: the handle or its guides came upon it.
      const bool hit = overlap(old->box, grown(box_of(now.handle, now.handle_radius), 4)) ||
                       touches(grown(old->box, 4), now.handle, {now.handle.x, now.plot.bottom}) ||
                       touches(grown(old->box, 4), now.handle, {now.plot.left, now.handle.y});
      if (!hit) {
        EXPECT_EQ(label.box, old->box) << label.lines[0].text << " at " << x;
      }
    }
    before = now;
  }
}

TEST(ChartLayout, TheSameChartGivesTheSamePicture) {
  const Chart c = samples::tradeoff();
  const Layout a = lay_out(c, {});
  const Layout b = lay_out(c, {});
  ASSERT_EQ(a.labels.size(), b.labels.size());
  for (std::size_t i = 0; i < a.labels.size(); ++i) EXPECT_EQ(a.labels[i].box, b.labels[i].box);
}

TEST(ChartLayout, NonsenseIsDrawnAsNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Chart c;
  c.x = {"", ScaleKind::kLog10, -1, nan};
  c.y = {"", ScaleKind::kLinear, 5, 5};
  c.series.push_back({.points = {{nan, nan}, {1, nan}, {nan, 1}}});
  c.series.push_back({});
  c.marks.push_back({.at = {nan, nan}});
  c.bands.push_back({});
  for (const double size : {0.0, 1.0, 30.0, 200.0}) {
    const Layout l = lay_out(c, {.width = size, .height = size});
    EXPECT_GE(l.plot.width(), 1.0);
    for (const PlacedMark& m : l.marks) EXPECT_EQ(m.at.x, m.at.x);
  }
}

TEST(ChartLayout, InterDigitsAreTabular) {
  const Measure m = inter_measure();
  for (const char* digit : {"1", "4", "7", "8"}) {
    EXPECT_DOUBLE_EQ(m.width(m.self, digit, 12, false), m.width(m.self, "0", 12, false));
  }
  EXPECT_NEAR(m.width(m.self, "0", 1000, false), 648, 0.01);  // hmtx of Inter Regular, tnum
  EXPECT_GT(m.width(m.self, "requests", 12, true), m.width(m.self, "requests", 12, false));
  EXPECT_GT(m.width(m.self, "\xFF\xE2\x28", 12, false), 0.0);  // broken UTF-8 is some width
}

}  // namespace
}  // namespace kvseats::chart
