#include "scenario/simulate.h"

#include "fixture.h"
#include "scenario/fields.h"
#include "scenario/present.h"
#include "scenario/setters.h"

namespace kvseats::scenario {
namespace {

using testing::ask;
using testing::shipped;
using testing::words_of;

Simulated simulated(std::string_view line) {
  return simulate(read_simulation(words_of(line), Strictness::kCommandLine), shipped());
}

std::string code_of(std::string_view line) {
  const Simulated s = simulated(line);
  return s.diagnostics.empty() ? "" : s.diagnostics.back().code;
}

constexpr std::string_view kChat =
    "model=llama-3-8b pool=53GB service=chat:p50=800/p95=3000+200-600x100 ";

TEST(ServiceLengths, ADistributionCountsAtItsMean) {
  const Report r = ask("pool=53GB service=chat:500-1500+100@1/300@1x10 service=fixed:1000+200x10");
  ASSERT_TRUE(r.ok);
  EXPECT_EQ(r.services[0].tokens, 1200u);
  EXPECT_EQ(r.services[0].request_bytes, r.services[1].request_bytes);
}

TEST(ServiceLengths, WhatWasTypedIsKept) {
  const std::string text = "chat:p50=800/p95=3000+200-600x100";
  const Decoded d = decode("service=" + text, Strictness::kCommandLine);
  ASSERT_TRUE(d.diagnostics.empty());
  EXPECT_EQ(get_key(d.scenario, "service"), text);
  EXPECT_EQ(encode(d.scenario), "service=" + text);
  const setters::ServiceLengths lengths = setters::lengths_of_service(text);
  EXPECT_EQ(lengths.prompt, "p50=800/p95=3000");
  EXPECT_EQ(lengths.output, "200-600");
}

TEST(ServiceLengths, NumbersStayNumbers) {
  const Decoded d = decode("service=chat:1k+500 x 100", Strictness::kCommandLine);
  EXPECT_EQ(d.scenario.services[0].value.prompt, 1024u);
}

TEST(ServiceLengths, BadOnesAreRefused) {
  for (const auto& [line, code] : {std::pair{"service=a:p50=800+5x3", "E-LENGTHS"},
                                   {"service=a:2000-500+5x3", "E-ORDER"},
                                   {"service=a:100+lotsx3", "E-LENGTHS"},
                                   {"service=a:5x3", "E-SERVICE"}}) {
    EXPECT_EQ(ask(line).diagnostics.at(0).code, code) << line;
  }
}

TEST(ServiceLengths, ALinkThatHasOneIsKnownBeforeItIsRead) {
  EXPECT_TRUE(has_distributions("#gpu=h100-sxm&service=a:500-900+5x3"));
  EXPECT_TRUE(has_distributions("service=a:p50%3D8%2Fp95%3D9+5x3"));
  EXPECT_TRUE(has_distributions("service=a:sharegpt4-prompt+5x3"));
  EXPECT_FALSE(has_distributions("gpu=h100-sxm&service=a-b/c:1k+500%20x%20100"));
}

TEST(People, AShareOfThemIsTheUsers) {
  EXPECT_EQ(ask("people=5000 active=2%").users.asked, 100u);
  EXPECT_EQ(ask("people=5000 active=2% users=7").users.asked, 7u);
  EXPECT_EQ(ask("people=5000").users.asked, 100u) << "the default: the share is not known";
  EXPECT_EQ(ask("rate=200000").diagnostics.at(0).code, "E-TOO-LARGE");
}

TEST(Simulate, PeopleBecomeRequestsByLittlesLaw) {
  const Simulated s = simulated(std::string(kChat) + "people=5000 active=2% minutes=1");
  ASSERT_TRUE(s.ok);
  EXPECT_EQ(s.at_once, "5,000 people × 2 % = 100 at once");
  EXPECT_EQ(s.paged.totals.peak_running, 100u);
}

TEST(Simulate, PagedServesMoreThanReserved) {
  const Simulated s = simulated(std::string(kChat) + "users=100 minutes=2");
  ASSERT_TRUE(s.ok);
  EXPECT_GT(s.paged.totals.finished, s.reserved.totals.finished);
  EXPECT_GT(s.paged.totals.running_ns, 2 * s.reserved.totals.running_ns);
  EXPECT_EQ(s.paged.samples.size(), 361u);
  EXPECT_GT(s.services.at(0).sizing.gain, 1.3);
}

TEST(Simulate, ARateArrives) {
  const Simulated s = simulated(std::string(kChat) + "rate=10 minutes=10");
  ASSERT_TRUE(s.ok);
  EXPECT_NEAR(static_cast<double>(s.paged.totals.arrived), 6000, 250);  // three deviations
  EXPECT_EQ(s.paged.totals.preemptions, 0u);
}

// The roofline of decoding: 16.06 GB in bf16 over 3,352 GB/s (H100 SXM) are 4.79 ms.
TEST(Simulate, AStepTakesAtLeastTheTimeToReadTheWeights) {
  const Simulated s = simulated("model=llama-3.1-8b gpu=h100-sxm users=1 minutes=1");
  ASSERT_TRUE(s.ok);
  EXPECT_NEAR(static_cast<double>(s.experiment.pace.step_ns), 4.79e6, 0.05e6);
  const Simulated given = simulated("model=llama-3.1-8b users=1 minutes=1 speed=40");
  EXPECT_EQ(given.experiment.pace.step_ns, 25000000u);
}

TEST(Simulate, EnginesBlocksAreTheSimulations) {
  const Simulated s = simulated("engine=vllm model=llama-3.1-8b users=20 minutes=1 prefix=1000");
  ASSERT_TRUE(s.ok);
  EXPECT_EQ(s.experiment.ranks[0].capacity, s.report.ranks[0].capacity);
  EXPECT_GT(s.paged.totals.shared, 0u);
  for (const traffic::Sample& sample : s.paged.samples) {
    EXPECT_LE(sample.held, s.experiment.ranks[0].capacity);
  }
}

TEST(Simulate, CopiesShareTheTraffic) {
  const Simulated s = simulated(std::string(kChat) + "dp=4 minutes=1");
  ASSERT_TRUE(s.ok);
  EXPECT_EQ(s.paged.totals.peak_running, 25u);
  EXPECT_TRUE(overflow_sentence(s).starts_with(
      "With 25 requests at once the pool of each copy overflows with a probability of "))
      << overflow_sentence(s);
}

TEST(Simulate, BadQuestionsAreRefused) {
  EXPECT_EQ(code_of("minutes=0"), "E-RANGE");
  EXPECT_EQ(code_of("speed=0"), "E-RANGE");
  EXPECT_EQ(code_of("gpu=custom memory=80GB"), "E-SPEED");
  EXPECT_EQ(code_of("rate=100000 minutes=1440"), "E-TOO-MANY");
  EXPECT_EQ(code_of("people=1000000000"), "E-TOO-MANY");
  EXPECT_EQ(code_of("model=deepseek-v3"), "E-STOPPED");
}

TEST(Simulate, SaysSoInWordsJsonAndASeries) {
  const Simulated s = simulated(std::string(kChat) + "minutes=1 seed=3");
  ASSERT_TRUE(s.ok);
  const std::string text = to_text(s);
  EXPECT_NE(text.find("With 100 requests at once the pool overflows"), std::string::npos) << text;
  const std::string json = to_json(s);
  EXPECT_NE(json.find("\"overflow_curve\""), std::string::npos);
  EXPECT_NE(json.find("\"seed\": 3"), std::string::npos);
  const Table table = series(s);
  EXPECT_EQ(table.rows.size(), 361u);
  EXPECT_EQ(table.rows.front().size(), table.columns.size());
  EXPECT_EQ(to_json(simulated(std::string(kChat) + "minutes=1 seed=3")), json);
}

}  // namespace
}  // namespace kvseats::scenario
