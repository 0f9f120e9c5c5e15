#include "traffic/simulation.h"

#include <gtest/gtest.h>

#include "experiments.h"

namespace kvseats::traffic {
namespace {

using testing::blocks;
using testing::kMs;
using testing::kSecond;
using testing::run;
using testing::together;

TEST(Simulation, OneRequestTakesOneStepForItsPromptAndOneForEachToken) {
  Simulation one(together(1, 100, 50, 1000));
  run(one);
  EXPECT_EQ(one.totals().finished, 1u);
  EXPECT_EQ(one.totals().steps, 51u);
  EXPECT_EQ(one.now_ns(), 510 * kMs);
  EXPECT_EQ(one.totals().prefilled, 100u);
  EXPECT_EQ(one.totals().generated, 50u);
  EXPECT_EQ(one.totals().stay_ns, 510 * kMs);
}

TEST(Simulation, BlocksAreTakenAsTheyAreNeeded) {
  Simulation one(together(1, 100, 50, 1000));
  (void)one.step(1);
  EXPECT_EQ(one.pools()[0].used(), 7u);  // 100 tokens in blocks of 16
  (void)one.step(12);                    // 112 tokens
  EXPECT_EQ(one.pools()[0].used(), 7u);
  (void)one.step(1);
  EXPECT_EQ(one.pools()[0].used(), 8u);
}

// The lesson: reserved at the longest request few run, paged as many as their prompts fit.
TEST(Simulation, PagedAdmitsMoreThanReserved) {
  Experiment setup = together(100, 160, 160, 100);
  Simulation paged(setup);
  (void)paged.step(1);
  EXPECT_EQ(paged.running().size(), 10u);  // 10 blocks each
  setup.reserved = true;
  Simulation reserved(setup);
  (void)reserved.step(1);
  EXPECT_EQ(reserved.running().size(), 5u);  // 20 blocks each
  EXPECT_EQ(reserved.pools()[0].used(), 100u);
}

TEST(Simulation, TheYoungestIsThrownOutAndComputesAgain) {
  // Two requests of 10 blocks would grow to 12 each in a pool of 20.
  Simulation two(together(2, 160, 32, 20));
  run(two);
  EXPECT_EQ(two.totals().finished, 2u);
  EXPECT_EQ(two.totals().preemptions, 1u);
  // Token 161 of the first needs a block: the second loses its 160 tokens, and then waits.
  EXPECT_EQ(two.totals().recomputed, 160u);
  EXPECT_EQ(two.totals().prefilled, 480u);
  EXPECT_EQ(two.totals().generated, 64u);
}

TEST(Simulation, ReservedNeverThrowsOut) {
  Experiment setup = together(50, 160, 160, 100);
  setup.reserved = true;
  Simulation reserved(setup);
  run(reserved);
  EXPECT_EQ(reserved.totals().finished, 50u);
  EXPECT_EQ(reserved.totals().preemptions, 0u);
}

TEST(Simulation, APrefixIsHeldOnceAndComputedOnce) {
  Experiment setup = together(10, 160, 16, 1000);
  setup.prefix = 100;  // 6 whole blocks of it are shared
  Simulation shared(setup);
  (void)shared.step(1);
  EXPECT_EQ(shared.pools()[0].held_by(kShared), 6u);
  EXPECT_EQ(shared.pools()[0].used(), 6u + 10 * 4);
  run(shared);
  EXPECT_EQ(shared.totals().shared, 9u * 96);
  EXPECT_EQ(shared.totals().prefilled, 160u + 9 * 64);
  EXPECT_EQ(shared.pools()[0].used(), 0u) << "nobody has it any more";
}

TEST(Simulation, ThePromptIsComputedInPartsOfAStepsTokens) {
  Experiment setup = together(1, 1000, 1, 1000);
  setup.batched = 300;
  Simulation parts(setup);
  run(parts);
  EXPECT_EQ(parts.totals().steps, 5u);  // 300, 300, 300, 100, and the token
}

TEST(Simulation, WhoNeverFitsIsToldSo) {
  Experiment setup = together(3, 160, 160, 19);  // 20 blocks are needed
  Simulation none(setup);
  run(none);
  EXPECT_EQ(none.totals().refused, 3u);
  setup = together(3, 160, 160, 1000);
  setup.longest = 100;
  Simulation longer(setup);
  run(longer);
  EXPECT_EQ(longer.totals().refused, 3u);
}

TEST(Simulation, TheLimitCutsAnswersShort) {
  Experiment setup = together(1, 160, 160, 1000);
  setup.longest = 200;
  Simulation cut(setup);
  run(cut);
  EXPECT_EQ(cut.totals().generated, 40u);
}

TEST(Simulation, ServersThatSayHowManyAreBelieved) {
  Experiment setup = together(30, 16, 16, 1000);
  setup.seq_cap = 7;
  Simulation capped(setup);
  run(capped);
  EXPECT_EQ(capped.totals().peak_running, 7u);
  setup.ranks[0].slots = 4;
  Simulation slots(setup);
  run(slots);
  EXPECT_EQ(slots.totals().peak_running, 4u);
}

TEST(Simulation, TimeIsWeightsPromptAndCache) {
  Experiment setup = together(1, 160, 1, 1000);
  setup.pace = {.step_ns = 1000, .prefill_ps = 5000, .unit_ns = {.num = 7, .den = 2}};
  Simulation paced(setup);
  (void)paced.step(1);
  EXPECT_EQ(paced.now_ns(), 1000u + 160 * 5 + 10 * 7 / 2);
}

// Little's law holds for what comes out: mean running = finished per second × mean stay, queue
// empty.
TEST(Simulation, ObeysLittlesLaw) {
  Experiment setup;
  setup.ranks = {blocks(1 << 16)};
  setup.pace.step_ns = 20 * kMs;
  setup.streams = {
      {.prompt = Lengths::fixed(100), .output = Lengths::between(50, 150), .gap_ns = 100 * kMs}};
  Simulation open(setup);
  run(open);
  const Totals& t = open.totals();
  const double seconds = 3600;
  EXPECT_NEAR(static_cast<double>(t.arrived) / seconds, 10, 0.3);
  const double mean_stay = static_cast<double>(t.stay_ns) / static_cast<double>(t.finished) / 1e9;
  const double rate = static_cast<double>(t.finished) / seconds;
  // Half a step passes before a request is seen.
  EXPECT_NEAR(t.running_ns / 3600e9, rate * (mean_stay - 0.01), 0.1);
}

TEST(Simulation, PeopleThinkBetweenRequests) {
  // 100 people, answers of 100 steps of 10 ms and one for the prompt, 4 s of thought: Denning &
  // Buzen's law gives 100 × 1.01 ÷ 5.01 = 20.2 at once.
  Experiment setup = together(0, 16, 100, 1 << 16);
  setup.streams[0].people = 100;
  setup.streams[0].think_ns = 4 * kSecond;
  Simulation closed(setup);
  run(closed);
  EXPECT_NEAR(closed.totals().running_ns / 3600e9, 20.2, 0.5);
}

TEST(Simulation, LaterTurnsBringTheHistory) {
  Experiment setup = together(1, 100, 50, 1000);
  setup.longest = 1000;
  setup.streams[0].turns = 3;
  Simulation session(setup);
  run(session);
  EXPECT_EQ(session.totals().finished, 3u);
  EXPECT_EQ(session.totals().prefilled, 100u + 250 + 400);
}

TEST(Simulation, WasteIsWhatIsHeldAndNotNeeded) {
  Experiment setup = together(1, 100, 50, 1000);
  setup.need = {{.cost = engine::Cost(std::vector<engine::CostTerm>{{.num = 1000}})}};
  setup.unit_bytes = units::bytes(16000);
  setup.sample_ns = 10 * kMs;
  Simulation one(setup);
  (void)one.step(2);
  ASSERT_GE(one.samples().size(), 2u);
  EXPECT_EQ(one.samples()[0].held_bytes, 7u * 16000);
  EXPECT_EQ(one.samples()[0].needed_bytes, 100000u);
}

TEST(Simulation, SamplesComeInTime) {
  Experiment setup = together(5, 100, 500, 1000);
  setup.sample_ns = kSecond;
  setup.streams[0].gap_ns = 700 * kMs;
  setup.horizon_ns = 60 * kSecond;
  Simulation sampled(setup);
  run(sampled);
  ASSERT_EQ(sampled.samples().size(), 61u);
  for (std::size_t i = 0; i < sampled.samples().size(); ++i) {
    EXPECT_EQ(sampled.samples()[i].time_ns, i * kSecond);
  }
  EXPECT_EQ(sampled.progress(), 1);
}

TEST(Simulation, SameSeedSameBitsHoweverItIsCutUp) {
  const Experiment setup = testing::random_experiment(42);
  Simulation whole(setup);
  Simulation parts(setup);
  (void)whole.step(UINT64_MAX);
  while (!parts.step(7)) {
  }
  EXPECT_EQ(whole.totals(), parts.totals());
  EXPECT_EQ(whole.samples(), parts.samples());
}

TEST(Simulation, AnotherSeedAnotherHour) {
  Experiment setup = testing::random_experiment(42);
  Simulation one(setup);
  setup.seed = 43;
  Simulation other(setup);
  run(one);
  run(other);
  EXPECT_FALSE(one.totals() == other.totals());
}

}  // namespace
}  // namespace kvseats::traffic
