#include "scenario/pins.h"

#include "unit/scenario/fixture.h"

// What is put aside: page keys that hold queries.
namespace kvseats::scenario {
namespace {

TEST(Pins, AreReadFromALinkCanonicalAndOnce) {
  const Decoded decoded = decode(
      "model=llama-3-8b&pin=gpu=h100-sxm%26model=llama-2-7b&pin=model=llama-2-7b%26gpu=h100-sxm",
      Strictness::kLink);
  EXPECT_EQ(pins(decoded.page), (std::vector<std::string>{"model=llama-2-7b&gpu=h100-sxm"}));
  EXPECT_EQ(*decoded.scenario.model, "llama-3-8b");
}

TEST(Pins, HoldNothingOfThePageTheyWerePinnedOn) {
  EXPECT_EQ(pin_text("model=llama-2-7b&view=compare&pin=kv=fp8"), "model=llama-2-7b");
}

TEST(Pins, AreAtMostFour) {
  PageKeys page = {{"view", "compare"}};
  for (const char* query : {"users=1", "users=2", "users=2", "users=3", "users=4", "users=5"}) {
    (void)add_pin(page, query);
  }
  EXPECT_EQ(pins(page), (std::vector<std::string>{"users=1", "users=2", "users=3", "users=4"}));
  EXPECT_TRUE(remove_pin(page, "users=2"));
  EXPECT_FALSE(remove_pin(page, "users=2"));
  EXPECT_TRUE(add_pin(page, "users=5"));
  EXPECT_EQ(pins(page).back(), "users=5");
  EXPECT_EQ(page.front().first, "view");
}

TEST(Pins, ThatSayNothingAreNone) {
  const Decoded decoded =
      decode("model=llama-3-8b&pin=rubbish&pin=gpu=h100-sxm&pin=%26%26", Strictness::kLink);
  EXPECT_EQ(pins(decoded.page), (std::vector<std::string>{"gpu=h100-sxm"}));
  ASSERT_EQ(decoded.diagnostics.size(), 2u);
  for (const units::Diagnostic& d : decoded.diagnostics) {
    EXPECT_EQ(d.code, "W-PIN");
    EXPECT_EQ(d.where, "pin");
  }
  // Of all defaults there is nothing to write.
  EXPECT_EQ(pins(decode("pin=", Strictness::kLink).page), (std::vector<std::string>{""}));
}

TEST(Pins, BeyondFourAreToldOf) {
  const Decoded five =
      decode("pin=users=1&pin=users=2&pin=users=3&pin=users=4&pin=users=5", Strictness::kLink);
  EXPECT_EQ(pins(five.page).size(), 4u);
  ASSERT_EQ(five.diagnostics.size(), 1u);
  EXPECT_EQ(five.diagnostics[0].code, "W-PINS");
  EXPECT_TRUE(decode("pin=users=1&pin=users=2", Strictness::kLink).diagnostics.empty());
}

}  // namespace
}  // namespace kvseats::scenario
