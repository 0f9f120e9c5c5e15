#include "chart/describe.h"
#include "fixture.h"
#include "scenario/solve.h"

namespace kvseats::scenario {
namespace {

using testing::ask;
using testing::shipped;
using testing::words_of;

Solution solved(std::string_view line) {
  return solve(read_question(words_of(line), Strictness::kCommandLine), shipped());
}

constexpr std::string_view kMix =
    "for=pareto model=llama-3.1-8b gpu=h100-sxm,h200,b200,mi300x service=chat:1000+500x100 "
    "service=documents:12000+1000x100 ";

TEST(Pareto, EveryOfferHoldsAllServicesTogether) {
  const Solution s = solved(kMix);
  ASSERT_TRUE(s.ok);
  ASSERT_FALSE(s.offers.empty());
  for (const OfferAnswer& offer : s.offers) {
    const Report r = evaluate(decode(offer.query, Strictness::kCommandLine), shipped());
    EXPECT_TRUE(r.services_together.fits) << offer.query;
    EXPECT_EQ(r.gpu.count, offer.offer.rented) << offer.query;
    EXPECT_LE(offer.offer.needed, offer.offer.rented);
  }
}

TEST(Pareto, EachNextCostsMoreAndIsRoomier) {
  const Solution s = solved(kMix);
  for (std::size_t i = 1; i < s.offers.size(); ++i) {
    EXPECT_GT(s.offers[i].cost, s.offers[i - 1].cost);
    EXPECT_GT(s.offers[i].offer.free, s.offers[i - 1].offer.free);
  }
}

// A node more for a percent of room is no choice that people have.
TEST(Pareto, TheLongTailIsLeftOutAndCounted) {
  const Solution s = solved(
      "for=pareto model=qwen3-235b-a22b context=32k users=64 gpu=h100-sxm,h200,b200,mi300x "
      "price=2,3,4,3");
  ASSERT_TRUE(s.ok);
  EXPECT_LE(s.offers.size(), 8u);
  EXPECT_GE(s.offers.size(), 2u);
  EXPECT_GT(s.offers_left_out, 1u);
  for (std::size_t i = 1; i < s.offers.size(); ++i) {
    EXPECT_GE(s.offers[i].offer.free, s.offers[i - 1].offer.free + 0.05);
    EXPECT_LE(s.offers[i].cost, s.offers[0].cost * 8);
  }
  EXPECT_NE(to_text(s).find(std::to_string(s.offers_left_out) + " dearer layouts with hardly"),
            std::string::npos)
      << to_text(s);
  EXPECT_NE(to_json(s, 0).find("\"left_out\":" + std::to_string(s.offers_left_out)),
            std::string::npos);
}

TEST(Pareto, PricesStandWithTheirAcceleratorsAndDecide) {
  const Solution s = solved(std::string(kMix) + "price=1,100,100,100 currency=EUR");
  ASSERT_TRUE(s.ok);
  EXPECT_EQ(s.offers.front().slug, "h100-sxm");
  EXPECT_EQ(s.offers.front().cost, static_cast<double>(s.offers.front().offer.rented));
  EXPECT_NE(s.sentence.find("EUR"), std::string::npos) << s.sentence;
  EXPECT_EQ(solved(std::string(kMix) + "price=1,2").diagnostics.back().code, "E-PRICES");
  EXPECT_EQ(solved(std::string(kMix) + "price=1,2,3,x").diagnostics.back().code, "E-NUMBER");
}

TEST(Pareto, WithoutPricesItSaysThatGpusCountAlike) {
  const Solution s = solved(kMix);
  EXPECT_EQ(s.diagnostics.back().code, "N-PRICES");
  EXPECT_EQ(to_json(s, 0).find("\"price\":1"), std::string::npos);
}

TEST(Pareto, NoneIsSaidInWords) {
  const Solution s = solved("for=pareto model=llama-3.1-405b weights=bf16 gpu=l4 users=1000");
  EXPECT_TRUE(s.ok);
  EXPECT_TRUE(s.offers.empty());
  EXPECT_TRUE(s.sentence.starts_with("None of these")) << s.sentence;
}

TEST(Pareto, ItsChartSaysTheEndsInWords) {
  const Solution s = solved(kMix);
  const chart::Chart chart = pareto_chart(s);
  EXPECT_EQ(chart.marks.size(), s.offers.size());
  EXPECT_NE(chart::describe(chart).text.find("The cheapest"), std::string::npos);
  EXPECT_TRUE(pareto_chart(solved("for=users")).marks.empty());
}

// Issue 7: DeepSeek-V3's published weights, 688.6 GB, leave nothing on one node of 8 × H100 80 GB.
TEST(SolveGpus, DeepSeekV3HasNoRoomOnOneNodeOfH100) {
  EXPECT_EQ(ask("model=deepseek-v3 gpu=h100-sxm tp=8").verdict.status, "no_room");
}

TEST(Pareto, KeepsAGivenDcpAndNamesTheFormats) {
  const std::string asked = "for=pareto model=deepseek-v3 context=128k users=64 gpu=h200,b200";
  const auto largest = [](const Solution& solution) {
    std::uint32_t dcp = 0;
    for (const OfferAnswer& offer : solution.offers) {
      dcp = std::max(dcp, offer.offer.group.parallel.dcp);
    }
    return dcp;
  };
  const auto ask = [](const std::string& line) {
    return solve(read_question(testing::words_of(line), Strictness::kCommandLine),
                 testing::shipped());
  };
  EXPECT_GT(largest(ask(asked)), 1u);
  EXPECT_EQ(largest(ask(asked + " dcp=1")), 1u);
  EXPECT_NE(pareto_chart(ask(asked + " kv=fp8")).summary.find(" Weights as published, cache fp8."),
            std::string::npos);
}

}  // namespace
}  // namespace kvseats::scenario
