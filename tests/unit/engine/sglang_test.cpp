#include "engine/sglang/sglang.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/sglang/settings.h"
#include "vllm_models.h"

// Rules: sgl-project/sglang at 003fca80, server_args.py, model_executor/pool_configurator.py and
// mem_cache/kv_cache_configurator.py.
namespace kvseats::engine {
namespace {

Outcome run(const Server& server) {
  return sglang_profile().run(server.in);
}

bool says(const Outcome& out, const std::string& line) {
  return std::find(out.start_lines.begin(), out.start_lines.end(), line) != out.start_lines.end();
}

const CacheRow* row_called(const Outcome& out, std::string_view name) {
  for (const CacheRow& row : out.caches) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

bool has_code(const Outcome& out, std::string_view code) {
  return std::any_of(out.diagnostics.begin(), out.diagnostics.end(),
                     [code](const units::Diagnostic& d) { return d.code == code; });
}

std::uint64_t waste_of(const Outcome& out, std::string_view id) {
  for (const WasteRow& row : out.waste) {
    if (row.id == id) return row.bytes.raw();
  }
  return 0;
}

TEST(Sglang, VersionsResolveToRules) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "sglang-0.5.13"},    {"0.5.13", "sglang-0.5.13"}, {"0.5.9", "sglang-0.5.9"},
      {"v0.5.8", "sglang-0.5"}, {"2025-09", "sglang-0.5"},   {"2026-02", "sglang-0.5.9"},
      {"0.4.6", "sglang-0.4"},  {"2025-03", "sglang-0.4"},
  };
  for (const auto& [text, rules] : cases) {
    EXPECT_EQ(sglang::choose_rules(text).rules->id, rules) << text;
  }
}

// 80 GiB = 81,920 MiB. One GPU: 512 + 1.5 × 8,192 + 2 × 256 + 1,024 ÷ 8 = 13,440 MiB reserved;
// eight: 512 + 12,288 + 2 × 512 + 1,024 = 14,848; with data-parallel attention 512 × 8 × 4.5 more.
TEST(Sglang, TheFractionFollowsFromWhatIsReserved) {
  Server one(llama_8b());
  EXPECT_EQ(run(one).util, 0.836);
  one.in.version = "0.4.6";
  EXPECT_EQ(run(one).util, 0.88);
  Server eight(llama_8b());
  eight.in.parallel.tp = 8;
  EXPECT_EQ(run(eight).util, 0.819);
  eight.in.version = "0.4.6";
  EXPECT_EQ(run(eight).util, 0.81);
  Server ranks(model_of({latent(61, 512, 64)}));
  ranks.in.parallel.dp = ranks.in.parallel.ep = 8;
  EXPECT_EQ(run(ranks).util, 0.594);
}

// 10 GiB after loading, 22 GiB before, 0.9: 7.8 GiB for 131,072 B a token.
TEST(Sglang, ThePoolIsWhatTheFractionOfFreeMemoryLeaves) {
  Server server(llama_8b());
  server.in.util = 0.9;
  server.option("freebefore", "22GiB");
  server.option("freeafter", "10GiB");
  EXPECT_EQ(run(server).pool.tokens, 63897u);
}

// 53e9 B ÷ 131,072 B = 404,357 tokens; one spare token is allocated: 404,358 × 65,536 B.
TEST(Sglang, LlamaIn53GbStartsWithTheseLines) {
  Server server(llama_8b());
  server.in.pool = units::gigabytes(53);
  EXPECT_TRUE(says(run(server),
                   "KV Cache is allocated. dtype: torch.bfloat16, #tokens: 404357, K "
                   "size: 24.68 GB, V size: 24.68 GB"));
  server.in.version = "0.4.6";
  EXPECT_TRUE(says(run(server),
                   "KV Cache is allocated. #tokens: 404357, K size: 24.68 GB, V size: 24.68 GB"));
}

TEST(Sglang, TokensComeInWholePages) {
  Server server(llama_8b());
  server.in.pool = units::gigabytes(53);
  server.in.block = 64;
  const Outcome out = run(server);
  EXPECT_EQ(out.pool.tokens, 404352u);
  EXPECT_EQ(out.pool.blocks, 6318u);
}

// Full 2,048 × 10 and window 4,096 × 50 bytes per token on one GPU, 0.8 of it: 184,320 B a token.
TEST(Sglang, TheWindowPoolIsARatioOfTheFullOne) {
  Server server(model_of({heads(10, 1, 512), heads(50, 4, 256, 1024)}));
  server.model.family = "Gemma 4";
  server.in.pool = units::bytes(184320ULL * 10000);
  const Outcome out = run(server);
  ASSERT_NE(row_called(out, "kv_swa"), nullptr);
  EXPECT_EQ(out.pool.tokens, 10000u);
  EXPECT_EQ(row_called(out, "kv_swa")->cells, 8000u);
  EXPECT_EQ(out.ranks.size(), 2u);
}

TEST(Sglang, FamiliesThatAreNotListedKeepEveryToken) {
  Server server(model_of({heads(10, 16, 128), heads(52, 16, 128, 1024)}));
  server.model.family = "Gemma 3";
  server.in.pool = units::gib(40);
  const Outcome out = run(server);
  EXPECT_EQ(row_called(out, "kv_swa"), nullptr);
  EXPECT_EQ(row_called(out, "kv")->layers, 62u);
  EXPECT_TRUE(has_code(out, "N-WINDOW-KEPT"));
}

TEST(Sglang, AWindowPoolThatHoldsNoRequestIsRefused) {
  Server server(model_of({heads(10, 1, 512), heads(50, 4, 256, 1024)}));
  server.in.pool_tokens = 1000;
  const Outcome out = run(server);
  EXPECT_TRUE(out.refusal.refused);
  EXPECT_EQ(out.refusal.message.substr(0, 54),
            "SWA pool (800 tokens) cannot hold even one request: th");
}

// A slot is 48 × (3 × 10,240 × 2 + 48 × 128 × 128 × 4) B = 153,944,064 B. 16e9 × 0.9 ÷ 1.9 hold
// 49 of them, one of which is padding; the rest holds 129,039 tokens; three slots a request.
TEST(Sglang, StatesTakeSlotsByRatio) {
  Server server(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF32)}));
  server.in.pool = units::gigabytes(16);
  const Outcome out = run(server);
  ASSERT_NE(row_called(out, "recurrent"), nullptr);
  EXPECT_EQ(row_called(out, "recurrent")->cells, 48u);
  EXPECT_EQ(out.pool.tokens, 129039u);
  EXPECT_EQ(out.seq_cap, 16u);
  server.option("prefixcaching", "off");
  EXPECT_EQ(run(server).seq_cap, 48u);
}

TEST(Sglang, GivenSlotsAreKept) {
  Server server(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF32)}));
  server.in.pool = units::gigabytes(16);
  server.option("stateslots", "30");
  EXPECT_EQ(row_called(run(server), "recurrent")->cells, 30u);
}

// DeepSeek-V3: 61 × 576 × 2 B on every GPU; 8-bit sparse rows are 656 B, with an index key of 132
// B.
TEST(Sglang, LatentsAreNotSplit) {
  Server server(model_of({latent(61, 512, 64)}));
  server.in.parallel.tp = 8;
  server.in.pool = units::gib(40);
  EXPECT_EQ(run(server).ranks[0].cost.at(1), 70272u);
  Server sparse(model_of({latent(61, 512, 64, 128)}));
  sparse.format("fp8");
  sparse.in.pool = units::gib(40);
  EXPECT_EQ(run(sparse).ranks[0].cost.at(64), 64u * 61 * 788);
}

TEST(Sglang, ADraftHeadScalesTheCell) {
  Server server(llama_8b());
  server.in.pool = units::gigabytes(53);
  server.in.draft.method = "eagle3";
  server.in.draft.tokens = 4;
  server.in.draft.layers = eagle_draft_layers(server.model);
  const Outcome out = run(server);
  EXPECT_EQ(out.pool.tokens, 53000000000u / (131072u * 33 / 32));
  EXPECT_EQ(row_called(out, "draft")->layers, 1u);
}

// managers/scheduler.py: one token for the answer and five to be safe.
TEST(Sglang, WhatIsLongerThanThePoolIsTurnedAway) {
  Server server(llama_8b());
  server.in.pool_tokens = 1741;
  const Outcome out = run(server);
  EXPECT_TRUE(out.refusal.refused);
  EXPECT_EQ(out.refusal.message,
            "Input length (8192 tokens) exceeds the maximum allowed length (1735 tokens). Use a "
            "shorter input or enable --allow-auto-truncate.");
}

TEST(Sglang, WeightsThatLeaveNothingAreRefused) {
  Server server(llama_8b());
  server.weigh(units::gib(78));
  const Outcome out = run(server);
  EXPECT_TRUE(out.pool.no_room);
  EXPECT_EQ(out.refusal.message.substr(0, 47), "Loaded weights leave no GPU memory for the KV c");
}

TEST(Sglang, ATpThatDoesNotDivideTheHeadsIsRefused) {
  Server server(llama_8b());
  server.in.parallel.tp = 3;
  EXPECT_TRUE(has_code(run(server), "E-TP"));
}

TEST(Sglang, FlagsGiveTheDeployment) {
  Server server(model_of({latent(61, 512, 64)}));
  server.model.hf = "deepseek-ai/DeepSeek-V3";
  server.in.parallel.dp = server.in.parallel.ep = 8;
  server.in.util = 0.82;
  server.format("fp8");
  const std::vector<std::string> expected = {"python",
                                             "-m",
                                             "sglang.launch_server",
                                             "--model-path",
                                             "deepseek-ai/DeepSeek-V3",
                                             "--tp-size",
                                             "8",
                                             "--dp-size",
                                             "8",
                                             "--enable-dp-attention",
                                             "--ep-size",
                                             "8",
                                             "--context-length",
                                             "8192",
                                             "--mem-fraction-static",
                                             "0.82",
                                             "--kv-cache-dtype",
                                             "fp8_e4m3"};
  EXPECT_EQ(run(server).flags, expected);
}

// Need and waste add up to what is allocated, for windows in a pool and kept, for states, latents.
TEST(Sglang, NeedAndWasteAreTheAllocation) {
  struct Case {
    model::Model model;
    const char* family;
  };
  Case cases[] = {
      {model_of({heads(10, 16, 128), heads(52, 16, 128, 1024)}), "Gemma 3"},
      {model_of({heads(10, 4, 512), heads(50, 16, 256, 1024)}), "Gemma 4"},
      {model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF32)}), ""},
      {model_of({latent(61, 512, 64)}), ""},
  };
  for (Case& one : cases) {
    for (const std::uint64_t page : {1u, 64u}) {
      Server server(one.model);
      server.model.family = one.family;
      server.in.pool = units::gib(40);
      server.in.block = page;
      server.in.prompt = 5000;
      server.in.output = 333;
      const Outcome out = run(server);
      std::uint64_t waste = 0;
      for (const WasteRow& row : out.waste) waste += row.bytes.raw();
      const std::uint64_t need =
          model::bytes_at(model::demand(server.model, server.in.formats), 5333).raw();
      EXPECT_EQ(need + waste, fullest_at(out.ranks, 5333)) << model::geometry_text(server.model);
    }
  }
}

TEST(Sglang, SharedLayersAreNotSaved) {
  model::LayerGroup shared;
  shared.kind = model::CacheKind::kShared;
  shared.layers = 18;
  Server server(model_of({heads(4, 2, 512), heads(20, 2, 256, 512), shared}));
  server.model.family = "Gemma 4";
  server.in.pool = units::gib(40);
  const Outcome out = run(server);
  EXPECT_EQ(row_called(out, "kv")->layers, 7u);
  EXPECT_EQ(row_called(out, "kv_swa")->layers, 35u);
  EXPECT_EQ(waste_of(out, "shared"), 8192u * 3 * 2 * 1024 * 2);
}

}  // namespace
}  // namespace kvseats::engine
