#include <gtest/gtest.h>

#include <cmath>

#include "traffic/lengths.h"
#include "traffic/little.h"
#include "traffic/pool.h"
#include "traffic/reader.h"

// Distributions small enough to be written down, and the ends of what is accepted.
namespace kvseats::traffic {
namespace {

std::vector<std::uint64_t> tokens_of(const Lengths& lengths) {
  std::vector<std::uint64_t> out;
  for (const Atom& atom : lengths.atoms()) out.push_back(atom.tokens);
  return out;
}

TEST(ExactLengths, LengthsThatNeverOccurAreLeftOut) {
  EXPECT_EQ(Lengths::of({{.tokens = 5, .weight = 0}, {.tokens = 7, .weight = 1}}),
            Lengths::fixed(7));
  EXPECT_EQ(Lengths::of({}), Lengths());
}

TEST(ExactLengths, ALongRangeIsTheSameFromBothEnds) {
  const Lengths range = Lengths::between(1000, 1000000);
  const std::vector<std::uint64_t> tokens = tokens_of(range);
  ASSERT_EQ(tokens.size(), 4096u);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    ASSERT_EQ(tokens[i] + tokens[tokens.size() - 1 - i], 1001000u) << i;
  }
  EXPECT_EQ(range.mean(), 500500);
}

TEST(ExactLengths, OfARangeOf4096NumbersEachIsThere) {
  EXPECT_EQ(Lengths::between(1, 4096).atoms()[2047].tokens, 2048u);
  EXPECT_EQ(Lengths::between(1, 4096).longest(), 4096u);
  EXPECT_EQ(Lengths::between(7, 7), Lengths::fixed(7));
}

// 800 × 3.75^(Φ⁻¹(0.9995) ÷ Φ⁻¹(0.95)) = 800 × 3.75^(3.2905267 ÷ 1.6448536) = 11,257.4.
TEST(ExactLengths, TheLastSliceOfALognormalIsThatOfTheMiddle) {
  EXPECT_EQ(Lengths::lognormal(800, 3000).longest(), 11257u);
}

TEST(ExactLengths, MeansAreRoundedUp) {
  EXPECT_EQ(Lengths::of({{.tokens = 1}, {.tokens = 2}}).mean_up(), 2u);
  EXPECT_EQ(Lengths::of({{.tokens = 1}, {.tokens = 2}}).quantile(0), 1u);
}

// 500 … 2000 are 1,501 lengths: 19 bars of 76 and one that holds the last 57.
TEST(ExactLengths, BarsAreEquallyWideAndBeginAtTheShortest) {
  const std::vector<Bar> bars = Lengths::between(500, 2000).histogram(20);
  ASSERT_EQ(bars.size(), 20u);
  EXPECT_EQ(bars[0], (Bar{500, 575, 76}));
  EXPECT_EQ(bars[1], (Bar{576, 651, 76}));
  EXPECT_EQ(bars[19], (Bar{1944, 2019, 57}));
  EXPECT_EQ(Lengths::between(1, 3).histogram(20).size(), 3u);
  EXPECT_EQ(Lengths::between(1, 3).histogram(0), (std::vector<Bar>{{1, 3, 3}}));
}

Lengths up_to(std::uint64_t longest, std::vector<Atom> more = {}) {
  for (std::uint64_t i = 1; i <= longest; ++i) more.push_back({.tokens = i});
  return Lengths::of(std::move(more));
}

TEST(Gathered, AtMost64LengthsStayAsTheyAre) {
  EXPECT_EQ(gathered(up_to(64)), up_to(64));
  EXPECT_EQ(gathered(up_to(65)).total(), 65u);
  EXPECT_NE(gathered(up_to(65)), up_to(65));
}

// Two at a time: (1 + 2) ÷ 2 to the nearest is 2, (3 + 4) ÷ 2 is 4.
TEST(Gathered, PairsAreAtTheirMean) {
  const Lengths pairs = gathered(up_to(128));
  ASSERT_EQ(pairs.atoms().size(), 64u);
  for (std::uint64_t i = 0; i < 64; ++i) {
    EXPECT_EQ(pairs.atoms()[i], (Atom{.tokens = 2 * i + 2, .weight = 2}));
  }
}

// 96 ÷ 64: one, two, one, two …
TEST(Gathered, SlicesAreAsEqualAsWholeRequestsAllow) {
  const Lengths slices = gathered(up_to(96));
  ASSERT_EQ(slices.atoms().size(), 64u);
  EXPECT_EQ(slices.atoms()[0], (Atom{.tokens = 1, .weight = 1}));
  EXPECT_EQ(slices.atoms()[1], (Atom{.tokens = 3, .weight = 2}));  // 2 and 3
  EXPECT_EQ(slices.atoms()[2], (Atom{.tokens = 4, .weight = 1}));
  EXPECT_EQ(slices.atoms()[3], (Atom{.tokens = 6, .weight = 2}));
  EXPECT_EQ(slices.atoms()[63], (Atom{.tokens = 96, .weight = 2}));
}

TEST(Gathered, AFrequentLengthFillsSeveralSlices) {
  const Lengths slices = gathered(up_to(64, {{.tokens = 1000, .weight = 64}}));
  ASSERT_EQ(slices.atoms().size(), 33u);  // 32 pairs, and 32 slices that are all 1,000
  EXPECT_EQ(slices.atoms()[31], (Atom{.tokens = 64, .weight = 2}));
  EXPECT_EQ(slices.atoms()[32], (Atom{.tokens = 1000, .weight = 64}));
}

struct Text {
  const char* text;
  const char* list;  ///< of what it reads as, or the code of the refusal
};

TEST(ExactLengths, TheEndsOfWhatIsAccepted) {
  constexpr Text kCases[] = {
      {"7-7", "7"},
      {"0-1", "0/1"},
      {"p50=1/p99=1", "1@1000"},
      {"p50=1/p90=1", "1@1000"},
      {"p50=7 / p95=7", "7@1000"},
      {"p50=7/p80=7", "E-LENGTHS"},
      {"1048576m", "1099511627776"},
      {"1099511627777", "E-TOO-LARGE"},
      {"5@4194304", "5@4194304"},
      {"5@4194304/6", "E-TOO-MANY"},
      {"5@4194305", "E-TOO-MANY"},
      {"5@0/6", "6"},
      {"5@x", "E-NUMBER"},
      {"x@5", "E-NUMBER"},
      {"5-x", "E-NUMBER"},
      {"x-5", "E-NUMBER"},
      {"p50=x/p95=5", "E-NUMBER"},
      {"1.5", "E-WHOLE"},
      {"-5", "E-NEGATIVE"},
  };
  for (const Text& c : kCases) {
    const auto lengths = parse_lengths(c.text);
    EXPECT_EQ(lengths ? list_text(*lengths) : lengths.error().code, c.list) << c.text;
  }
  std::string many = "1";
  for (int i = 2; i <= 64; ++i) many += "/" + std::to_string(i);
  EXPECT_TRUE(parse_lengths(many));
}

TEST(ExactLengths, LinesAreCountedFromOneBlankOnesToo) {
  EXPECT_EQ(parse_list("1,2\n\n3 x\n").error().where, "line 3");
  EXPECT_EQ(parse_list("x\n1").error().where, "line 1");
  EXPECT_EQ(parse_list("n\n1\n\nx\n", "n").error().where, "line 4");
}

TEST(ExactLengths, CellsMayBeQuotedAndEmptyLinesAreNone) {
  const auto list_of = [](std::string_view csv, std::string_view column) {
    const auto list = parse_list(csv, column);
    return list ? list_text(*list) : list.error().code;
  };
  EXPECT_EQ(list_of("\"a\";\"b\"\n\"1\";\"2\"\n 3 ;\t4", "B"), "E-EMPTY") << "4 is the third cell";
  EXPECT_EQ(list_of("\"a\";\"b\"\n\"1\";\"2\"\n3; 4 \n", " b "), "2/4");
  EXPECT_EQ(list_of("a\tb\n1\t2", "a"), "1");
  EXPECT_EQ(list_of("a,b,\"\n1,2,3", "\""), "3") << "a lone quote is no pair";
  EXPECT_EQ(list_of("a,b\n", "b"), "E-EMPTY");
  EXPECT_EQ(list_of("a,b\n1,2\n", "c"), "E-COLUMN");
}

TEST(SpellsLengths, WhatCanOnlyBeADistribution) {
  for (const char* plain : {"800", "1k", "2M", "1,000", "1.5", "4x", "", "{", "~", "[", "1_000"}) {
    EXPECT_FALSE(spells_lengths(plain)) << plain;
  }
  for (const char* law : {"a", "Z", "p50=1", "1-2", "1/2", "1@2", "sharegpt4-prompt", "1e3"}) {
    EXPECT_TRUE(spells_lengths(law)) << law;
  }
}

TEST(Random, OneOfTwoIsEither) {
  Random random(5);
  int ones = 0;
  for (int i = 0; i < 1000; ++i) ones += random.below(2) == 1;
  EXPECT_NEAR(ones, 500, 48);  // three standard deviations
}

TEST(ExactLengths, AMillionAreNotTooMany) {
  std::string text;
  for (std::size_t i = 0; i < kMostListed; ++i) text += "7\n";
  EXPECT_TRUE(parse_list(text));
  EXPECT_TRUE(parse_list("n\n" + text, "n"));
}

TEST(Random, AnExponentialIsTheInverseOfItsLaw) {
  Random random(5);
  Random same(5);
  for (int i = 0; i < 1000; ++i) {
    const double u = (static_cast<double>(same.next() >> 11) + 1) / 9007199254740992.0;
    EXPECT_NEAR(static_cast<double>(random.exponential(1000000)), -std::log(u) * 1e6, 1.001);
  }
}

// 0.1 a second × 30 s is 3.0000000000000004 in doubles.
TEST(AtOnce, TheLastBitOfAProductAddsNobody) {
  EXPECT_EQ(at_once(0.1, 30000000000).arithmetic, "0.1 requests/s × 30 s = 3 at once");
  EXPECT_EQ(at_once(0.1, 30000000000).requests, 3u);
  EXPECT_EQ(rounded_up(3.001), 4u);
  EXPECT_EQ(rounded_up(0), 0u);
  EXPECT_EQ(rounded_up(1e20), 1000000000000000u);
}

TEST(AtOnce, NumbersAreWrittenWithoutTrailingZeros) {
  EXPECT_EQ(seconds_text(0), "0 s");
  EXPECT_EQ(seconds_text(100000000000), "100 s");
  EXPECT_EQ(seconds_text(1230000000), "1.23 s");
  EXPECT_EQ(at_once(0.125, 1000000000).arithmetic, "0.125 requests/s × 1 s = 0.13, so 1 at once");
  EXPECT_EQ(at_once(std::uint64_t{2}, 0.0505).arithmetic, "2 people × 5.05 % = 0.1, so 1 at once");
}

TEST(Pool, UpToAMillionUnitsHaveOwners) {
  EXPECT_EQ(Pool(Pool::kMostListed).owners().size(), Pool::kMostListed);
  EXPECT_TRUE(Pool(Pool::kMostListed + 1).owners().empty());
}

TEST(Pool, WhatWasFreedLastIsHandedOutFirst) {
  Pool pool(4);
  ASSERT_TRUE(pool.take(1, 1));
  ASSERT_TRUE(pool.take(2, 2));
  pool.give_back(1);
  ASSERT_TRUE(pool.take(3, 2));
  EXPECT_EQ(pool.owners(), (std::vector<Owner>{3, 2, 2, 3}));
}

}  // namespace
}  // namespace kvseats::traffic
