#include "engine/cost.h"

#include <gtest/gtest.h>

namespace kvseats::engine {
namespace {

Rank rank_of(std::vector<CostTerm> terms, std::uint64_t capacity) {
  return {.stage = 0, .stages = 1, .cost = Cost(std::move(terms)), .capacity = capacity};
}

// Llama 3 8B in bf16: 131,072 B a token (Grattafiori et al., arXiv 2407.21783, table 3).
constexpr CostTerm kLlama = {.num = 131072};

TEST(Cost, GrowsByTheTokenWithoutBlocks) {
  const Cost cost({kLlama});
  EXPECT_EQ(cost.at(0), 0u);
  EXPECT_EQ(cost.at(1), 131072u);
  EXPECT_EQ(cost.at(8192), 1073741824u);
}

TEST(Cost, BlocksRoundUp) {
  const Cost cost({{.num = 1, .per = 16}});
  EXPECT_EQ(cost.at(1), 1u);
  EXPECT_EQ(cost.at(16), 1u);
  EXPECT_EQ(cost.at(17), 2u);
}

TEST(Cost, WindowsStopGrowing) {
  const Cost cost({{.num = 10, .cap = 128}});
  EXPECT_EQ(cost.at(127), 1270u);
  EXPECT_EQ(cost.at(128), 1280u);
  EXPECT_EQ(cost.at(1000000), 1280u);
  EXPECT_FALSE(cost.grows_forever());
}

TEST(Cost, FractionsRoundUpOnce) {
  const Cost cost({{.num = 9, .den = 16}});
  EXPECT_EQ(cost.at(1), 1u);
  EXPECT_EQ(cost.at(16), 9u);
  EXPECT_EQ(cost.at(17), 10u);
}

TEST(Cost, StatesAreConstant) {
  const Cost cost({{.fixed = 5, .shareable = false}});
  EXPECT_EQ(cost.at(1), 5u);
  EXPECT_EQ(cost.at(100), 5u);
  EXPECT_EQ(cost.at(100, 50), 5u) << "a state cannot be shared";
}

TEST(Cost, OnlyWholeBlocksOfAPrefixAreShared) {
  const Cost cost({{.num = 1, .per = 16}});
  EXPECT_EQ(cost.of_prefix(40), 2u);
  EXPECT_EQ(cost.at(100, 40), 5u) << "7 blocks, 2 of them shared";
}

TEST(Cost, NextGrowthIsTheNextLengthThatCostsMore) {
  const Cost blocks({{.num = 1, .per = 16}});
  EXPECT_EQ(blocks.next_growth(0), 1u);
  EXPECT_EQ(blocks.next_growth(1), 17u);
  EXPECT_EQ(blocks.next_growth(16), 17u);
  EXPECT_EQ(blocks.next_growth(17), 33u);
  const Cost window({{.num = 10, .cap = 128}});
  EXPECT_EQ(window.next_growth(127), 128u);
  EXPECT_EQ(window.next_growth(128), UINT64_MAX);
  const Cost state(std::vector<CostTerm>{{.fixed = 5}});
  EXPECT_EQ(state.next_growth(1), UINT64_MAX);
  EXPECT_EQ(Cost::in_slots(std::vector<CostTerm>{{.num = 1}}, {.shortest = 100}).next_growth(5),
            101u);
}

TEST(Cost, NeverWraps) {
  const Cost cost(std::vector<CostTerm>{{.num = UINT64_MAX / 2}});
  EXPECT_EQ(cost.at(4), units::kOutOfRange);
  EXPECT_EQ(requests_at({rank_of({{.num = UINT64_MAX / 2}}, 100)}, 4), 0u);
}

TEST(Ranks, TheTightestDecides) {
  const std::vector<Rank> ranks = {rank_of({kLlama}, 53000000000),
                                   rank_of({{.num = 262144}}, 53000000000)};
  EXPECT_EQ(requests_at(ranks, 8192), 24u);
  EXPECT_EQ(tightest(ranks, 8192), 1u);
}

TEST(Ranks, FreeRequestsHaveNoLimit) {
  EXPECT_EQ(requests_at({rank_of({}, 100)}, 8192), units::kOutOfRange);
}

TEST(Ranks, LongestIsTheLastLengthThatFits) {
  const std::vector<Rank> ranks = {rank_of({kLlama}, 53000000000)};
  EXPECT_EQ(longest_at(ranks, 1, 1u << 30), 404357u);
  EXPECT_EQ(longest_at(ranks, 100, 1u << 30), 4043u);
  EXPECT_EQ(longest_at(ranks, 1000000000, 1u << 30), 0u);
}

// The inverse and the division agree at the answer and fail one token further.
TEST(Ranks, LongestAgreesWithTheDivisionOnManyPools) {
  std::uint64_t state = 1;
  for (int i = 0; i < 2000; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const std::uint64_t capacity = (state >> 20) % 1000000000;
    const std::uint64_t window = 1 + (state >> 50) % 4096;
    const std::vector<Rank> ranks = {
        rank_of({{.num = 1 + (state >> 40) % 500, .per = 1 + (state >> 33) % 64},
                 {.num = 7, .cap = window},
                 {.fixed = (state >> 60)}},
                capacity)};
    const std::uint64_t requests = 1 + (state >> 55);
    const std::uint64_t limit = 1u << 28;
    const std::uint64_t longest = longest_at(ranks, requests, limit);
    if (longest != 0) {
      EXPECT_GE(requests_at(ranks, longest), requests);
    }
    if (longest != limit) {
      EXPECT_LT(requests_at(ranks, longest + 1), requests);
    }
  }
}

// A slot of 8 tokens is taken whole and holds no more.
TEST(Cost, ASlotHasAShortestAndALongestLength) {
  const Cost cost = Cost::in_slots({{.num = 10}}, {.shortest = 8, .longest = 8});
  EXPECT_EQ(cost.at(1), 80u);
  EXPECT_EQ(cost.at(8), 80u);
  EXPECT_EQ(cost.at(9), units::kOutOfRange);
}

TEST(Cost, SlotsCapWhatMemoryWouldHold) {
  Rank rank = rank_of({{.num = 10}}, 1000);
  EXPECT_EQ(requests_at({rank}, 10), 10u);
  rank.slots = 4;
  EXPECT_EQ(requests_at({rank}, 10), 4u);
}

// 100 cells shared by 4 slots; the server for 100 tokens takes 1,000, the pool has 2,000.
TEST(Cost, SharedCellsAreSplitAmongRequestsUntilOneNeedsThemAll) {
  Rank rank = rank_of({{.num = 10}}, 2000);
  rank.slots = 4;
  rank.shared_cells = 100;
  EXPECT_EQ(requests_at({rank}, 10), 4u);
  EXPECT_EQ(requests_at({rank}, 40), 2u);
  EXPECT_EQ(requests_at({rank}, 100), 1u);
  EXPECT_EQ(requests_at({rank}, 40, 30), 4u);
  EXPECT_EQ(requests_at({rank}, 200), 1u);
  EXPECT_EQ(requests_at({rank}, 201), 0u);
  EXPECT_EQ(longest_at({rank}, 1, 1000), 200u);
}

// What is reserved at start-up is taken by the first request.
TEST(Cost, ReservedCellsAreTakenAtOnce) {
  Rank shared = rank_of({{.num = 10}}, 2000);
  shared.slots = 4;
  shared.shared_cells = 100;
  EXPECT_EQ(taken(shared, 10, 0, 0), 0u);
  EXPECT_EQ(taken(shared, 10, 0, 1), 1000u);
  Rank slots = {.stage = 0, .stages = 1, .cost = {}, .capacity = 1000, .slots = 4};
  slots.cost = Cost::in_slots({{.num = 10}}, {.shortest = 20, .longest = 20});
  EXPECT_EQ(taken(slots, 5, 0, 1), 800u);
  EXPECT_EQ(taken(rank_of({{.num = 10}}, 2000), 5, 0, 3), 150u);
}

}  // namespace
}  // namespace kvseats::engine
