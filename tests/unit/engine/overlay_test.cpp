#include <gtest/gtest.h>

#include <algorithm>

#include "engine/hand/hand.h"
#include "engine/sglang/cells.h"
#include "engine/sglang/sglang.h"
#include "engine/trtllm/pools.h"
#include "engine/trtllm/trtllm.h"
#include "engine/vllm/groups.h"
#include "engine/vllm/needs.h"
#include "llamacpp_models.h"

// Cross attention, states of one's own and shared layers, as each engine deals them to its stages.
namespace kvseats::engine {
namespace {

model::LayerGroup cross_attention(std::uint32_t layers, std::uint64_t padded_to) {
  model::LayerGroup cross = heads(layers, 20, 64, padded_to);
  cross.kind = model::CacheKind::kCross;
  cross.overlay = true;
  return cross;
}

// openai/whisper-large-v3: 32 decoder layers, each with cross attention over 1,500 tokens.
model::Model whisper(std::uint32_t layers = 32, std::uint64_t padded_to = 1500) {
  model::Model model = model_of({heads(32, 20, 64)});
  model.groups.push_back(cross_attention(layers, padded_to));
  return model;
}

vllm::Settings vllm_settings(const Server& server) {
  return vllm::settings_of(server.in, vllm::choose_rules(server.in.version));
}

// Layers of each spec on each stage.
std::vector<std::vector<std::uint32_t>> vllm_layers(const Server& server) {
  const vllm::Layers layers = vllm::layer_specs(server.in, vllm_settings(server));
  std::vector<std::vector<std::uint32_t>> counts(layers.stages);
  for (auto& stage : counts) stage.assign(layers.specs.size(), 0);
  for (const vllm::Layer& layer : layers.list) ++counts[layer.stage][layer.spec];
  return counts;
}

using Counts = std::vector<std::vector<std::uint32_t>>;

// get_pp_indices deals 32 layers as 11, 11, 10; cross attention of all of them lies alike, that of
// 8 begins at layers 0, 4, 8 | 12, 16, 20 | 24, 28.
TEST(Overlay, VllmLaysItOverTheDecodersLayers) {
  Server all(whisper());
  all.in.parallel.pp = 3;
  EXPECT_EQ(vllm_layers(all), (Counts{{11, 11}, {11, 11}, {10, 10}}));
  Server few(whisper(8));
  few.in.parallel.pp = 3;
  EXPECT_EQ(vllm_layers(few), (Counts{{11, 3}, {11, 3}, {10, 2}}));
  Server one(whisper(1));
  one.in.parallel.pp = 2;
  EXPECT_EQ(vllm_layers(one), (Counts{{16, 1}, {16, 0}}));
  few.in.parallel.pp = 1;
  EXPECT_EQ(vllm_layers(few), (Counts{{32, 8}}));
}

// A request's blocks of the decoder, and those of the encoder budget, 1,500 ÷ 16.
TEST(Overlay, VllmReservesTheEncodersTokens) {
  Server server(whisper());
  server.option("encoder", "1500");
  const auto s = vllm_settings(server);
  const Cost cost = vllm::cost_of(vllm::layout_of(vllm::layer_specs(server.in, s), s), s);
  EXPECT_EQ(cost.at(448), 28u + 94);
  EXPECT_EQ(cost.at(1), 1u + 94);
  EXPECT_EQ(cost.of_prefix(64), 4u) << "of the decoder alone";
}

// ceil(32 ÷ 3) layers on each stage; K and V of 20 heads × 64 in 16 bit are 5,120 B a layer.
TEST(Overlay, SglangAndTensorRtLlmLayItEvenly) {
  Server server(whisper());
  server.in.parallel.pp = 3;
  server.in.prompt = 700;
  const auto s = sglang::settings_of(server.in, sglang::choose_rules(""));
  const auto stages = sglang::stages_of(server.in, s);
  ASSERT_EQ(stages.size(), 3u);
  EXPECT_EQ(stages[0].full, (units::Ratio{22 * 5120, 1}));
  EXPECT_EQ(stages[2].full, (units::Ratio{21 * 5120, 1}));
  EXPECT_EQ(stages[2].encoder_tokens, 1500u);
  EXPECT_TRUE(stages[0].kept.empty()) << "what inputs are padded to is no window";
  const auto pools = trtllm::stages_of(server.in, trtllm::settings_of(server.in));
  EXPECT_EQ(pools[0].encoder, 1500u * 11 * 5120);
  EXPECT_EQ(pools[2].encoder, 1500u * 11 * 5120);
  EXPECT_EQ(pools[2].windows.at(0).token, (units::Ratio{10 * 5120, 1}));
}

// Inputs are padded to a length, or as long as the prompt; without one there is nothing.
TEST(Overlay, EncoderTokensAreThePrompts) {
  for (const auto& [padded, prompt, expected] :
       {std::tuple{1500u, 700u, 1500u}, {0u, 700u, 700u}, {1500u, 0u, 0u}, {0u, 0u, 0u}}) {
    Server server(whisper(32, padded));
    server.in.prompt = prompt;
    EXPECT_EQ(encoder_tokens_of(server.model.groups[1], server.in), expected);
  }
}

// By hand the 8 layers over 32 fall on stages of 11, 11 and 10 as 3, 3 and 2.
TEST(Overlay, ByHandLayersFallOnTheirStage) {
  Server server(whisper(8));
  server.in.parallel.pp = 3;
  server.in.prompt = 700;
  const auto stages = hand_stages(server.in);
  ASSERT_EQ(stages.size(), 3u);
  std::vector<std::uint32_t> layers;
  for (const HandStage& stage : stages) {
    for (const HandPart& part : stage.parts) {
      if (part.kind == model::ComponentKind::kCross) layers.push_back(part.layers);
    }
  }
  EXPECT_EQ(layers, (std::vector<std::uint32_t>{3, 3, 2}));
  EXPECT_EQ(stages[0].parts.at(1).cost.at(1), 1500u * 3 * 5120);
  EXPECT_EQ(stages[0].parts.at(1).cost.of_prefix(100), 0u);
}

// 48 layers share a state of 96,001 B of one's own: 2,001 each, over two GPUs 1,001.
TEST(OwnState, IsSpreadOverTheLayersThatHaveOne) {
  Server server(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF32)}));
  server.model.state_override = units::bytes(96001);
  const auto page = [&] {
    for (const vllm::Spec& spec : vllm::layer_specs(server.in, vllm_settings(server)).specs) {
      if (spec.keep == vllm::Keep::kState) return spec.state;
    }
    return std::uint64_t{0};
  };
  EXPECT_EQ(page(), 2001u);
  server.in.parallel.tp = 2;
  EXPECT_EQ(page(), 1001u);
  server.model.state_override.reset();
  EXPECT_EQ(page(), (3ULL * 10240 * 2 + 48 * 128 * 128 * 4) / 2);
  Server none(llama_8b());
  none.model.state_override = units::bytes(96001);
  EXPECT_EQ(vllm::layer_specs(none.in, vllm_settings(none)).specs.size(), 1u);
}

// Stages of 32 layers: the first has 8 of the 48 states, the second 40.
TEST(OwnState, SglangTakesThePartOfTheStage) {
  Server server(model_of({heads(24, 4, 256), delta(40, 16, 48, model::StateType::kF32)}));
  server.model.state_override = units::bytes(80001);
  server.in.parallel.pp = 2;
  const auto s = sglang::settings_of(server.in, sglang::choose_rules(""));
  auto stages = sglang::stages_of(server.in, s);
  EXPECT_EQ(stages[0].slot, 16001u) << "8 of 40 layers: 16,000.2 B";
  EXPECT_EQ(stages[1].slot, 64001u);
  EXPECT_EQ(stages[1].slot_spare, 0u) << "what is given is what is kept";
  EXPECT_EQ(stages[0].parts.back().v, (units::Ratio{16001, 1}));
  EXPECT_EQ(stages[0].parts.back().k.num, 0u);
  EXPECT_EQ(stages[0].parts.front().k, (units::Ratio{24 * 4 * 256 * 2, 1}));
  server.in.parallel.tp = 2;
  stages = sglang::stages_of(server.in, s);
  EXPECT_EQ(stages[1].slot, 32001u);
  server.model.state_override.reset();
  stages = sglang::stages_of(server.in, s);
  EXPECT_EQ(stages[1].slot, 32u * (3 * 10240 * 2 + 48 * 128 * 128 * 4) / 2);
}

// 4 full and 20 window layers, 18 that read theirs: floor(18 × 4 ÷ 24) and floor(18 × 20 ÷ 24);
// layers of cross attention or without a cache take none of them.
TEST(SharedLayers, AreDealtInProportion) {
  model::LayerGroup shared;
  shared.kind = model::CacheKind::kShared;
  shared.layers = 18;
  model::Model model = model_of(
      {heads(4, 2, 512), shared, heads(20, 2, 256, 512), delta(3, 16, 48, model::StateType::kF32)});
  model.groups.push_back(cross_attention(5, 100));
  Server server(std::move(model));
  server.model.family = "Gemma 4";
  server.in.prompt = 100;
  const auto s = sglang::settings_of(server.in, sglang::choose_rules(""));
  const auto stages = sglang::stages_of(server.in, s);
  ASSERT_EQ(stages.size(), 1u);
  const auto layers_of = [&](std::string_view name) {
    for (const auto& part : stages[0].parts) {
      if (part.name == name) return part.layers;
    }
    return 0u;
  };
  EXPECT_EQ(layers_of("kv"), 4u + 3 + 5);
  EXPECT_EQ(layers_of("kv_swa"), 35u);
  EXPECT_EQ(stages[0].shared, (units::Ratio{3 * 2 * 1024 * 2, 1}));
}

// A token of 4 bit: a byte a number of one layer's K and V, in a workspace that all layers share.
TEST(Workspaces, SglangChargesOneFor4Bit) {
  for (const auto& [version, format, extra] :
       {std::tuple{"0.5.17", "fp4", 8 * 128 * 2}, {"0.5.16", "fp4", 0}, {"0.5.17", "bf16", 0}}) {
    Server server(model_of({heads(2, 4, 64, 512), heads(32, 8, 128)}));
    server.model.family = "Gemma 3";
    server.format(format);
    server.in.version = version;
    const auto s = sglang::settings_of(server.in, sglang::choose_rules(version));
    const auto stage = sglang::stages_of(server.in, s).at(0);
    units::Ratio rows{0, 1};
    for (const auto& part : stage.parts) rows = units::add(rows, units::add(part.k, part.v));
    EXPECT_EQ(stage.full, units::add(rows, {static_cast<std::uint64_t>(extra), 1})) << version;
  }
}

// A sparse latent of 2 indexed layers of 8: every layer has room for a key of 132 B, 6 need none.
TEST(Indexers, SglangKeepsKeysOfEveryLayer) {
  Server server(model_of({latent(8, 512, 64, 128)}));
  server.model.groups[0].index_layers = 2;
  const auto s = sglang::settings_of(server.in, sglang::choose_rules(""));
  auto stage = sglang::stages_of(server.in, s).at(0);
  EXPECT_EQ(stage.full, (units::Ratio{8 * (1152 + 132), 1}));
  EXPECT_EQ(stage.index, (units::Ratio{6 * 132, 1}));
  server.model.groups[0].index_layers = 8;
  EXPECT_EQ(sglang::stages_of(server.in, s).at(0).index.num, 0u);
  server.model.groups.push_back(latent(1, 512, 64));
  server.model.layers = 9;
  EXPECT_EQ(sglang::stages_of(server.in, s).at(0).index, (units::Ratio{132, 1}));
}

// Beside ordinary keys: 16-bit keys of 192, in 3 of 8 layers; values only where they are kept.
TEST(Indexers, BesideHeadsHaveOneHead) {
  Server server(model_of({heads(8, 4, 64)}));
  server.model.groups[0].index_dim = 192;
  server.model.groups[0].index_layers = 3;
  const auto s = sglang::settings_of(server.in, sglang::choose_rules(""));
  const auto indexer = sglang::stages_of(server.in, s).at(0).parts.at(1);
  EXPECT_EQ(indexer.name, "indexer");
  EXPECT_EQ(indexer.layers, 3u);
  EXPECT_EQ(indexer.k, (units::Ratio{3 * 192 * 2, 1}));
  EXPECT_EQ(indexer.v.num, 0u);
  const auto t = trtllm::settings_of(server.in);
  EXPECT_EQ(trtllm::stages_of(server.in, t).at(0).windows.at(0).parts.at(1).k,
            (units::Ratio{3 * 200, 1}));
  server.model.groups[0].index_has_v = true;
  EXPECT_EQ(sglang::stages_of(server.in, s).at(0).parts.at(1).v, (units::Ratio{3 * 192 * 2, 1}));
  EXPECT_EQ(trtllm::stages_of(server.in, t).at(0).windows.at(0).parts.at(1).v,
            (units::Ratio{3 * 200, 1}));
  // vLLM: 192 + 2 × 4 B, and once more for values, in the first 3 layers.
  const auto specs = vllm::layer_specs(server.in, vllm_settings(server));
  EXPECT_EQ(specs.specs.at(1).token, (units::Ratio{400, 1}));
  EXPECT_EQ(vllm_layers(server), (Counts{{8, 3}}));
  server.model.groups[0].index_has_v = false;
  EXPECT_EQ(vllm::layer_specs(server.in, vllm_settings(server)).specs.at(1).token,
            (units::Ratio{200, 1}));
  for (const auto& [dim, layers] : {std::pair{0u, 3u}, {192u, 0u}}) {
    server.model.groups[0].index_dim = dim;
    server.model.groups[0].index_layers = layers;
    EXPECT_EQ(sglang::stages_of(server.in, s).at(0).parts.size(), 1u);
    EXPECT_EQ(trtllm::stages_of(server.in, t).at(0).windows.at(0).parts.size(), 1u);
    EXPECT_EQ(vllm_layers(server), (Counts{{8}}));
  }
}

// Groups stored alike are one row: 4 + 3 layers.
TEST(Rows, GroupsStoredAlikeAreOne) {
  Server server(model_of({heads(4, 8, 128), heads(3, 2, 64)}));
  server.in.pool = units::gib(10);
  for (const Profile* profile : {&trtllm_profile(), &sglang_profile()}) {
    const Outcome out = profile->run(server.in);
    ASSERT_EQ(out.caches.size(), 1u) << profile->id;
    EXPECT_EQ(out.caches[0].layers, 7u) << profile->id;
  }
}

}  // namespace
}  // namespace kvseats::engine
