#include <gtest/gtest.h>

#include <string>

#include "units/text.h"

namespace kvseats::units {
namespace {

struct Accepted {
  const char* text;
  std::uint64_t value;
};
struct Refused {
  std::string text;
  const char* code;
  const char* remedy;  ///< part of it
};

TEST(ParseCount, TakesTheFormsThatPeopleType) {
  constexpr Accepted kCases[] = {
      {"8192", 8192},
      {"8,192", 8192},
      {"8 192", 8192},
      {"8_192", 8192},
      {"8\xC2\xA0"
       "192",
       8192},  // no-break space, as French spreadsheets write
      {"8\xE2\x80\xAF"
       "192",
       8192},
      {"8'192", 8192},
      {"8k", 8192},
      {"8K", 8192},
      {"128k", 131072},
      {"128 k", 131072},
      {"128Ki", 131072},
      {"1m", 1048576},
      {"1.0k", 1024},
      {"1,000,000", 1000000},
      {"1.000.000", 1000000},
      {"1 000 000", 1000000},
      {"7e9", 7000000000},
      {"1.5e3", 1500},
      {"1000e-3", 1},
      {"  12  ", 12},
      {"0", 0},
      {"007", 7},
      {"18446744073709551614", UINT64_MAX - 1},
  };
  for (const Accepted& c : kCases) {
    const auto n = parse_count(c.text);
    ASSERT_TRUE(n) << c.text << ": " << n.error().text;
    EXPECT_EQ(*n, c.value) << c.text;
  }
}

TEST(ParseCount, RefusesWithACodeAndARemedy) {
  const Refused kCases[] = {
      {"", "E-EMPTY", "Write"},
      {"   ", "E-EMPTY", "Write"},
      {"abc", "E-NUMBER", "digits"},
      {"-", "E-NUMBER", "digits"},
      {"--5", "E-NUMBER", "digits"},
      {"1,23,456", "E-NUMBER", "digits"},
      {"1 2", "E-NUMBER", "digits"},
      {"1.2.3", "E-NUMBER", "digits"},
      {"5.", "E-NUMBER", "digits"},
      {"5,", "E-NUMBER", "digits"},
      {"e5", "E-NUMBER", "digits"},
      {"NaN", "E-NUMBER", "digits"},
      {"Infinity", "E-NUMBER", "digits"},
      {"-1", "E-NEGATIVE", "zero or more"},
      {"-8k", "E-NEGATIVE", "zero or more"},
      {"\xE2\x88\x92"
       "5",
       "E-NEGATIVE", "zero or more"},
      {"99999999999999999999", "E-OVERFLOW", "below"},
      {"18446744073709551615", "E-OVERFLOW", "below"},
      {"20000000000000000k", "E-OVERFLOW", "below"},
      {"1e99999999999", "E-OVERFLOW", "below"},
      {"8 parsecs", "E-UNIT", "k (1,024)"},
      {"0x10", "E-UNIT", "k (1,024)"},
      {"8kb", "E-UNIT", "k (1,024)"},
      {"1.5", "E-WHOLE", "whole"},
      {"1,5", "E-WHOLE", "whole"},
      {"1.5k", "E-AMBIGUOUS", "1536 or 1500"},
      {"1,5k", "E-AMBIGUOUS", "1536 or 1500"},
      {"0.5m", "E-AMBIGUOUS", "524288 or 500000"},
      {"1,234k", "E-AMBIGUOUS", "1234k or 1.234k"},
      {std::string(100000, '9'), "E-NUMBER", "digits"},
      {std::string("1\xFF\xFE"), "E-UNIT", "k (1,024)"},
  };
  for (const Refused& c : kCases) {
    const auto n = parse_count(c.text);
    ASSERT_FALSE(n) << c.text << " gave " << *n;
    EXPECT_EQ(n.error().code, c.code) << c.text;
    EXPECT_NE(n.error().remedy.find(c.remedy), std::string::npos) << n.error().remedy;
    EXPECT_LT(n.error().text.size(), 200U);
    EXPECT_EQ(valid_utf8(n.error().text), n.error().text);
  }
}

TEST(ParseSize, KeepsBinaryAndDecimalApart) {
  constexpr Accepted kCases[] = {
      {"53GB", 53000000000},
      {"53 gb", 53000000000},
      {"49.4GiB", 53042846105},  // 49.4 × 2^30 = 53,042,846,105.6
      {"1536MiB", 1610612736},
      {"4 GiB", 4294967296},
      {"80Gi", 85899345920},
      {"1,5GB", 1500000000},
      {"1.234.567,8 kB", 1234567800},
      {"131072", 131072},
      {"131072 B", 131072},
      {"0.3", 0},
      {"1TB", 1000000000000},
      {"1TiB", 1099511627776},
      {"0.1GiB", 107374182},  // 107,374,182.4
      {"18446744073709551614", UINT64_MAX - 1},
  };
  for (const Accepted& c : kCases) {
    const auto size = parse_size(c.text);
    ASSERT_TRUE(size) << c.text << ": " << size.error().text;
    EXPECT_EQ(size->raw(), c.value) << c.text;
  }
}

TEST(ParseSize, RefusesWhatHasTwoReadings) {
  const Refused kCases[] = {
      {"80g", "E-AMBIGUOUS", "80GB or 80GiB"},
      {"80 G", "E-AMBIGUOUS", "80GB or 80GiB"},
      {"512m", "E-AMBIGUOUS", "512MB or 512MiB"},
      {"1k", "E-AMBIGUOUS", "1kB or 1KiB"},
      {"1,234 MiB", "E-AMBIGUOUS", "1234MiB or 1.234MiB"},
      {"80 Gbit", "E-UNIT", "GiB"},
      {"-1GB", "E-NEGATIVE", "zero or more"},
      {"99999999999TiB", "E-OVERFLOW", "below"},
      {"GB", "E-NUMBER", "digits"},
      {"", "E-EMPTY", "Write"},
  };
  for (const Refused& c : kCases) {
    const auto size = parse_size(c.text);
    ASSERT_FALSE(size) << c.text;
    EXPECT_EQ(size.error().code, c.code) << c.text;
    EXPECT_NE(size.error().remedy.find(c.remedy), std::string::npos) << size.error().remedy;
  }
}

TEST(ParseSize, ReadsBackWhatSizeTextWritesWhereItIsExact) {
  for (const std::uint64_t n : {1024ULL, 131072ULL, 1073741824ULL, 17179869184ULL, 196608000ULL}) {
    const auto back = parse_size(size_text(bytes(n), SizeUnit::kGib));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->raw(), n);
  }
}

TEST(ParseFraction, TakesFractionsAndPercent) {
  EXPECT_EQ(parse_fraction("0.9").value(), 0.9);
  EXPECT_EQ(parse_fraction("90%").value(), 0.9);
  EXPECT_EQ(parse_fraction("92.5 %").value(), 0.925);
  EXPECT_EQ(parse_fraction("0,9").value(), 0.9);
  EXPECT_EQ(parse_fraction(".9").value(), 0.9);
  EXPECT_EQ(parse_fraction("1").value(), 1.0);
  for (const char* bad : {"0", "0%", "90", "1.01", "101%"}) {
    ASSERT_FALSE(parse_fraction(bad)) << bad;
    EXPECT_EQ(parse_fraction(bad).error().code, "E-FRACTION") << bad;
  }
  EXPECT_EQ(parse_fraction("-0.5").error().code, "E-NEGATIVE");
  EXPECT_EQ(parse_fraction("0.5x").error().code, "E-UNIT");
}

TEST(ParseDecimal, GivesTheNearestDouble) {
  EXPECT_EQ(parse_decimal("1.75").value(), 1.75);
  EXPECT_EQ(parse_decimal("1,234.5").value(), 1234.5);
  EXPECT_EQ(parse_decimal("1.234,5").value(), 1234.5);
  EXPECT_EQ(parse_decimal("0,125").value(), 0.125);
  EXPECT_EQ(parse_decimal("9007199254740993").value(), 9007199254740992.0);  // tie to even
  EXPECT_EQ(parse_decimal("9007199254740993.0000000001").value(), 9007199254740994.0);
  EXPECT_EQ(parse_decimal("2.2250738585072011e-308").value(), 2.2250738585072011e-308);
  EXPECT_EQ(parse_decimal("2e-324").value(), 0.0);
  EXPECT_EQ(parse_decimal("3e-324").value(), 5e-324);
  EXPECT_EQ(parse_decimal("1.7976931348623158e308").value(), 1.7976931348623157e308);
  EXPECT_EQ(parse_decimal("1.7976931348623159e308").error().code, "E-OVERFLOW");
  EXPECT_EQ(parse_decimal("1,234").error().code, "E-AMBIGUOUS");
  EXPECT_EQ(parse_decimal("1,234").error().remedy, "Write 1234 or 1.234.");
}

}  // namespace
}  // namespace kvseats::units
