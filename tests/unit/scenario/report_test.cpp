#include "chart/layout.h"
#include "scenario/json_path.h"
#include "scenario/present.h"
#include "scenario/sweep.h"
#include "unit/scenario/fixture.h"

// What must hold between the numbers of a report, whatever they are.
namespace kvseats::scenario {
namespace {

using testing::ask;
using testing::shipped;
using testing::words_of;

const char* const kQueries[] = {
    "",
    "pool=53GB",
    "model=deepseek-v3 gpu=h200-sxm tp=8",
    "model=gemma-3-27b gpu=h100-sxm tp=2 context=131072 users=20",
    "model=gpt-oss-120b gpu=h100-sxm tp=2",
    "model=llama-3-70b gpu=h100-sxm tp=4 pp=2 kv=fp8",
    "model=llama-3.1-8b gpu=rtx-4090 weights=q4_k_m kv=q8_0",
    "model=llama-3.1-8b pool=53GB tp=3",
    "model=llama-3.1-8b pool=53GB alloc=reserved context=131072",
    "model=llama-3-70b gpu=h100-sxm",
    // A state that is given is kept in no wider type than it was given in.
    "model=nemotron-h-56b gpu=h200 tp=2 engine=sglang statetype=float32 state=0",
};

TEST(Report, MemoryPartsAddUpToWhatTheGpuOffers) {
  for (const char* query : kQueries) {
    const Report report = ask(query);
    ASSERT_TRUE(report.ok) << query;
    units::Bytes sum;
    for (const Report::MemoryPart& part : report.memory) sum += part.bytes;
    EXPECT_EQ(sum, report.gpu.seen) << query;
  }
}

// Exact, as fractions: rounding happens once, at the parent.
TEST(Report, LedgerChildrenAddUpToTheirParent) {
  for (const char* query : kQueries) {
    const Report report = ask(query);
    for (const units::LedgerRow& parent : report.ledger) {
      units::Ratio sum;
      bool any = false;
      for (const units::LedgerRow& row : report.ledger) {
        if (row.parent != parent.id) continue;
        any = true;
        sum = units::add(sum, row.value.kind == units::LedgerValue::Kind::kRatio
                                  ? row.value.ratio
                                  : units::Ratio{row.value.whole, 1});
      }
      if (!any) continue;
      const units::Ratio whole = parent.value.kind == units::LedgerValue::Kind::kRatio
                                     ? parent.value.ratio
                                     : units::Ratio{parent.value.whole, 1};
      EXPECT_EQ(sum, whole) << query << " " << parent.id;
    }
  }
}

TEST(Report, LedgerIdsAreUniqueAndInputsExist) {
  for (const char* query : kQueries) {
    const Report report = ask(query);
    for (const units::LedgerRow& row : report.ledger) {
      int same = 0;
      for (const units::LedgerRow& other : report.ledger) same += other.id == row.id;
      EXPECT_EQ(same, 1) << query << " " << row.id;
      EXPECT_FALSE(row.label.empty()) << row.id;
      EXPECT_FALSE(row.source.empty()) << row.id;
    }
  }
}

TEST(Report, LinksGiveTheSameReportAgain) {
  for (const char* query : kQueries) {
    const Report report = ask(query);
    const Decoded again = decode(report.query, Strictness::kLink);
    EXPECT_EQ(again.scenario, report.scenario) << query;
    EXPECT_EQ(to_json(evaluate(again, shipped())), to_json(report)) << query;
  }
}

TEST(Report, WhatWasTypedIsKept) {
  EXPECT_EQ(ask("pool=53GB prompt=8k").query, "pool=53GB&prompt=8k");
  EXPECT_EQ(ask("users=100").query, "users=100") << "equal to the default, and still typed";
}

TEST(Report, PinnedLinkNamesEngineAndCatalogue) {
  const Report report = ask("pool=53GB");
  EXPECT_NE(report.pinned_query.find("engine=hand"), std::string::npos);
  EXPECT_NE(report.pinned_query.find("util=0.9"), std::string::npos);
  EXPECT_NE(report.pinned_query.find("catalogue=" + shipped().date), std::string::npos);
}

TEST(Report, LinksKeepUnknownKeysAndForgiveBadValues) {
  const Decoded decoded = decode("future=1&tp=0&pool=53GB&view=levers", Strictness::kLink);
  ASSERT_EQ(decoded.unknown.size(), 1u);
  EXPECT_EQ(decoded.unknown[0].first, "future");
  ASSERT_EQ(decoded.page.size(), 1u);
  EXPECT_FALSE(units::has_error(decoded.diagnostics));
  const Report report = evaluate(decoded, shipped());
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.gpu.count, 1u);
}

// Llama 3 8B in bf16 and 16-bit cache on one 24 GB card: 16.06 GB of weights leave too little.
TEST(Report, NoRoomIsAVerdictAndNotAnError) {
  const Report report = ask("model=llama-3-70b gpu=h100-sxm");
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.verdict.status, "no_room");
  EXPECT_FALSE(report.verdict.fits);
}

TEST(Report, DataParallelNeedsTwiceTheGpusForTwiceTheRequests) {
  const Report report = ask("pool=53GB prompt=8192 output=0 users=98");
  EXPECT_EQ(report.users.gpus_needed, 2u);
  EXPECT_EQ(ask("pool=53GB prompt=8192 output=0 users=98 tp=2").users.gpus_needed, 2u);
}

TEST(Report, CheapestLeverReachesTheWantedRequestsIfOneDoes) {
  const Report report = ask("pool=53GB prompt=8192 output=0 users=98");
  EXPECT_EQ(report.verdict.lever, "8-bit cache → 98 requests");
}

TEST(Sweep, OneRowForEachCombination) {
  const auto words = words_of(
      "pool=53GB model=llama-2-7b,llama-3-8b context=2k..8k*2 "
      "columns=concurrency.requests");
  const Table table = sweep(words, shipped());
  ASSERT_TRUE(table.ok);
  ASSERT_EQ(table.rows.size(), 6u);
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"llama-2-7b", "2048", "49", ""}));
  EXPECT_EQ(table.rows[5], (std::vector<std::string>{"llama-3-8b", "8192", "49", ""}));
}

TEST(Sweep, ABadRowSaysSoAndTheOthersGoOn) {
  const Table table = sweep(words_of("pool=53GB model=llama-3-8b,nonesuch"), shipped());
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].back(), "");
  EXPECT_EQ(table.rows[1].back(), "E-UNKNOWN-MODEL");
}

TEST(Sweep, CsvNeverStartsAFormula) {
  Table table;
  table.columns = {"a"};
  table.quoted = {true};
  table.rows = {{"=1+1"}, {"-5"}, {"a,\"b\""}};
  EXPECT_EQ(to_csv(table, shipped()).substr(to_csv(table, shipped()).find('\n') + 1),
            "a\r\n\"'=1+1\"\r\n-5\r\n\"a,\"\"b\"\"\"\r\n");
}

TEST(JsonPath, FindsMembersAndElements) {
  const std::string json = R"({"a": {"b": [1, {"c": "x\"y"}, null]}, "d": true})";
  EXPECT_EQ(json_path(json, "a.b.0"), "1");
  EXPECT_EQ(json_path(json, "a.b.1.c"), "x\\\"y");
  EXPECT_EQ(json_path(json, "a.b.2"), "null");
  EXPECT_EQ(json_path(json, "d"), "true");
  EXPECT_EQ(json_path(json, "a.x"), "");
  EXPECT_EQ(json_path(json, "a.b.9"), "");
}

TEST(Tradeoff, TheCurveIsTheDivisionAtEveryPoint) {
  const Report report = ask("pool=53GB prompt=6144 output=2048");
  const chart::Chart chart = tradeoff_chart(report, units::SizeUnit::kGib);
  ASSERT_FALSE(chart.series.empty());
  const chart::Series& now = chart.series.back();
  ASSERT_GT(now.points.size(), 40u);
  for (std::size_t i = 0; i + 1 < now.points.size(); ++i) {
    const auto tokens = static_cast<std::uint64_t>(now.points[i].x + 0.5);
    EXPECT_EQ(static_cast<std::uint64_t>(now.points[i].y), 53000000000ULL / (131072ULL * tokens));
  }
  EXPECT_EQ(chart.handle.at, (chart::Point{8192, 49}));
}

// A request that does not fit has its point at the lower edge: it stays in reach.
TEST(Tradeoff, WhereNoRequestFitsThePointStays) {
  const Report report = ask("pool=1GB prompt=12000 output=0");
  ASSERT_EQ(report.concurrency.requests, 0u);
  const chart::Chart chart = tradeoff_chart(report, units::SizeUnit::kGib);
  EXPECT_TRUE(chart.handle.shown);
  EXPECT_EQ(chart.handle.at, (chart::Point{12000, 0}));
  EXPECT_EQ(chart.handle.label.text, "no request of 12,000 tokens fits");
  const chart::Layout layout = chart::lay_out(chart, {.width = 640, .height = 400});
  EXPECT_EQ(layout.handle.y, layout.plot.bottom);
}

// Llama 3.1 70B has 70.6e9 parameters of 2 B: 141 GB beside the 25.76 GB of an RTX 4090.
TEST(MemoryBar, SaysHowMuchLargerTheWeightsAreThanTheCard) {
  const Report report = ask("model=llama-3.1-70b gpu=rtx-4090");
  const chart::BarChart chart = memory_bar(report, units::SizeUnit::kGb);
  ASSERT_EQ(chart.bars.size(), 1u);
  EXPECT_EQ(chart.bars[0].value, "weights 141.1 GB, the card has " +
                                     units::size_text(report.gpu.seen, units::SizeUnit::kGb));
  ASSERT_EQ(chart.bars[0].segments.size(), 2u);
  EXPECT_EQ(chart.bars[0].segments[1].ink, chart::Ink::kBad);
  double sum = 0.0;
  for (const chart::Segment& part : chart.bars[0].segments) sum += part.amount;
  EXPECT_EQ(sum, 141107412992.0);
}

// vLLM runs max_num_seqs requests however large the pool is.
TEST(MemoryBar, TheRestOfThePoolIsNoRoomWhereTheEngineTakesNoMore) {
  const auto label = [](const Report& report) {
    for (const Report::MemoryPart& part : report.memory) {
      if (part.kind == "free") return part.label;
    }
    return std::string();
  };
  const Report capped = ask("engine=vllm seqs=4 users=10");
  EXPECT_EQ(label(capped), "Free, but the engine runs at most 4 sequences");
  ASSERT_EQ(capped.gpus.size(), 1u);
  EXPECT_EQ(capped.gpus[0].parts.back().label, label(capped));
  EXPECT_EQ(label(ask("engine=vllm seqs=4 users=3")), "Free in the pool");
  EXPECT_EQ(label(ask("engine=vllm users=1000")), "Free in the pool");
}

}  // namespace
}  // namespace kvseats::scenario
