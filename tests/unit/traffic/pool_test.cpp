#include "traffic/pool.h"

#include <gtest/gtest.h>

namespace kvseats::traffic {
namespace {

TEST(Pool, HandsOutWhatItHasAndNoMore) {
  Pool pool(10);
  EXPECT_TRUE(pool.take(1, 6));
  EXPECT_FALSE(pool.take(2, 5));
  EXPECT_TRUE(pool.take(2, 4));
  EXPECT_EQ(pool.left(), 0u);
  EXPECT_EQ(pool.held_by(1), 6u);
}

TEST(Pool, EveryUnitHasOneOwner) {
  Pool pool(4);
  ASSERT_TRUE(pool.take(3, 2));
  ASSERT_TRUE(pool.take(kShared, 1));
  EXPECT_EQ(pool.owners(), (std::vector<Owner>{3, 3, kShared, kNobody}));
  pool.give_back(3);
  EXPECT_EQ(pool.owners(), (std::vector<Owner>{kNobody, kNobody, kShared, kNobody}));
  EXPECT_EQ(pool.used(), 1u);
}

TEST(Pool, GivingBackNothingIsFine) {
  Pool pool(4);
  pool.give_back(9);
  ASSERT_TRUE(pool.take(1, 1));
  pool.give_back(0);
  EXPECT_EQ(pool.used(), 1u);
}

TEST(Pool, BytesAreCountedAndNotListed) {
  Pool pool(53000000000);
  EXPECT_TRUE(pool.take(1, 1ull << 34));
  EXPECT_TRUE(pool.owners().empty());
  EXPECT_EQ(pool.held_by(1), 1ull << 34);
  pool.give_back(1);
  EXPECT_EQ(pool.used(), 0u);
}

}  // namespace
}  // namespace kvseats::traffic
