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

}  // namespace
}  // namespace kvseats::scenario
