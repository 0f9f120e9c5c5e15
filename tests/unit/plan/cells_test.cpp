#include <gtest/gtest.h>

#include "chance.h"
#include "plan/convolve.h"
#include "plan/overflow.h"

// The stated range of plan/overflow.h, where the sum of the cells is one number: then P(S′ > C ± t)
// is 0 or 1, and the ends of the range say what t is.
namespace kvseats::plan {
namespace {

using testing::chance;
using traffic::Lengths;

// Always `units`, and the next number with no probability, so that only 1 divides both.
CostLaw always(std::uint64_t units) {
  return {{.units = units, .probability = 1}, {.units = units + 1, .probability = 0}};
}

struct Range {
  std::uint64_t count, units, cells;  ///< cells of two units each
  double low, typical, high;
};

// 100 requests: t = ⌈√(100 · ln 10⁶ ÷ 2)⌉ = ⌈26.28⌉ = 27; they take 4,000 cells.
// 4 requests: t = ⌈5.26⌉ > 4, so no more than 4 cells may be wrong, and ε = 0.
TEST(Cells, TheRangeIsHoeffdings) {
  constexpr double kEpsilon = 1e-6;
  constexpr Range kCases[] = {
      {100, 80, 4028, 0, 0, kEpsilon},
      {100, 80, 4027, 0, 0, kEpsilon},
      {100, 80, 4026, 0, 0, 1},
      {100, 80, 4000, 0, 0, 1},
      {100, 80, 3999, 0, 1, 1},
      {100, 80, 3973, 0, 1, 1},
      {100, 80, 3972, 1 - kEpsilon, 1, 1},
      {4, 2000, 4004, 0, 0, 0},
      {4, 2000, 4003, 0, 0, 1},
      {4, 2000, 3999, 0, 1, 1},
      {4, 2000, 3996, 0, 1, 1},
      {4, 2000, 3995, 1, 1, 1},
  };
  for (const Range& c : kCases) {
    const Chance found = chance(always(c.units), c.count, 2 * c.cells);
    SCOPED_TRACE(c.cells);
    EXPECT_FALSE(found.exact);
    EXPECT_NEAR(found.low, c.low, 1e-12);
    EXPECT_NEAR(found.typical, c.typical, 1e-12);
    EXPECT_NEAR(found.high, c.high, 1e-12);
  }
}

// 6,002 units are 2,000 cells of 3 and two thirds of one: two requests take 4,000 cells with 1/9,
// 4,001 with 4/9, 4,002 with 4/9.
TEST(Cells, ACostBetweenTwoCellsIsEitherWithItsMean) {
  EXPECT_NEAR(chance(always(6002), 2, 3 * 4001).typical, 4.0 / 9, 1e-12);
  EXPECT_NEAR(chance(always(6002), 2, 3 * 4000).typical, 8.0 / 9, 1e-12);
  EXPECT_NEAR(chance(always(6002), 2, 3 * 4002).typical, 0, 1e-12);
}

// 4,096 units are cells of one; 4,097 are not counted one by one any more.
TEST(Cells, UpTo4096UnitsAreExact) {
  EXPECT_TRUE(chance(always(80), 10, 4096).exact);
  EXPECT_FALSE(chance(always(80), 10, 4097).exact);
  // Of the costs within the pool 1,000 divides all; what exceeds it alone does so in any unit.
  const CostLaw law = {{.units = 2000, .probability = 0.5}, {.units = 7000001, .probability = 0.5}};
  EXPECT_TRUE(chance(law, 1, 4096000).exact);
  EXPECT_EQ(chance(law, 1, 4096000).typical, 0.5);
  EXPECT_EQ(chance(law, 2, 4096000).typical, 0.75);
}

TEST(Cells, MoreThanAMillionRequestsAreCertainToOverflow) {
  const CostLaw free = {{.units = 0, .probability = 1}};
  EXPECT_EQ(chance(free, 1 << 20, 0).high, 0);
  const Chance more = chance(free, (1 << 20) + 1, 0);
  EXPECT_EQ(more.low, 1);
  EXPECT_EQ(more.typical, 1);
  EXPECT_EQ(more.high, 1);
}

TEST(Cells, NobodyOverflowsNothing) {
  const Chance nobody = chance(always(80), 0, 0);
  EXPECT_EQ(nobody.typical, 0);
  EXPECT_EQ(nobody.high, 0);
}

// 40 cells each of 4,027: 100 requests take 4,000, safe by t = 27; 101 take 4,040, which 27 cells
// more would hold; 102 take 4,080, which they would not.
TEST(Cells, TheMostAtARiskHasTheSameRange) {
  CostLaw law = always(80);
  law.insert(law.begin(), CostAtom{.units = 0, .probability = 0});
  const Most most = most_at_risk(law, 2 * 4027, 0.05);
  EXPECT_EQ(most.low, 100u);
  EXPECT_EQ(most.typical, 100u);
  EXPECT_EQ(most.high, 101u);
  EXPECT_EQ(most_at_risk(law, 2 * 4026, 0.05).low, 99u);
  // Where each takes 80 units at least, 8,054 hold no more than 100, whatever the cells say.
  EXPECT_EQ(most_at_risk(always(80), 2 * 4027, 0.05).high, 100u);
}

// Each takes the pool with one half: one overflows never, two with 1/4, three with 1/2.
TEST(Risk, IsMetExactly) {
  const CostLaw coin = {{.units = 0, .probability = 0.5}, {.units = 10, .probability = 0.5}};
  struct {
    double risk;
    std::uint64_t most;
  } constexpr kCases[] = {{0, 1}, {0.24, 1}, {0.25, 2}, {0.49, 2}, {0.5, 3}};
  for (const auto& c : kCases) EXPECT_EQ(most_at_risk(coin, 10, c.risk).typical, c.most) << c.risk;
  EXPECT_EQ(most_at_risk(coin, 9, 0).typical, 0u);
}

TEST(Risk, EqualRequestsFillThePool) {
  const CostLaw ten = {{.units = 10, .probability = 1}};
  for (const std::uint64_t most : {1u, 2u, 3u, 4u, 8u}) {
    EXPECT_EQ(most_at_risk(ten, 10 * most, 0.05).typical, most);
    EXPECT_EQ(most_at_risk(ten, 10 * most - 1, 0.05).typical, most - 1);
  }
  // 5,000 units are half as many cells, but no more than 5,000 requests of one.
  EXPECT_EQ(most_at_risk(always(1), 5000, 0.05).high, 5000u);
}

Deployment twice(double p) {
  const CostLaw coin = {{.units = 0, .probability = 1 - p}, {.units = 10, .probability = p}};
  return {.laws = {coin, coin}, .capacities = {15, 15}, .most = 3};
}

// Two pools that overflow with 1/4 each: from the worst of them to their sum (Boole).
TEST(Pools, SeveralAreFromTheWorstToTheSum) {
  const Chance half = overflow(twice(0.5), 2);
  EXPECT_EQ(half.low, 0.25);
  EXPECT_EQ(half.typical, 0.25);
  EXPECT_EQ(half.high, 0.5);
  EXPECT_EQ(overflow(twice(1), 2).high, 1);
  EXPECT_EQ(overflow(twice(1), 1).high, 0);
  EXPECT_EQ(overflow(twice(0), 3).low, 0);
  EXPECT_EQ(overflow(twice(0), 4).low, 1) << "beyond the slots";
  EXPECT_FALSE(half.exact) << "1/4 to 1/2";
  EXPECT_TRUE(overflow(twice(0), 2).exact) << "neither overflows";
  EXPECT_TRUE(overflow(twice(1), 2).exact) << "both do, for certain";
}

struct Added {
  Chance one;
  bool exact;
};

// Beside a pool that overflows with 1/4: what is certain stays exact, what may happen apart is not.
TEST(Pools, AreExactWhereTheyCannotOverflowApart) {
  constexpr Added kCases[] = {
      {{0, 0, 0}, true},     {{1, 1, 1}, true},        {{0, 0, 0, false}, false},
      {{0, 0, 9e-13}, true}, {{0, 0, 1.5e-12}, false}, {{0.25, 0.25, 0.25}, false},
  };
  for (const Added& c : kCases) {
    Chance all = {0.25, 0.25, 0.25};
    add_pool(c.one, all);
    EXPECT_EQ(all.exact, c.exact) << c.one.high;
    add_pool({}, all);
    EXPECT_EQ(all.exact, c.exact) << "a third pool makes nothing exact";
  }
}

TEST(Pools, ADeploymentHasALawAndACapacityForEachRank) {
  engine::Rank blocks = {.cost = engine::Cost({{.num = 1, .per = 16}}), .capacity = 100};
  blocks.slots = 9;
  engine::Rank cells = blocks;
  cells.slots = 7;
  cells.shared_cells = 1000;
  const Deployment d = deployed({blocks, cells}, 8, Lengths::fixed(100), Lengths(), 40);
  ASSERT_EQ(d.laws.size(), 2u);
  EXPECT_EQ(d.capacities, (std::vector<std::uint64_t>{98, 960}));
  EXPECT_EQ(d.laws[0].front().units, 5u);
  EXPECT_EQ(d.laws[1].front().units, 60u);
  EXPECT_EQ(d.most, 7u);
  EXPECT_EQ(deployed({blocks}, 8, Lengths::fixed(1), Lengths()).most, 8u);
  EXPECT_EQ(deployed({blocks}, {}, Lengths::fixed(1), Lengths()).most, 9u);
}

engine::Rank tokens_in(std::uint64_t capacity) {
  return {.cost = engine::Cost(std::vector<engine::CostTerm>{{.num = 1}}), .capacity = capacity};
}

TEST(Sizing, EqualRequestsGainNothing) {
  const Sizing s = sized({tokens_in(1000)}, {}, Lengths::fixed(100), Lengths());
  EXPECT_EQ(s.by_sum.low, 10u);
  EXPECT_EQ(s.by_sum.high, 10u);
  EXPECT_EQ(s.by_p95, 10u);
  EXPECT_EQ(s.p95_tokens, 100u);
  EXPECT_EQ(s.gain, 1);
  EXPECT_EQ(sized({tokens_in(99)}, {}, Lengths::fixed(100), Lengths()).gain, 0);
  const Sizing free = sized({engine::Rank{}}, {}, Lengths::fixed(100), Lengths());
  EXPECT_EQ(free.gain, 1);
  EXPECT_EQ(free.by_p95, units::kOutOfRange);
}

// One long request in ten takes 91 of 100 units, the others one: by the 95th percentile one fits.
// Two are too many where both are long, 1 %; three where two are, 2.8 %; four with 5.23 %.
TEST(Sizing, TheSumHoldsMoreThanTheLongestAtOnce) {
  const Lengths prompt = Lengths::of({{.tokens = 1, .weight = 9}, {.tokens = 91}});
  const Sizing one = sized({tokens_in(100)}, {}, prompt, Lengths(), 0, 0.05);
  EXPECT_EQ(one.by_p95, 1u);
  EXPECT_EQ(one.by_sum.typical, 3u);
  EXPECT_EQ(one.gain, 3);
  // Of two pools each may take half of the risk, to be on the safe side.
  const Sizing two = sized({tokens_in(100), tokens_in(100)}, {}, prompt, Lengths(), 0, 0.05);
  EXPECT_EQ(two.by_sum.low, 2u);
  EXPECT_EQ(two.by_sum.typical, 3u);
  EXPECT_EQ(two.by_sum.high, 3u);
  const Sizing slots = sized({tokens_in(100)}, 2, prompt, Lengths(), 0, 0.05);
  EXPECT_EQ(slots.by_sum.high, 2u);
  EXPECT_EQ(slots.by_sum.typical, 2u);
}

std::vector<std::uint64_t> counts_of(const std::vector<CurvePoint>& curve) {
  std::vector<std::uint64_t> out;
  for (const CurvePoint& point : curve) out.push_back(point.count);
  return out;
}

TEST(Curve, BeginsWhereNobodyOverflowsAndEndsWhereAllDo) {
  const auto curve_of = [](std::uint64_t capacity, std::size_t points) {
    return overflow_curve(deployed({tokens_in(capacity)}, {}, Lengths::fixed(100), Lengths()),
                          points);
  };
  EXPECT_EQ(counts_of(curve_of(1000, 24)), (std::vector<std::uint64_t>{10, 11}));
  EXPECT_EQ(curve_of(1000, 24)[0].chance.typical, 0);
  EXPECT_EQ(curve_of(1000, 24)[1].chance.typical, 1);
  EXPECT_EQ(counts_of(curve_of(50, 24)), (std::vector<std::uint64_t>{1, 2})) << "not even one";
  EXPECT_EQ(curve_of(1000, 2).size(), 2u);
  EXPECT_TRUE(curve_of(1000, 1).empty());
  EXPECT_TRUE(overflow_curve(deployed({engine::Rank{}}, {}, Lengths::fixed(1), {}), 9).empty());
}

// From the last that overflows with at most 1 in 10,000 to the first with more than 999 in 1,000.
TEST(Curve, IsEvenlySpacedOverItsRange) {
  const CostLaw coin = {{.units = 0, .probability = 0.5}, {.units = 10, .probability = 0.5}};
  const Deployment d = {.laws = {coin}, .capacities = {100}};
  const auto all = counts_of(overflow_curve(d, 1000));
  ASSERT_GT(all.size(), 10u);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], all[0] + i) << "every count once";
  const auto few = overflow_curve(d, 5);
  ASSERT_EQ(few.size(), 5u);
  EXPECT_EQ(few.front().count, all.front());
  EXPECT_EQ(few.back().count, all.back());
  EXPECT_LE(few.front().chance.high, 1e-4);
  EXPECT_GT(overflow(d, all.front() + 1).high, 1e-4);
  EXPECT_GT(few.back().chance.typical, 0.999);
  EXPECT_LE(overflow(d, all.back() - 1).typical, 0.999);
}

TEST(Laws, ASumKeepsWhatIsAtMostSoMuch) {
  const Law coin = {.first = 2, .p = {0.5, 0.5}};
  const Law two = convolved(coin, coin, 100);
  EXPECT_EQ(two.first, 4u);
  EXPECT_EQ(two.p, (std::vector<double>{0.25, 0.5, 0.25}));
  EXPECT_EQ(convolved(coin, coin, 5).p, (std::vector<double>{0.25, 0.5}));
  EXPECT_EQ(convolved(coin, coin, 4).p, (std::vector<double>{0.25}));
  EXPECT_TRUE(convolved(coin, coin, 3).p.empty());
  EXPECT_TRUE(convolved(coin, {}, 100).p.empty());
  EXPECT_EQ(two.up_to(3), 0);
  EXPECT_EQ(two.up_to(4), 0.25);
  EXPECT_EQ(two.up_to(5), 0.75);
  EXPECT_EQ(two.up_to(99), 1);
  const Law over = {.first = 0, .p = {0.75, 0.75}};
  EXPECT_EQ(over.up_to(1), 1) << "of rounding";
}

// (½ + ½x)⁵ = (1 + 5x + 10x² + …) ÷ 32.
TEST(Laws, APowerIsTheSumOfSoManyCopies) {
  const Law coin = {.first = 0, .p = {0.5, 0.5}};
  EXPECT_EQ(power(coin, 0, 9).p, (std::vector<double>{1}));
  EXPECT_EQ(power(coin, 1, 9).p, coin.p);
  const std::vector<double> five = {1. / 32, 5. / 32, 10. / 32, 10. / 32, 5. / 32, 1. / 32};
  EXPECT_EQ(power(coin, 5, 9).p, five);
}

TEST(Laws, EndsBelowTenToTheMinusThirtyAreDropped) {
  const Law ends = {.first = 3, .p = {1e-31, 1e-30, 1, 1e-40, 1, 1e-30, 1e-31}};
  const Law kept = convolved(ends, nothing(), 100);
  EXPECT_EQ(kept.first, 4u);
  EXPECT_EQ(kept.p, (std::vector<double>{1e-30, 1, 1e-40, 1, 1e-30}));
}

// Tokens beyond 2^21 are counted in steps: 2^22 + 1 in threes.
TEST(InFlight, VeryLongRequestsAreRoundedUpToSteps) {
  const Lengths prompt = Lengths::fixed((1 << 22) + 1);
  const CostLaw law = running_law(tokens_in(1), prompt, Lengths());
  ASSERT_EQ(law.size(), 1u);
  EXPECT_EQ(law[0].units, 4194306u);
  EXPECT_EQ(final_length(prompt, Lengths(), 95), 4194306u);
  EXPECT_EQ(final_length(Lengths::fixed(1 << 21), Lengths(), 95), 2097152u);
}

// Three of four are nothing at all.
TEST(InFlight, NothingIsALengthToo) {
  const Lengths prompt = Lengths::of({{.tokens = 0, .weight = 3}, {.tokens = 5}});
  EXPECT_EQ(final_length(prompt, Lengths(), 50), 0u);
  EXPECT_EQ(final_length(prompt, Lengths(), 76), 5u);
}

// Cells of a server that all requests share are tokens of their own, one by one.
TEST(InFlight, SharedCellsAreTokens) {
  engine::Rank cells = tokens_in(1);
  cells.cost = engine::Cost({{.num = 1, .per = 16}});
  cells.shared_cells = 1000;
  const CostLaw law = running_law(cells, Lengths::fixed(10), Lengths::fixed(3), 4);
  ASSERT_EQ(law.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(law[i].units, 6 + i);
    EXPECT_EQ(law[i].probability, 0.25);
  }
}

// A prompt shorter than the prefix has nothing of its own.
TEST(InFlight, NobodyHasLessThanNothingOfHisOwn) {
  const CostLaw law = running_law(tokens_in(1), Lengths::fixed(10), Lengths(), 40);
  ASSERT_EQ(law.size(), 1u);
  EXPECT_EQ(law[0].units, 0u);
}

}  // namespace
}  // namespace kvseats::plan
