#include <gtest/gtest.h>

#include <algorithm>

#include "engine/hand/hand.h"
#include "plan/capacity.h"
#include "plan/gpus.h"
#include "plan/mix.h"

// The search over layouts, with an engine so simple that every layout can be counted by hand.
namespace kvseats::plan {
namespace {

using engine::Inputs;
using engine::Outcome;

// A GPU holds 1,000 units, the weights take 1,500 off each copy, a token costs one. The low pool is
// half of what is left, the high one twice that and 1,000 more.
//
//     GPUs of a copy    1      2      4       8
//     pool              –    500  2,500   6,500
//     low               –    250  1,250   3,250
//     high          1,000  2,000  6,000  14,000
Outcome counted(const Inputs& in) {
  const std::uint64_t gpus = std::uint64_t{in.parallel.tp} * in.parallel.pp;
  const std::uint64_t pool = units::saturating_sub(1000 * gpus, 1500);
  Outcome out;
  out.ranks = {{.cost = engine::Cost(std::vector<engine::CostTerm>{{.num = 1}}),
                .capacity = pool,
                .pool = "window"}};
  out.low_capacity = {pool / 2};
  out.high_capacity = {2 * pool + 1000};
  out.pool.no_room = pool == 0;
  out.seq_cap = in.seqs;
  return out;
}

Outcome refusing(const Inputs& in) {
  Outcome out = counted(in);
  if (in.parallel.tp == 1) {
    out.diagnostics = {units::diagnose("E-TP", "tp", "one GPU is too few", "Take two.")};
  }
  return out;
}

constexpr engine::Profile kCounted = {.id = "counted", .run = counted};
constexpr engine::Profile kRefusing = {.id = "refusing", .run = refusing};

model::Model dense() {
  model::Model model;
  model.layers = 32;
  model.attention_heads = 64;
  model.groups = {
      {.kind = model::CacheKind::kFull, .layers = 32, .kv_heads = 8, .k_dim = 128, .v_dim = 128}};
  return model;
}

Inputs inputs_for(const model::Model& model) {
  Inputs in;
  in.model = &model;
  in.context = 100;
  return in;
}

const Load kHundred = {.tokens = 100, .shared = {}};
constexpr Bounds kOneStage = {.node = 8, .most_stages = 1};

struct Wanted {
  std::uint64_t users;
  std::uint32_t tp;
  std::uint64_t per_copy, groups, gpus, rented, requests, low_gpus, high_gpus;
  bool holds_low;
};

TEST(FewestGpus, OfTheLayoutsTheOneThatNeedsFewest) {
  constexpr Wanted kCases[] = {
      // Low pools: 2 requests on 2 GPUs, 12 on 4, 32 on 8. High: 10, 20, 60, 140.
      {1, 2, 5, 1, 2, 2, 5, 2, 1, true},
      {2, 2, 5, 1, 2, 2, 5, 2, 1, true},
      {5, 2, 5, 1, 2, 2, 5, 4, 1, false},
      {6, 4, 25, 1, 4, 4, 25, 4, 1, true},
      {12, 4, 25, 1, 4, 4, 25, 4, 2, true},
      {13, 4, 25, 1, 4, 4, 25, 8, 2, false},
      // Two of 4 GPUs or one of 8: with the low pools 24 and 32.
      {26, 8, 65, 1, 8, 8, 65, 8, 3, true},
      // Neither holds 40 with the low pools: the smaller group.
      {40, 4, 25, 2, 8, 8, 50, 16, 4, false},
      {51, 8, 65, 1, 8, 8, 65, 16, 4, false},
  };
  const model::Model model = dense();
  for (const Wanted& c : kCases) {
    SCOPED_TRACE(c.users);
    const Choice found = fewest_gpus(kCounted, inputs_for(model), kHundred, c.users, kOneStage);
    EXPECT_EQ(found.obstacle, Obstacle::kNone);
    EXPECT_EQ(found.group.parallel.tp, c.tp);
    EXPECT_EQ(found.per_copy, c.per_copy);
    EXPECT_EQ(found.groups, c.groups);
    EXPECT_EQ(found.gpus, c.gpus);
    EXPECT_EQ(found.rented, c.rented);
    EXPECT_EQ(found.requests, c.requests);
    EXPECT_EQ(found.low_gpus, c.low_gpus);
    EXPECT_EQ(found.high_gpus, c.high_gpus);
    EXPECT_EQ(found.holds_low, c.holds_low);
    EXPECT_FALSE(found.slots_end);
    EXPECT_EQ(found.pool, "window");
  }
}

TEST(FewestGpus, WhatTheEndsOfTheEstimateGiveInTheSameLayout) {
  const model::Model model = dense();
  const Choice two = fewest_gpus(kCounted, inputs_for(model), kHundred, 40, kOneStage);
  EXPECT_EQ(two.low_requests, 2u * 12);
  EXPECT_EQ(two.high_requests, 2u * 60);
  EXPECT_EQ(two.low_group.parallel.tp, 4u) << "16 GPUs either way: the smaller group";
}

// Three stages of two GPUs hold 4,500 units, 45 requests: 6 GPUs where whole powers of two need 8.
// Five stages would do too, but one of them has 7 of 32 layers, 9 % above the mean.
TEST(FewestGpus, StagesNeedNoPowerOfTwo) {
  const model::Model model = dense();
  const Choice found = fewest_gpus(kCounted, inputs_for(model), kHundred, 26, {.node = 8});
  EXPECT_EQ(found.gpus, 6u);
  EXPECT_EQ(found.group.parallel.pp, 3u);
  EXPECT_EQ(found.rented, 8u);
  EXPECT_EQ(found.odd_gpus, 5u);
  EXPECT_EQ(found.odd_group.parallel.pp, 5u);
  // Two GPUs either way: no talk between stages.
  EXPECT_EQ(fewest_gpus(kCounted, inputs_for(model), kHundred, 5, {.node = 8}).group.parallel.tp,
            2u);
}

// Two GPUs hold one request of 500.
TEST(FewestGpus, ACopyForEachRequest) {
  const model::Model model = dense();
  const Choice found = fewest_gpus(kCounted, inputs_for(model), {.tokens = 500}, 1, kOneStage);
  EXPECT_EQ(found.gpus, 2u);
  EXPECT_EQ(found.requests, 1u);
}

TEST(FewestGpus, AFixedLayoutIsCountedAndNotSearched) {
  const model::Model model = dense();
  Inputs in = inputs_for(model);
  in.parallel.tp = 2;
  const Bounds fixed = {.node = 8, .layout_fixed = true};
  const Choice found = fewest_gpus(kCounted, in, kHundred, 26, fixed);
  EXPECT_EQ(found.gpus, 12u);
  EXPECT_EQ(found.rented, 16u);
  EXPECT_EQ(found.requests, 30u);
  EXPECT_EQ(found.low_gpus, 26u);
  EXPECT_EQ(found.high_gpus, 4u);
}

TEST(FewestGpus, SequencesEndACopyToo) {
  const model::Model model = dense();
  Inputs in = inputs_for(model);
  in.seqs = 3;
  const Choice found = fewest_gpus(kCounted, in, kHundred, 6, kOneStage);
  EXPECT_TRUE(found.slots_end);
  EXPECT_EQ(found.per_copy, 3u);
  EXPECT_EQ(found.gpus, 4u);
  EXPECT_EQ(found.group.parallel.tp, 2u) << "four GPUs hold no more than three either";
}

TEST(FewestGpus, WhyNothingServes) {
  const model::Model model = dense();
  Inputs in = inputs_for(model);
  const Bounds one = {.node = 1, .most_stages = 1};
  EXPECT_EQ(fewest_gpus(kCounted, in, kHundred, 1, one).obstacle, Obstacle::kNoRoom);
  EXPECT_EQ(fewest_gpus(kCounted, in, kHundred, 1, one).high_gpus, 1u);
  EXPECT_EQ(fewest_gpus(kCounted, in, kHundred, 1, one).low_gpus, 0u);
  in.context = 600;  // more than two GPUs hold
  const Bounds two = {.node = 2, .most_stages = 1};
  EXPECT_EQ(fewest_gpus(kCounted, in, kHundred, 1, two).obstacle, Obstacle::kNoRoom);
  in.parallel.tp = 2;
  const Bounds fixed = {.layout_fixed = true};
  EXPECT_EQ(fewest_gpus(kCounted, in, kHundred, 1, fixed).obstacle, Obstacle::kNotOne);
  in.context = 500;
  EXPECT_EQ(fewest_gpus(kCounted, in, kHundred, 1, fixed).obstacle, Obstacle::kNone);
}

TEST(FewestGpus, AnEnginesRefusalRulesALayoutOutAndIsTold) {
  const model::Model model = dense();
  const Inputs in = inputs_for(model);
  EXPECT_EQ(fewest_gpus(kRefusing, in, kHundred, 1, kOneStage).group.parallel.tp, 2u);
  const Choice none = fewest_gpus(kRefusing, in, kHundred, 1, {.node = 1, .most_stages = 1});
  EXPECT_EQ(none.obstacle, Obstacle::kRules);
  ASSERT_EQ(none.refusals.size(), 1u);
  EXPECT_EQ(none.refusals[0].code, "E-TP");
  EXPECT_EQ(none.high_gpus, 0u);
}

// Each GPU holds 1,000 units less its share of weights of 1,500. A token costs one on each GPU of a
// copy, with dcp on one of so many.
//
//     GPUs of a copy          2      4      8
//     pool of each          250    625    812
//     requests with dcp 1     2      6      8
//                       2     5     12     16
//                       4           25     32
//                       8                  62
Outcome dealt(const Inputs& in) {
  const std::uint64_t pool = units::saturating_sub(1000, 1500 / in.parallel.tp);
  Outcome out;
  out.ranks = {
      {.cost = engine::Cost(std::vector<engine::CostTerm>{{.num = 1, .per = in.parallel.dcp}}),
       .capacity = pool}};
  out.low_capacity = {in.seqs ? pool / 2 : pool};
  out.high_capacity = {pool};
  out.pool.no_room = pool == 0;
  return out;
}

constexpr engine::Profile kDealt = {.id = "dealt", .run = dealt};

model::Model latent() {
  model::Model model = dense();
  model.groups[0] = {.kind = model::CacheKind::kLatent, .layers = 32, .k_dim = 576};
  return model;
}

struct Dealt {
  std::uint64_t users;
  std::uint32_t given, tp, dcp;
  std::uint64_t gpus, requests;
};

TEST(FewestGpus, TokensAreDealtOutOnlyWhereThatSavesGpus) {
  constexpr Dealt kCases[] = {
      {2, 0, 2, 1, 2, 2},
      {3, 0, 2, 2, 2, 5},
      {5, 0, 2, 2, 2, 5},
      {6, 0, 4, 1, 4, 6},  // two of 2 GPUs with dcp 2 would hold 10
      {7, 0, 2, 2, 4, 10},
      {11, 0, 4, 2, 4, 12},
      {13, 0, 4, 4, 4, 25},
      {26, 0, 4, 4, 8, 50},
      {51, 0, 8, 8, 8, 62},
      // A given one is kept.
      {5, 1, 4, 1, 4, 6},
      {2, 2, 2, 2, 2, 5},
      {26, 2, 2, 2, 12, 30},
      {5, 4, 4, 4, 4, 25},
  };
  const model::Model model = latent();
  for (const Dealt& c : kCases) {
    SCOPED_TRACE(c.users);
    const Choice found = fewest_gpus(kDealt, inputs_for(model), kHundred, c.users,
                                     {.node = 8, .most_stages = 1, .dcp = c.given});
    EXPECT_EQ(found.obstacle, Obstacle::kNone);
    EXPECT_EQ(found.group.parallel.tp, c.tp);
    EXPECT_EQ(found.group.parallel.dcp, c.dcp);
    EXPECT_EQ(found.gpus, c.gpus);
    EXPECT_EQ(found.requests, c.requests);
  }
  const Choice none =
      fewest_gpus(kDealt, inputs_for(model), kHundred, 2, {.node = 8, .most_stages = 1, .dcp = 3});
  EXPECT_EQ(none.obstacle, Obstacle::kRules) << "no tp is a multiple of three";
}

// Half the pool of 250 holds one of 100 tokens, with dcp 2 two.
TEST(FewestGpus, WhatHoldsAtTheLowEndIsBeforeTheSmallerDcp) {
  const model::Model model = latent();
  Inputs in = inputs_for(model);
  in.seqs = 100;
  const Choice found = fewest_gpus(kDealt, in, kHundred, 2, kOneStage);
  EXPECT_EQ(found.gpus, 2u);
  EXPECT_EQ(found.group.parallel.dcp, 2u);
  EXPECT_TRUE(found.holds_low);
}

TEST(Obstacles, ErrorsThenRoomThenWhatTheEngineSays) {
  Outcome out;
  EXPECT_EQ(obstacle_of(out), Obstacle::kNone);
  out.refusal.refused = true;
  EXPECT_EQ(obstacle_of(out), Obstacle::kRefuses);
  out.pool.no_room = true;
  EXPECT_EQ(obstacle_of(out), Obstacle::kNoRoom);
  out.diagnostics = {units::diagnose("W-TP-UNEVEN", "tp", "uneven", "")};
  EXPECT_EQ(obstacle_of(out), Obstacle::kNoRoom);
  out.diagnostics.push_back(units::diagnose("E-TP", "tp", "no", ""));
  EXPECT_EQ(obstacle_of(out), Obstacle::kRules);
}

// 500 units serve five of 100 tokens; one of 501 does not start, but by hand nothing starts.
TEST(Served, AnEngineStartsOnlyIfOneOfTheContextFits) {
  const model::Model model = dense();
  Inputs in = inputs_for(model);
  in.parallel.tp = 2;
  Outcome out = counted(in);
  EXPECT_EQ(served(kCounted, out, out.ranks, 500, kHundred).per_replica, 5u);
  EXPECT_EQ(served(kCounted, out, out.ranks, 501, kHundred).per_replica, 0u);
  EXPECT_EQ(served(engine::hand_profile(), out, out.ranks, 501, kHundred).per_replica, 5u);
  // Refused for want of memory, a larger pool helps; refused for anything else it does not.
  out.refusal.refused = true;
  const std::vector<engine::Rank> larger = with_capacity(out.ranks, {1000});
  EXPECT_EQ(served(kCounted, out, larger, 501, kHundred).per_replica, 10u);
  EXPECT_EQ(served(kCounted, out, larger, 500, kHundred).per_replica, 0u);
}

struct Layout {
  std::uint32_t tp, pp, dp, ep;
  friend bool operator==(const Layout&, const Layout&) = default;
};

std::vector<Layout> layouts(const model::Model& model, const Bounds& bounds) {
  std::vector<Layout> out;
  for (const Group& g : groups(model, bounds)) {
    out.push_back({g.parallel.tp, g.parallel.pp, g.parallel.dp, g.parallel.ep});
  }
  return out;
}

TEST(Groups, EveryLayoutOfANodeSmallestFirst) {
  const Bounds node = {.node = 4, .most_stages = 2};
  EXPECT_EQ(
      layouts(dense(), node),
      (std::vector<Layout>{
          {1, 1, 1, 1}, {2, 1, 1, 1}, {1, 2, 1, 1}, {4, 1, 1, 1}, {2, 2, 1, 1}, {4, 2, 1, 1}}));
}

// 8 experts over 2 or 4 GPUs of a node of 4; 6 over 2 alone.
TEST(Groups, CopiesShareExpertsThatDivideInsideTheNode) {
  model::Model moe = dense();
  moe.moe.experts = 8;
  const Bounds node = {.node = 4, .most_stages = 1};
  EXPECT_EQ(
      layouts(moe, node),
      (std::vector<Layout>{
          {1, 1, 1, 1}, {1, 1, 2, 2}, {2, 1, 1, 1}, {1, 1, 4, 4}, {2, 1, 2, 4}, {4, 1, 1, 1}}));
  moe.moe.experts = 6;
  EXPECT_EQ(layouts(moe, node),
            (std::vector<Layout>{{1, 1, 1, 1}, {1, 1, 2, 2}, {2, 1, 1, 1}, {4, 1, 1, 1}}));
}

struct DealtLayout {
  std::uint32_t tp, dp, dcp;
  friend bool operator==(const DealtLayout&, const DealtLayout&) = default;
};

std::vector<DealtLayout> dealt_layouts(const model::Model& model, std::uint32_t node,
                                       std::uint32_t dcp = 0) {
  std::vector<DealtLayout> out;
  for (const Group& g : groups(model, {.node = node, .most_stages = 1, .dcp = dcp})) {
    out.push_back({g.parallel.tp, g.parallel.dp, g.parallel.dcp});
  }
  return out;
}

TEST(Groups, DcpDividesTheGpusThatHoldTheSameHeads) {
  model::Model model = dense();
  model.groups[0].kv_heads = 2;
  EXPECT_EQ(dealt_layouts(model, 8),
            (std::vector<DealtLayout>{
                {1, 1, 1}, {2, 1, 1}, {4, 1, 1}, {4, 1, 2}, {8, 1, 1}, {8, 1, 2}, {8, 1, 4}}));
  // The fewest copies over all groups of layers decide.
  model.groups.push_back(model.groups[0]);
  model.groups[1].kv_heads = 4;
  EXPECT_EQ(dealt_layouts(model, 8),
            (std::vector<DealtLayout>{{1, 1, 1}, {2, 1, 1}, {4, 1, 1}, {8, 1, 1}, {8, 1, 2}}));
  // Of eight heads nothing is held twice; a given dcp is left to the engine to judge.
  EXPECT_EQ(dealt_layouts(dense(), 4), (std::vector<DealtLayout>{{1, 1, 1}, {2, 1, 1}, {4, 1, 1}}));
  EXPECT_EQ(dealt_layouts(dense(), 8, 2),
            (std::vector<DealtLayout>{{2, 1, 2}, {4, 1, 2}, {8, 1, 2}}));
  // A latent is the same on every GPU, of copies that share experts too.
  model::Model moe = latent();
  moe.moe.experts = 8;
  EXPECT_EQ(dealt_layouts(moe, 4), (std::vector<DealtLayout>{{1, 1, 1},
                                                             {1, 2, 1},
                                                             {2, 1, 1},
                                                             {2, 1, 2},
                                                             {1, 4, 1},
                                                             {2, 2, 1},
                                                             {4, 1, 1},
                                                             {2, 2, 2},
                                                             {4, 1, 2},
                                                             {4, 1, 4}}));
}

TEST(Groups, AtMostFourNodesAndAsManyStagesAsLayers) {
  const auto most = [](const std::vector<Layout>& list) {
    std::uint32_t gpus = 0;
    for (const Layout& l : list) gpus = std::max(gpus, l.tp * l.pp);
    return gpus;
  };
  EXPECT_EQ(most(layouts(dense(), {.node = 8})), 32u);
  EXPECT_EQ(most(layouts(dense(), {.node = 8, .multinode = true, .most_stages = 1})), 64u)
      << "of 64 heads";
  EXPECT_EQ(most(layouts(dense(), {.node = 8, .multinode = true})), 512u) << "four times sixteen";
  EXPECT_EQ(most(layouts(dense(), {.node = 1})), 4u);
  model::Model few = dense();
  few.groups[0].layers = 2;
  few.groups.push_back(few.groups[0]);
  few.groups[1].layers = 1;
  EXPECT_EQ(most(layouts(few, {.node = 1})), 3u);
  EXPECT_EQ(most(layouts(few, {.node = 1, .most_stages = 0})), 1u);
  few.groups.clear();
  EXPECT_EQ(most(layouts(few, {.node = 1})), 1u);
}

TEST(Groups, TwoGroupsOfLayersMustBothDivide) {
  model::Model both = dense();
  both.groups.push_back(both.groups[0]);
  both.groups[1].kv_heads = 6;  // 6 over 4 GPUs neither divides nor is replicated
  EXPECT_EQ(layouts(both, {.node = 4, .most_stages = 1}),
            (std::vector<Layout>{{1, 1, 1, 1}, {2, 1, 1, 1}}));
  both.groups[1].kv_heads = 0;  // states have none
  EXPECT_EQ(layouts(both, {.node = 4, .most_stages = 1}).size(), 3u);
}

// 5 of 100 tokens and 10 of 50 are 1,000 units: on 2 GPUs (500 units) two copies would have 550
// each, three 400; as 8 GPUs are rented, four copies have 350.
TEST(Offers, EveryLayoutThatServesWithTheRoomItLeaves) {
  const model::Model model = dense();
  const std::vector<Demand> demands = {{.load = {.tokens = 100}, .users = 5},
                                       {.load = {.tokens = 50}, .users = 10}};
  const auto found = offers(kCounted, inputs_for(model), demands, kOneStage);
  ASSERT_EQ(found.size(), 3u);
  struct {
    std::uint32_t tp;
    std::uint64_t needed, rented, groups;
    double free;
  } constexpr kCases[] = {{2, 6, 8, 4, 0.3}, {4, 4, 4, 1, 0.6}, {8, 8, 8, 1, 11.0 / 13}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(found[i].group.parallel.tp, kCases[i].tp);
    EXPECT_EQ(found[i].needed, kCases[i].needed);
    EXPECT_EQ(found[i].rented, kCases[i].rented);
    EXPECT_EQ(found[i].groups, kCases[i].groups);
    EXPECT_NEAR(found[i].free, kCases[i].free, 1e-15);
  }
  Inputs fixed = inputs_for(model);
  fixed.parallel.tp = 4;
  EXPECT_EQ(offers(kCounted, fixed, demands, {.layout_fixed = true}).size(), 1u);
  fixed.context = 2501;
  EXPECT_TRUE(offers(kCounted, fixed, demands, {.layout_fixed = true}).empty()) << "does not start";
}

// Copies of 500 units hold 5 of 100 tokens, so 11 take three.
TEST(Offers, CopiesThatShareExpertsComeTogether) {
  const model::Model model = dense();
  Inputs fixed = inputs_for(model);
  fixed.parallel = {.tp = 2, .pp = 1, .dp = 2, .ep = 4};
  const std::vector<Demand> demands = {{.load = {.tokens = 100}, .users = 11}};
  const auto found = offers(kCounted, fixed, demands, {.layout_fixed = true});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].needed, 8u) << "three copies are two pairs";
  EXPECT_EQ(found[0].groups, 2u);
  EXPECT_NEAR(found[0].free, 1 - 300.0 / 500, 1e-15) << "3 of 11 in the fullest of four";
}

engine::Rank cells(std::uint64_t shared, std::uint64_t slots) {
  return {.cost = engine::Cost(std::vector<engine::CostTerm>{{.num = 1000}}),
          .capacity = 1,
          .slots = slots,
          .shared_cells = shared};
}

TEST(UsedBy, WhatIsFullIsUsedUpAndOneMoreDoesNotFit) {
  const auto of = [](std::uint64_t users) {
    return std::vector<Demand>{{.load = {.tokens = 25}, .users = users}};
  };
  // Cells are shared by all: they are counted in tokens, whatever a token costs.
  EXPECT_EQ(used_by({cells(100, 9)}, {}, of(3), 1), 0.75);
  EXPECT_EQ(used_by({cells(100, 9)}, {}, of(4), 1), 1.0);
  EXPECT_EQ(used_by({cells(100, 9)}, {}, of(5), 1), std::nullopt);
  EXPECT_EQ(used_by({cells(100, 3)}, {}, of(3), 1), 0.75);
  EXPECT_EQ(used_by({cells(100, 2)}, {}, of(3), 1), std::nullopt);
  EXPECT_EQ(used_by({cells(100, 9)}, 3, of(3), 1), 0.75);
  EXPECT_EQ(used_by({cells(100, 9)}, 2, of(3), 1), std::nullopt);
  EXPECT_EQ(used_by({cells(100, 9), cells(300, 9)}, {}, of(3), 1), 0.75) << "the fullest";
  EXPECT_EQ(used_by({engine::Rank{}}, {}, of(3), 1), 0.0) << "no pool, and nothing asks for one";
}

TEST(FewestCopies, OneForNobodyAndForWhatFits) {
  EXPECT_EQ(fewest_copies({cells(100, 9)}, {}, {}), 1u);
  const std::vector<Demand> four = {{.load = {.tokens = 25}, .users = 4}};
  EXPECT_EQ(fewest_copies({cells(100, 9)}, {}, four), 1u);
  EXPECT_EQ(fewest_copies({cells(99, 9)}, {}, four), 2u);
  EXPECT_EQ(fewest_copies({cells(25, 9)}, {}, four), 4u);
  EXPECT_EQ(fewest_copies({cells(24, 9)}, {}, four), std::nullopt);
}

TEST(Useful, EightTimesTheCheapestAndATwentiethMoreRoomAreEnough) {
  const std::vector<Price> prices = {{1, 0.25}, {2, 0.3}, {8, 0.5}, {8.01, 0.9}};
  EXPECT_EQ(useful(prices, front(prices)), (std::vector<std::size_t>{0, 1, 2}));
}

engine::Rank pool_of(std::uint64_t capacity) {
  return {.cost = engine::Cost(std::vector<engine::CostTerm>{{.num = 1}}), .capacity = capacity};
}

struct Limited {
  std::optional<std::uint64_t> seqs;
  std::uint64_t slots, per_replica, requests;
  Limit by;
};

// 10 of 100 tokens in 1,000 units, in three copies.
TEST(Capacity, MemorySlotsOrSequencesEndIt) {
  constexpr Limited kCases[] = {
      {std::nullopt, UINT64_MAX, 10, 30, Limit::kMemory},
      {11, UINT64_MAX, 10, 30, Limit::kMemory},
      {10, UINT64_MAX, 10, 30, Limit::kMemory},
      {9, UINT64_MAX, 9, 27, Limit::kEngine},
      {std::nullopt, 9, 9, 27, Limit::kEngine},
      {std::nullopt, 10, 10, 30, Limit::kMemory},
      {0, UINT64_MAX, 0, 0, Limit::kEngine},
  };
  for (const Limited& c : kCases) {
    engine::Rank rank = pool_of(1000);
    rank.slots = c.slots;
    const Capacity found = capacity({rank}, kHundred, c.seqs, 3);
    EXPECT_EQ(found.per_replica, c.per_replica);
    EXPECT_EQ(found.requests, c.requests);
    EXPECT_EQ(found.limited_by, c.by);
  }
  const Capacity free = capacity({engine::Rank{}}, kHundred, std::nullopt, 3);
  EXPECT_EQ(free.limited_by, Limit::kNothing);
  EXPECT_EQ(free.requests, units::kOutOfRange);
}

TEST(Capacity, InversesOfTheDivision) {
  constexpr std::uint64_t kAny = units::kOutOfRange;
  EXPECT_EQ(copies_needed(100, 0, {.held = 25, .most = 0}), std::nullopt);
  EXPECT_EQ(copies_needed(100, 300, {.held = kAny, .most = kAny}), 1u);
  EXPECT_EQ(copies_needed(100, 0, {.held = 25, .most = 25}), 4u);
  EXPECT_EQ(copies_needed(101, 0, {.held = 25, .most = 25}), 5u);
  // Idle sessions take room, but no sequences: 124 ÷ 25 and 100 ÷ 10.
  EXPECT_EQ(copies_needed(100, 24, {.held = 25, .most = 25}), 5u);
  EXPECT_EQ(copies_needed(100, 26, {.held = 25, .most = 25}), 6u);
  EXPECT_EQ(copies_needed(100, 24, {.held = 25, .most = 10}), 10u);
  // 7 users over 3 copies: 3 in the fullest, of 1,000 units 333 each.
  EXPECT_EQ(longest_for({pool_of(1000)}, 7, 3, 0, kLongest), 333u);
  EXPECT_EQ(longest_for({pool_of(1000)}, 7, 3, 100, kLongest), 400u) << "100 of it held once";
  EXPECT_EQ(longest_for({pool_of(1000)}, 7, 3, 0, 50), 50u);
  engine::Sharing idle;
  idle.idle = 3;  // ten in all: four in the fullest
  EXPECT_EQ(longest_for({pool_of(1000)}, 7, 3, idle, kLongest), 250u);
}

struct Beside {
  std::uint64_t idle;
  std::optional<std::uint64_t> seqs;
  std::uint64_t requests, per_replica;
  Limit by;
};

// Three copies hold 30 requests of 100 tokens.
TEST(Capacity, IdleSessionsTakeRoom) {
  const Beside cases[] = {
      {7, std::nullopt, 23, 8, Limit::kMemory}, {7, 5, 15, 5, Limit::kEngine},
      {18, 5, 12, 4, Limit::kMemory},           {30, std::nullopt, 0, 0, Limit::kMemory},
      {99, std::nullopt, 0, 0, Limit::kMemory},
  };
  for (const Beside& c : cases) {
    Load load = kHundred;
    load.shared.idle = c.idle;
    const Capacity found = capacity({pool_of(1000)}, load, c.seqs, 3);
    EXPECT_EQ(found.requests, c.requests);
    EXPECT_EQ(found.per_replica, c.per_replica);
    EXPECT_EQ(found.limited_by, c.by);
  }
}

TEST(Capacity, OtherPoolSizesForTheSameRanks) {
  const auto ranks = with_capacity({pool_of(1), pool_of(2)}, {7});
  EXPECT_EQ(ranks[0].capacity, 7u);
  EXPECT_EQ(ranks[1].capacity, 2u);
  EXPECT_EQ(with_capacity({pool_of(1)}, {7, 8})[0].capacity, 7u);
}

struct Rent {
  std::uint64_t gpus;
  std::uint32_t node;
  std::uint64_t rented;
};

TEST(Rented, NodesOfAnySize) {
  constexpr Rent kCases[] = {{2, 8, 2},  {4, 8, 4}, {7, 8, 8},   {8, 8, 8},  {6, 6, 6},
                             {7, 6, 12}, {3, 1, 3}, {16, 8, 16}, {17, 8, 24}};
  for (const Rent& c : kCases) EXPECT_EQ(rented(c.gpus, c.node), c.rented) << c.gpus;
}

}  // namespace
}  // namespace kvseats::plan
