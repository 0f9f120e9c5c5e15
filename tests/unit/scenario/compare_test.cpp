#include "scenario/compare.h"

#include <algorithm>

#include "chart/layout.h"
#include "chart/svg.h"
#include "unit/scenario/fixture.h"

// Several scenarios beside each other.
namespace kvseats::scenario {
namespace {

using testing::shipped;

Comparison beside(std::vector<std::string> queries, std::vector<std::string> models = {}) {
  return compare(queries, models, shipped(), units::SizeUnit::kGib);
}

const ComparedRow& row_of(const Comparison& c, std::string_view id) {
  return *std::find_if(c.rows.begin(), c.rows.end(),
                       [id](const ComparedRow& row) { return row.id == id; });
}

// lesson.txt: at 8k each in 53 GB, Llama 2 7B fits 12 requests, Llama 3 8B 49.
TEST(Compare, IsTheLessonsComparisonOfModels) {
  const Comparison c = beside({"model=llama-2-7b&pool=53GB", "model=llama-3-8b&pool=53GB"});
  EXPECT_EQ(row_of(c, "requests").values, (std::vector<std::string>{"12", "49"}));
  EXPECT_EQ(row_of(c, "per_token").values, (std::vector<std::string>{"512 KiB", "128 KiB"}));
  EXPECT_EQ(row_of(c, "kind").values, (std::vector<std::string>{"MHA", "GQA"}));
  EXPECT_EQ(c.scenarios[1].name, "Llama 3 8B");
  EXPECT_EQ(c.sentence,
            "Llama 3 8B serves most at once, 49 requests; Llama 2 7B fewest, 12 requests.");
}

TEST(Compare, NamesSayWhatDiffers) {
  const Comparison c = beside({"pool=53GB", "pool=53GB&kv=fp8", "pool=106GB"});
  EXPECT_EQ(c.scenarios[0].name, "bf16, 49.36 GiB pool");
  EXPECT_EQ(c.scenarios[1].name, "fp8, 49.36 GiB pool");
  EXPECT_EQ(c.scenarios[2].name, "bf16, 98.72 GiB pool");
  EXPECT_TRUE(row_of(c, "cache").differs);
  EXPECT_FALSE(row_of(c, "model").differs);
  EXPECT_EQ(compared_table(c, false).columns.size(), 4U);
  for (const auto& row : compared_table(c, false).rows) EXPECT_NE(row[0], "Model");
}

TEST(Compare, EveryNumberIsThatOfEvaluate) {
  const std::vector<std::string> queries = {"model=gemma-3-27b&tp=2", "model=deepseek-v3&tp=8",
                                            "model=gpt-oss-120b&engine=vllm&tp=2"};
  const Comparison c = beside(queries);
  ASSERT_EQ(c.scenarios.size(), 3U);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const Report alone = evaluate(decode(queries[i], Strictness::kLink), shipped());
    const Maybe n = alone.verdict.fits || alone.concurrency.requests != 0u
                        ? alone.concurrency.requests
                        : Maybe(0);
    EXPECT_EQ(row_of(c, "requests").values[i],
              alone.verdict.status == "no_room" || alone.verdict.status == "refuses"
                  ? "0"
                  : units::grouped(*n));
    EXPECT_EQ(c.scenarios[i].report.pool.bytes, alone.pool.bytes);
  }
}

TEST(Compare, BarsAreSortedAndTellTheKindsApart) {
  const Comparison c = beside({"model=llama-2-7b"},
                              {"deepseek-v3", "gemma-3-27b", "qwen3-next-80b-a3b", "llama-3.1-8b"});
  ASSERT_EQ(c.tokens.bars.size(), 5U);
  const auto total = [](const chart::Bar& bar) {
    double sum = 0;
    for (const chart::Segment& s : bar.segments) sum += s.amount;
    return sum;
  };
  for (std::size_t i = 1; i < c.tokens.bars.size(); ++i) {
    EXPECT_GE(total(c.tokens.bars[i - 1]), total(c.tokens.bars[i]));
  }
  std::vector<std::pair<chart::Ink, bool>> looks;
  for (const chart::Bar& bar : c.tokens.bars) {
    for (const chart::Segment& s : bar.segments) {
      if (s.name == "latent (MLA)" || s.name == "windows" || s.name == "GQA") {
        looks.emplace_back(s.ink, s.hatch);
      }
    }
  }
  std::sort(looks.begin(), looks.end());
  looks.erase(std::unique(looks.begin(), looks.end()), looks.end());
  EXPECT_EQ(looks.size(), 3U) << "GQA, MLA and windows look alike";
  EXPECT_EQ(cache_kind(c.scenarios[3].report.model_spec), "GQA + states");
  EXPECT_EQ(cache_kind(c.scenarios[2].report.model_spec), "GQA + windows");
}

TEST(Compare, ALinkComparesItsPinsAndModels) {
  const Comparison c = compare_link(
      "model=llama-3-8b&pool=53GB&pin=model=llama-2-7b%26pool=53GB&models=deepseek-v3,nonsense-9",
      shipped(), units::SizeUnit::kGib);
  ASSERT_EQ(c.scenarios.size(), 3U);
  EXPECT_TRUE(c.scenarios[0].current);
  EXPECT_EQ(c.scenarios[1].query, "model=llama-2-7b&pool=53GB");
  EXPECT_TRUE(c.scenarios[2].by_model);
  EXPECT_EQ(c.scenarios[2].query, "model=deepseek-v3&pool=53GB");
  EXPECT_FALSE(c.diagnostics.empty()) << "a model that there is not is said";
}

TEST(Compare, WhatSaysTheSameIsOne) {
  EXPECT_EQ(beside({"users=5", "users=5"}).scenarios.size(), 1U);
}

TEST(Compare, AnotherModelDoesNotKeepThisOnesGeometry) {
  const Comparison c = beside({"model=llama-3-8b&layers=40&kvheads=4"}, {"llama-2-7b"});
  EXPECT_EQ(c.scenarios[1].query, "model=llama-2-7b");
}

TEST(Compare, IsAtMostTwelve) {
  std::vector<std::string> queries;
  for (int i = 1; i <= 14; ++i) queries.push_back("users=" + std::to_string(i));
  const Comparison c = beside(queries);
  EXPECT_EQ(c.scenarios.size(), kMostCompared);
  ASSERT_EQ(c.diagnostics.size(), 1U);
  EXPECT_EQ(c.diagnostics[0].code, "W-TOO-MANY");
}

// Names at curves collide with nothing; each is on the plot or in the notes.
TEST(Compare, EveryCurveIsNamed) {
  const Comparison c = beside({"pool=53GB"}, {"llama-2-7b", "deepseek-v3", "gemma-3-27b",
                                              "qwen3-next-80b-a3b", "gpt-oss-120b"});
  for (const double width : {360.0, 960.0}) {
    const chart::Layout layout = chart::lay_out(c.curves, {.width = width, .height = 420});
    std::string all;
    for (const chart::PlacedLabel& label : layout.labels) {
      for (const chart::Text& line : label.lines) all += line.text + " ";
    }
    for (const chart::Text& note : layout.notes) all += note.text + " ";
    for (const chart::Series& s : c.curves.series) {
      EXPECT_NE(all.find(s.label.text.substr(0, 8)), std::string::npos) << s.label.text << all;
    }
  }
}

}  // namespace
}  // namespace kvseats::scenario
