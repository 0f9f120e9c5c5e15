#include <gtest/gtest.h>

#include <algorithm>

#include "engine/llamacpp/caches.h"
#include "engine/sglang/cells.h"
#include "engine/sglang/sglang.h"
#include "engine/trtllm/trtllm.h"
#include "engine/vllm/groups.h"
#include "engine/vllm/needs.h"
#include "llamacpp_models.h"

// What each engine keeps for compressed attention: windows, an entry of every ratio-th token, index
// keys, what the compressors remember.
namespace kvseats::engine {
namespace {

model::LayerGroup compressed(std::uint32_t layers, std::uint32_t ratio, std::uint32_t index_dim) {
  model::LayerGroup group;
  group.kind = model::CacheKind::kCompressed;
  group.layers = layers;
  group.kv_heads = 1;
  group.k_dim = 512;
  group.window = 128;
  group.compress_ratio = ratio;
  group.compress_dim = ratio == 0 ? 0 : 512;
  group.index_dim = index_dim;
  group.index_layers = index_dim == 0 ? 0 : layers;
  return group;
}

// deepseek-ai/DeepSeek-V4-Flash: 2 layers of windows alone, 21 with entries of 4 tokens and index
// keys, 20 with entries of 128.
model::Model flash() {
  return model_of({compressed(2, 0, 0), compressed(21, 4, 128), compressed(20, 128, 0)});
}

struct Row {
  const char* name;
  std::uint32_t layers;
  std::uint64_t cells, streams, k_bytes, v_bytes;
};

void expect_rows(const std::vector<CacheRow>& rows, const std::vector<Row>& expected) {
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].name, expected[i].name);
    EXPECT_EQ(rows[i].layers, expected[i].layers) << expected[i].name;
    EXPECT_EQ(rows[i].cells, expected[i].cells) << expected[i].name;
    EXPECT_EQ(rows[i].streams, expected[i].streams) << expected[i].name;
    EXPECT_EQ(rows[i].k_bytes.raw(), expected[i].k_bytes) << expected[i].name;
    EXPECT_EQ(rows[i].v_bytes.raw(), expected[i].v_bytes) << expected[i].name;
  }
}

// src/llama-kv-cache-dsv4.cpp: 128 + 512 cells of windows are 768; 8,192 ÷ 4 and ÷ 128 entries, in
// whole 256; a row of 512 in 16 bit is 1,024 B, of 128 is 256 B. Compressors keep 2 × 4 rows of 2 ×
// 512 (of the keys 2 × 128) numbers in f32, and 128 of 512, each of values and of scores. A stream
// for each of the four slots, also of one unified cache.
TEST(Compressed, LlamaCppHasSevenCaches) {
  const auto s = served(flash());
  const Outcome out = llamacpp_profile().run(s->in);
  expect_rows(out.caches,
              {
                  {"raw", 43, 768, 4, 768ULL * 4 * 43 * 1024, 0},
                  {"csa", 21, 2048, 4, 2048ULL * 4 * 21 * 1024, 0},
                  {"lid", 21, 2048, 4, 2048ULL * 4 * 21 * 256, 0},
                  {"hca", 20, 256, 4, 256ULL * 4 * 20 * 1024, 0},
                  {"csa_state", 21, 8, 4, 8ULL * 4 * 21 * 4096, 8ULL * 4 * 21 * 4096},
                  {"lid_state", 21, 8, 4, 8ULL * 4 * 21 * 1024, 8ULL * 4 * 21 * 1024},
                  {"hca_state", 20, 128, 4, 128ULL * 4 * 20 * 2048, 128ULL * 4 * 20 * 2048},
              });
  std::uint64_t sum = 0;
  for (const CacheRow& row : out.caches) sum += row.bytes.raw();
  EXPECT_EQ(out.ranks[0].cost.at(8192), sum) << "the whole server, all of its slots";
}

// The part of a slot: a window of 640 cells in whole 256, entries of 1,024 and of 32,768 tokens.
TEST(Compressed, LlamaCppsSlotTakesAStreamOfEach) {
  const auto s = served(flash());
  s->in.seqs = 2;
  const Outcome out = llamacpp_profile().run(s->in);
  const std::uint64_t states = 8 * 21 * 2 * 4096 + 8 * 21 * 2 * 1024 + 128 * 20 * 2 * 2048;
  const std::uint64_t windows = 768 * 43 * 1024;
  EXPECT_EQ(out.ranks[0].cost.at(8192),
            windows + 2048 * 21 * (1024 + 256) + 256 * 20 * 1024 + states);
  EXPECT_EQ(cache_row(out, "raw")->streams, 2u);
}

// One layer with entries of single tokens is one; a layer of states has no window to keep.
TEST(Compressed, LlamaCppCountsSingleLayers) {
  const auto s =
      served(model_of({compressed(1, 1, 128), delta(3, 16, 48, model::StateType::kF32)}));
  const Outcome out = llamacpp_profile().run(s->in);
  ASSERT_NE(cache_row(out, "raw"), nullptr);
  EXPECT_EQ(cache_row(out, "raw")->layers, 1u);
  EXPECT_EQ(cache_row(out, "csa")->layers, 1u);
  EXPECT_EQ(cache_row(out, "csa")->cells, 8192u);
  EXPECT_EQ(cache_row(out, "lid_state")->layers, 1u);
}

// Streams of the three other slots are waste, and what compressors of all slots remember.
TEST(Compressed, LlamaCppsOtherSlotsAreWaste) {
  const auto s = served(flash());
  const Outcome out = llamacpp_profile().run(s->in);
  std::uint64_t slots = 0;
  for (const WasteRow& row : out.waste) slots += row.id == "slots" ? row.bytes.raw() : 0;
  const std::uint64_t one = 768 * 43 * 1024 + 2048 * 21 * (1024 + 256) + 256 * 20 * 1024;
  EXPECT_EQ(slots, 3 * one);
}

// Stages of 22 and 21 layers (the output layer counts): 2 + 20 of the first two groups; then the
// last of them and all of the third.
TEST(Compressed, LlamaCppDealsTheLayersOut) {
  const auto s = served(flash());
  s->in.parallel.pp = 2;
  const auto counts = llamacpp::deal_layers(s->in, llamacpp::Settings{});
  EXPECT_EQ(counts[0], (llamacpp::LayerCounts{2, 20, 0}));
  EXPECT_EQ(counts[1], (llamacpp::LayerCounts{0, 1, 20}));
  const llamacpp::Settings settings = llamacpp::settings_of(
      s->in, llamacpp::choose_rules("", llamacpp::Program::kServer), llamacpp::Program::kServer);
  std::vector<std::string_view> names;
  for (const auto& cache : llamacpp::caches_of(s->in, settings, counts[0], false)) {
    names.push_back(cache.name);
  }
  EXPECT_EQ(names, (std::vector<std::string_view>{"raw", "csa", "lid", "csa_state", "lid_state"}));
}

// Per token of the full pool 21 × 1,024 ÷ 4 + 20 × 1,024 ÷ 128 + 21 × 132 ÷ 4 = 6,229 B; of the
// windows 43 × 1,024 and 8 rows of 2 × (512 + 128) values and scores in f32 of 21 layers per 128
// tokens, 13,440 B. A request that may run keeps 128 × 512 of both, 20 times.
TEST(Compressed, SglangHasThreePools) {
  Server server(flash());
  server.in.seqs = 16;
  const auto s = sglang::settings_of(server.in, sglang::choose_rules(""));
  EXPECT_EQ(s.page, 256u);
  EXPECT_EQ(s.window_ratio, 0.1);
  const auto stages = sglang::stages_of(server.in, s);
  ASSERT_EQ(stages.size(), 1u);
  EXPECT_EQ(stages[0].full, (units::Ratio{6229, 1}));
  EXPECT_EQ(stages[0].window, (units::Ratio{43 * 1024 + 13440, 1}));
  EXPECT_EQ(stages[0].window_tokens, 128u);
  EXPECT_EQ(stages[0].per_request, 10485760u);
  EXPECT_TRUE(stages[0].estimated);
}

// 1,000 pages: 256,000 × (6,229 + 0.1 × 57,472) B, beside 17 × 10,485,760 B of compressors.
TEST(Compressed, SglangCutsThePoolsByTheRatio) {
  Server server(flash());
  server.in.seqs = 16;
  server.in.pool = units::bytes(17ULL * 10485760 + 3065907200 + 100);
  const Outcome out = sglang_profile().run(server.in);
  EXPECT_EQ(out.pool.tokens, 256000u);
  EXPECT_EQ(out.pool.blocks, 1000u);
  ASSERT_EQ(out.ranks.size(), 2u);
  EXPECT_EQ(out.ranks[0].cost.at(257), 512u * 6229);
  EXPECT_EQ(out.ranks[0].capacity, 256000u * 6229);
  EXPECT_EQ(out.ranks[1].cost.at(8192), 512u * 57472) << "the window and a page";
  EXPECT_EQ(out.ranks[1].capacity, 25600u * 57472);
  EXPECT_TRUE(std::any_of(out.diagnostics.begin(), out.diagnostics.end(),
                          [](const auto& d) { return d.code == "W-LAYOUT"; }));
}

vllm::Layout layout_for(const Server& server) {
  const auto s = vllm::settings_of(server.in, vllm::choose_rules(""));
  return vllm::layout_of(vllm::layer_specs(server.in, s), s);
}

// Pages of 16 tokens: 21 × 4,096 and 20 × 128 B of entries, 21 × 2,112 B of index keys; 43 windows
// of 16,384 B are more and make the block.
TEST(Compressed, VllmPacksTwoGroupsIntoOneSlab) {
  Server server(flash());
  const vllm::Layout layout = layout_for(server);
  ASSERT_EQ(layout.buckets.size(), 2u);
  EXPECT_EQ(layout.buckets[0].layers, 62u);
  EXPECT_EQ(layout.buckets[1].layers, 43u);
  EXPECT_EQ(layout.groups, 2u);
  EXPECT_EQ(layout.group_size, 62u);
  EXPECT_TRUE(layout.summed);
  EXPECT_EQ(layout.block_bytes, std::vector<std::uint64_t>{43 * 16384});
  EXPECT_EQ(layout.block_layers, std::vector<std::uint32_t>{43});
  EXPECT_EQ(layout.page, 43u * 16384);
  EXPECT_EQ(layout.note, vllm::LayoutNote::kCompressed);
}

// A layer that compresses nothing has as much in either group: 16 × 1,024 B.
TEST(Compressed, OfTwoEqualGroupsVllmTakesTheFirst) {
  Server server(model_of({compressed(1, 1, 0), compressed(1, 2, 0)}));
  server.model.groups[1].window = 64;
  EXPECT_EQ(layout_for(server).block_bytes[0], 2u * 16384) << "two windows, 1.5 layers of entries";
  Server equal(model_of({compressed(1, 1, 0)}));
  EXPECT_EQ(layout_for(equal).block_bytes[0], 16384u);
  EXPECT_EQ(layout_for(equal).block_layers[0], 1u);
  EXPECT_EQ(layout_for(equal).buckets.size(), 2u);
  // The first layer's window is the group's: ceil((127 + 512) ÷ 16) + 1 beside 512 blocks.
  server.in.batched = 512;
  server.in.version = "0.23.0";
  const auto s = vllm::settings_of(server.in, vllm::choose_rules("0.23.0"));
  EXPECT_EQ(vllm::cost_of(layout_for(server), s).at(8192), 512u + 41);
  Server entries(model_of({compressed(1, 1, 128)}));
  EXPECT_EQ(layout_for(entries).block_bytes[0], 16384u + 16 * 132);
  EXPECT_EQ(layout_for(entries).block_layers[0], 2u);
}

// 22 layers on the first stage, all of the second and some of the third: 21 + 22 on the last
// get_pp_indices gives 22 to the first of two (43 = 2 × 21 + 1).
TEST(Compressed, VllmCountsEachStage) {
  Server server(flash());
  server.in.parallel.pp = 2;
  const vllm::Layout layout = layout_for(server);
  EXPECT_EQ(layout.block_bytes, (std::vector<std::uint64_t>{22 * 16384, 21 * 16384}));
  EXPECT_EQ(layout.block_layers, (std::vector<std::uint32_t>{22, 21}));
  EXPECT_EQ(layout.page, 43u * 16384);
}

// 512 blocks of entries; of the window ceil((127 + 2 × 512) ÷ 16) + 1.
TEST(Compressed, VllmChargesARequestForBothGroups) {
  Server server(flash());
  server.in.batched = 512;
  const auto s = vllm::settings_of(server.in, vllm::choose_rules(""));
  EXPECT_EQ(vllm::cost_of(layout_for(server), s).at(8192), 512u + 73);
  server.in.pool = units::gib(40);
  const Outcome out = server.run();
  EXPECT_TRUE(out.waste.empty()) << "nothing is claimed of a layout that is not known";
}

// 43 × 1,024 B a token, and 132 B of index keys in 21 layers, of every token.
TEST(Compressed, TensorRtLlmKeepsEveryToken) {
  Server server(flash());
  server.in.pool = units::gib(40);
  const Outcome out = trtllm_profile().run(server.in);
  EXPECT_EQ(out.ranks[0].cost.at(32), 32u * (43 * 1024 + 21 * 132));
  ASSERT_EQ(out.caches.size(), 2u);
  EXPECT_EQ(out.caches[0].name, "raw");
  EXPECT_EQ(out.caches[1].layers, 21u);
}

// compress_ratios end with 0 for the next-token layer: a window, no entries.
TEST(Compressed, ADraftersLayerIsAWindow) {
  model::Model model = flash();
  model.mtp_layers = 1;
  const auto layers = mtp_draft_layers(model);
  ASSERT_EQ(layers.size(), 1u);
  EXPECT_EQ(layers[0].layers, 1u);
  EXPECT_EQ(layers[0].window, 128u);
  EXPECT_EQ(layers[0].k_dim, 512u);
  EXPECT_EQ(layers[0].compress_ratio, 0u);
  Server server(std::move(model));
  server.in.draft.layers = layers;
  EXPECT_EQ(layout_for(server).block_bytes[0], 44u * 16384);
}

}  // namespace
}  // namespace kvseats::engine
