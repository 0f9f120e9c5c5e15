#include "plan/mix.h"

#include <gtest/gtest.h>

namespace kvseats::plan {
namespace {

engine::Rank rank(std::uint64_t capacity) {
  engine::Rank out;
  out.cost = engine::Cost(std::vector<engine::CostTerm>{{.num = 131072}});
  out.capacity = capacity;
  return out;
}

// The lesson's two services in 53 GB: 19,660,800,000 B and 170,393,600,000 B.
std::vector<Demand> two_services() {
  return {{.load = {.tokens = 1500}, .users = 100}, {.load = {.tokens = 13000}, .users = 100}};
}

TEST(Mix, EachCopyTakesItsEvenShareOfEveryDemand) {
  const std::vector<engine::Rank> ranks = {rank(53000000000)};
  EXPECT_FALSE(used_by(ranks, {}, two_services(), 1).has_value());
  EXPECT_EQ(fewest_copies(ranks, {}, two_services()), 4u);
  // 25 of each: 25 × (1,500 + 13,000) × 131,072 B = 47.5 GB.
  EXPECT_NEAR(*used_by(ranks, {}, two_services(), 4), 25 * 14500 * 131072.0 / 53e9, 1e-12);
  EXPECT_FALSE(used_by(ranks, {}, two_services(), 3).has_value());
}

TEST(Mix, SequencesBindAsMemoryDoes) {
  const std::vector<engine::Rank> ranks = {rank(UINT64_MAX / 2)};
  EXPECT_EQ(fewest_copies(ranks, 50, two_services()), 4u);
  EXPECT_EQ(fewest_copies(ranks, 1, two_services()), std::nullopt) << "one of each at least";
}

TEST(Mix, NothingFitsWhereNotOneOfEachDoes) {
  EXPECT_EQ(fewest_copies({rank(1000)}, {}, two_services()), std::nullopt);
}

TEST(Front, KeepsWhatNoOtherBeatsInBoth) {
  const std::vector<Price> prices = {{8, 0.2}, {4, 0.2}, {8, 0.5}, {16, 0.4}, {4, 0.1}, {32, 0.9}};
  EXPECT_EQ(front(prices), (std::vector<std::size_t>{1, 2, 5}));
  EXPECT_TRUE(front({}).empty());
  EXPECT_EQ(front(std::vector<Price>{{1, 0}, {1, 0}}), std::vector<std::size_t>{0});
}

// 0.52 is hardly more than 0.5; 40 costs ten times what the cheapest does.
TEST(Front, KeepsWhatIsWorthALook) {
  const std::vector<Price> prices = {{4, 0.2}, {8, 0.5}, {12, 0.52}, {16, 0.6}, {40, 0.9}};
  EXPECT_EQ(useful(prices, front(prices)), (std::vector<std::size_t>{0, 1, 3}));
  EXPECT_TRUE(useful({}, {}).empty());
}

}  // namespace
}  // namespace kvseats::plan
