#include "engine/vllm/groups.h"

#include <gtest/gtest.h>

#include "engine/vllm/needs.h"
#include "vllm_models.h"

namespace kvseats::engine {
namespace {

vllm::Settings settings_for(const Server& server) {
  return vllm::settings_of(server.in, vllm::choose_rules(server.in.version));
}

vllm::Layout layout_for(const Server& server) {
  const vllm::Settings s = settings_for(server);
  return vllm::layout_of(vllm::layer_specs(server.in, s), s);
}

// google/gemma-3-27b-it: 10 full and 52 window layers make 1 + 6 groups of 10, 8 of them padding.
TEST(VllmGroups, WindowsAreCutIntoGroupsWithPadding) {
  Server server(model_of({heads(10, 16, 128), heads(52, 16, 128, 1024)}));
  const vllm::Layout layout = layout_for(server);
  EXPECT_EQ(layout.groups, 7u);
  EXPECT_EQ(layout.group_size, 10u);
  EXPECT_EQ(layout.buckets[1].padding, 8u);
  EXPECT_EQ(layout.block_bytes[0], 10u * 16 * 16 * 256 * 2);
}

// google/gemma-4-31B: full layers of 4 × 512 get blocks of 32, window layers of 16 × 256 keep 16.
TEST(VllmGroups, TheLargestPageWinsAndSmallerOnesGetLargerBlocks) {
  Server server(model_of({heads(10, 4, 512), heads(50, 16, 256, 1024)}));
  const vllm::Layout layout = layout_for(server);
  EXPECT_EQ(layout.buckets[0].spec.block, 32u);
  EXPECT_EQ(layout.buckets[1].spec.block, 16u);
  EXPECT_EQ(layout.page, 262144u);
}

// openai/gpt-oss-20b with EAGLE: 13 full beside 12 window layers are one group each, not 12 and 2.
TEST(VllmGroups, NearlyEqualBucketsArePaddedInsteadOfCut) {
  Server server(model_of({heads(12, 8, 64), heads(12, 8, 64, 128)}));
  server.in.draft.layers = eagle_draft_layers(server.model);
  const vllm::Layout layout = layout_for(server);
  EXPECT_EQ(layout.groups, 2u);
  EXPECT_EQ(layout.group_size, 13u);
  server.in.version = "0.9.2";
  EXPECT_EQ(layout_for(server).groups, 3u);
}

// A draft layer of another shape is a bucket of one, so every layer becomes its own group (Gemma 4
// 26B with a draft head: 31 groups).
TEST(VllmGroups, ADraftOfAnotherShapeSplitsAllGroups) {
  Server server(model_of({heads(5, 2, 512), heads(25, 8, 256, 1024)}));
  server.in.draft.layers = {heads(1, 8, 128)};
  const vllm::Layout layout = layout_for(server);
  EXPECT_EQ(layout.group_size, 1u);
  EXPECT_EQ(layout.groups, 31u);
}

struct BlockCase {
  const char* name;
  model::LayerGroup attention, state;
  std::uint32_t tp;
  const char* format;
  std::uint64_t spec, block;
};

// Printed "Setting attention block size": Qwen3-Next on two H200 544 (0.10.2), Qwen3.5-27B 784 and
// at fp8 1568, with MTP 3 800 and 1600, 35B-A3B 1056 / 2096, with MTP 2 at fp8 2128, 122B 2112 /
// 4176.
TEST(VllmGroups, AttentionBlocksGrowUntilTheyHoldAState) {
  using model::StateType;
  const BlockCase cases[] = {
      {"next-80b", heads(12, 2, 256), delta(36, 16, 32, StateType::kF16), 2, "bf16", 0, 544},
      {"27b", heads(16, 4, 256), delta(48, 16, 48, StateType::kF32), 1, "bf16", 0, 784},
      {"27b fp8", heads(16, 4, 256), delta(48, 16, 48, StateType::kF32), 1, "fp8", 0, 1568},
      {"27b mtp", heads(16, 4, 256), delta(48, 16, 48, StateType::kF32), 1, "bf16", 3, 800},
      {"27b mtp fp8", heads(16, 4, 256), delta(48, 16, 48, StateType::kF32), 1, "fp8", 3, 1600},
      {"35b", heads(10, 2, 256), delta(30, 16, 32, StateType::kF32), 1, "bf16", 0, 1056},
      {"35b fp8", heads(10, 2, 256), delta(30, 16, 32, StateType::kF32), 1, "fp8", 0, 2096},
      {"35b mtp", heads(10, 2, 256), delta(30, 16, 32, StateType::kF32), 1, "fp8", 2, 2128},
      {"122b fp8", heads(12, 2, 256), delta(36, 16, 64, StateType::kF32), 1, "fp8", 0, 4176},
  };
  for (const BlockCase& one : cases) {
    Server server(model_of({one.attention, one.state}));
    server.in.parallel.tp = one.tp;
    server.format(one.format);
    server.in.draft.tokens = one.spec;
    EXPECT_EQ(layout_for(server).smallest_block, one.block) << one.name;
  }
}

// Qwen3-Next declares no state type: vLLM keeps it in the model's, others in fp32; 544 is printed.
TEST(VllmGroups, AnUndeclaredStateTypeFollowsTheModel) {
  Server server(model_of({heads(12, 2, 256), delta(36, 16, 32, model::StateType::kF32)}));
  server.in.parallel.tp = 2;
  EXPECT_EQ(layout_for(server).smallest_block, 1056u);
  server.model.groups[1].state.assumed_type = true;
  EXPECT_EQ(layout_for(server).smallest_block, 544u);
  server.option("statetype", "float32");
  EXPECT_EQ(layout_for(server).smallest_block, 1056u);
}

// Qwen3.5-27B with MTP: 17 full layers, 48 states in three groups of 17, 3 of them padding; a
// request takes its blocks and 3 × (2 + spec) pages in align mode, 3 × (1 + spec) without prefix
// caching.
TEST(VllmGroups, StatesTakePagesPerGroup) {
  Server server(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF32)}));
  server.model.mtp_layers = 1;
  server.in.draft.layers = mtp_draft_layers(server.model);
  server.in.draft.tokens = 1;
  const vllm::Layout layout = layout_for(server);
  EXPECT_EQ(layout.group_size, 17u);
  EXPECT_EQ(layout.groups, 4u);
  EXPECT_EQ(vllm::cost_of(layout, settings_for(server)).at(8000), 10u + 3 * 3);
  server.option("prefixcaching", "off");
  EXPECT_EQ(vllm::cost_of(layout, settings_for(server)).at(8000), 10u + 3 * 2);
}

// Sliding window: ceil(min(w − 1 + B, L) / block) + 1; B doubles from 0.24 on (two batches).
TEST(VllmGroups, WindowsAreReservedForTheBatchesInFlight) {
  Server server(model_of({heads(10, 16, 128), heads(10, 16, 128, 1024)}));
  server.in.batched = 2048;
  server.in.version = "0.23.0";
  const vllm::Layout layout = layout_for(server);
  EXPECT_EQ(vllm::cost_of(layout, settings_for(server)).at(32768), 2048u + 192 + 1);
  server.in.version = "0.24.0";
  EXPECT_EQ(vllm::cost_of(layout, settings_for(server)).at(32768), 2048u + 320 + 1);
  server.in.parallel.pp = 4;
  EXPECT_EQ(vllm::cost_of(layout, settings_for(server)).at(32768), 2048u + 576 + 1);
}

TEST(VllmGroups, WithoutTheManagerWindowsKeepEverything) {
  Server server(model_of({heads(10, 16, 128), heads(52, 16, 128, 1024)}));
  server.option("hybrid", "off");
  const vllm::Layout off = layout_for(server);
  EXPECT_EQ(off.groups, 1u);
  EXPECT_EQ(vllm::cost_of(off, settings_for(server)).at(32768), 2048u);
}

// DeepSeek-V3: 61 × 576 × 2 B = 70,272 B per token on every GPU, whatever tp.
TEST(VllmGroups, LatentsAreTheSameOnEveryGpu) {
  Server server(model_of({latent(61, 512, 64)}));
  for (const std::uint32_t tp : {1u, 8u}) {
    server.in.parallel.tp = tp;
    EXPECT_EQ(layout_for(server).block_bytes[0], 64u * 70272);
  }
}

// GLM-5: 78 × (1,152 + 132) B; with MTP and fp8_ds_mla 79 × (656 + 132) (printed 788 B a layer).
TEST(VllmGroups, LatentAndIndexerShareOneGroup) {
  Server server(model_of({latent(78, 512, 64, 128)}));
  EXPECT_EQ(layout_for(server).block_bytes[0], 64u * 78 * 1284);
  server.model.mtp_layers = 1;
  server.in.draft.layers = mtp_draft_layers(server.model);
  for (const char* format : {"fp8_ds_mla", "fp8"}) {
    server.format(format);
    const vllm::Layout layout = layout_for(server);
    EXPECT_EQ(layout.groups, 1u);
    EXPECT_EQ(layout.block_bytes[0], 64u * 79 * 788);
  }
}

// Llama-3 70B at tp 16: heads are copied, 80 layers × 1 head × 256 × 2 B = 40,960 B per token.
TEST(VllmGroups, HeadsAreCopiedWhenTpExceedsThem) {
  Server server(model_of({heads(80, 8, 128)}));
  server.in.parallel.tp = 16;
  EXPECT_EQ(layout_for(server).block_bytes[0], 16u * 40960);
}

// get_pp_indices (vllm/distributed/utils.py): 61 layers on 4 stages are 15, 15, 16, 15; the stage
// with 16 has the largest block and the fewest of them.
TEST(VllmGroups, TheFullestStageDecides) {
  Server server(model_of({latent(61, 512, 64)}));
  server.in.parallel.pp = 4;
  server.in.pool = units::gib(40);
  const Outcome out = server.run();
  ASSERT_EQ(out.ranks.size(), 2u);
  EXPECT_EQ(tightest(out.ranks, 8192), 1u);
  EXPECT_EQ(out.ranks[1].stage, 2u);
  EXPECT_EQ(out.unit_bytes, units::bytes(64 * 16 * 1152));
  EXPECT_EQ(out.pool.blocks, units::gib(40) / units::bytes(64 * 16 * 1152));
}

// Layers of a bucket go to its groups in turn, so stages hold the same of each group.
TEST(VllmGroups, GroupsAreDealtOverStages) {
  model::Model model = model_of({heads(4, 8, 128), heads(12, 8, 128, 512)});
  for (std::uint16_t i = 0; i < 4; ++i) {
    model.order.push_back({1, 3});
    model.order.push_back({0, 1});
  }
  Server server(std::move(model));
  server.in.parallel.pp = 2;
  const vllm::Layout layout = layout_for(server);
  EXPECT_EQ(layout.group_size, 4u);
  EXPECT_EQ(layout.block_bytes[0], layout.block_bytes[1]);
  EXPECT_EQ(layout.block_bytes[0], 2u * layout.page);
}

// Kimi-K2 with dcp 8: every rank keeps an eighth of the tokens; printed 8 × 715,136.
TEST(VllmGroups, ContextParallelRanksDealOutTokens) {
  Server server(model_of({latent(61, 512, 64)}));
  server.in.parallel.tp = server.in.parallel.dcp = 8;
  server.in.pool_blocks = 11174;
  server.in.version = "0.11.0";
  EXPECT_EQ(server.run().pool.tokens, 5721088u);
  EXPECT_EQ(server.run().ranks[0].cost.at(8192), 16u);
}

TEST(VllmGroups, DcpIsRefusedWhereHeadsAreNotCopied) {
  Server server(llama_8b());
  server.in.parallel.tp = 8;
  server.in.parallel.dcp = 2;
  const Outcome out = server.run();
  ASSERT_TRUE(units::has_error(out.diagnostics));
  EXPECT_EQ(out.diagnostics[0].code, "E-DCP");
}

// deepseek-ai/DeepSeek-R1 on V0 (0.7.x): rows of 1,152 B aligned to 1,280.
TEST(VllmGroups, V0AlignsLatentRows) {
  Server server(model_of({latent(61, 512, 64)}));
  server.in.version = "0.7.3";
  EXPECT_EQ(layout_for(server).block_bytes[0], 64u * 61 * 1280);
  server.option("alignmla", "off");
  EXPECT_EQ(layout_for(server).block_bytes[0], 64u * 61 * 1152);
}

// fp32 scales of per-token-head formats: block × heads × 2 × 4 B on top; nvfp4 9/16 B an element.
TEST(VllmGroups, ScalesAreStoredWithTheTokens) {
  Server server(model_of({heads(32, 8, 128)}));
  server.format("fp8_per_token_head");
  EXPECT_EQ(layout_for(server).block_bytes[0], 32u * 16 * 8 * (256 + 8));
  server.format("nvfp4");
  EXPECT_EQ(layout_for(server).block_bytes[0], 32u * 16 * 8 * 144);
}

// openai/whisper-large-v3: cross attention takes the encoder budget, 2,048 tokens, 128 blocks.
TEST(VllmGroups, CrossAttentionTakesTheEncoderBudget) {
  model::LayerGroup cross = heads(32, 20, 64);
  cross.kind = model::CacheKind::kCross;
  cross.overlay = true;
  model::Model model = model_of({heads(32, 20, 64)});
  model.groups.push_back(cross);
  Server server(std::move(model));
  server.in.context = 448;
  const vllm::Layout layout = layout_for(server);
  EXPECT_EQ(layout.groups, 2u);
  EXPECT_EQ(vllm::cost_of(layout, settings_for(server)).at(448), 28u + 128);
}

TEST(VllmGroups, CostNeverFallsAsARequestGrows) {
  Server server(model_of({heads(10, 4, 512), heads(50, 16, 256, 1024)}));
  const Cost cost = vllm::cost_of(layout_for(server), settings_for(server));
  std::uint64_t last = 0;
  for (std::uint64_t tokens = 1; tokens < 40000; tokens += 7) {
    EXPECT_GE(cost.at(tokens), last);
    last = cost.at(tokens);
  }
}

}  // namespace
}  // namespace kvseats::engine
