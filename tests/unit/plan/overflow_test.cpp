#include "plan/overflow.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "chance.h"
#include "traffic/simulation.h"
#include "units/math.h"

namespace kvseats::plan {
namespace {

using testing::chance;
using traffic::Lengths;

double binomial(std::uint64_t n, std::uint64_t k, double p) {
  const auto of = [](std::uint64_t x) { return units::lgamma(static_cast<double>(x) + 1); };
  return units::exp(of(n) - of(k) - of(n - k) + static_cast<double>(k) * units::log(p) +
                    static_cast<double>(n - k) * units::log(1 - p));
}

TEST(Overflow, EqualRequestsAreADivision) {
  const CostLaw law = {{.units = 1703936000, .probability = 1}};  // 13,000 tokens of 131,072 B
  EXPECT_EQ(chance(law, 31, 53000000000).typical, 0);
  EXPECT_EQ(chance(law, 32, 53000000000).typical, 1);
  EXPECT_EQ(most_at_risk(law, 53000000000, 0.05).low, 31u);  // the lesson's 31
  EXPECT_TRUE(chance(law, 31, 53000000000).exact);
}

TEST(Overflow, TwoPointsAreABinomialTail) {
  // 5 or 12 units; with k long ones of n the sum is 5n + 7k.
  for (const double p : {0.05, 0.3, 0.9}) {
    const CostLaw law = {{.units = 5, .probability = 1 - p}, {.units = 12, .probability = p}};
    for (const std::uint64_t n : {1u, 10u, 100u, 300u}) {
      const std::uint64_t capacity = 5 * n + 7 * n * 4 / 10;
      double tail = 0;
      for (std::uint64_t k = 0; k <= n; ++k)
        tail += 5 * n + 7 * k > capacity ? binomial(n, k, p) : 0;
      const Chance found = chance(law, n, capacity);
      EXPECT_TRUE(found.exact);
      EXPECT_NEAR(found.typical, tail, 1e-12) << n << " " << p;
    }
  }
}

// Weights of a Poisson law by their ratios, from the mode outwards, made to add up to 1.
std::vector<double> poisson(double mean, std::size_t count) {
  std::vector<double> p(count, 0.0);
  const auto mode = static_cast<std::size_t>(mean);
  p[mode] = 1;
  for (std::size_t k = mode + 1; k < count; ++k) p[k] = p[k - 1] * mean / static_cast<double>(k);
  for (std::size_t k = mode; k > 0; --k) p[k - 1] = p[k] * static_cast<double>(k) / mean;
  double sum = 0;
  for (const double x : p) sum += x;
  for (double& x : p) x /= sum;
  return p;
}

CostLaw poisson_costs(double mean) {
  CostLaw law;
  for (const double p : poisson(mean, 80)) law.push_back({.units = law.size(), .probability = p});
  return law;
}

TEST(Overflow, PoissonCostsAddUpToAPoisson) {
  const CostLaw law = poisson_costs(3);
  for (const std::uint64_t n : {1u, 7u, 100u, 1000u}) {
    const double mean = 3 * static_cast<double>(n);
    const std::vector<double> sum = poisson(mean, 5000);
    for (const double factor : {0.8, 1.0, 1.1, 1.3}) {
      const auto capacity = static_cast<std::uint64_t>(mean * factor);
      double beyond = 0;
      for (std::size_t k = sum.size(); k-- > capacity + 1;) beyond += sum[k];
      EXPECT_NEAR(chance(law, n, capacity).typical, beyond, 1e-12) << n << " " << factor;
    }
  }
}

TEST(Overflow, KindsOfRequestsAddUp) {
  const CostLaw small = {{.units = 1, .probability = 1}};
  const CostLaw coin = {{.units = 0, .probability = 0.5}, {.units = 10, .probability = 0.5}};
  const Crowd both[] = {{.law = &small, .count = 5}, {.law = &coin, .count = 2}};
  EXPECT_NEAR(overflow(both, 14).typical, 0.75, 1e-15);
  EXPECT_NEAR(overflow(both, 15).typical, 0.25, 1e-15);
  EXPECT_NEAR(overflow(both, 25).typical, 0, 1e-15);
}

TEST(Overflow, TheRangeOfCellsHoldsTheExactAnswer) {
  // The same law in units so fine that cells are needed: all costs and the pool × 1,009, plus 1.
  for (const std::uint64_t n : {5u, 40u, 200u}) {
    const CostLaw coarse = poisson_costs(4);
    CostLaw fine = coarse;
    for (CostAtom& atom : fine) atom.units *= 1009;
    fine[1].units += 1;  // no common unit any more
    for (const double factor : {0.9, 1.05, 1.2}) {
      const auto capacity = static_cast<std::uint64_t>(4 * static_cast<double>(n) * factor);
      const Chance exact = chance(coarse, n, capacity);
      const Chance cells = chance(fine, n, capacity * 1009 + 500);
      EXPECT_FALSE(cells.exact);
      EXPECT_LE(cells.low, exact.typical + 1e-12);
      EXPECT_GE(cells.high, exact.typical - 1e-12);
      EXPECT_LE(cells.low, cells.typical);
      EXPECT_LE(cells.typical, cells.high);
    }
  }
}

TEST(Overflow, NeverFallsAsRequestsAreAdded) {
  const engine::Rank rank = {.cost = engine::Cost({{.num = 1, .per = 16}}), .capacity = 3000};
  const Deployment d =
      deployed({rank}, std::nullopt, Lengths::lognormal(800, 3000), Lengths::lognormal(200, 600));
  double before = 0;
  for (const CurvePoint& point : overflow_curve(d, 24)) {
    EXPECT_GE(point.chance.typical, before - 1e-12);
    before = point.chance.typical;
  }
  EXPECT_GT(before, 0.99);
}

TEST(Overflow, TheMostAtARiskIsTheLastThatKeepsIt) {
  const CostLaw law = {{.units = 3, .probability = 0.7}, {.units = 20, .probability = 0.3}};
  const Most most = most_at_risk(law, 1000, 0.05);
  EXPECT_LE(chance(law, most.typical, 1000).typical, 0.05);
  EXPECT_GT(chance(law, most.typical + 1, 1000).typical, 0.05);
  EXPECT_EQ(most.low, most.high);
}

TEST(Overflow, WhatCostsNothingHasNoLimit) {
  const CostLaw free = {{.units = 0, .probability = 1}};
  EXPECT_EQ(most_at_risk(free, 1000, 0.05).low, units::kOutOfRange);
  EXPECT_EQ(chance(free, 1000, 0).typical, 0);
}

TEST(InFlight, ARunningAnswerIsLongerThanTheMeanOne) {
  // Outputs of 1 or 3 tokens, equally often: of the 6 steps that two requests take, 2 hold the
  // prompt alone, 2 one token more, 1 two and 1 three.
  const engine::Rank tokens = {.cost = engine::Cost(std::vector<engine::CostTerm>{{.num = 1}}),
                               .capacity = 100};
  const CostLaw law =
      running_law(tokens, Lengths::fixed(10), Lengths::of({{.tokens = 1}, {.tokens = 3}}));
  ASSERT_EQ(law.size(), 4u);
  EXPECT_EQ(law[0].units, 10u);
  EXPECT_NEAR(law[1].probability, 2.0 / 6, 1e-16);
  EXPECT_NEAR(law[2].probability, 1.0 / 6, 1e-16);
  EXPECT_EQ(law[3].units, 13u);
  EXPECT_NEAR(mean_units(law), 10 + 7.0 / 6, 1e-14);
}

TEST(InFlight, WithoutAnAnswerThePromptIsAll) {
  const engine::Rank blocks = {.cost = engine::Cost({{.num = 1, .per = 16}}), .capacity = 100};
  const CostLaw law = running_law(blocks, Lengths::of({{.tokens = 16}, {.tokens = 17}}), Lengths());
  ASSERT_EQ(law.size(), 2u);
  EXPECT_EQ(law[0].units, 1u);
  EXPECT_EQ(law[0].probability, 0.5);
}

TEST(InFlight, OnlyTheOwnPartOfASharedPrefix) {
  const engine::Rank blocks = {.cost = engine::Cost({{.num = 1, .per = 16}}), .capacity = 100};
  const CostLaw law = running_law(blocks, Lengths::fixed(100), Lengths(), 40);
  EXPECT_EQ(law.front().units, 5u);
  const Deployment d = deployed({blocks}, std::nullopt, Lengths::fixed(100), Lengths(), 40);
  EXPECT_EQ(d.capacities[0], 98u);  // 2 blocks hold the prefix
}

TEST(InFlight, FinalLengthIsTheQuantileOfTheSum) {
  const Lengths dice = Lengths::between(1, 6);
  EXPECT_EQ(final_length(dice, dice, 50), 7u);   // 21 of 36 are at most 7
  EXPECT_EQ(final_length(dice, dice, 95), 11u);  // 35 of 36
  EXPECT_EQ(final_length(dice, dice, 100), 12u);
}

TEST(Sizing, TheSumFitsMoreThanTheLongest) {
  const engine::Rank h100 = {.cost = engine::Cost(std::vector<engine::CostTerm>{{.num = 131072}}),
                             .capacity = 53000000000};
  const Sizing s =
      sized({h100}, std::nullopt, Lengths::lognormal(800, 3000), Lengths::lognormal(300, 900));
  EXPECT_GT(s.gain, 1.5);
  EXPECT_LE(s.by_sum.low, s.by_sum.typical);
  EXPECT_LE(s.by_sum.typical, s.by_sum.high);
  EXPECT_LE(s.by_sum.high - s.by_sum.low, s.by_sum.typical / 20);
  const Sizing capped = sized({h100}, 7, Lengths::lognormal(800, 3000), Lengths::fixed(300));
  EXPECT_EQ(capped.by_sum.low, 7u);
}

}  // namespace
}  // namespace kvseats::plan
