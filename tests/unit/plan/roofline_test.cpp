#include "plan/roofline.h"

#include <gtest/gtest.h>

#include <utility>

namespace kvseats::plan {
namespace {

engine::Cost per_token(std::uint64_t units) {
  return engine::Cost(std::vector<engine::CostTerm>{{.num = units}});
}

Stage stage(double weights, std::vector<CacheRead> caches) {
  return {.stages = 1, .weights = weights, .experts = 0, .caches = std::move(caches)};
}

// Llama 3.1 8B in bf16 on one H100 SXM: 8,030,261,248 parameters × 2 bytes, 131,072 bytes of cache
// per token, 3,350 GB/s and 989 TFLOP/s (nvidia.com, H100 data sheet), 32 layers of 32 heads of
// 128 + 128.
Roofline llama() {
  Roofline roof;
  roof.bandwidth = 3.35e12;
  roof.arithmetic = 989e12;
  const engine::Cost cost = per_token(131072);
  roof.stages = {stage(16060522496.0, {{.cost = cost, .unit_bytes = 1}})};
  roof.flop_per_token = 2 * 8030261248.0;
  roof.looks = {{.flop = 2.0 * 32 * 256 * 32}};
  return roof;
}

TEST(Roofline, OneTokenTakesTheTimeToReadWeightsAndCaches) {
  // (16,060,522,496 + 1,024 × 131,072) B ÷ 3.35 TB/s = 4.834 ms.
  EXPECT_NEAR(step_seconds(llama(), 1, 1024, 1, 1), 4.834e-3, 1e-6);
  EXPECT_NEAR(step_seconds(llama(), 1, 1024, 0.5, 1), 9.668e-3, 2e-6);
}

TEST(Roofline, TheCachesOfAllRequestsAreRead) {
  const StepParts parts = step_parts(llama(), 100, 8192);
  EXPECT_EQ(parts.cache_bytes, 100.0 * 8192 * 131072);
  EXPECT_EQ(parts.weight_bytes, 16060522496.0);
  EXPECT_EQ(bound_of(llama(), parts), Bound::kCaches);
}

TEST(Roofline, CachesTakeOverWhereTheyWeighMoreThanTheWeights) {
  // 16,060,522,496 ÷ (8,192 × 131,072) = 14.96.
  const TakeOver from = take_over(llama(), 8192, 1 << 20);
  EXPECT_EQ(from.caches, 15u);
  // A token of 8,192 brings 1.07 GB to read and 20 GFLOP to compute: never arithmetic.
  EXPECT_EQ(from.arithmetic, 0u);
}

TEST(Roofline, ArithmeticTakesOverForShortRequests) {
  // At one token of cache: 2 × 8.03e9 × N ÷ (989e12 × 0.57) > 16.06e9 ÷ (3.35e12 × 0.58).
  EXPECT_NEAR(static_cast<double>(take_over(llama(), 1, 1 << 20).arithmetic), 290, 2);
}

TEST(Roofline, StagesWorkOneAfterAnother) {
  Roofline two = llama();
  two.gpus = 2;
  const engine::Cost half = per_token(65536);
  two.stages = {stage(8030261248.0, {{.cost = half, .unit_bytes = 1}})};
  two.stages[0].stages = 2;
  // One request: half the bytes twice. Many: each stage has half of them at a time.
  EXPECT_NEAR(step_seconds(two, 1, 1024, 1, 1), step_seconds(llama(), 1, 1024, 1, 1), 1e-9);
  EXPECT_NEAR(step_seconds(two, 64, 8192, 1, 1), (16060522496.0 + 32 * 8192 * 131072.0) / 3.35e12,
              1e-9);
}

// One stage reads 1,000 bytes of weights, the other as many of a cache: a first one is the slowest.
TEST(Roofline, OfStagesThatTakeEquallyLongTheFirstIsTheSlowest) {
  Roofline roof;
  roof.bandwidth = 1e6;
  roof.stages = {stage(1000, {}), stage(0, {{.cost = per_token(10), .unit_bytes = 1}})};
  EXPECT_EQ(step_parts(roof, 1, 100).weight_bytes, 1000);
  EXPECT_EQ(step_parts(roof, 1, 100).cache_bytes, 0);
  std::swap(roof.stages[0], roof.stages[1]);
  EXPECT_EQ(step_parts(roof, 1, 100).cache_bytes, 1000);
  EXPECT_EQ(step_parts(roof, 1, 101).cache_bytes, 1010);
  EXPECT_EQ(step_parts(roof, 1, 99).weight_bytes, 1000);
}

TEST(Roofline, OfTheExpertsOnlyTheChosenAreRead) {
  Roofline moe = llama();
  moe.stages[0].weights = 0;
  moe.stages[0].experts = 256e9;
  moe.chosen = 8.0 / 256;
  EXPECT_NEAR(step_parts(moe, 1, 1).weight_bytes, 8e9, 1e3);
  // 1 − (1 − 8/256)^64 = 0.8689.
  EXPECT_NEAR(step_parts(moe, 64, 1).weight_bytes, 256e9 * 0.8689, 256e9 * 1e-4);
  moe.sharing = 2;
  EXPECT_GT(step_parts(moe, 64, 1).weight_bytes, 256e9 * 0.98);
}

TEST(Roofline, APromptIsArithmeticAndItsAttention) {
  // 2 × 8.03e9 × 8,192 + 524,288 × 8,192 × 8,193 ÷ 2 FLOP at 989 TFLOP/s = 0.1506 s.
  EXPECT_NEAR(prompt_time(llama(), 8192).low, 0.1508, 2e-4);
  // One token: reading the weights takes longer.
  EXPECT_NEAR(prompt_time(llama(), 1).low, 4.794e-3, 1e-6);
}

TEST(Roofline, AWindowBoundsTheAttentionOfAPrompt) {
  Roofline window = llama();
  window.looks[0].window = 1024;
  const double outside = prompt_time(llama(), 65536).low;
  EXPECT_LT(prompt_time(window, 65536).low, outside);
  EXPECT_EQ(prompt_time(window, 1024).low, prompt_time(llama(), 1024).low);
}

TEST(Roofline, SlowTypicalAndFastStandInOrder) {
  for (const std::uint64_t running : {1u, 7u, 100u}) {
    const Range rate = decode_rate(llama(), running, 4096);
    EXPECT_LT(rate.low, rate.typical);
    EXPECT_LT(rate.typical, rate.high);
    const Range time = request_time(llama(), running, 3072, 1024);
    EXPECT_LT(time.low, time.typical);
    EXPECT_LT(time.typical, time.high);
  }
}

TEST(Roofline, TheMostAtARateAreFastEnoughAndOneMoreIsNot) {
  for (const double wanted : {5.0, 20.0, 50.0, 100.0, 150.0}) {
    const std::uint64_t most = most_at_rate(llama(), 4096, wanted, 1 << 20, 1, 1);
    if (most > 0) {
      EXPECT_LE(step_seconds(llama(), most, 4096, 1, 1) * wanted, 1);
    }
    EXPECT_GT(step_seconds(llama(), most + 1, 4096, 1, 1) * wanted, 1);
  }
  EXPECT_EQ(most_at_rate(llama(), 4096, 300, 1 << 20, 1, 1), 0u) << "not even one alone";
  EXPECT_EQ(most_at_rate(llama(), 4096, 1, 10, 1, 1), 10u) << "memory ends first";
}

// A machine of small numbers: 10 B/s, 100 FLOP/s, 50 B of weights, a token of cache is 2 units of
// 3 B, a token needs 40 FLOP and 5 for each of at most 4 that it looks at.
Roofline small() {
  Roofline roof;
  roof.bandwidth = 10;
  roof.arithmetic = 100;
  roof.stages = {stage(50, {{.cost = per_token(2), .unit_bytes = 3}})};
  roof.flop_per_token = 40;
  roof.looks = {{.flop = 5, .window = 4}};
  return roof;
}

// Three requests of 7 tokens: 50 + 3 × 7 × 6 = 176 B in 17.6 s, 3 × (40 + 4 × 5) = 180 FLOP in
// 1.8 s.
TEST(Roofline, AStepIsTheLongerOfReadingAndComputing) {
  const StepParts parts = step_parts(small(), 3, 7);
  EXPECT_EQ(parts.weight_bytes, 50);
  EXPECT_EQ(parts.cache_bytes, 126);
  EXPECT_EQ(parts.flop, 180);
  EXPECT_NEAR(step_seconds(small(), 3, 7, 1, 1), 17.6, 1e-12);
  EXPECT_NEAR(step_seconds(small(), 3, 7, 1, 0.1), 18, 1e-12) << "a tenth of the arithmetic";
  EXPECT_NEAR(step_seconds(small(), 0, 7, 1, 1), 9.2, 1e-12) << "at least one";
  Roofline unknown = small();
  unknown.arithmetic = 0;
  EXPECT_NEAR(step_seconds(unknown, 3, 7, 1, 0.1), 17.6, 1e-12);
}

// 50 B against 6 B a token: 8 are 48 B, 9 are 54 B.
TEST(Roofline, WhicheverIsMoreIsTheBound) {
  EXPECT_EQ(bound_of(small(), step_parts(small(), 1, 8)), Bound::kWeights);
  EXPECT_EQ(bound_of(small(), step_parts(small(), 1, 9)), Bound::kCaches);
  EXPECT_EQ(bound_of(small(), {.weight_bytes = 5, .cache_bytes = 5, .flop = 0}), Bound::kWeights);
  // 5.8 B/s against 57 FLOP/s: 58 B take as long as 570 FLOP.
  EXPECT_EQ(bound_of(small(), {.weight_bytes = 58, .flop = 569}), Bound::kWeights);
  EXPECT_EQ(bound_of(small(), {.weight_bytes = 58, .flop = 571}), Bound::kArithmetic);
}

// 1 + 2 + 3 + 4 and 6 × 4 tokens are looked at: 10 × 40 + 34 × 5 = 570 FLOP.
TEST(Roofline, APromptLooksAtEachTokenBeforeItWithinTheWindow) {
  Roofline fast = small();
  fast.bandwidth = 1e9;
  EXPECT_NEAR(prompt_time(fast, 10).low, 5.7, 1e-12);
  EXPECT_NEAR(prompt_time(fast, 10).typical, 10, 1e-12);
  EXPECT_NEAR(prompt_time(fast, 10).high, 15, 1e-12);
  fast.gpus = 2;
  EXPECT_NEAR(prompt_time(fast, 10).low, 2.85, 1e-12);
  fast.arithmetic = 0;
  EXPECT_NEAR(prompt_time(fast, 10).low, 50e-9, 1e-15) << "the weights are read once";
}

// Four run: the prompt's 5.7 s, and a fourth of 6 steps at 10 + 3 tokens: 50 + 4 × 78 = 362 B,
// 36.2 s each.
TEST(Roofline, ARequestIsItsPromptAndItsShareOfTheSteps) {
  const Range time = request_time(small(), 4, 10, 6);
  EXPECT_NEAR(time.low, 5.7 + 1.5 * 36.2, 1e-12);
  EXPECT_NEAR(time.typical, 10 + 1.5 * 36.2 / 0.58, 1e-9);
  EXPECT_NEAR(time.high, 15 + 1.5 * 36.2 / 0.345, 1e-9);
  Roofline unknown = small();
  unknown.arithmetic = 0;
  EXPECT_NEAR(request_time(unknown, 4, 10, 6).low, 1.5 * 36.2, 1e-12);
  const Range rate = decode_rate(small(), 4, 13);
  EXPECT_NEAR(rate.high, 1 / 36.2, 1e-15);
  EXPECT_NEAR(rate.typical, 0.58 / 36.2, 1e-15);
  EXPECT_NEAR(rate.low, 0.345 / 36.2, 1e-15);
}

// Two stages of 50 B and one of 80 B with 20 B of experts, of which half are chosen.
TEST(Roofline, TheSlowestStageIsTheOneShown) {
  Roofline roof = small();
  roof.stages[0].stages = 2;
  roof.stages.push_back({.stages = 1, .weights = 80, .experts = 20, .caches = {}});
  roof.chosen = 0.5;
  EXPECT_EQ(stage_count(roof), 3u);
  EXPECT_EQ(weight_bytes(roof), 200);
  // Three requests are one for each stage: 50 + 42 B against 80 + 10 B.
  EXPECT_EQ(step_parts(roof, 3, 7).cache_bytes, 42);
  EXPECT_EQ(step_parts(roof, 3, 6).cache_bytes, 0);
  EXPECT_NEAR(step_parts(roof, 3, 6).weight_bytes, 90, 1e-12);
  EXPECT_NEAR(step_seconds(roof, 3, 7, 1, 1), 2 * 9.2 + 9, 1e-12);
  // Four: two in the fullest, which choose three quarters of the experts.
  EXPECT_NEAR(step_parts(roof, 4, 1).weight_bytes, 95, 1e-12);
  EXPECT_EQ(stage_count(Roofline{}), 1u);
}

TEST(Roofline, MoreThanSoManyAreTooSlow) {
  // N requests of 1 token: 50 + 6 N B: a token every 8 s is N = 5.
  EXPECT_EQ(most_at_rate(small(), 1, 1 / 8.0, 100, 1, 1), 5u);
  EXPECT_EQ(most_at_rate(small(), 1, 1 / 7.99, 100, 1, 1), 4u);
  EXPECT_EQ(most_at_rate(small(), 1, 1 / 8.0, 5, 1, 1), 5u);
  EXPECT_EQ(most_at_rate(small(), 1, 1 / 8.0, 4, 1, 1), 4u);
  EXPECT_EQ(take_over(small(), 1, 100).caches, 9u);
  EXPECT_EQ(take_over(small(), 1, 9).caches, 9u);
  EXPECT_EQ(take_over(small(), 1, 8).caches, 0u);
}

// Llama 2 7B in 16 bit on one A100 80 GB gave 104.9 tokens a second, over 8 GPUs 328.43
// (gpt-fast, README, "Benchmarks"): within the range.
TEST(Roofline, APrintedBenchmarkLiesInTheRange) {
  Roofline roof;
  roof.bandwidth = 2.039e12;
  roof.arithmetic = 312e12;
  roof.stages = {stage(2 * 6738415616.0, {})};
  roof.flop_per_token = 2 * 6738415616.0;
  const Range one = decode_rate(roof, 1, 5);
  EXPECT_LT(one.low, 104.9);
  EXPECT_GT(one.high, 104.9);
  roof.gpus = 8;
  roof.stages[0].weights /= 8;
  const Range eight = decode_rate(roof, 1, 5);
  EXPECT_LE(eight.low, 419);
  EXPECT_LT(eight.low * 0.75, 328.43) << "links between GPUs are left out";
}

}  // namespace
}  // namespace kvseats::plan
