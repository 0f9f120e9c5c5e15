#include "units/json_writer.h"

#include <gtest/gtest.h>

#include <limits>

namespace kvseats::units {
namespace {

TEST(JsonWriter, WritesOneLine) {
  JsonWriter w;
  w.open_object().field("bytes", bytes(131072)).field("fits", true).field("name", "a\"b\\");
  w.key("rows").open_array().value(1).value(-2).value(0.5).null().close_array();
  w.key("empty").open_object().close_object();
  w.field("text", std::string("x")).field("n", std::uint32_t{7}).close_object();
  EXPECT_EQ(w.take(),
            R"({"bytes":131072,"fits":true,"name":"a\"b\\","rows":[1,-2,0.5,null],"empty":{},)"
            R"("text":"x","n":7})");
}

TEST(JsonWriter, IndentsWithoutTrailingSpaces) {
  JsonWriter w(2);
  w.open_object().key("a").open_array().value("x").open_object().close_object().close_array();
  w.key("b").open_array().close_array().close_object();
  EXPECT_EQ(w.take(), "{\n  \"a\": [\n    \"x\",\n    {}\n  ],\n  \"b\": []\n}");
}

TEST(JsonWriter, IntegersThatReadersWouldRoundBecomeNull) {
  JsonWriter fine;
  fine.open_array().value(kMaxExactJson).value(-static_cast<std::int64_t>(kMaxExactJson));
  fine.close_array();
  EXPECT_FALSE(fine.saw_out_of_range());
  EXPECT_EQ(fine.take(), "[9007199254740991,-9007199254740991]");
  JsonWriter w;
  w.open_array().value(kMaxExactJson + 1).value(Bytes::out_of_range());
  w.value(std::numeric_limits<std::int64_t>::min()).close_array();
  EXPECT_TRUE(w.saw_out_of_range());
  EXPECT_EQ(w.take(), "[null,null,null]");
}

TEST(JsonWriter, NotANumberIsNull) {
  JsonWriter w;
  w.open_array().value(std::numeric_limits<double>::quiet_NaN());
  w.value(std::numeric_limits<double>::infinity()).value(-0.25).value(1e300).close_array();
  EXPECT_EQ(w.take(), "[null,null,-0.25,1e+300]");
}

// RFC 8259, section 6: integers beyond 2^53 - 1 are kept by few readers; reals have an exponent.
TEST(JsonWriter, LargeRealsAreNoIntegers) {
  JsonWriter w;
  w.open_array().value(9007199254740991.0).value(9007199254740992.0).value(34567511847321600.0);
  w.value(-1e17).value(1.2e17).value(1e20).value(-9007199254740991.0).close_array();
  EXPECT_EQ(w.take(),
            "[9007199254740991,9.007199254740992e+15,3.45675118473216e+16,-1e+17,1.2e+17,1e+20,"
            "-9007199254740991]");
}

TEST(JsonWriter, WhatNeedsAnEscapeMayComeFirst) {
  std::string out;
  append_json_string(out, "\"a\\");
  append_json_string(out, "\n");
  EXPECT_EQ(out, R"("\"a\\""\n")");
}

TEST(JsonWriter, StringsAreAlwaysValid) {
  std::string out;
  append_json_string(out, std::string_view("a\0\n\t\x1F\x7F\xFFé", 9));
  EXPECT_EQ(out, "\"a\\u0000\\n\\t\\u001f\\u007f\uFFFDé\"");
}

TEST(JsonWriter, SplicesFinishedText) {
  JsonWriter w;
  w.open_array().raw("{\"a\":1}").raw("2").close_array();
  EXPECT_EQ(w.take(), "[{\"a\":1},2]");
}

}  // namespace
}  // namespace kvseats::units
