#include "model/model.h"

#include <gtest/gtest.h>

namespace kvseats::model {
namespace {

Model model_of(const char* shape) {
  const auto read = read_shape(shape);
  EXPECT_TRUE(read) << shape;
  Model model;
  model.groups = read->groups;
  model.order = read->order;
  model.layers = read->layers;
  return model;
}

TEST(Model, LayersStandInTheirOrder) {
  using Layers = std::vector<std::uint16_t>;
  EXPECT_EQ(layer_groups(model_of("full:2x1x64+none:1")), (Layers{0, 0, 1}));
  EXPECT_EQ(layer_groups(model_of("full:2x1x64+none:3+order:1.0.1.0.1")), (Layers{1, 0, 1, 0, 1}));
  EXPECT_EQ(layer_groups(model_of("full:2x1x64+cross:2x1x64,overlay=1")), (Layers{0, 0}));
}

TEST(Model, FaultsAreNamed) {
  Model model = model_of("full:2x1x64+window:3x1x64@16");
  EXPECT_EQ(find_fault(model), "");
  model.layers = 6;
  EXPECT_EQ(find_fault(model), "The layer groups have 5 layers, the model has 6.");
  model.layers = 5;
  model.groups[1].window = 0;
  EXPECT_EQ(find_fault(model), "Layer group 2 has a window of 0 tokens.");
  model.groups[1].window = 16;
  model.groups[0].k_dim = 0;
  EXPECT_EQ(find_fault(model), "Layer group 1 has a head dim of 0.");
  model.groups[0].k_dim = 64;
  model.order = {{0, 2}, {1, 2}};
  EXPECT_EQ(find_fault(model), "The model has an order with 2 layers of group 2, which has 3.");
  model.order = {{7, 5}};
  EXPECT_EQ(find_fault(model), "The model has an order that names no group.");
  EXPECT_EQ(find_fault(Model{}), "The model has no layers.");
}

// What a link of an imported model can carry: read_checkpoint has the same limits.
TEST(Model, WidthsBeyondWhatALinkCarriesAreFaults) {
  const auto with = [](auto change) {
    Model model;
    model.groups = {
        {.kind = CacheKind::kFull, .layers = 2, .kv_heads = 8, .k_dim = 64, .v_dim = 64}};
    model.layers = 2;
    change(model);
    return find_fault(model);
  };
  constexpr std::uint32_t kMost = 1048576;  // 2^20
  EXPECT_EQ(with([](Model& m) { m.hidden = m.attention_heads = kMost; }), "");
  EXPECT_EQ(with([](Model& m) { m.moe.expert_width = kMost; }), "");
  EXPECT_EQ(with([](Model& m) { m.mtp_layers = 10000; }), "");
  constexpr const char* kFault = "The model has a dimension of 1,048,577.";
  EXPECT_EQ(with([](Model& m) { m.hidden = kMost + 1; }), kFault);
  EXPECT_EQ(with([](Model& m) { m.attention_heads = kMost + 1; }), kFault);
  EXPECT_EQ(with([](Model& m) { m.moe.experts = kMost + 1; }), kFault);
  EXPECT_EQ(with([](Model& m) { m.moe.per_token = kMost + 1; }), kFault);
  EXPECT_EQ(with([](Model& m) { m.moe.shared = kMost + 1; }), kFault);
  EXPECT_EQ(with([](Model& m) { m.moe.expert_width = kMost + 1; }), kFault);
  EXPECT_EQ(with([](Model& m) { m.mtp_layers = 10001; }),
            "The model has 10,001 next-token layers.");
}

struct TextCase {
  const char* shape;
  const char* text;
};

TEST(Model, GeometryReadsLikeTheModelCard) {
  constexpr TextCase kCases[] = {
      {"full:32x8x128", "32 × 8 KV heads × 128"},
      {"full:28x1x256", "28 × 1 KV head × 256"},
      {"full:9x4x192/128", "9 × 4 KV heads × 192/128"},
      {"latent:61x576", "61 × 576 latent"},
      {"latent:61x576,index=128", "61 × 576 latent + 128 index"},
      {"latent:78x576,index=128,indexed=21", "78 × 576 latent + 21 × 128 index"},
      {"full:10x16x128+window:52x16x128@1024", "10 × 16 × 128 + 52 × 16 × 128 window 1,024"},
      {"full:12x2x256+none:36,state=gated-delta,conv=3x8192",
       "12 × 2 × 256 + 36 × gated-delta state"},
      {"full:72x4x128,state=mamba2,conv=3x5120", "72 × 4 × 128 + mamba2 state"},
      {"full:4x2x256+shared:15", "4 × 2 × 256 + 15 shared"},
      {"full:49x8x128+none:31", "49 × 8 × 128 + 31 without cache"},
      {"compressed:21x512@128,ratio=4", "21 × 512 compressed 4:1 window 128"},
  };
  for (const TextCase& c : kCases) EXPECT_EQ(geometry_text(model_of(c.shape)), c.text);
}

}  // namespace
}  // namespace kvseats::model
