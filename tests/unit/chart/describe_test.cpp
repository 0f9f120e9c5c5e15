#include "chart/describe.h"

#include <gtest/gtest.h>

#include "unit/chart/samples.h"

namespace kvseats::chart {
namespace {

TEST(ChartDescribe, SaysWhatThePictureShows) {
  const Description d = describe(samples::tradeoff());
  EXPECT_EQ(
      d.text,
      "Context against requests: from 394 at 1k to 1 at 202,179. The operating point is 49 at "
      "8,192. Chat, 100 users: fits. Document QA, 100 users: needs 170 GB. Marked at 131,072: "
      "the model's own limit, 128k.");
}

TEST(ChartDescribe, WhatTheChartBringsComesFirst) {
  Chart c = samples::tradeoff();
  c.summary = "Twice the context, half the requests.";
  c.table = {{"context", "requests"}, {{"8,192", "49"}}};
  EXPECT_EQ(describe(c).text, c.summary);
  EXPECT_EQ(describe(c).table, c.table);
}

TEST(ChartDescribe, TablesHoldOnlyPointsThatTheCurvesHold) {
  Chart c;
  c.x = {"tokens", ScaleKind::kLog2, 1024, 8192, TickText::kBinary};
  c.y.title = "requests";
  c.series.push_back({.label = {.text = "now"},
                      .weight = 2,
                      .points = {{1024, 394}, {1500, 269}, {2048, 197}, {8192, 49}}});
  c.series.push_back({.label = {.text = "8-bit"}, .points = {{1024, 789}, {8192, 98}}});
  const TextTable t = describe(c).table;
  EXPECT_EQ(t.columns, (std::vector<std::string>{"tokens", "now", "8-bit"}));
  ASSERT_EQ(t.rows.size(), 3U);
  EXPECT_EQ(t.rows[0], (std::vector<std::string>{"1,024", "394", "789"}));
  EXPECT_EQ(t.rows[1], (std::vector<std::string>{"2,048", "197", ""}));
  EXPECT_EQ(t.rows[2], (std::vector<std::string>{"8,192", "49", "98"}));
}

TEST(ChartDescribe, BarsAreRead) {
  BarChart b{.id = "m", .title = "Memory"};
  b.bars.push_back(
      {.name = "one GPU", .segments = {{"w", "weights", "16.1 GB", 16.1}, {"c", "cache", "", 53}}});
  EXPECT_EQ(describe(b).text, "Memory: weights 16.1 GB, cache.");
  EXPECT_EQ(describe(b).table.rows[1], (std::vector<std::string>{"one GPU", "cache", "53"}));
}

TEST(ChartDescribe, CsvIsSafeInASpreadsheet) {
  EXPECT_EQ(to_csv({{"a", "b,c"}, {{"say \"x\"", "=1+1"}, {"-5", "-x"}, {"+1", "@a"}}}),
            "a,\"b,c\"\r\n\"say \"\"x\"\"\",'=1+1\r\n-5,'-x\r\n'+1,'@a\r\n");
}

TEST(ChartDescribe, PointsComeInFull) {
  const TextTable t = points_table(samples::tradeoff());
  EXPECT_EQ(t.rows.front(), (std::vector<std::string>{"curve", "2 GPUs, or an 8-bit cache", "1024",
                                                      "789.759765625"}));
  EXPECT_EQ(t.rows.back(), (std::vector<std::string>{"operating point", "", "8192", "49"}));
}

}  // namespace
}  // namespace kvseats::chart
