#include "engine/split.h"

#include <gtest/gtest.h>

#include <numeric>

namespace kvseats::engine {
namespace {

model::Model plain_model(std::uint32_t layers) {
  model::Model m;
  m.layers = layers;
  m.groups.push_back({.kind = model::CacheKind::kFull,
                      .layers = layers,
                      .kv_heads = 8,
                      .k_dim = 128,
                      .v_dim = 128,
                      .state = {}});
  return m;
}

std::vector<std::uint32_t> sizes(std::uint32_t layers, std::uint32_t pp) {
  std::vector<std::uint32_t> out;
  for (const auto& stage : stage_layers(plain_model(layers), pp)) {
    out.push_back(std::accumulate(stage.begin(), stage.end(), 0u));
  }
  return out;
}

// vllm/distributed/utils.py, get_pp_indices: the remainder goes to stages before the last, from the
// back.
TEST(Split, LayersAreDealtEvenlyAndTheLastStageGetsNoExtra) {
  EXPECT_EQ(sizes(32, 1), (std::vector<std::uint32_t>{32}));
  EXPECT_EQ(sizes(32, 4), (std::vector<std::uint32_t>{8, 8, 8, 8}));
  EXPECT_EQ(sizes(61, 2), (std::vector<std::uint32_t>{31, 30}));
  EXPECT_EQ(sizes(2, 4), (std::vector<std::uint32_t>{0, 1, 1, 0}));
}

TEST(Split, HeadsSplitOverTensorParallelAndReplicateBeyond) {
  model::Component part;
  part.heads = 8;
  EXPECT_EQ(heads_on_gpu(part, 1), 8u);
  EXPECT_EQ(heads_on_gpu(part, 2), 4u);
  EXPECT_EQ(heads_on_gpu(part, 3), 3u) << "the fullest GPU";
  EXPECT_EQ(heads_on_gpu(part, 8), 1u);
  EXPECT_EQ(heads_on_gpu(part, 16), 1u) << "copies";
  part.replicated = true;
  part.heads = 1;
  EXPECT_EQ(heads_on_gpu(part, 8), 1u);
}

TEST(Split, ExpertsGoOverExpertParallel) {
  model::Weights w;
  w.rows = {{.label = "experts",
             .params = {},
             .format = "fp8",
             .bytes = units::bytes(800),
             .routed_experts = true},
            {.label = "rest",
             .params = {},
             .format = "bf16",
             .bytes = units::bytes(80),
             .routed_experts = false}};
  EXPECT_EQ(weight_bytes_on_gpu(w, {.tp = 8}), units::bytes(110));
  EXPECT_EQ(weight_bytes_on_gpu(w, {.tp = 1, .pp = 1, .dp = 8, .dcp = 1, .ep = 8}),
            units::bytes(180));
}

}  // namespace
}  // namespace kvseats::engine
