#include "scenario/allocation_run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/scenario/fixture.h"

namespace kvseats::scenario::testing {
namespace {

constexpr std::uint64_t kSecond = 1000000000;

AllocationRun run_of(std::string_view line) {
  return {decode(words_of(line), Strictness::kCommandLine).scenario, shipped()};
}

std::uint64_t count_of(const AllocationSide& side, Cell cell) {
  return static_cast<std::uint64_t>(std::count(side.cells.begin(), side.cells.end(), cell));
}

constexpr const char* kLesson =
    "model=llama-3-8b gpu=h100-sxm pool=53GB prompt=6144 output=2048 users=100";

// 53e9 B / (16 x 131,072 B) = 25,272 blocks, as vLLM prints for this pool; one of them is the null
// block that no request gets (vllm/v1/core/block_pool.py).
TEST(AllocationRun, ASquareIsABlockAlsoByHand) {
  for (const char* engine : {" engine=vllm", ""}) {
    const AllocationRun run = run_of(std::string(kLesson) + engine);
    ASSERT_TRUE(run.ok());
    EXPECT_EQ(run.side(0).cells.size(), 25271u);
    EXPECT_EQ(run.side(0).capacity, 25271u);
    EXPECT_EQ(run.caption().find("By hand") != std::string::npos, *engine == '\0');
  }
}

// What is estimated by hand, not what vLLM would estimate: 421,103 tokens are 26,318 blocks of 16
// and 15 tokens more.
TEST(AllocationRun, ThePoolByHandIsTheAnswers) {
  constexpr const char* kLine = "model=llama-3-8b gpu=h100-sxm";
  const Report report = ask(kLine);
  ASSERT_EQ(report.pool.tokens, 421103u);
  const AllocationRun run = run_of(kLine);
  EXPECT_EQ(run.side(0).capacity, 26318u - 1);
  EXPECT_NE(run.caption().find("its pool of 421,103 tokens in vLLM's blocks"), std::string::npos);
}

// Whoever was answered asks again with the next step.
TEST(AllocationRun, NobodyIsLost) {
  AllocationRun run = run_of(kLesson);
  for (int i = 0; i < 20; ++i) {
    run.advance(kSecond / 4);
    for (const std::size_t k : {0u, 1u}) {
      const AllocationSide& side = run.side(k);
      EXPECT_LE(side.running + side.waiting, 100u);
      EXPECT_GE(side.running + side.waiting, 80u);
      EXPECT_LE(side.held, side.capacity);
      EXPECT_EQ(count_of(side, Cell::kFree), side.capacity - side.held);
    }
  }
}

// 25,271 blocks / 512 blocks of the longest request = 49 that are reserved for at once.
TEST(AllocationRun, ReservedRunsFewerAndWastesMore) {
  AllocationRun run = run_of(kLesson);
  run.advance(20 * kSecond);
  EXPECT_LE(run.side(1).running, 49u);
  EXPECT_GE(run.side(1).running, 45u);
  EXPECT_GT(run.side(0).running, run.side(1).running);
  EXPECT_GT(run.side(1).wasted_permille, 200u);
  EXPECT_LT(run.side(0).wasted_permille, 60u);
  EXPECT_GT(count_of(run.side(1), Cell::kEmpty), count_of(run.side(0), Cell::kEmpty));
}

// More at once is more in the same time, once both have filled up.
TEST(AllocationRun, PagedFinishesMore) {
  AllocationRun run = run_of(kLesson);
  for (int i = 0; i < 12; ++i) run.advance(10 * kSecond);
  EXPECT_GT(run.side(0).finished, run.side(1).finished);
}

TEST(AllocationRun, TheSameHoweverItIsCutUp) {
  AllocationRun once = run_of(kLesson);
  AllocationRun often = run_of(kLesson);
  once.advance(2 * kSecond);
  for (int i = 0; i < 20; ++i) often.advance(kSecond / 10);
  for (const std::size_t k : {0u, 1u}) {
    EXPECT_EQ(once.side(k).cells, often.side(k).cells);
    EXPECT_EQ(once.side(k).counts, often.side(k).counts);
  }
}

TEST(AllocationRun, AStepIsOneOfTheEngine) {
  AllocationRun run = run_of(kLesson);
  run.advance(kSecond);
  const std::uint64_t before = run.now_ns();
  run.step();
  EXPECT_GT(run.now_ns(), before);
  EXPECT_LT(run.now_ns(), before + kSecond);
}

TEST(AllocationRun, ALargePoolIsGatheredIntoFewerSquares) {
  const AllocationRun run = run_of("model=llama-3-8b gpu=h200 engine=vllm");
  ASSERT_TRUE(run.ok());
  EXPECT_LE(run.side(0).cells.size(), 36000u);
  EXPECT_GT(run.side(0).capacity, 36000u);
}

TEST(AllocationRun, SaysWhyNothingRuns) {
  const AllocationRun run = run_of("model=llama-3.1-70b gpu=rtx-4090");
  EXPECT_FALSE(run.ok());
  EXPECT_FALSE(run.diagnostics().empty());
}

}  // namespace
}  // namespace kvseats::scenario::testing
