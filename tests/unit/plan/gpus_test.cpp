#include "plan/gpus.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/hand/hand.h"

namespace kvseats::plan {
namespace {

model::Model dense(std::uint32_t heads, std::uint32_t kv_heads) {
  model::Model model;
  model.layers = 32;
  model.attention_heads = heads;
  model.groups = {{.kind = model::CacheKind::kFull,
                   .layers = 32,
                   .kv_heads = kv_heads,
                   .k_dim = 128,
                   .v_dim = 128}};
  return model;
}

bool has_tp(const std::vector<Group>& list, std::uint32_t tp) {
  return std::any_of(list.begin(), list.end(),
                     [tp](const Group& g) { return g.parallel.tp == tp; });
}

TEST(Groups, TpDividesTheAttentionHeads) {
  // 40 heads: 8 divides them, 16 does not (vLLM refuses it).
  const std::vector<Group> list = groups(dense(40, 8), {.node = 16});
  EXPECT_TRUE(has_tp(list, 8));
  EXPECT_FALSE(has_tp(list, 16));
}

TEST(Groups, KvHeadsAreSplitEvenlyOrReplicated) {
  EXPECT_TRUE(has_tp(groups(dense(64, 8), {.node = 16}), 16));  // each twice
  EXPECT_FALSE(has_tp(groups(dense(24, 6), {.node = 8}), 4));   // 6 heads over 4 GPUs
}

TEST(Groups, TpStaysInsideTheNodeUnlessTold) {
  EXPECT_FALSE(has_tp(groups(dense(64, 8), {.node = 8}), 16));
  EXPECT_TRUE(has_tp(groups(dense(64, 8), {.node = 8, .multinode = true}), 16));
}

TEST(Groups, OnlyRoutedExpertsAreSharedByCopies) {
  const auto shares = [](const std::vector<Group>& list) {
    return std::any_of(list.begin(), list.end(), [](const Group& g) { return g.parallel.dp > 1; });
  };
  model::Model moe = dense(64, 8);
  EXPECT_FALSE(shares(groups(moe, {})));
  moe.moe.experts = 128;
  EXPECT_TRUE(shares(groups(moe, {})));
  for (const Group& g : groups(moe, {})) {
    EXPECT_TRUE(g.parallel.dp == 1 || g.parallel.ep == g.parallel.tp * g.parallel.dp);
  }
}

TEST(Groups, SmallestFirst) {
  const std::vector<Group> list = groups(dense(64, 8), {});
  EXPECT_EQ(list.front().gpus(), 1u);
  EXPECT_TRUE(std::is_sorted(list.begin(), list.end(),
                             [](const Group& a, const Group& b) { return a.gpus() < b.gpus(); }));
}

// Up to 4 stages of any size; more only of nearly equal numbers of layers, and at most 8: 7 of 32
// layers have 5 in the fullest, 9 % above the mean.
TEST(Groups, StagesAreFewOrEven) {
  const engine::Profile& hand = engine::hand_profile();
  const auto usual = [](const engine::Profile& profile, std::uint32_t pp) {
    return is_usual(profile, dense(64, 8), {{.pp = pp}});  // 32 layers
  };
  for (const std::uint32_t pp : {1u, 2u, 3u, 4u, 8u}) EXPECT_TRUE(usual(hand, pp)) << pp;
  for (const std::uint32_t pp : {5u, 6u, 7u, 9u, 16u, 32u}) EXPECT_FALSE(usual(hand, pp)) << pp;
  // llama.cpp gives each device some layers, however many devices there are.
  EXPECT_TRUE(usual(*engine::find_profile("llama.cpp"), 7));
}

TEST(Rented, PowersOfTwoInANodeWholeNodesBeyond) {
  EXPECT_EQ(rented(1, 8), 1u);
  EXPECT_EQ(rented(3, 8), 4u);
  EXPECT_EQ(rented(5, 8), 8u);
  EXPECT_EQ(rented(9, 8), 16u);
  EXPECT_EQ(rented(5, 6), 6u);
  EXPECT_EQ(rented(units::kOutOfRange, 8), units::kOutOfRange);
}

}  // namespace
}  // namespace kvseats::plan
