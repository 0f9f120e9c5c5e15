#include <gtest/gtest.h>

#include "experiments.h"
#include "traffic/simulation.h"

// Small runs whose every step can be counted by hand, from the rules of traffic/simulation.h.
// Requests of `together` take 10 ms a step, one step for the prompt and one for each token.
namespace kvseats::traffic {
namespace {

using testing::blocks;
using testing::kMs;
using testing::kSecond;
using testing::run;
using testing::together;

// Three requests of 51 steps, one at a time.
TEST(StepByStep, WhoWaitsIsCountedFromArrivalToTheFirstStep) {
  Experiment setup = together(3, 100, 50, 1000);
  setup.seq_cap = 1;
  Simulation queue(setup);
  EXPECT_EQ(queue.wait_ns(50), 0u) << "nobody has run yet";
  run(queue);
  const Totals& t = queue.totals();
  EXPECT_EQ(t.steps, 3u * 51);
  EXPECT_EQ(t.queued, 2u);
  EXPECT_EQ(t.wait_ns, (510 + 1020) * kMs);
  EXPECT_EQ(t.longest_wait_ns, 1020 * kMs);
  EXPECT_EQ(t.stay_ns, (510 + 1020 + 1530) * kMs);
  EXPECT_EQ(t.peak_running, 1u);
  EXPECT_EQ(t.peak_waiting, 2u);
  EXPECT_EQ(t.running_ns, 1.53e9);
}

TEST(StepByStep, AWaitIsTheLeastThatSoManyDidNotExceed) {
  Experiment setup = together(3, 100, 50, 1000);
  setup.seq_cap = 1;
  Simulation queue(setup);
  run(queue);
  struct {
    std::uint64_t percent, ms;
  } constexpr kCases[] = {{0, 0}, {33, 0}, {34, 510}, {66, 510}, {67, 1020}, {100, 1020}};
  for (const auto& c : kCases) EXPECT_EQ(queue.wait_ns(c.percent), c.ms * kMs) << c.percent;
}

// ⌈L/16⌉ blocks for L = 100 … 150: 13 × 7 + 16 × 8 + 16 × 9 + 6 × 10 = 423, 10 ms each.
TEST(StepByStep, BlocksHeldAddUpOverTime) {
  Simulation one(together(1, 100, 50, 1000));
  run(one);
  EXPECT_EQ(one.totals().held_ns, 4.23e9);
  EXPECT_EQ(one.totals().running_ns, 0.51e9);
}

TEST(StepByStep, AStepTakesAtLeastANanosecondAndAtMostTheHour) {
  Experiment setup = together(1, 100, 50, 1000);
  setup.pace = {};
  Simulation fast(setup);
  run(fast);
  EXPECT_EQ(fast.now_ns(), 51u);
  setup.pace.step_ns = 2 * setup.horizon_ns;
  Simulation slow(setup);
  EXPECT_TRUE(slow.step(5));
  EXPECT_EQ(slow.now_ns(), setup.horizon_ns);
  EXPECT_EQ(slow.totals().steps, 1u);
}

// Time is that of reading: 10 blocks, then 16 steps each of 11, 12 … 20. What is reserved and not
// yet filled is held, and not read.
TEST(StepByStep, ReservedBlocksAreReadOnlyWhereTokensAre) {
  Experiment setup = together(1, 160, 160, 100);
  setup.pace = {.unit_ns = {.num = 1, .den = 1}};
  Simulation paged(setup);
  run(paged);
  EXPECT_EQ(paged.now_ns(), 10u + 16 * 155);
  EXPECT_EQ(paged.totals().held_ns, 100.0 + 16 * 2485);  // the same with squares
  setup.reserved = true;
  Simulation reserved(setup);
  run(reserved);
  EXPECT_EQ(reserved.now_ns(), 10u + 16 * 155);
  EXPECT_EQ(reserved.totals().held_ns, 20.0 * (10 + 16 * 155));
}

// Answers of 16 and 32 tokens: 20 blocks, 16 × 22, and for the longer one alone 16 × 12.
TEST(StepByStep, WhoHasFinishedIsNotReadAnyMore) {
  Experiment setup = together(1, 160, 16, 100);
  setup.longest = 192;
  setup.streams.push_back(setup.streams[0]);
  setup.streams[1].output = Lengths::fixed(32);
  setup.pace = {.unit_ns = {.num = 1, .den = 1}};
  setup.reserved = true;
  Simulation two(setup);
  run(two);
  EXPECT_EQ(two.now_ns(), 20u + 16 * 22 + 16 * 12);
}

// A byte a token: 10, 11 … 15 are read.
TEST(StepByStep, EveryTokenIsReadFromTheStepItIsComputedIn) {
  Experiment setup = together(1, 10, 5, 1000);
  setup.ranks[0].cost = engine::Cost(std::vector<engine::CostTerm>{{.num = 1}});
  setup.pace = {.unit_ns = {.num = 1, .den = 1}};
  setup.reserved = true;
  Simulation one(setup);
  run(one);
  EXPECT_EQ(one.now_ns(), 10u + 11 + 12 + 13 + 14 + 15);
}

TEST(StepByStep, WhoFindsRoomWaitsAtMostAStep) {
  Experiment setup = together(0, 100, 10, 1 << 16);
  setup.streams[0].gap_ns = 100 * kMs;
  setup.horizon_ns = 60 * kSecond;
  Simulation open(setup);
  run(open);
  EXPECT_GT(open.totals().arrived, 400u);
  EXPECT_LE(open.totals().longest_wait_ns, 10 * kMs);
}

// Both run from the first step; that one is thrown out later is no wait before its first run.
TEST(StepByStep, OnlyTheFirstWaitCounts) {
  Simulation two(together(2, 160, 32, 20));
  run(two);
  EXPECT_EQ(two.totals().preemptions, 1u);
  EXPECT_EQ(two.totals().queued, 0u);
  EXPECT_EQ(two.totals().wait_ns, 0u);
}

TEST(StepByStep, SamplesAreANanosecondApartAtTheLeast) {
  Experiment setup = together(1, 100, 50, 1000);
  setup.pace = {};
  setup.horizon_ns = 10;
  setup.sample_ns = 0;
  Simulation one(setup);
  run(one);
  EXPECT_EQ(one.samples().size(), 11u);
}

TEST(StepByStep, ThePromptMayBeAsLongAsALengthCan) {
  Experiment setup = together(1, kMostTokens, 0, kMostTokens);
  setup.batched = 2 * kMostTokens;
  Simulation one(setup);
  run(one);
  EXPECT_EQ(one.totals().finished, 1u);
}

// 6 blocks shared and 4 each are all there is: for token 161 of the first the second leaves, and
// loses only what was its own.
TEST(StepByStep, WhoIsThrownOutKeepsThePrefixThatOthersHold) {
  Experiment setup = together(2, 160, 32, 14);
  setup.prefix = 100;
  Simulation two(setup);
  (void)two.step(2);
  EXPECT_EQ(two.totals().preemptions, 1u);
  EXPECT_EQ(two.totals().recomputed, 64u);
  EXPECT_EQ(two.pools()[0].held_by(kShared), 6u);
  run(two);
  EXPECT_EQ(two.totals().finished, 2u);
  EXPECT_EQ(two.totals().generated, 64u);
  EXPECT_EQ(two.totals().prefilled, 160u + 64 + 160) << "the first had gone by then";
  EXPECT_EQ(two.pools()[0].used(), 0u);
}

// 2 tokens a step: two prompts of one token, 10 steps of both answers; then the third, 11 steps.
TEST(StepByStep, TokensOfAStepBoundWhoGetsOne) {
  Experiment setup = together(3, 1, 10, 1000);
  setup.batched = 2;
  Simulation three(setup);
  run(three);
  EXPECT_EQ(three.totals().steps, 22u);
  EXPECT_EQ(three.totals().peak_running, 2u);
}

// 20 of the first prompt; 10 of it and 10 of the second; a token and 19; 1; a token.
TEST(StepByStep, WhatIsLeftOfAStepGoesToTheNextPrompt) {
  Experiment setup = together(2, 30, 1, 1000);
  setup.batched = 20;
  Simulation two(setup);
  (void)two.step(2);
  EXPECT_EQ(two.totals().prefilled, 40u);
  EXPECT_EQ(two.running().size(), 2u);
  run(two);
  EXPECT_EQ(two.totals().steps, 5u);
  EXPECT_EQ(two.totals().prefilled, 60u);
}

struct Fits {
  const char* what;
  std::uint64_t prompt, output, longest, capacity, prefix, seq_cap;
  bool accepted;
};

TEST(StepByStep, WhatJustFitsIsServedAndOneMoreIsRefused) {
  constexpr Fits kCases[] = {
      {"20 blocks", 160, 160, 320, 20, 0, 9, true},
      {"20 blocks in 19", 160, 160, 320, 19, 0, 9, false},
      {"6 shared and 14 of its own", 160, 160, 320, 20, 100, 9, true},
      {"the same in 19", 160, 160, 320, 19, 100, 9, false},
      {"no answer after the longest prompt", 100, 0, 100, 100, 0, 9, true},
      {"no room for a token of the answer", 100, 5, 100, 100, 0, 9, false},
      {"room for one, which cuts it short", 99, 5, 100, 100, 0, 9, true},
      {"a server of no sequences", 16, 16, 100, 100, 0, 0, false},
  };
  for (const Fits& c : kCases) {
    Experiment setup = together(1, c.prompt, c.output, c.capacity);
    setup.longest = c.longest;
    setup.prefix = c.prefix;
    setup.seq_cap = c.seq_cap;
    Simulation one(setup);
    run(one);
    EXPECT_EQ(one.totals().finished, c.accepted ? 1u : 0u) << c.what;
    EXPECT_EQ(one.totals().refused, c.accepted ? 0u : 1u) << c.what;
  }
}

// A prompt that is the prefix and nothing else has it too; one token less has not.
TEST(StepByStep, PromptsAtLeastAsLongAsThePrefixShareIt) {
  for (const std::uint64_t prompt : {95u, 96u}) {
    Experiment setup = together(2, prompt, 1, 1000);
    setup.prefix = 96;
    Simulation two(setup);
    run(two);
    EXPECT_EQ(two.totals().shared, prompt == 96 ? 96u : 0u);
    EXPECT_EQ(two.totals().generated, 2u);
  }
}

// Whole blocks of the largest kind that can be shared: 90 tokens have two of 32. A window's blocks
// of 64 are nobody else's.
TEST(StepByStep, OnlyWholeBlocksOfEveryKindAreNotComputedAgain) {
  Experiment setup = together(2, 160, 1, 1000);
  setup.prefix = 90;
  setup.ranks[0].cost = engine::Cost(
      {{.num = 1, .per = 16}, {.num = 1, .per = 32}, {.num = 1, .per = 64, .shareable = false}});
  Simulation two(setup);
  run(two);
  EXPECT_EQ(two.totals().shared, 64u);
}

// Who is told no comes again a second later at the earliest: at 0, 1 … 9 s.
TEST(StepByStep, APersonWhoIsRefusedAsksAgainInASecond) {
  Experiment setup = together(0, 200, 10, 1000);
  setup.longest = 100;
  setup.streams[0].people = 1;
  setup.horizon_ns = 10 * kSecond;
  Simulation one(setup);
  run(one);
  EXPECT_EQ(one.totals().arrived, 10u);
  EXPECT_EQ(one.totals().refused, 10u);
}

// 100 and 250 tokens of prompt, then another session from the start.
TEST(StepByStep, APersonsNextSessionHasNoHistory) {
  Experiment setup = together(0, 100, 50, 1000);
  setup.longest = 1000;
  setup.streams[0].people = 1;
  setup.streams[0].turns = 2;
  Simulation one(setup);
  while (one.totals().finished < 4) (void)one.step(1);
  EXPECT_EQ(one.totals().prefilled, 2u * (100 + 250));
}

TEST(StepByStep, ProgressIsOfTheHour) {
  Experiment setup = together(1, 100, 50, 1000);
  setup.pace.step_ns = kSecond;
  setup.horizon_ns = 100 * kSecond;
  Simulation one(setup);
  EXPECT_EQ(one.progress(), 0);
  EXPECT_FALSE(one.step(0));
  EXPECT_EQ(one.totals().steps, 0u);
  (void)one.step(25);
  EXPECT_EQ(one.progress(), 0.25);
  setup.horizon_ns = 0;
  EXPECT_EQ(Simulation(setup).progress(), 1);
}

// Blocks of 16 fit 100 requests of 150 tokens, blocks of 32 beside them 200, the other stage 1,000:
// samples are of the first stage, both its pools: 7 + 4 blocks.
TEST(StepByStep, SamplesAreOfTheTightestStage) {
  Experiment setup = together(1, 100, 50, 1000);
  setup.ranks.push_back({.cost = engine::Cost({{.num = 1, .per = 32}}), .capacity = 1000});
  setup.ranks.push_back(
      {.stage = 1, .cost = engine::Cost({{.num = 1, .per = 16}}), .capacity = 10000});
  const auto per_token = [](std::uint32_t stage, std::uint64_t bytes) {
    return engine::Rank{.stage = stage,
                        .cost = engine::Cost(std::vector<engine::CostTerm>{{.num = bytes}})};
  };
  setup.need = {per_token(0, 10), per_token(1, 7)};
  setup.unit_bytes = units::bytes(1000);
  Simulation one(setup);
  EXPECT_EQ(one.shown(), 0u);
  (void)one.step(1);
  EXPECT_EQ(one.now().held, 7u);
  EXPECT_EQ(one.now().held_bytes, 11000u);
  EXPECT_EQ(one.now().needed_bytes, 1000u);
}

// 1,000 tokens of prefix once, 60 of each prompt.
TEST(StepByStep, ThePrefixIsNeededOnce) {
  Experiment setup = together(10, 160, 16, 1000);
  setup.prefix = 100;
  setup.need = {{.cost = engine::Cost(std::vector<engine::CostTerm>{{.num = 10}})}};
  Simulation shared(setup);
  EXPECT_EQ(shared.now().needed_bytes, 0u);
  (void)shared.step(1);
  EXPECT_EQ(shared.now().needed_bytes, 1000u + 10 * 600);
}

// 8 states, or 100 blocks: at 150 tokens 8 against 10 requests, at 300 8 against 5.
TEST(StepByStep, TheRankShownIsTheTightestForTheLongestKindOfRequest) {
  Experiment setup = together(1, 100, 50, 100);
  setup.ranks.push_back(
      {.cost = engine::Cost(std::vector<engine::CostTerm>{{.fixed = 1}}), .capacity = 8});
  setup.longest = 300;
  EXPECT_EQ(Simulation(setup).shown(), 1u);
  setup.reserved = true;
  EXPECT_EQ(Simulation(setup).shown(), 0u) << "each takes what 300 tokens cost";
  setup.reserved = false;
  setup.streams.push_back({.prompt = Lengths::fixed(100), .output = Lengths::fixed(200)});
  EXPECT_EQ(Simulation(setup).shown(), 0u);
}

// llama.cpp's unified cache: 100 cells, 20 of them the prefix.
TEST(StepByStep, SharedCellsAreCountedInTokens) {
  Experiment setup = together(3, 30, 10, 10000);
  setup.ranks[0].cost = engine::Cost(std::vector<engine::CostTerm>{{.num = 10}});
  setup.ranks[0].shared_cells = 100;
  Simulation cells(setup);
  (void)cells.step(1);
  EXPECT_EQ(cells.pools()[0].capacity(), 100u);
  EXPECT_EQ(cells.pools()[0].used(), 90u);
  (void)cells.step(3);  // 93, 96, 99
  EXPECT_EQ(cells.totals().preemptions, 0u);
  EXPECT_EQ(cells.pools()[0].used(), 99u);
  (void)cells.step(1);
  EXPECT_EQ(cells.totals().preemptions, 1u);
  setup.prefix = 20;
  Simulation prefix(setup);
  (void)prefix.step(1);
  EXPECT_EQ(prefix.pools()[0].used(), 20u + 3 * 10);
}

TEST(Arrivals, WhoCameFirstGoesFirst) {
  const std::vector<Stream> streams = {{.at_start = 2}, {.at_start = 1}};
  Arrivals arrivals(streams, 1);
  for (const std::uint32_t stream : {0u, 0u, 1u}) {
    EXPECT_EQ(arrivals.next_ns(), 0u);
    EXPECT_EQ(arrivals.take().stream, stream);
  }
  EXPECT_EQ(arrivals.next_ns(), UINT64_MAX);
}

TEST(Arrivals, TimeNeverGoesBack) {
  const std::vector<Stream> streams = {{.gap_ns = kSecond, .at_start = 1},
                                       {.people = 5, .think_ns = kSecond}};
  Arrivals arrivals(streams, 3);
  std::uint64_t before = 0;
  for (int i = 0; i < 2000; ++i) {
    const Arrival arrival = arrivals.take();
    ASSERT_GE(arrival.time_ns, before);
    before = arrival.time_ns;
    arrivals.answered(arrival, before);
  }
  // 2,000 of one a second and five in a second: 333 s.
  EXPECT_NEAR(static_cast<double>(before) / 1e9, 333, 25);
}

TEST(Arrivals, ASessionHasSoManyTurnsAndBringsItsHistory) {
  const std::vector<Stream> streams = {
      {.prompt = Lengths::fixed(7), .output = Lengths::fixed(5), .at_start = 1, .turns = 3}};
  Arrivals arrivals(streams, 1);
  for (const std::uint64_t turn : {1u, 2u, 3u}) {
    const Arrival arrival = arrivals.take();
    EXPECT_EQ(arrival.turn, turn);
    EXPECT_EQ(arrival.prompt, 7 + (turn - 1) * 12);
    EXPECT_FALSE(arrival.person);
    arrivals.answered(arrival, 100 * turn);
    EXPECT_EQ(arrivals.next_ns(), turn < 3 ? 100 * turn : UINT64_MAX);
  }
}

}  // namespace
}  // namespace kvseats::traffic
