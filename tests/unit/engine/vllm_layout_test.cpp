#include <gtest/gtest.h>

#include <algorithm>

#include "engine/vllm/groups.h"
#include "engine/vllm/needs.h"
#include "vllm_models.h"

// How vLLM lays out models that its logs do not show: kv_cache_utils.py at 001cabc1.
namespace kvseats::engine {
namespace {

vllm::Settings settings_for(const Server& server) {
  return vllm::settings_of(server.in, vllm::choose_rules(server.in.version));
}

vllm::Layout layout_for(const Server& server) {
  const vllm::Settings s = settings_for(server);
  return vllm::layout_of(vllm::layer_specs(server.in, s), s);
}

bool has_code(const Outcome& out, std::string_view code) {
  return std::any_of(out.diagnostics.begin(), out.diagnostics.end(),
                     [code](const units::Diagnostic& d) { return d.code == code; });
}

bool says(const Outcome& out, const std::string& part) {
  return std::any_of(out.start_lines.begin(), out.start_lines.end(),
                     [&](const std::string& line) { return line.find(part) != line.npos; });
}

model::LayerGroup state(std::uint32_t layers) {
  return delta(layers, 16, 48, model::StateType::kF32);
}

// Without the manager windows and chunks keep everything, but only beside layers that do.
TEST(VllmLayout, WithoutTheManager) {
  model::LayerGroup chunked = heads(10, 16, 128, 1024);
  chunked.kind = model::CacheKind::kChunked;
  struct {
    model::Model model;
    std::uint64_t blocks;
  } const cases[] = {
      {model_of({heads(10, 16, 128), chunked}), 2048},
      {model_of({heads(10, 16, 128), heads(10, 16, 128, 1024)}), 2048},
      // ceil((1,023 + 2 × 512) ÷ 16) + 1 of a window, ceil((1,024 + 2 × 512) ÷ 16) of a chunk.
      {model_of({heads(10, 16, 128, 1024)}), 129},
      {model_of({chunked}), 128},
  };
  for (const auto& c : cases) {
    Server server(c.model);
    server.option("hybrid", "off");
    server.in.batched = 512;
    EXPECT_EQ(vllm::cost_of(layout_for(server), settings_for(server)).at(32768), c.blocks);
    EXPECT_EQ(layout_for(server).groups, 1u);
  }
}

// A latent beside plain windows: the windows are full attention, one block is the sum of all.
TEST(VllmLayout, WindowsBesideALatentKeepEverything) {
  Server server(model_of({latent(10, 512, 64), heads(10, 8, 128, 512)}));
  const vllm::Layout layout = layout_for(server);
  EXPECT_EQ(layout.groups, 1u);
  EXPECT_TRUE(layout.summed);
  EXPECT_EQ(layout.block_bytes[0], 64u * 10 * (1152 + 4096));
  EXPECT_EQ(vllm::cost_of(layout, settings_for(server)).at(32768), 512u);
}

// A state of 3,207,168 B in tokens of 4,096 B, the wider of the two: 16 × ceil(48.94) = 784; the
// narrower layers, of a quarter, get blocks of four times as many.
TEST(VllmLayout, TheWidestLayerHoldsTheState) {
  for (const bool first : {true, false}) {
    const model::LayerGroup wide = heads(4, 4, 256);
    const model::LayerGroup narrow = heads(4, 2, 128);
    Server server(model_of({first ? wide : narrow, first ? narrow : wide, state(8)}));
    const vllm::Layout layout = layout_for(server);
    EXPECT_EQ(layout.smallest_block, 784u);
    EXPECT_EQ(layout.page, 784u * 4096);
    EXPECT_EQ(layout.buckets[first ? 1 : 0].spec.block, 4u * 784);
    EXPECT_EQ(layout.note, vllm::LayoutNote::kNone) << "states may be padded";
  }
  Server alone(model_of({state(8)}));
  EXPECT_EQ(layout_for(alone).smallest_block, 16u) << "no block grows for it";
}

// Pages of 16 × 768 B and 16 × 4,096 B do not divide: the smaller is padded, and that is said.
TEST(VllmLayout, PagesThatDoNotDivideArePadded) {
  Server server(model_of({heads(10, 3, 64), heads(10, 8, 128, 512)}));
  const vllm::Layout layout = layout_for(server);
  EXPECT_EQ(layout.note, vllm::LayoutNote::kPadded);
  EXPECT_EQ(layout.page, 16u * 4096);
  EXPECT_EQ(layout.buckets[0].spec.block, 16u);
  EXPECT_EQ(layout.buckets[0].spec.page, 16u * 4096);
  server.in.pool = units::gib(40);
  EXPECT_TRUE(has_code(server.run(), "W-LAYOUT"));
  Server divides(model_of({heads(10, 2, 128), heads(10, 8, 128, 512)}));
  divides.in.pool = units::gib(40);
  EXPECT_FALSE(has_code(divides.run(), "W-LAYOUT"));
  EXPECT_EQ(layout_for(divides).buckets[0].spec.block, 64u);
}

// 149 of 100 are less than half more: one group of 149 each.
TEST(VllmLayout, AGroupMayBeHalfAsLargeAgainButOneLayer) {
  Server server(model_of({heads(149, 8, 64), heads(100, 8, 64, 128)}));
  EXPECT_EQ(layout_for(server).groups, 2u);
}

// Two layers on four stages are on the second and the third.
TEST(VllmLayout, StagesWithoutLayersHoldNothing) {
  Server server(model_of({heads(1, 8, 128), heads(1, 8, 128, 512)}));
  server.in.parallel.pp = 4;
  EXPECT_EQ(layout_for(server).block_bytes, (std::vector<std::uint64_t>{0, 65536, 65536, 0}));
  EXPECT_EQ(layout_for(server).block_layers, (std::vector<std::uint32_t>{0, 1, 1, 0}));
  Server dense(llama_8b());
  EXPECT_FALSE(layout_for(dense).summed);
  EXPECT_EQ(layout_for(dense).block_layers, std::vector<std::uint32_t>{32});
  dense.in.parallel.pp = 2;
  EXPECT_EQ(layout_for(dense).block_layers, (std::vector<std::uint32_t>{16, 16}));
  model::LayerGroup none = heads(4, 8, 128);
  none.kind = model::CacheKind::kNone;
  Server empty(model_of({none}));
  EXPECT_EQ(layout_for(empty).block_bytes, std::vector<std::uint64_t>{0});
}

// Of a whole number of groups: 7,000 blocks over 1 + 6 groups are 1,000 each, of 16 tokens.
TEST(VllmLayout, TokensOfTheLineBefore021) {
  Server server(model_of({heads(10, 16, 128), heads(52, 16, 128, 1024)}));
  server.in.version = "0.20.0";
  server.in.pool_blocks = 7006;
  EXPECT_EQ(server.run().pool.tokens, 16000u);
  server.in.pool_blocks.reset();
  server.in.pool_tokens = 16000;
  EXPECT_EQ(server.run().pool.blocks, 7000u);
  server.in.pool_tokens = 16001;
  EXPECT_EQ(server.run().pool.blocks, 7007u);
}

struct Need {
  const char* name;
  model::Model model;
  const char* version;
  std::uint32_t pp;
  std::uint64_t bytes;
};

// 512 blocks of 10 full layers and 193 (1,023 + 2,048 tokens, and one) of 52 with a window, in
// pages of 131,072 B: until 0.13 layer by layer, since then by groups of 10. A sum of latents and
// index keys is one group. Two stages count by groups
// whatever the version; the first holds all 10 full layers.
TEST(VllmNeeds, AreCheckedByLayersThenByGroups) {
  const model::Model gemma = model_of({heads(10, 16, 128), heads(52, 16, 128, 1024)});
  const Need cases[] = {
      {"by layers", gemma, "0.13.0", 1, (10 * 512 + 52 * 193) * 131072ULL},
      {"by groups", gemma, "0.14.0", 1, (512 + 6 * 193) * 10 * 131072ULL},
      {"stages", gemma, "0.13.0", 2, (512 + 6 * 193) * 10 * 131072ULL},
      {"one sum", model_of({latent(61, 512, 64, 128)}), "0.13.0", 1, 128ULL * 64 * 61 * 1284},
      {"one group", llama_8b(), "0.13.0", 1, 1073741824},
  };
  for (const Need& c : cases) {
    Server server(c.model);
    server.in.version = c.version;
    server.in.batched = 2048;
    server.in.parallel.pp = c.pp;
    server.in.pool = units::gib(60);
    EXPECT_EQ(server.run().refusal.needed.raw(), c.bytes) << c.name;
  }
}

struct Worded {
  const char* version;
  bool room;
  const char* has;
  const char* has_not;
};

// The words of the refusals: a link since 0.14, "model's" and the remark on CPUs since 0.21.
TEST(VllmLines, RefusalsWereReworded) {
  constexpr Worded kCases[] = {
      {"0.13.0", true, "models's max seq len", "https://docs.vllm.ai"},
      {"0.14.0", true, "https://docs.vllm.ai", "which also controls CPU memory"},
      {"0.20.0", true, "models's max seq len", "which also controls CPU memory"},
      {"0.21.0", true, "which also controls CPU memory", "models's"},
      {"0.20.0", false, "https://docs.vllm.ai", "this flag also controls CPU"},
      {"0.21.0", false, "this flag also controls CPU", "model's"},
  };
  for (const Worded& c : kCases) {
    Server server(llama_8b());
    server.in.version = c.version;
    if (c.room) server.in.pool = units::mib(512);
    if (!c.room) server.weigh(units::gib(90));
    const std::string message = server.run().refusal.message;
    EXPECT_NE(message.find(c.has), std::string::npos) << c.version << ": " << message;
    EXPECT_EQ(message.find(c.has_not), std::string::npos) << c.version << ": " << message;
  }
}

// One request and no more is 1.00x; a length of one token is named too.
TEST(VllmLines, OneIsANumber) {
  Server server(llama_8b());
  server.in.pool = units::gib(1);
  EXPECT_TRUE(says(server.run(), "Maximum concurrency for 8,192 tokens per request: 1.00x"));
  EXPECT_EQ(server.run().ratio_text, "1.00x");
  server.in.block = 1;
  server.in.pool = units::bytes(131072);
  EXPECT_NE(server.run().refusal.message.find("estimated maximum model length is 1."),
            std::string::npos);
  Server two(model_of({heads(12, 2, 256), delta(12, 16, 32, model::StateType::kF16)}));
  two.in.pool = units::gib(40);
  EXPECT_TRUE(says(two.run(), "Setting attention block size to")) << "two groups are several";
  for (const std::uint32_t dcp : {1u, 2u}) {
    Server ranks(model_of({latent(61, 512, 64)}));
    ranks.in.version = "0.20.0";
    ranks.in.parallel.tp = 8;
    ranks.in.parallel.dcp = dcp;
    ranks.in.pool = units::gib(40);
    EXPECT_EQ(says(ranks.run(), "Multiplying the GPU KV cache size"), dcp == 2);
  }
}

// Pages of states beside the running one are counted with prefix caching alone.
TEST(VllmChecks, StatePagesAreNoted) {
  Server server(model_of({heads(16, 4, 256), state(48)}));
  server.in.pool = units::gib(40);
  EXPECT_TRUE(has_code(server.run(), "N-STATE-PAGES"));
  server.option("prefixcaching", "off");
  EXPECT_FALSE(has_code(server.run(), "N-STATE-PAGES"));
  Server dense(llama_8b());
  dense.in.pool = units::gib(40);
  EXPECT_FALSE(has_code(dense.run(), "N-STATE-PAGES"));
  for (const std::uint32_t ep : {1u, 2u}) {
    dense.in.parallel.ep = ep;
    const std::vector<std::string> flags = dense.run().flags;
    EXPECT_EQ(std::count(flags.begin(), flags.end(), "--enable-expert-parallel"), ep - 1);
  }
}

// What the ledger says of a block: pages of the layers of a group, or their sum.
TEST(VllmLedger, SaysWhatABlockIs) {
  const auto formula = [](model::Model model, const char* key) {
    Server server(std::move(model));
    server.in.pool = units::gib(40);
    server.option("offload", "4");
    for (const units::LedgerRow& row : server.run().ledger) {
      if (row.id == key) return row.formula;
    }
    return std::string("none");
  };
  EXPECT_EQ(formula(llama_8b(), "engine.block_bytes"), "65,536 B per layer × 32 layers");
  EXPECT_EQ(formula(model_of({latent(61, 512, 64, 128)}), "engine.block_bytes"),
            "sum of the pages of 122 layers");
  EXPECT_EQ(formula(llama_8b(), "engine.need"), "1 × 512");
  EXPECT_EQ(formula(llama_8b(), "engine.offload_blocks"), "4 GiB ÷ (2,097,152 B × tp 1)");
  Server none(llama_8b());
  none.in.pool = units::gib(40);
  for (const units::LedgerRow& row : none.run().ledger) EXPECT_NE(row.id, "engine.offload_blocks");
}

}  // namespace
}  // namespace kvseats::engine
