#include <gtest/gtest.h>

#include <cmath>

#include "plan/overflow.h"
#include "traffic/simulation.h"

// The overflow probability beside a simulation that knows nothing of it: N people who never think
// ask over and over in a pool that never fills; at random times their blocks are counted.
namespace kvseats::plan {
namespace {

using traffic::Lengths;
using traffic::Random;

Lengths random_prompt(Random& random) {
  const std::uint64_t low = 20 + random.below(300);
  switch (random.below(3)) {
    case 0:
      return Lengths::fixed(low);
    case 1:
      return Lengths::between(low, low + random.below(300));
    default:
      return Lengths::lognormal(low, low + random.below(600));
  }
}

// Different enough that people who begin together are soon apart.
Lengths random_output(Random& random) {
  if (random.below(2) == 0) return Lengths::between(1 + random.below(5), 20 + random.below(60));
  const std::uint64_t p50 = 5 + random.below(30);
  return Lengths::lognormal(p50, p50 * (2 + random.below(3)));
}

constexpr std::uint64_t kStep = 1000;
constexpr std::uint64_t kSamples = 500;

// How often more than `capacity` units were held at times far apart, once all have been replaced
// several times.
double share_beyond(traffic::Experiment experiment, std::uint64_t apart, std::uint64_t capacity) {
  constexpr std::uint64_t kSettling = 10;
  experiment.ranks[0].capacity = std::uint64_t{1} << 40;
  experiment.pace.step_ns = kStep;
  experiment.sample_ns = apart * kStep;
  experiment.horizon_ns = (kSamples + kSettling) * experiment.sample_ns;
  traffic::Simulation simulation(experiment);
  (void)simulation.step(UINT64_MAX);
  std::uint64_t over = 0;
  for (std::size_t i = kSettling; i < kSettling + kSamples; ++i) {
    over += simulation.samples()[i].held > capacity;
  }
  return static_cast<double>(over) / kSamples;
}

TEST(OverflowSimulation, FiftyRandomScenariosAgree) {
  int between = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    const std::uint64_t count = 5 + random.below(40);
    const Lengths prompt = random_prompt(random);
    const Lengths output = random_output(random);
    traffic::Experiment experiment;
    experiment.seed = seed;
    experiment.ranks = {{.cost = engine::Cost({{.num = 1, .per = 1 + random.below(32)}})}};
    experiment.batched = 1 << 20;
    experiment.streams = {{.prompt = prompt, .output = output, .people = count}};
    const CostLaw law = running_law(experiment.ranks[0], prompt, output);
    const double mean = mean_units(law) * static_cast<double>(count);
    const double factor = 0.95 + 0.001 * static_cast<double>(random.below(100));
    const auto capacity = static_cast<std::uint64_t>(mean * factor);
    const Crowd crowd = {.law = &law, .count = count};
    const Chance stated = overflow({&crowd, 1}, capacity);
    const double share = share_beyond(experiment, 5 * output.mean_up(), capacity);
    // Four standard errors of counting that many samples.
    const double p = stated.typical;
    const double counting = 4 * std::sqrt(std::max(p * (1 - p), 0.001) / kSamples);
    EXPECT_GE(share, stated.low - counting) << "seed " << seed;
    EXPECT_LE(share, stated.high + counting) << "seed " << seed;
    between += p > 0.02 && p < 0.98;
  }
  EXPECT_GT(between, 25) << "most scenarios decide themselves";
}

}  // namespace
}  // namespace kvseats::plan
