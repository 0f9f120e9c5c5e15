#include <gtest/gtest.h>

#include "units/diagnostic.h"
#include "units/text.h"

namespace kvseats::units {
namespace {

TEST(Strings, BadUtf8BecomesTheReplacementCharacter) {
  EXPECT_EQ(valid_utf8("plain"), "plain");
  EXPECT_EQ(valid_utf8("½ × 漢 😀"), "½ × 漢 😀");
  EXPECT_EQ(valid_utf8("a\xFFz"), "a\uFFFDz");
  EXPECT_EQ(valid_utf8("\xC0\xAF"), "\uFFFD\uFFFD");            // overlong
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(valid_utf8("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  // Unicode 15, section 3.9: one replacement for a truncated sequence.
  EXPECT_EQ(valid_utf8("\xE2\x82"), "\uFFFD");
  EXPECT_EQ(valid_utf8("\xF0\x9F\x98z"), "\uFFFDz");
  EXPECT_EQ(valid_utf8("\x80\x80"), "\uFFFD\uFFFD");
  // The first and the last code point of every length and of every gap between them.
  for (const char* text : {"\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xE1\x80\x80",
                           "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80",
                           "\xF1\x80\x80\x80", "\xF3\xBF\xBF\xBF", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(valid_utf8(text), text);
  }
  EXPECT_EQ(valid_utf8("\xE0\x9F\xBF"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(valid_utf8("\xC2\xC0"), "\uFFFD\uFFFD");
  EXPECT_EQ(valid_utf8("\xF5\x80"), "\uFFFD\uFFFD");
}

TEST(Strings, TrimAndLowerTouchAsciiOnly) {
  EXPECT_EQ(trimmed(" \t8k\r\n"), "8k");
  EXPECT_EQ(trimmed("   "), "");
  EXPECT_EQ(lower("Llama-3.1-8B-É"), "llama-3.1-8b-É");
  EXPECT_EQ(lower("@AMZ[`amz{"), "@amz[`amz{");
}

TEST(Strings, EditDistanceCountsSwapsAndStopsAtTheLimit) {
  EXPECT_EQ(edit_distance("", "", 3), 0U);
  EXPECT_EQ(edit_distance("llama", "llama", 3), 0U);
  EXPECT_EQ(edit_distance("lama", "llama", 3), 1U);
  EXPECT_EQ(edit_distance("lalma", "llama", 3), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting", 3), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting", 2), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting", 0), 1U);
  EXPECT_EQ(edit_distance("abcdef", "badcfe", 6), 3U);
  EXPECT_EQ(edit_distance(std::string(100000, 'a'), std::string(100000, 'b'), 3), 4U);
}

TEST(Diagnostic, SeverityFollowsFromTheCode) {
  EXPECT_EQ(diagnose("E-UNIT", "pool", "t", "r").severity, Severity::kError);
  EXPECT_EQ(diagnose("W-TP-UNEVEN", "tp", "t", "r").severity, Severity::kWarning);
  EXPECT_EQ(diagnose("N-REPLICATED", "tp", "t", "r").severity, Severity::kNote);
  EXPECT_STREQ(severity_name(Severity::kWarning), "warning");
  EXPECT_FALSE(has_error({diagnose("W-A", "", "", ""), diagnose("N-B", "", "", "")}));
  EXPECT_TRUE(has_error({diagnose("W-A", "", "", ""), diagnose("E-B", "", "", "")}));
}

}  // namespace
}  // namespace kvseats::units
