#include "scenario/waterfall.h"

#include "chart/describe.h"
#include "scenario/present.h"
#include "unit/scenario/fixture.h"

// From a cache without savings to the deployment that is shown.
namespace kvseats::scenario {
namespace {

using testing::ask;
using testing::shipped;

std::string steps_of(std::string_view query) {
  std::string out;
  for (const WaterfallStep& step : waterfall(ask(query), shipped())) {
    out += (out.empty() ? "" : " ") + step.id + ":" +
           (step.requests ? units::plain(*step.requests) : "any");
  }
  return out;
}

struct Case {
  std::string_view query, steps;
};

// Llama 3 8B in 53 GB: 4 GiB for 8,192 tokens of 32 heads, 1 GiB of 8; 1,500 tokens take 187.5 MiB
// where a request takes what it needs; half of that in 8 bits.
TEST(Waterfall, EverySavingOnTopOfTheOneBefore) {
  for (const Case& c : {
           Case{"pool=53GB model=llama-3-8b context=8192 prompt=1500 output=0 kv=fp8",
                "start:12 heads:49 paged:269 format:539"},
           Case{"pool=53GB model=llama-2-7b context=8192 prompt=1500 output=0",
                "start:12 paged:67"},
           Case{"pool=53GB model=llama-3-8b prompt=8192 output=0", "start:12 heads:49"},
           Case{"pool=53GB model=llama-3-8b context=8192 prompt=1500 output=0 alloc=reserved",
                "start:12 heads:49"},
           // One latent of 576 for all heads: nothing to take apart.
           Case{"pool=40GB model=deepseek-v3 gpu=h200 tp=8 prompt=8192 output=0", "start:69"},
       }) {
    EXPECT_EQ(steps_of(c.query), c.steps) << c.query;
  }
}

// What a step says is what its link answers.
TEST(Waterfall, LinksGiveTheirCounts) {
  for (const char* query :
       {"model=gemma-3-27b context=32768 prompt=8000 output=500 pool=20GB",
        "engine=vllm model=gpt-oss-120b", "engine=llama.cpp model=llama-3-8b gpu=rtx-4090 seqs=4",
        "engine=vllm model=qwen3-next-80b-a3b tp=4 kv=fp8", "model=jamba-1.5-mini tp=2"}) {
    const std::vector<WaterfallStep> steps = waterfall(ask(query), shipped());
    for (const WaterfallStep& step : steps) {
      const Report again = evaluate(decode(step.query, Strictness::kCommandLine), shipped());
      EXPECT_EQ(is_stopped(again) ? Maybe(0) : again.concurrency.requests, step.requests)
          << query << ", " << step.id << ": " << step.query;
    }
    if (!steps.empty()) {
      const Report now = ask(query);
      EXPECT_EQ(steps.back().requests, is_stopped(now) ? Maybe(0) : now.concurrency.requests);
    }
  }
}

TEST(Waterfall, ThereIsNoneWithoutAnAnswer) {
  EXPECT_TRUE(waterfall(ask("model=nonesuch"), shipped()).empty());
  EXPECT_TRUE(waterfall(ask("model=llama-3.1-70b"), shipped()).empty());
}

TEST(LeverBars, NameTheCheapestThatServesAll) {
  const chart::BarChart bars = lever_bars(ask("pool=53GB prompt=8192 output=0 users=98"));
  EXPECT_EQ(bars.summary,
            "The cheapest single change that serves 98: 8-bit cache, at the price of a small risk "
            "to quality.");
  ASSERT_FALSE(bars.bars.empty());
  EXPECT_EQ(bars.bars[0].id, "next.kv8");
  EXPECT_TRUE(bars.bars[0].emphasis);
  EXPECT_EQ(lever_bars(ask("pool=53GB prompt=8192 output=0 users=5000")).summary,
            "No single change serves 5,000; the cheapest that helps: 8-bit cache.");
}

TEST(WaterfallBars, SayWhereItBeganAndEnded) {
  const chart::BarChart bars = waterfall_bars(
      ask("pool=53GB model=llama-3-8b context=8192 prompt=1500 output=0 kv=fp8"), shipped());
  EXPECT_EQ(bars.summary,
            "12 requests of 1,500 tokens fit at once before any saving, 539 requests with all of "
            "them, in the same pool.");
  const chart::TextTable table = chart::describe(bars).table;
  ASSERT_EQ(table.rows.size(), 7u);
  EXPECT_EQ(table.rows[2], (std::vector<std::string>{"8 KV heads instead of 32", "added", "37"}));
}

}  // namespace
}  // namespace kvseats::scenario
