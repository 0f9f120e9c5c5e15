#include "units/text.h"

#include <gtest/gtest.h>

#include <limits>

namespace kvseats::units {
namespace {

struct SizeCase {
  std::uint64_t bytes;
  const char* gib;
  const char* gb;
  const char* about;
};

// The figures of the lesson, and the places where a unit or a digit turns over.
constexpr SizeCase kSizes[] = {
    {0, "0 B", "0 B", "0 B"},
    {999, "999 B", "999 B", "999 B"},
    {1000, "1,000 B", "1 kB", "1,000 B"},
    {1023, "1,023 B", "1.023 kB", "1,023 B"},
    {1024, "1 KiB", "1.024 kB", "1 KiB"},
    {1025, "1.001 KiB", "1.025 kB", "about 1 KiB"},
    {70272, "68.63 KiB", "70.27 kB", "about 69 KiB"},
    {131072, "128 KiB", "131.1 kB", "128 KiB"},
    {999949, "976.5 KiB", "999.9 kB", "about 977 KiB"},
    {999950, "976.5 KiB", "1.000 MB", "about 977 KiB"},
    {1022976, "999 KiB", "1.023 MB", "999 KiB"},
    {1023488, "999.5 KiB", "1.023 MB", "about 1,000 KiB"},
    {1047552, "1,023 KiB", "1.048 MB", "1,023 KiB"},
    {1048064, "1.000 MiB", "1.048 MB", "about 1 MiB"},  // 1,023.5 KiB rounds into the next unit
    {1048575, "1.000 MiB", "1.049 MB", "about 1 MiB"},
    {196608000, "187.5 MiB", "196.6 MB", "about 188 MiB"},
    {1073741824, "1 GiB", "1.074 GB", "1 GiB"},
    {1073741825, "1.000 GiB", "1.074 GB", "about 1 GiB"},
    {1703936000, "1.587 GiB", "1.704 GB", "about 1.6 GiB"},
    {17179869184, "16 GiB", "17.18 GB", "16 GiB"},
    {19660800000, "18.31 GiB", "19.66 GB", "about 18 GiB"},
    {53000000000, "49.36 GiB", "53 GB", "about 49 GiB"},
    {170393600000, "158.7 GiB", "170.4 GB", "about 159 GiB"},
    {9007199254740991, "8.000 PiB", "9.007 PB", "about 8 PiB"},
    {9007199254740992, "8 PiB", "9.007 PB", "8 PiB"},
    {UINT64_MAX - 1, "16.00 EiB", "18.45 EB", "about 16 EiB"},
    {UINT64_MAX, "out of range", "out of range", "out of range"},
};

TEST(Text, GibAndGbNeverMix) {
  for (const SizeCase& c : kSizes) {
    EXPECT_EQ(size_text(bytes(c.bytes), SizeUnit::kGib), c.gib) << c.bytes;
    EXPECT_EQ(size_text(bytes(c.bytes), SizeUnit::kGb), c.gb) << c.bytes;
    EXPECT_EQ(size_about(bytes(c.bytes), SizeUnit::kGib), c.about) << c.bytes;
  }
}

TEST(Text, BothUnitsStandSideBySide) {
  EXPECT_EQ(size_both(gigabytes(53), SizeUnit::kGb), "53 GB (49.36 GiB)");
  EXPECT_EQ(size_both(bytes(196608000), SizeUnit::kGib), "187.5 MiB (196.6 MB)");
  EXPECT_EQ(size_both(bytes(512), SizeUnit::kGib), "512 B");
}

TEST(Text, ThousandsAreGrouped) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(404357), "404,357");
  EXPECT_EQ(grouped(UINT64_MAX - 1), "18,446,744,073,709,551,614");
  EXPECT_EQ(grouped(kOutOfRange), "out of range");
  EXPECT_EQ(plain(404357), "404357");
}

TEST(Text, TokenLabelsAreShortOnlyWhereExact) {
  EXPECT_EQ(tokens_short(8192), "8k");
  EXPECT_EQ(tokens_short(131072), "128k");
  EXPECT_EQ(tokens_short(1048576), "1M");
  EXPECT_EQ(tokens_short(1500), "1,500");
  EXPECT_EQ(tokens_short(1000000), "1,000,000");
  EXPECT_EQ(tokens_short(202752), "198k");
  EXPECT_EQ(tokens_short(0), "0");
}

struct FixedCase {
  double value;
  int decimals;
  const char* text;
};

TEST(Text, FixedRoundsHalfAwayFromZeroOnTheExactValue) {
  constexpr FixedCase kCases[] = {
      {0.5, 0, "1"},
      {1.5, 0, "2"},
      {2.5, 0, "3"},
      {-2.5, 0, "-3"},
      {0.125, 2, "0.13"},
      {0.375, 2, "0.38"},
      {1.005, 2, "1.00"},  // the double is 1.00499999999999989…
      {2.675, 2, "2.67"},  // 2.67499999999999982…
      {0.049999999999999996, 1, "0.0"},
      {49.36, 2, "49.36"},
      {1234567.125, 2, "1,234,567.13"},
      {999.995, 2, "1,000.00"},
      {0.0, 3, "0.000"},
      {-0.001, 2, "0.00"},
      {1e22, 0, "10,000,000,000,000,000,000,000"},
      {5e-324, 9, "0.000000000"},
      {9007199254740993.0, 1, "9,007,199,254,740,992.0"},
  };
  for (const FixedCase& c : kCases) EXPECT_EQ(fixed(c.value, c.decimals), c.text) << c.text;
  EXPECT_EQ(fixed(1234.5, 1, false), "1234.5");
  EXPECT_EQ(fixed(std::numeric_limits<double>::infinity(), 2), "–");
  EXPECT_EQ(fixed(std::numeric_limits<double>::quiet_NaN(), 2), "–");
}

struct ShortestCase {
  double value;
  const char* text;
};

TEST(Text, ShortestReadsBackAsTheSameDouble) {
  constexpr ShortestCase kCases[] = {
      {0.0, "0"},
      {1.0, "1"},
      {0.1, "0.1"},
      {0.9, "0.9"},
      {0.30000000000000004, "0.30000000000000004"},
      {1.0 / 3, "0.3333333333333333"},
      {-2.5, "-2.5"},
      {404357.0, "404357"},
      {3.35e12, "3350000000000"},
      {123456789.125, "123456789.125"},
      {9007199254740992.0, "9007199254740992"},
      {1e20, "100000000000000000000"},
      {1e21, "1e+21"},
      {1.5e21, "1.5e+21"},
      {2.5e-7, "2.5e-7"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {0.000001, "0.000001"},
      {0.0000001, "1e-7"},
      {2.2250738585072014e-308, "2.2250738585072014e-308"},
      {5e-324, "5e-324"},
  };
  for (const ShortestCase& c : kCases) {
    EXPECT_EQ(shortest(c.value), c.text);
    const auto back = parse_decimal(c.value < 0 ? c.text + 1 : c.text);
    ASSERT_TRUE(back) << c.text;
    EXPECT_EQ(*back, c.value < 0 ? -c.value : c.value) << c.text;
  }
}

TEST(Text, ShortestRoundTripsAnyDouble) {
  std::uint64_t state = 20240229;
  for (int i = 0; i < 4000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const double fraction = static_cast<double>(state >> 11) * 0x1p-53;
    const int exponent = static_cast<int>((state >> 3) % 160) - 80;
    double value = fraction + 1e-3;
    for (int k = 0; k < exponent; ++k) value *= 2;
    for (int k = 0; k > exponent; --k) value /= 2;
    const auto back = parse_decimal(shortest(value));
    ASSERT_TRUE(back) << shortest(value);
    ASSERT_EQ(*back, value) << shortest(value);
  }
}

// Whatever was written with few decimals comes back as it was written, without trailing zeros.
TEST(Text, ShortestKeepsFewDecimalsAsTheyWereWritten) {
  std::uint64_t random = 1;
  for (int i = 0; i < 20000; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t places = 1 + i % 9;
    std::uint64_t scale = 1;
    for (std::uint64_t p = 0; p < places; ++p) scale *= 10;
    const std::uint64_t whole = random >> (20 + random % 40);
    if (whole >= (std::uint64_t{1} << 53) || whole % 10 == 0) continue;
    std::string text = plain(whole / scale) + "." + plain(scale + whole % scale).substr(1);
    const double value = static_cast<double>(whole) / static_cast<double>(scale);
    if (plain(whole).size() > 15 || value < 1e-6) continue;  // others are written so too
    EXPECT_EQ(shortest(value), text);
    EXPECT_EQ(shortest(-value), "-" + text);
  }
}

}  // namespace
}  // namespace kvseats::units
