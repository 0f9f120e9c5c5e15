#pragma once

#include "traffic/simulation.h"

/// Experiments that the tests of the simulation share.
namespace kvseats::traffic::testing {

inline constexpr std::uint64_t kMs = 1000000;
inline constexpr std::uint64_t kSecond = 1000 * kMs;

/// A pool of blocks of 16 tokens, one block per 16 tokens of a request.
inline engine::Rank blocks(std::uint64_t capacity) {
  return {.cost = engine::Cost({{.num = 1, .per = 16}}), .capacity = capacity};
}

/// To the end.
inline void run(Simulation& simulation) {
  while (!simulation.step(1000)) {
  }
}

/// `count` requests of one length, all there when time begins; a step takes 10 ms.
inline Experiment together(std::uint64_t count, std::uint64_t prompt, std::uint64_t output,
                           std::uint64_t capacity) {
  Experiment setup;
  setup.ranks = {blocks(capacity)};
  setup.longest = prompt + output;
  setup.batched = 1 << 20;
  setup.pace.step_ns = 10 * kMs;
  setup.streams = {
      {.prompt = Lengths::fixed(prompt), .output = Lengths::fixed(output), .at_start = count}};
  return setup;
}

/// Any deployment and any traffic: kinds of caches, shared prefix, slots, paged or reserved.
inline Experiment random_experiment(std::uint64_t seed) {
  Random random(seed);
  Experiment setup;
  setup.seed = seed;
  const std::uint64_t pools = 1 + random.below(3);
  for (std::uint64_t i = 0; i < pools; ++i) {
    std::vector<engine::CostTerm> terms = {
        {.num = 1 + random.below(3), .per = 1 + random.below(32)}};
    if (random.below(2) == 0) {
      terms.push_back(
          {.num = 1, .per = 16, .cap = 64 + random.below(64), .extra = 1, .shareable = false});
    }
    if (random.below(3) == 0)
      terms.push_back({.num = 0, .fixed = 1 + random.below(3), .shareable = false});
    setup.ranks.push_back(
        {.cost = engine::Cost(std::move(terms)), .capacity = 60 + random.below(2000)});
  }
  if (random.below(4) == 0) setup.ranks[0].slots = 1 + random.below(20);
  if (random.below(4) == 0) setup.ranks[0].shared_cells = 200 + random.below(2000);
  if (random.below(3) == 0) setup.seq_cap = 1 + random.below(30);
  setup.reserved = random.below(3) == 0;
  setup.longest = 100 + random.below(600);
  setup.prefix = random.below(2) * random.below(120);
  setup.batched = 1 + random.below(300);
  setup.pace = {.step_ns = random.below(20 * kMs),
                .prefill_ps = random.below(kMs),
                .unit_ns = {.num = random.below(3000), .den = 7}};
  setup.horizon_ns = 20 * kSecond;
  setup.sample_ns = kSecond;
  const std::uint64_t streams = 1 + random.below(3);
  for (std::uint64_t i = 0; i < streams; ++i) {
    setup.streams.push_back(
        {.prompt = Lengths::between(random.below(50), 50 + random.below(150)),
         .output = Lengths::lognormal(1 + random.below(30), 40 + random.below(100)),
         .gap_ns = random.below(2) * (1 + random.below(kSecond)),
         .people = random.below(2) * random.below(20),
         .at_start = random.below(20),
         .think_ns = random.below(3 * kSecond),
         .turns = 1 + random.below(3)});
  }
  return setup;
}

}  // namespace kvseats::traffic::testing
