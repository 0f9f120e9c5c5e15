#include "scenario/rates.h"

#include "chart/describe.h"
#include "fixture.h"
#include "scenario/present.h"

namespace kvseats::scenario {
namespace {

using testing::ask;
using testing::shipped;
using testing::words_of;

Report rated(std::string_view line) {
  return evaluate_with_rates(decode(words_of(line), Strictness::kCommandLine), shipped());
}

constexpr std::string_view kTwoServices =
    "model=llama-3.1-8b gpu=h100-sxm pool=53GB service=chat:1000+500x100 "
    "service=documents:12000+1000x100 ";

// 16,060,522,496 B of weights and 49 × (6,144 + 1,024) × 131,072 B of caches over 3,350 GB/s
// (H100 SXM): 18.54 ms, 53.9 tokens a second at most.
TEST(Speed, WeightsAndCachesAreReadOnceAToken) {
  const Report r = rated("model=llama-3.1-8b gpu=h100-sxm pool=53GB");
  ASSERT_TRUE(r.speed.known);
  EXPECT_EQ(r.speed.requests, 49u);
  EXPECT_EQ(r.speed.tokens, 7168u);
  EXPECT_EQ(r.speed.parts.weight_bytes, 16060522496.0);
  EXPECT_EQ(r.speed.parts.cache_bytes, 49.0 * 7168 * 131072);
  EXPECT_NEAR(r.speed.each.high, 53.9, 0.1);
  EXPECT_NEAR(r.speed.together.high, 49 * 53.9, 5);
  EXPECT_EQ(r.speed.bound, "caches");
  EXPECT_EQ(r.speed.caches_from, 18u);  // 16,060,522,496 ÷ (7,168 × 131,072) = 17.1
}

TEST(Speed, TheCachesAreThoseOfCapacity) {
  // Every kind of cache: what a step reads is what the compiled cost charges.
  for (const char* model : {"llama-3.1-8b", "gemma-3-27b", "deepseek-v3"}) {
    const Report r = rated(std::string("gpu=b200-sxm tp=8 users=8 model=") + model);
    if (!r.speed.known) continue;
    double bytes = 0;
    for (const engine::Rank& rank : r.ranks) {
      bytes += 8.0 * static_cast<double>(rank.cost.at(r.speed.tokens));
    }
    EXPECT_EQ(r.speed.parts.cache_bytes, bytes) << model;
  }
}

TEST(Speed, AWishIsLimitedByMemoryOrBySpeed) {
  const Report slow = rated("model=llama-3.1-8b pool=53GB tps=5");
  EXPECT_EQ(slow.speed.limited_by, "memory");
  EXPECT_EQ(slow.speed.fast, 49u);
  const Report fast = rated("model=llama-3.1-8b pool=53GB tps=60");
  EXPECT_EQ(fast.speed.limited_by, "speed");
  EXPECT_LT(*fast.speed.fast, 49u);
  EXPECT_LE(*fast.speed.fast_low, *fast.speed.fast);
  EXPECT_GE(*fast.speed.fast_high, *fast.speed.fast);
}

TEST(Speed, IsNotKnownWhereNothingSaysIt) {
  for (const auto& [line, why] :
       {std::pair{"gpu=custom memory=80GB", "give bandwidth="},
        {"model=whisper-large-v3 users=1", "encodes its prompts"},
        {"model=llama-3.1-405b", "nothing is served"},
        {"engine=llama.cpp model=llama-3-70b gpu=rtx-4090 weights=q4_k_m ngl=20 users=1 context=4k",
         "host's memory"}}) {
    const Report r = rated(line);
    EXPECT_FALSE(r.speed.known) << line;
    EXPECT_NE(r.speed.why.find(why), std::string::npos) << line << ": " << r.speed.why;
    EXPECT_NE(to_json(r).find("\"known\": false"), std::string::npos);
  }
  EXPECT_TRUE(rated("gpu=custom memory=80GB bandwidth=2TB").speed.known);
}

TEST(Speed, EvaluateAloneLeavesItOut) {
  const Report r = ask("pool=53GB");
  EXPECT_TRUE(r.speed.sentence.empty());
  EXPECT_TRUE(r.money.bills.empty());
}

TEST(Speed, ItsLedgerRowsNameOnlyRowsThatAre) {
  const Report r = rated(std::string(kTwoServices) + "price=2.5 currency=EUR");
  const auto has = [&r](const std::string& id) {
    for (const units::LedgerRow& row : r.ledger) {
      if (row.id == id) return true;
    }
    return false;
  };
  for (const units::LedgerRow& row : r.ledger) {
    for (const std::string& input : row.inputs) EXPECT_TRUE(has(input)) << row.id << ": " << input;
  }
  EXPECT_TRUE(has("speed.each"));
  EXPECT_TRUE(has("money.1.million"));
}

// The lesson's two services: 100 users on one H100, 100 on four.
TEST(Money, SameModelSameGpuTwoServicesTwoBills) {
  const Report r = rated(kTwoServices);
  ASSERT_EQ(r.money.bills.size(), 2u);
  EXPECT_EQ(r.money.bills[0].gpus, 1u);
  EXPECT_EQ(r.money.bills[1].gpus, 4u);
  EXPECT_DOUBLE_EQ(r.money.bills[0].user_hour, 0.01);
  EXPECT_DOUBLE_EQ(r.money.bills[1].user_hour, 0.04);
  EXPECT_DOUBLE_EQ(r.money.bills[1].times, 4);
  EXPECT_FALSE(r.money.price.has_value());
  EXPECT_EQ(cost_text(r, 0.04), "0.0400 GPU-hours");
}

TEST(Money, APriceHasNoDefaultAndMultiplies) {
  const Report r = rated(std::string(kTwoServices) + "price=2.5 currency=EUR");
  EXPECT_EQ(cost_text(r, 0.04), "EUR 0.100");
  EXPECT_EQ(cost_text(rated("price=3"), 2), "6.00");
  const std::string json = to_json(r, 0);
  EXPECT_NE(json.find("\"price_per_user_hour\":0.1"), std::string::npos);
  EXPECT_EQ(to_json(rated(kTwoServices), 0).find("price_per_user_hour"), std::string::npos);
  EXPECT_EQ(ask("price=2000000").diagnostics.at(0).code, "E-TOO-LARGE");
}

TEST(Money, AMillionTokensTakeWhatTheirRequestsTakeOfACopy) {
  const Report r = rated("model=llama-3.1-8b gpu=h100-sxm pool=53GB users=49");
  const auto roof = roofline_of(r, shipped());
  ASSERT_TRUE(roof.has_value());
  const plan::Range one = plan::request_time(*roof, 49, 6144, 2048);
  ASSERT_EQ(r.money.bills.size(), 1u);
  EXPECT_DOUBLE_EQ(r.money.bills[0].million->typical, one.typical / 2048 * 1e6 / 3600);
}

TEST(Money, TheChartSaysItInWords) {
  const Report r = rated(kTwoServices);
  const chart::BarChart bars = bills_chart(r);
  ASSERT_EQ(bars.bars.size(), 2u);
  EXPECT_EQ(bars.bars[1].segments[0].value, "4 GPUs for 100 users of 13,000 tokens");
  EXPECT_NE(chart::describe(bars).text.find("4.00 times as much"), std::string::npos);
  EXPECT_TRUE(bills_chart(rated("model=llama-3.1-405b")).bars.empty());
}

TEST(Money, NothingIsNotANumberOverTheCatalogue) {
  for (const model::Model& model : shipped().models) {
    const Report r = rated("gpu=b200-sxm tp=8 users=4 tps=20 price=1 model=" + model.slug);
    const std::string json = to_json(r, 0);
    EXPECT_EQ(json.find(":nan"), std::string::npos) << model.slug;
    EXPECT_EQ(json.find(":inf"), std::string::npos) << model.slug;
    if (!r.speed.known) continue;
    EXPECT_GT(r.speed.each.low, 0) << model.slug;
    EXPECT_LE(r.speed.each.low, r.speed.each.typical) << model.slug;
    EXPECT_LE(r.speed.each.typical, r.speed.each.high) << model.slug;
  }
}

}  // namespace
}  // namespace kvseats::scenario
