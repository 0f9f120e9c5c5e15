#include <gtest/gtest.h>

#include <algorithm>

#include "engine/trtllm/trtllm.h"
#include "vllm_models.h"

// Where TensorRT-LLM turns from one answer to the next (batch_manager/kvCacheManager.cpp,
// pyexecutor/resource_manager.py at 001541ba).
namespace kvseats::engine {
namespace {

Outcome run(const Server& server) {
  return trtllm_profile().run(server.in);
}

std::string codes_of(const Outcome& out) {
  std::string codes;
  for (const units::Diagnostic& d : out.diagnostics) codes += (codes.empty() ? "" : " ") + d.code;
  return codes;
}

bool says(const Outcome& out, const std::string& part) {
  return std::any_of(out.start_lines.begin(), out.start_lines.end(),
                     [&](const std::string& line) { return line.find(part) != line.npos; });
}

std::string formula(const Outcome& out, std::string_view id) {
  for (const units::LedgerRow& row : out.ledger) {
    if (row.id == id) return row.formula;
  }
  return "none";
}

// 16 layers of 4 heads of 256, 65,536 B a token; a state of 153,944,064 B.
model::Model hybrid() {
  return model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF32)});
}

struct Noted {
  const char* name;
  model::Model model;
  const char* window;
  std::uint32_t dcp;
  const char* codes;
};

TEST(TrtllmChecks, WhatIsNoted) {
  model::LayerGroup chunked = heads(30, 8, 128, 8192);
  chunked.kind = model::CacheKind::kChunked;
  model::LayerGroup cross = heads(32, 8, 128);
  cross.kind = model::CacheKind::kCross;
  cross.overlay = true;
  model::Model decoder = llama_8b();
  decoder.groups.push_back(cross);
  model::LayerGroup compressed = heads(32, 1, 512, 128);
  compressed.kind = model::CacheKind::kCompressed;
  const Noted cases[] = {
      {"dense", llama_8b(), "auto", 1, ""},
      {"dense", llama_8b(), "1024", 1, ""},
      {"window", model_of({heads(30, 8, 128, 512)}), "auto", 1, "N-WINDOW-KEPT"},
      {"window told", model_of({heads(30, 8, 128, 512)}), "512", 1, ""},
      {"chunks", model_of({chunked}), "auto", 1, "N-WINDOW-KEPT"},
      {"cross", decoder, "auto", 1, "W-LAYOUT"},
      {"states", hybrid(), "auto", 1, "W-LAYOUT"},
      {"compressed", model_of({compressed}), "auto", 1, "W-LAYOUT"},
      {"dcp", llama_8b(), "auto", 2, "E-DCP"},
  };
  for (const Noted& c : cases) {
    Server server(c.model);
    server.in.pool = units::gib(40);
    server.in.parallel.dcp = c.dcp;
    server.option("attentionwindow", c.window);
    EXPECT_EQ(codes_of(run(server)), c.codes) << c.name;
  }
}

// The pool of a person is what was given; 1,000 blocks for requests of 256.
TEST(TrtllmPools, GivenInTokensOrBlocks) {
  Server server(llama_8b());
  server.in.pool_blocks = 1000;
  Outcome out = run(server);
  EXPECT_EQ(out.pool.tokens, 32000u);
  EXPECT_EQ(out.pool.bytes.raw(), 32000u * 131072);
  EXPECT_EQ(out.pool.low_bytes, out.pool.bytes);
  EXPECT_TRUE(out.pool.given);
  EXPECT_FALSE(out.pool.no_room);
  EXPECT_EQ(out.ratio, 1000.0 / 256);
  EXPECT_EQ(out.unit_bytes, units::bytes(1));
  server.in.context = 8193;
  EXPECT_EQ(run(server).ratio, 1000.0 / 257);
  server.in.pool_blocks.reset();
  server.in.pool_tokens = 3200;
  EXPECT_EQ(run(server).pool.bytes.raw(), 3200u * 131072);
  EXPECT_TRUE(run(server).pool.given);
  server.in.pool_tokens = 0;
  EXPECT_TRUE(run(server).pool.no_room);
  server.in.pool_tokens.reset();
  EXPECT_FALSE(run(server).pool.given);
  server.in.pool = units::bytes(131072ULL * 31);
  out = run(server);
  EXPECT_TRUE(out.pool.no_room) << "not one block";
  EXPECT_EQ(out.refusal.message, "Impossible to fit in any sequence in kvCache");
  EXPECT_TRUE(out.start_lines.empty());
}

// Stages of 2 × 4,096 and 2 × 8,192 B a token: the second holds fewer, and both as many.
TEST(TrtllmPools, StagesAgreeOnTheFewestTokens) {
  Server server(model_of({heads(2, 8, 128), heads(2, 8, 256)}));
  server.in.parallel.pp = 2;
  server.in.pool = units::bytes(16384ULL * 3200);
  const Outcome out = run(server);
  ASSERT_EQ(out.ranks.size(), 2u);
  EXPECT_EQ(out.ranks[0].capacity, 8192u * 3200);
  EXPECT_EQ(out.ranks[1].capacity, 16384u * 3200);
  EXPECT_EQ(out.ranks[1].stage, 1u);
  EXPECT_EQ(out.pool.tokens, 3200u);
  EXPECT_EQ(out.caches[0].layers, 2u);
}

// Layers of a window alone on one stage, of both kinds on the others.
TEST(TrtllmRanks, StagesAlikeAreCounted) {
  model::Model model = model_of({heads(4, 1, 512), heads(8, 4, 256, 1024)});
  model.order = {{0, 2}, {1, 2}, {0, 1}, {1, 3}, {0, 1}, {1, 3}};
  Server server(std::move(model));
  server.in.parallel.pp = 3;
  server.in.pool = units::gib(40);
  server.option("attentionwindow", "1024");
  const Outcome out = run(server);
  ASSERT_EQ(out.ranks.size(), 4u);
  const std::uint32_t counted[] = {1, 1, 2, 2};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(out.ranks[i].stages, counted[i]) << i;
  EXPECT_EQ(formula(out, "engine.blocks").substr(0, 33), "42,949,672,960 B ÷ 2 windows ÷ ");
}

// A block of 32 × 131,072 B; PyTorch rounds down, the C++ back end up.
TEST(TrtllmLedger, SaysHowTheBlocksCameAbout) {
  Server server(llama_8b());
  server.in.pool = units::bytes(419430400);
  EXPECT_EQ(formula(run(server), "engine.blocks"),
            "419,430,400 B ÷ 131,072 B a token ÷ 32, rounded down");
  server.option("backend", "cpp");
  EXPECT_EQ(formula(run(server), "engine.blocks"),
            "419,430,400 B ÷ 131,072 B a token ÷ 32, rounded up");
}

// PyTorch names a sequence's blocks, C++ what it found; a window is no longer than the context.
TEST(TrtllmLines, AreTheBackEnds) {
  Server server(model_of({heads(10, 16, 128), heads(50, 16, 128, 1024)}));
  server.in.pool = units::gib(40);
  server.option("attentionwindow", "1024");
  const Outcome out = run(server);
  EXPECT_TRUE(says(out, "Max KV cache blocks per sequence: 256 [window size=8192]"));
  EXPECT_TRUE(says(out, "Max KV cache blocks per sequence: 32 [window size=1024]"));
  EXPECT_FALSE(says(out, "Memory usage when calculating"));
  Server cpp(llama_8b());
  cpp.option("backend", "cpp");
  cpp.weigh(units::gib(15));
  EXPECT_TRUE(says(run(cpp), "Memory usage when calculating"));
  cpp.in.pool = units::gib(40);
  EXPECT_FALSE(says(run(cpp), "Memory usage when calculating")) << "nothing was measured";
  Server torch(llama_8b());
  torch.weigh(units::gib(15));
  EXPECT_FALSE(says(run(torch), "Memory usage when calculating"));
}

// Beyond a window of 1,024 kept in full: 1,025 tokens keep one that nobody reads, of 10 layers over
// two stages 5, of 16 heads over 4 GPUs 4.
TEST(TrtllmWaste, BeginsBeyondTheWindow) {
  const auto beyond = [](std::uint64_t tokens) {
    Server server(model_of({heads(10, 16, 128), heads(10, 16, 128, 1024)}));
    server.in.parallel.tp = 4;
    server.in.parallel.pp = 2;
    server.in.pool = units::gib(40);
    server.in.prompt = tokens;
    server.in.output = 0;
    std::uint64_t sum = 0;
    for (const WasteRow& row : run(server).waste) {
      if (row.id == "window") sum = row.bytes.raw();
    }
    return sum;
  };
  EXPECT_EQ(beyond(1024), 0u);
  EXPECT_EQ(beyond(1025), 5u * 4 * 256 * 2);
}

// A sequence as long as the pool is served, and pools are named for what they hold.
TEST(TrtllmRefusals, ToTheToken) {
  Server server(llama_8b());
  server.in.pool_tokens = 8192;
  EXPECT_FALSE(run(server).refusal.refused);
  EXPECT_EQ(run(server).caches.at(0).name, "kv");
  server.in.pool_tokens = 8191;
  EXPECT_TRUE(run(server).refusal.refused);
  server.in.pool_tokens = 0;
  EXPECT_TRUE(run(server).refusal.refused);
  server.in.pool_tokens.reset();
  server.in.pool_blocks = 1000;
  const std::vector<std::string> flags = run(server).flags;
  EXPECT_NE(flags.back().find("max_tokens: 32000"), std::string::npos) << flags.back();
  Server none(model_of({delta(4, 16, 48, model::StateType::kF32)}));
  none.in.pool = units::gib(40);
  none.model.groups[0].state = {};
  EXPECT_EQ(run(none).ratio, 0);
  EXPECT_TRUE(run(none).ledger.empty());
}

// Half of the memory each: 20 GiB of 81,920 B a token, and of 409,600, in whole blocks of 32.
TEST(TrtllmPools, WindowsGetEqualShares) {
  Server server(model_of({heads(10, 16, 128), heads(50, 16, 128, 1024)}));
  server.in.pool = units::gib(40);
  server.option("attentionwindow", "1024");
  const Outcome out = run(server);
  ASSERT_EQ(out.ranks.size(), 2u);
  EXPECT_EQ(out.ranks[0].capacity, 21474836480 / 163840 / 32 * 32 * 163840);
  EXPECT_EQ(out.ranks[1].capacity, 21474836480 / 819200 / 32 * 32 * 819200);
  EXPECT_EQ(out.caches.at(0).name, "kv");
  EXPECT_EQ(out.caches.at(1).name, "kv_swa");
}

// Ranks of attention: dp above 1 and ep above tp.
TEST(TrtllmSettings, WhoseAttentionIsDataParallel) {
  for (const auto& [dp, ep, own] : {std::tuple{2u, 2u, true}, {2u, 1u, false}, {1u, 2u, false}}) {
    Server server(llama_8b());
    server.in.parallel.dp = dp;
    server.in.parallel.ep = ep;
    server.in.pool = units::gib(40);
    std::string line;
    for (const std::string& word : run(server).flags) line += word + " ";
    EXPECT_EQ(line.find("enable_attention_dp: true") != std::string::npos, own) << dp << ep;
  }
}

TEST(TrtllmSettings, Defaults) {
  Server server(llama_8b());
  for (const auto& [version, rules] :
       {std::pair{"1.0.0", "trtllm-1.0"}, {"0.21.0", "trtllm-0"}, {"1.2.0", "trtllm-1.0"}}) {
    server.in.version = version;
    EXPECT_EQ(run(server).rules, rules);
  }
  EXPECT_EQ(run(server).seq_cap, 2048u);
  server.in.block = 0;
  EXPECT_EQ(run(server).pool.block_tokens, 1u);
}

// K and V in halves of the 2 heads that each of 4 GPUs has of 8, and a state over them.
TEST(TrtllmPools, ADraftHeadComesWithTheLastStageAlone) {
  Server server(llama_8b());
  server.in.parallel.pp = 2;
  server.in.pool = units::gib(40);
  server.in.draft.layers = {heads(1, 8, 128)};
  const Outcome out = run(server);
  ASSERT_EQ(out.ranks.size(), 2u);
  EXPECT_EQ(out.ranks[0].cost.at(32), 32u * 16 * 4096);
  EXPECT_EQ(out.ranks[1].cost.at(32), 32u * 17 * 4096);
}

}  // namespace
}  // namespace kvseats::engine
