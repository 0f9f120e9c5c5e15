#include <gtest/gtest.h>

#include "engine/cost.h"

// The edges of the compiled cost: prefixes, shared cells, slots, what has no cost at all.
namespace kvseats::engine {
namespace {

Rank rank_of(std::vector<CostTerm> terms, std::uint64_t capacity) {
  return {.stage = 0, .stages = 1, .cost = Cost(std::move(terms)), .capacity = capacity};
}

Rank cells(std::uint64_t capacity, std::uint64_t slots) {
  Rank rank = rank_of({{.num = 10}}, capacity);
  rank.slots = slots;
  rank.shared_cells = 100;
  return rank;
}

TEST(CostEdges, TwoTokensAnEntryAndHalfAUnitEach) {
  const Cost pairs({{.num = 1, .per = 2}});
  EXPECT_EQ(pairs.at(3), 2u);
  EXPECT_EQ(pairs.next_growth(3), 5u);
  EXPECT_EQ(pairs.next_growth(4), 5u);
  const Cost halves({{.num = 1, .den = 2}});
  EXPECT_EQ(halves.at(1), 1u);
  EXPECT_EQ(halves.at(4), 2u);
}

// 2^32 entries of 2^32 units are 2^64.
TEST(CostEdges, ThirtyThreeBitsTimesThirtyThreeDoNotFit) {
  const Cost cost(std::vector<CostTerm>{{.num = 1ULL << 32}});
  EXPECT_EQ(cost.at((1ULL << 32) - 1), ((1ULL << 32) - 1) << 32);
  EXPECT_EQ(cost.at(1ULL << 32), units::kOutOfRange);
}

struct Prefixed {
  std::uint64_t tokens, prefix, cost;
};

// Blocks of 16 and one more that straddles the window's start: ceil(L ÷ 16) + 1 − floor(P ÷ 16).
TEST(CostEdges, APrefixLeavesTheStraddlingBlock) {
  const Cost cost({{.num = 1, .per = 16, .extra = 1}});
  for (const Prefixed& c : {Prefixed{100, 0, 8}, {100, 40, 6}, {100, 15, 8}, {100, 16, 7}}) {
    EXPECT_EQ(cost.at(c.tokens, c.prefix), c.cost) << c.prefix;
  }
  EXPECT_EQ(Cost(std::vector<CostTerm>{{.num = 10}}).at(5, 1), 40u)
      << "a prefix of one token is one";
}

TEST(CostEdges, TheLastLengthOfASlotMayHaveAPrefix) {
  const Cost cost = Cost::in_slots({{.num = 10}}, {.shortest = 20, .longest = 100});
  EXPECT_EQ(cost.at(100, 10), 900u);
  EXPECT_EQ(cost.at(101, 10), units::kOutOfRange);
  EXPECT_EQ(cost.at(5, 10), 100u) << "all of the slot but what is shared";
}

struct Fitting {
  const char* name;
  std::uint64_t capacity, tokens, prefix, requests;
};

// A request of 100 tokens costs 7 blocks; 40 tokens of a prefix are 2 of them, held once.
TEST(CostEdges, ThePrefixIsTakenFromThePoolOnce) {
  constexpr Fitting kCases[] = {
      {"two and a prefix", 12, 100, 40, 2}, {"a block less", 11, 100, 40, 1},
      {"the prefix alone", 2, 100, 40, 0},  {"not the prefix", 1, 100, 40, 0},
      {"no prefix", 14, 100, 0, 2},
  };
  for (const Fitting& c : kCases) {
    EXPECT_EQ(requests_at({rank_of({{.num = 1, .per = 16}}, c.capacity)}, c.tokens, c.prefix),
              c.requests)
        << c.name;
  }
  const std::vector<Rank> tokens = {rank_of({{.num = 10}}, 180)};
  EXPECT_EQ(requests_at(tokens, 10, 1), 1u) << "10 units of the prefix, 90 of a request";
  EXPECT_EQ(requests_at(tokens, 10, 0), 1u);
}

// Who brings nothing but the prefix costs nothing more, as soon as the prefix itself fits.
TEST(CostEdges, RequestsOfThePrefixAlone) {
  Rank rank = rank_of({{.num = 10}}, 100);
  rank.slots = 4;
  EXPECT_EQ(requests_at({rank}, 10, 10), 4u);
  EXPECT_EQ(requests_at({rank}, 11, 11), 0u);
  EXPECT_EQ(requests_at({cells(2000, 4)}, 100, 100), 4u);
}

// 100 cells of 10 units: the server starts with 1,000; with less every request is alone.
TEST(CostEdges, SharedCellsNeedTheWholeServer) {
  EXPECT_EQ(requests_at({cells(1000, 4)}, 25), 4u);
  EXPECT_EQ(requests_at({cells(999, 4)}, 25), 1u);
  EXPECT_EQ(requests_at({cells(250, 4)}, 25), 1u);
  EXPECT_EQ(requests_at({cells(249, 4)}, 25), 0u);
  EXPECT_EQ(requests_at({cells(1000, 1000)}, 1), 100u) << "cells, not slots";
  EXPECT_EQ(requests_at({cells(1000, 1000)}, 30, 29), 71u);
}

TEST(CostEdges, OnlyWhatCostsNothingIsFree) {
  struct {
    std::vector<CostTerm> terms;
    bool is_free, grows;
  } const cases[] = {
      {{}, true, false},
      {{{.num = 0}}, true, false},
      {{{.num = 1}}, false, true},
      {{{.fixed = 1}}, false, false},
      {{{.num = 1, .cap = 9}}, false, false},
      {{{.num = 0}, {.num = 1}}, false, true},
      {{{.num = 0, .cap = 9}}, true, false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Cost(c.terms).is_free(), c.is_free);
    EXPECT_EQ(Cost(c.terms).grows_forever(), c.grows);
  }
  EXPECT_EQ(fullest_at({rank_of({}, 1)}, 100), 0u);
}

struct Reserved {
  const char* name;
  std::uint64_t shortest, slots, taken;
};

// A slot of a length of its own is reserved as soon as one runs; without slots or such a length
// nothing is.
TEST(CostEdges, SlotsAreReservedTogether) {
  constexpr Reserved kCases[] = {
      {"slots of 20", 20, 4, 800},
      {"slots of 1", 1, 4, 200},
      {"slots as long as the request", 0, 4, 50},
      {"as many as memory holds", 20, UINT64_MAX, 200},
  };
  for (const Reserved& c : kCases) {
    Rank rank = rank_of({}, 1000);
    rank.cost = Cost::in_slots({{.num = 10}}, {.shortest = c.shortest});
    rank.slots = c.slots;
    EXPECT_EQ(taken(rank, 5, 0, 1), c.taken) << c.name;
  }
}

struct Ended {
  const char* name;
  std::uint64_t capacity, slots;
  bool by_slots;
};

// Requests of 10 units each: what ends first, the slots or the memory.
TEST(CostEdges, SlotsEndBeforeMemoryWhereOneMoreWouldFit) {
  constexpr Ended kCases[] = {
      {"four of four", 40, 4, false},
      {"four of five", 50, 4, true},
      {"none", 9, 4, false},
      {"one of two", 20, 1, true},
      {"no slots at all", 1000, UINT64_MAX, false},
  };
  for (const Ended& c : kCases) {
    Rank rank = rank_of({{.num = 10}}, c.capacity);
    rank.slots = c.slots;
    EXPECT_EQ(ends_before_memory({rank}, 1, 0), c.by_slots) << c.name;
  }
  EXPECT_FALSE(ends_before_memory({rank_of({}, 100)}, 1, 0)) << "nothing ends";
  EXPECT_TRUE(ends_before_memory({cells(1000, 4)}, 1, 0));
  EXPECT_FALSE(ends_before_memory({cells(999, 4)}, 1, 0));
  EXPECT_FALSE(ends_before_memory({cells(1000, 4)}, 150, 0)) << "not even one fits";
}

TEST(CostEdges, OfEquallyTightRanksTheFirst) {
  const Rank small = rank_of({{.num = 10}}, 100);
  const Rank large = rank_of({{.num = 10}}, 200);
  EXPECT_EQ(tightest({small, large}, 1, 0), 0u);
  EXPECT_EQ(tightest({large, small}, 1, 0), 1u);
  EXPECT_EQ(tightest({small, small}, 1, 0), 0u);
  EXPECT_EQ(tightest({large, small, small}, 1, 0), 1u);
}

}  // namespace
}  // namespace kvseats::engine
