#include <gtest/gtest.h>

#include <string>

#include "scenario/service_text.h"
#include "scenario/simulate.h"
#include "scenario/solve.h"
#include "unit/scenario/fixture.h"
#include "unit/scenario/labels.h"

// The charts of services and of the plan, on random scenarios; and a service's text by parts.
namespace kvseats::scenario::testing {
namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t below(std::uint64_t n) {
    seed_ = seed_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return (seed_ >> 33U) % n;
  }
  std::uint64_t between(std::uint64_t low, std::uint64_t high) { return low + below(high - low); }

 private:
  std::uint64_t seed_;
};

std::string lengths(Dice& dice) {
  const std::uint64_t least = dice.between(50, 4000);
  const std::string low = std::to_string(least);
  const std::string high = std::to_string(least + dice.between(1, 9000));
  switch (dice.below(4)) {
    case 0:
      return low;
    case 1:
      return low + "-" + high;
    case 2:
      return "p50=" + low + "/p95=" + high;
    default:
      return low + "@3/" + high + "@2";
  }
}

chart::Layout laid_out(const chart::Chart& chart, Dice& dice) {
  return chart::lay_out(chart, {.width = static_cast<double>(dice.between(320, 1100)),
                                .height = static_cast<double>(dice.between(240, 520))});
}

std::string mix_of(Dice& dice) {
  constexpr const char* kModels[] = {"llama-3-8b", "qwen3-8b", "gemma-3-27b", "llama-3.3-70b"};
  std::string line = "gpu=h200 tp=2 model=" + std::string(kModels[dice.below(4)]);
  for (std::uint64_t i = 0; i < dice.between(1, 3); ++i) {
    line += " service=" + std::string(i == 0 ? "chat" : "documents") + ":" + lengths(dice) + "+" +
            lengths(dice) + "x" + std::to_string(dice.between(1, 60));
  }
  return line;
}

TEST(PlanCharts, NoLabelLiesOnAnythingInTwoHundredRandomScenarios) {
  Dice dice(7);
  std::size_t placed = 0;
  for (int i = 0; i < 200; ++i) {
    const std::string line = mix_of(dice) + (i % 10 == 0 ? " minutes=1" : "");
    const auto put = [&](const chart::Chart& chart) {
      const chart::Layout layout = laid_out(chart, dice);
      expect_clear(layout, line + " " + chart.id + " ");
      placed += layout.labels.size();
    };
    const SimulationQuestion question = read_simulation(words_of(line), Strictness::kCommandLine);
    const Simulated now =
        i % 10 == 0 ? simulate(question, shipped()) : prepare_simulation(question, shipped());
    if (!now.ok) continue;
    for (const ServiceTraffic& service : now.services) {
      put(prompts_chart(service));
      put(answers_chart(service));
    }
    put(overflow_chart(now));
    if (i % 10 == 0) put(running_chart(now));
    if (i % 4 != 0) continue;
    std::string rent = line.substr(line.find("model="));
    rent = rent.substr(0, rent.find(" minutes="));
    put(pareto_chart(solve(read_question(words_of("for=pareto gpu=h100-sxm,h200,b200 " + rent),
                                         Strictness::kCommandLine),
                           shipped())));
  }
  EXPECT_GT(placed, 600u);
}

TEST(PlanCharts, TheOverflowMarksBothSizingsAndTheGain) {
  const Simulated now = prepare_simulation(
      read_simulation(
          words_of("model=llama-3-8b gpu=h100-sxm pool=53GB service=a:500-2000+100-900x10"),
          Strictness::kCommandLine),
      shipped());
  ASSERT_TRUE(now.ok);
  const plan::Sizing& sizing = now.services.front().sizing;
  const chart::Chart c = overflow_chart(now);
  ASSERT_EQ(c.rules.size(), 3u);
  EXPECT_EQ(c.rules[1].value, static_cast<double>(sizing.by_p95));
  EXPECT_EQ(c.rules[2].value, static_cast<double>(sizing.by_sum.low));
  EXPECT_NE(c.rules[2].label.text.find(units::fixed(sizing.gain, 2)), std::string::npos);
  EXPECT_LE(c.x.min, static_cast<double>(sizing.by_p95));
}

TEST(ServiceText, IsTakenApartAndPutTogether) {
  for (const char* text : {"chat:1000+500x100", "a b:p50=800/p95=3000+128@30/256@12x7",
                           "xx:500-2000+sharegpt4-outputx1"}) {
    EXPECT_EQ(joined(service_text(text)), text);
  }
  const ServiceText spaced = service_text("chat: 1000 + 500 x 100");
  EXPECT_EQ(spaced, (ServiceText{"chat", "1000", "500", "100"}));
}

}  // namespace
}  // namespace kvseats::scenario::testing
