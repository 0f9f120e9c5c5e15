#include "import/json_store.h"

#include <gtest/gtest.h>

namespace kvseats {
namespace {

using import::JsonStore;

TEST(JsonStore, TakesWhatJsonAllowsAndPythonWrites) {
  for (const std::string_view text :
       {"{}", "[]", "1", "\"x\"", "null", " true ", "[1,2,[3,[]],{}]", "{\"a\":{\"b\":[1.5e3,-2]}}",
        "[0,-0,0.5,1E+2,1e-2,123456789012345678901234567890]", "[Infinity,-Infinity,NaN]",
        "\"\\u00e9\\ud83d\\ude00\\n\\\"\"", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""}) {
    EXPECT_TRUE(JsonStore::parse(text).has_value()) << text;
  }
}

// RFC 8259, and RFC 3629 for the bytes of strings.
TEST(JsonStore, RefusesWhatIsNoJson) {
  for (const std::string_view text : {"{",
                                      "}",
                                      "[1,]",
                                      "[,1]",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "{\"a\":1,}",
                                      "{a:1}",
                                      "{'a':1}",
                                      "[1 2]",
                                      "01",
                                      "1.",
                                      ".5",
                                      "+1",
                                      "1e",
                                      "--1",
                                      "tru",
                                      "nul",
                                      "Inf",
                                      "\"",
                                      "\"\n\"",
                                      "\"\\x\"",
                                      "\"\\u12\"",
                                      "\"\\ud800\"",
                                      "\"\\ude00\"",
                                      "\"\xff\"",
                                      "\"\xc3\"",
                                      "\"\xc0\x80\"",
                                      "\"\xed\xa0\x80\"",
                                      "\"\xf5\x80\x80\x80\"",
                                      "1 2",
                                      "{} x",
                                      "// 1"}) {
    const auto store = JsonStore::parse(text);
    ASSERT_FALSE(store.has_value()) << text;
    EXPECT_EQ(store.error().code, "E-NOT-JSON") << text;
  }
}

TEST(JsonStore, NumbersAreWholeRealOrTooLarge) {
  auto store = JsonStore::parse(
      "[18446744073709551615, 18446744073709551616, 32.0, -1, 5.25, 1.3125, 1e3, 0.000001, 1e999]");
  ASSERT_TRUE(store.has_value());
  import::Json v = store->root().first();
  EXPECT_EQ(v.whole(), UINT64_MAX);
  v = v.next();
  EXPECT_FALSE(v.whole().has_value());
  EXPECT_NEAR(v.number(), 18446744073709551616.0, 1e5);
  v = v.next();
  EXPECT_EQ(v.whole(), 32u);
  v = v.next();
  EXPECT_FALSE(v.whole().has_value());
  EXPECT_EQ(v.number(), -1);
  v = v.next();
  EXPECT_EQ(v.number(), 5.25);
  v = v.next();
  EXPECT_EQ(v.number(), 1.3125);
  v = v.next();
  EXPECT_EQ(v.whole(), 1000u);
  v = v.next();
  EXPECT_NEAR(v.number(), 1e-6, 1e-20);
  v = v.next();
  EXPECT_FALSE(v.whole().has_value());
  EXPECT_FALSE(v.next().exists());
}

TEST(JsonStore, PathsNameWhatIsRead) {
  auto store = JsonStore::parse("{\"text\":{\"list\":[1,{\"x\":null}]},\"empty\":{}}");
  ASSERT_TRUE(store.has_value());
  const import::Json list = store->root().get("text").get("list");
  EXPECT_EQ(list.path(), "text.list");
  EXPECT_EQ(list.size(), 2u);
  EXPECT_EQ(list.first().path(), "text.list[0]");
  EXPECT_EQ(list.first().next().get("x").path(), "text.list[1].x");
  EXPECT_TRUE(list.first().next().get("x").exists());
  EXPECT_FALSE(list.first().next().get("x").has_value());
  EXPECT_FALSE(store->root().get("empty").first().exists());
  EXPECT_FALSE(store->root().get("absent").get("further").exists());
}

}  // namespace
}  // namespace kvseats
