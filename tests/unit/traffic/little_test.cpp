#include "traffic/little.h"

#include <gtest/gtest.h>

namespace kvseats::traffic {
namespace {

constexpr std::uint64_t kSecond = 1000000000;

TEST(AtOnce, AShareOfThePeople) {
  const AtOnce lesson = at_once(std::uint64_t{5000}, 0.02);
  EXPECT_EQ(lesson.arithmetic, "5,000 people × 2 % = 100 at once");
  EXPECT_EQ(lesson.requests, 100u);
}

TEST(AtOnce, RateTimesTimeInSystem) {
  const AtOnce ten = at_once(10.0, 12 * kSecond + kSecond / 2);
  EXPECT_EQ(ten.arithmetic, "10 requests/s × 12.5 s = 125 at once");
  EXPECT_EQ(ten.requests, 125u);
  EXPECT_EQ(at_once(0.3, 5 * kSecond).arithmetic, "0.3 requests/s × 5 s = 1.5, so 2 at once");
}

TEST(AtOnce, PeopleWhoThinkBetweenRequests) {
  const AtOnce thinking = at_once(std::uint64_t{5000}, 20 * kSecond, 60 * kSecond);
  EXPECT_EQ(thinking.arithmetic, "5,000 people × 20 s ÷ (20 s + 60 s) = 1,250 at once");
  EXPECT_EQ(thinking.requests, 1250u);
}

TEST(AtOnce, NobodyAsksNothing) {
  EXPECT_EQ(at_once(std::uint64_t{0}, 0.5).requests, 0u);
  EXPECT_EQ(at_once(std::uint64_t{1}, 0.5).arithmetic, "1 person × 50 % = 0.5, so 1 at once");
  EXPECT_EQ(at_once(std::uint64_t{7}, std::uint64_t{0}, std::uint64_t{0}).requests, 0u);
}

}  // namespace
}  // namespace kvseats::traffic
