#include "traffic/lengths.h"

#include <gtest/gtest.h>

#include <cmath>

#include "traffic/named.h"
#include "units/math.h"

namespace kvseats::traffic {
namespace {

Lengths parsed(std::string_view text) {
  auto lengths = parse_lengths(text);
  EXPECT_TRUE(lengths) << text << ": " << (lengths ? "" : lengths.error().text);
  return lengths.value_or(Lengths());
}

std::string code_of(std::string_view text) {
  const auto lengths = parse_lengths(text);
  return lengths ? "accepted" : lengths.error().code;
}

TEST(Random, FirstDrawsAreThoseOfThePublishedSplitMix64) {
  // splitmix64.c with seed 1234567, as quoted by Rosetta Code, "Pseudo-random numbers/Splitmix64".
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
}

TEST(Random, BelowIsBelowAndReachesAll) {
  Random random(7);
  std::array<int, 5> seen = {};
  for (int i = 0; i < 5000; ++i) ++seen.at(random.below(5));
  for (const int count : seen) EXPECT_NEAR(count, 1000, 120);
  EXPECT_EQ(random.below(1), 0u);
}

TEST(Random, ExponentialHasItsMean) {
  Random random(9);
  double sum = 0;
  for (int i = 0; i < 100000; ++i) sum += static_cast<double>(random.exponential(1000000));
  EXPECT_NEAR(sum / 100000, 1e6, 1e4);  // three standard errors: 9,487
}

TEST(Normal, QuantileInvertsTheErrorFunction) {
  for (const double u : {1e-9, 0.001, 0.05, 0.3, 0.5, 0.77, 0.95, 0.99, 0.9995}) {
    const double x = normal_quantile(u);
    EXPECT_NEAR((1 + units::erf(x / std::sqrt(2.0))) / 2, u, 2e-13) << u;
  }
  EXPECT_NEAR(normal_quantile(0.95), 1.6448536269514722, 1e-14);  // tables of the normal law
}

TEST(Lengths, ANumberIsAlwaysThatNumber) {
  const Lengths one = parsed("1k");
  EXPECT_EQ(one, Lengths::fixed(1024));
  EXPECT_EQ(one.mean(), 1024);
  EXPECT_EQ(one.quantile(1), 1024u);
  EXPECT_EQ(one.quantile(99), 1024u);
}

TEST(Lengths, ARangeIsUniform) {
  const Lengths range = parsed("500-2000");
  EXPECT_EQ(range.shortest(), 500u);
  EXPECT_EQ(range.longest(), 2000u);
  EXPECT_EQ(range.total(), 1501u);
  EXPECT_EQ(range.mean(), 1250);
  EXPECT_EQ(range.quantile(50), 1250u);
  EXPECT_EQ(range.quantile(95), 1925u);  // 1,426 of 1,501 are at most that
}

TEST(Lengths, ALongRangeKeepsItsEndsAndItsMean) {
  const Lengths range = Lengths::between(1000, 1000000);
  EXPECT_LE(range.atoms().size(), 4096u);
  EXPECT_EQ(range.shortest(), 1000u);
  EXPECT_EQ(range.longest(), 1000000u);
  EXPECT_NEAR(range.mean(), 500500, 0.5);
}

TEST(Lengths, BothQuantilesOfALognormalAreExact) {
  for (const auto& [p50, p95] : {std::pair{800u, 3000u}, {1u, 1u}, {100u, 101u}, {2000u, 60000u}}) {
    const Lengths fitted = Lengths::lognormal(p50, p95);
    EXPECT_EQ(fitted.quantile(50), p50);
    EXPECT_EQ(fitted.quantile(95), p95);
    EXPECT_EQ(fitted.total(), 1000u);
  }
  EXPECT_EQ(Lengths::lognormal(1730, 5696, 90).quantile(90), 5696u);
}

TEST(Lengths, MeanOfALognormalIsItsOwn) {
  // exp(μ + σ²/2), which the header promises to one per cent.
  for (const std::uint64_t p95 : {900u, 1600u, 3000u, 4800u}) {
    const double sigma = units::log(static_cast<double>(p95) / 800) / 1.6448536269514722;
    const double mean = 800 * units::exp(sigma * sigma / 2);
    EXPECT_NEAR(Lengths::lognormal(800, p95).mean() / mean, 1, 0.01) << p95;
  }
}

TEST(Lengths, AListHasItsOwnQuantiles) {
  const Lengths list = parsed("512/128@2/1024");
  EXPECT_EQ(list.total(), 4u);
  EXPECT_EQ(list.quantile(50), 128u);
  EXPECT_EQ(list.quantile(51), 512u);
  EXPECT_EQ(list.quantile(75), 512u);
  EXPECT_EQ(list.quantile(76), 1024u);
  EXPECT_EQ(list.mean(), 448);
  EXPECT_EQ(list.mean_up(), 448u);
  EXPECT_EQ(list_text(list), "128@2/512/1024");
  EXPECT_EQ(parsed(list_text(list)), list);
}

TEST(Lengths, NamesAreLognormals) {
  for (const NamedLengths& named : named_lengths()) {
    const Lengths lengths = parsed(named.name);
    EXPECT_EQ(lengths.quantile(50), named.p50);
    EXPECT_EQ(lengths.quantile(named.percent), named.high);
  }
}

TEST(Lengths, SamplesFollowTheList) {
  const Lengths list = parsed("10@1/20@3");
  Random random(3);
  int twenties = 0;
  for (int i = 0; i < 10000; ++i) twenties += list.sample(random) == 20;
  EXPECT_NEAR(twenties, 7500, 130);  // three standard deviations
}

TEST(Lengths, HistogramHoldsEveryRequestOnce) {
  for (const char* text : {"800", "500-2000", "p50=800/p95=3000", "1/1000000"}) {
    const Lengths lengths = parsed(text);
    const std::vector<Bar> bars = lengths.histogram(20);
    EXPECT_LE(bars.size(), 20u);
    std::uint64_t sum = 0;
    for (const Bar& bar : bars) sum += bar.count;
    EXPECT_EQ(sum, lengths.total()) << text;
  }
}

TEST(Lengths, WhatIsNoLengthIsRefused) {
  EXPECT_EQ(code_of(""), "E-EMPTY");
  EXPECT_EQ(code_of("many"), "E-LENGTHS");
  EXPECT_EQ(code_of("2000-500"), "E-ORDER");
  EXPECT_EQ(code_of("p50=800"), "E-LENGTHS");
  EXPECT_EQ(code_of("p50=800/p95=300"), "E-ORDER");
  EXPECT_EQ(code_of("p50=0/p95=300"), "E-ZERO");
  EXPECT_EQ(code_of("5@"), "E-EMPTY");
  EXPECT_EQ(code_of("5@0"), "E-EMPTY");
  EXPECT_EQ(code_of("5@9999999"), "E-TOO-MANY");
  EXPECT_EQ(code_of("2000000m"), "E-TOO-LARGE");
  std::string many = "1";
  for (int i = 2; i <= 65; ++i) many += "/" + std::to_string(i);
  EXPECT_EQ(code_of(many), "E-TOO-MANY");
}

TEST(Lengths, PastedListsComeInAnyShape) {
  for (const char* text : {"3 1 2", "3\n1\n2\n", "3,1,2", " 3;1 ;\r\n2"}) {
    const auto list = parse_list(text);
    ASSERT_TRUE(list) << text;
    EXPECT_EQ(list_text(*list), "1/2/3");
  }
  EXPECT_EQ(parse_list(" \n").error().code, "E-EMPTY");
  const auto bad = parse_list("12\nx7\n");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().where, "line 2");
}

TEST(Lengths, AColumnOfACsv) {
  // The columns of the Azure LLM inference traces 2023.
  const char* csv =
      "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03,4808,10\n"
      "2023-11-16 18:17:04,3180,8\n\n2023-11-16 18:17:05,4808,27\n";
  const auto context = parse_list(csv, "contexttokens");
  ASSERT_TRUE(context);
  EXPECT_EQ(list_text(*context), "3180/4808@2");
  EXPECT_EQ(parse_list(csv, "Tokens").error().code, "E-COLUMN");
  EXPECT_EQ(parse_list("a,b\n1\n", "b").error().where, "line 2");
}

TEST(Lengths, TooLongAListIsRefusedBeforeItIsStored) {
  std::string text;
  for (std::size_t i = 0; i <= kMostListed; ++i) text += "7\n";
  EXPECT_EQ(parse_list(text).error().code, "E-TOO-MANY");
  EXPECT_EQ(parse_list("n\n" + text, "n").error().code, "E-TOO-MANY");
}

TEST(Lengths, GatheredForALinkKeepsMeanAndCount) {
  Random random(11);
  std::vector<Atom> atoms;
  const Lengths law = Lengths::lognormal(800, 3000);
  for (int i = 0; i < 20000; ++i) atoms.push_back({.tokens = law.sample(random)});
  const Lengths all = Lengths::of(atoms);
  const Lengths few = gathered(all);
  EXPECT_LE(few.atoms().size(), kMostBins);
  EXPECT_EQ(few.total(), all.total());
  EXPECT_NEAR(few.mean(), all.mean(), 0.5);
  EXPECT_NEAR(static_cast<double>(few.quantile(50)) / static_cast<double>(all.quantile(50)), 1,
              0.03);
  EXPECT_EQ(parsed(list_text(few)), few);
  EXPECT_EQ(gathered(few), few);
}

}  // namespace
}  // namespace kvseats::traffic
