#include <gtest/gtest.h>

#include <algorithm>

#include "engine/sglang/cells.h"
#include "engine/sglang/pools.h"
#include "engine/sglang/sglang.h"
#include "vllm_models.h"

// SGLang's reserve to the MiB, what drafts and states take, what is printed of them.
namespace kvseats::engine {
namespace {

Outcome run(const Server& server) {
  return sglang_profile().run(server.in);
}

sglang::Stage stage_of(const Server& server) {
  const auto s = sglang::settings_of(server.in, sglang::choose_rules(server.in.version));
  return sglang::stages_of(server.in, s).back();
}

model::Model hybrid() {
  return model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF32)});
}

std::string flags_of(const Outcome& out) {
  std::string line;
  for (const std::string& word : out.flags) line += word + " ";
  return line;
}

bool says(const Outcome& out, const std::string& part) {
  return std::any_of(out.start_lines.begin(), out.start_lines.end(),
                     [&](const std::string& line) { return line.find(part) != line.npos; });
}

struct Reserve {
  const char* name;
  std::uint64_t mib;
  std::uint32_t tp;
  std::optional<std::uint64_t> batched;
  const char* draft;
  double util;
};

// 512 + 3,072 + 16 + 128 = 3,728 MiB of the smallest tier, with eight GPUs 4,624, with a head 2,048
// and with a model of its own 6,144 more. The fraction has three decimals: half a thousandth is
// one.
TEST(SglangReserve, ToTheMib) {
  constexpr Reserve kCases[] = {
      {"a mebibyte", 3729, 1, {}, "", 0},
      {"two", 3730, 1, {}, "", 0.001},
      {"a small chunk counts as 2,048", 3730, 1, 1024, "", 0.001},
      {"two of eight GPUs", 4626, 8, {}, "", 0},
      {"three", 4627, 8, {}, "", 0.001},
      {"a head", 5779, 1, {}, "eagle", 0.001},
      {"a head and a mebibyte less", 5778, 1, {}, "eagle", 0},
      {"a model", 9877, 1, {}, "model", 0.001},
      {"a model and a mebibyte less", 9876, 1, {}, "model", 0},
      {"60 GiB and a mebibyte", 61441, 1, 1024, "", 0.833},
  };
  for (const Reserve& c : kCases) {
    Server server(llama_8b());
    server.in.memory = units::mib(c.mib);
    server.in.parallel.tp = c.tp;
    server.in.batched = c.batched;
    server.in.draft.method = c.draft;
    if (*c.draft != 0) server.in.draft.layers = eagle_draft_layers(server.model);
    EXPECT_EQ(run(server).util, c.util) << c.name;
  }
}

// Before the tiers chunks were of 2,048 below 25,000 MiB.
TEST(SglangReserve, ChunksBeforeTheTiers) {
  for (const auto& [mib, chunk] : {std::pair{24999u, "=2048,"}, {25000u, "=8192,"}}) {
    Server server(llama_8b());
    server.in.version = "0.4.6";
    server.in.memory = units::mib(mib);
    server.in.pool_tokens = 10000;
    EXPECT_TRUE(says(run(server), std::string("chunked_prefill_size") + chunk)) << mib;
  }
}

// Ranks of attention: dp above 1 and ep above tp.
TEST(SglangSettings, WhoseAttentionIsDataParallel) {
  struct {
    std::uint32_t tp, dp, ep;
    std::uint64_t seqs;
  } constexpr kCases[] = {{1, 2, 2, 50}, {2, 2, 2, 100}, {1, 1, 2, 100}, {2, 2, 4, 50}};
  for (const auto& c : kCases) {
    Server server(llama_8b());
    server.in.parallel = {.tp = c.tp, .pp = 1, .dp = c.dp, .dcp = 1, .ep = c.ep};
    server.in.seqs = 100;
    server.in.pool = units::gib(40);
    EXPECT_EQ(run(server).seq_cap, c.seqs) << c.tp << c.dp << c.ep;
    EXPECT_EQ(flags_of(run(server)).find("--enable-dp-attention") != std::string::npos,
              c.seqs == 50);
  }
}

// Measured both before and after loading the weights are what lies between; else an estimate.
TEST(SglangBudget, WeightsAreMeasuredWithBothFigures) {
  for (const int figures : {0, 1, 2, 3}) {
    Server server(llama_8b());
    server.weigh(units::bytes(1000000));
    if (figures & 1) server.option("freebefore", "22GiB");
    if (figures & 2) server.option("freeafter", "10GiB");
    for (const BudgetTerm& term : run(server).budget) {
      if (term.id != "weights") continue;
      EXPECT_EQ(term.typical, figures == 3 ? units::gib(12) : units::bytes(1015000)) << figures;
    }
  }
}

// 62 layers of the 61: index keys are no layers of their own.
TEST(SglangDraft, ScalesLayersNotIndexers) {
  Server server(model_of({latent(61, 512, 64, 128)}));
  server.model.mtp_layers = 1;
  server.in.draft.layers = mtp_draft_layers(server.model);
  EXPECT_EQ(stage_of(server).full, (units::Ratio{62 * 1284, 1}));
  EXPECT_EQ(stage_of(server).parts.back().layers, 2u) << "the layer and its index keys";
}

// Keys of 129 numbers have two scales of 4 B.
TEST(SglangIndexers, AScaleForEach128Begun) {
  Server latents(model_of({latent(61, 512, 64, 129)}));
  EXPECT_EQ(stage_of(latents).full, (units::Ratio{61 * (1152 + 137), 1}));
  model::LayerGroup group;
  group.kind = model::CacheKind::kCompressed;
  group.layers = 4;
  group.kv_heads = 1;
  group.k_dim = 512;
  group.window = 128;
  group.compress_ratio = 4;
  group.index_dim = 129;
  group.index_layers = 4;
  Server compressed(model_of({group}));
  const sglang::Stage stage = stage_of(compressed);
  ASSERT_EQ(stage.parts.size(), 4u);
  EXPECT_EQ(stage.parts[1].name, "csa");
  EXPECT_EQ(stage.parts[1].k, (units::Ratio{1024, 1})) << "entries as wide as the keys";
  EXPECT_EQ(stage.parts[2].k, (units::Ratio{137, 1}));
  // 8 rows of 2 × (512 + 129) values and scores in f32, 4 layers, per 128 tokens.
  EXPECT_EQ(stage.parts[3].k, (units::Ratio{8 * 2 * 8 * 641 * 4 / 128, 1}));
  compressed.model.groups[0].index_dim = 0;
  compressed.model.groups[0].index_layers = 0;
  compressed.model.groups[0].compress_ratio = 3;
  const sglang::Stage plain = stage_of(compressed);
  ASSERT_EQ(plain.parts.size(), 2u);
  EXPECT_EQ(plain.parts[1].name, "hca");
  EXPECT_EQ(plain.full, (units::Ratio{4096, 3}));
  EXPECT_EQ(plain.per_request, 3u * 8 * 512 * 4);
  // 4,096 ÷ 3 + 0.1 × 4,096 B a token, 1,000 pages of 256, and 17 times the compressors.
  compressed.in.seqs = 16;
  compressed.in.pool = units::bytes(17ULL * 49152 + 454382934);
  EXPECT_EQ(run(compressed).pool.tokens, 256000u);
  // Without a number of requests 2,048 may run.
  compressed.in.seqs.reset();
  compressed.in.pool = units::bytes(2049ULL * 49152 + 454382934);
  EXPECT_EQ(run(compressed).pool.tokens, 256000u);
}

// (17e9 × 0.9 ÷ 1.9 − 5 slots) ÷ (1 + 4 ÷ 3) slots are 20.27; two requests and one keep 4 each.
TEST(SglangPools, DraftsKeepSlotsForTheRequestsThatRun) {
  Server server(hybrid());
  server.in.draft.method = "ngram";
  server.in.draft.tokens = 4;
  server.in.pool = units::gigabytes(17);
  EXPECT_EQ(run(server).caches[1].cells, 20u);
  server.in.seqs = 2;
  EXPECT_EQ(run(server).pool.tokens, (17000000000u - (21 + 3 * 4) * 153944064ULL) / 65536);
}

// One slot more exists than is handed out; nothing of a state or a window is shared.
TEST(SglangPools, OfStates) {
  Server server(hybrid());
  server.in.pool = units::gigabytes(16);
  const Outcome out = run(server);
  EXPECT_EQ(out.caches[1].bytes.raw(), 49u * 153944064ULL);
  EXPECT_EQ(out.caches[0].bytes.raw(), (*out.pool.tokens + 1) * 65536);
  EXPECT_EQ(out.ranks[0].cost.of_prefix(100), 6553600u);
  Server windows(model_of({heads(10, 1, 512), heads(50, 4, 256, 1024)}));
  windows.in.pool = units::gib(40);
  EXPECT_EQ(run(windows).ranks.at(1).cost.of_prefix(100), 0u);
  // 160 MB: 75.8 MB for states are not one slot, though tokens would be left.
  server.in.pool = units::bytes(160000000);
  EXPECT_TRUE(run(server).pool.no_room);
  EXPECT_TRUE(run(server).start_lines.empty());
  Server one(llama_8b());
  one.in.context = 1;
  one.in.pool_tokens = 1;
  EXPECT_FALSE(run(one).pool.no_room) << "a token is one";
  one.in.parallel.pp = 2;
  const auto s = sglang::settings_of(one.in, sglang::choose_rules(""));
  EXPECT_EQ(sglang::sizes_for(one.in, s, sglang::stages_of(one.in, s), units::gib(1)).stage, 0u);
}

// Two ranks deal out the tokens of the full pool, not those of windows.
TEST(SglangRanks, OnlyTheFullPoolIsDealtOut) {
  Server server(model_of({heads(10, 1, 512), heads(50, 1, 256, 1024)}));
  server.in.parallel.tp = server.in.parallel.dcp = 2;
  server.in.pool = units::gib(40);
  const Outcome out = run(server);
  ASSERT_EQ(out.ranks.size(), 2u);
  EXPECT_EQ(out.ranks[0].cost.at(2), 10u * 2048);
  EXPECT_EQ(out.ranks[0].cost.at(3), 2u * 10 * 2048);
  EXPECT_EQ(out.ranks[1].cost.at(2), 2u * 50 * 1024);
}

TEST(SglangLedger, SlotsWithoutARequestCount) {
  const auto formula = [](const Server& server) {
    for (const units::LedgerRow& row : run(server).ledger) {
      if (row.id == "engine.slots") return row.formula.substr(0, 21);
    }
    return std::string("none");
  };
  Server server(hybrid());
  server.in.pool = units::gigabytes(16);
  server.in.seqs = 7;
  EXPECT_EQ(formula(server), "(16,000,000,000 B × ") << "prefix caching goes by the ratio";
  server.in.seqs.reset();
  server.option("prefixcaching", "off");
  EXPECT_EQ(formula(server), "(16,000,000,000 B × ");
}

struct Named {
  const char* format;
  const char* type;
};

TEST(SglangLines, TypesAreTorchs) {
  constexpr Named kCases[] = {
      {"f16", "float16"},
      {"bf16", "bfloat16"},
      {"fp8", "float8_e4m3fn"},
      {"mxfp8", "float8_e4m3fn"},
      {"fp8_ds_mla", "float8_e4m3fn"},
      {"fp8_e5m2", "float8_e5m2"},
      {"fp4", "float4_e2m1fn_x2"},
  };
  for (const Named& c : kCases) {
    Server server(model_of({latent(61, 512, 64)}));
    server.format(c.format);
    server.in.context = 100;
    server.in.pool_tokens = 1000;
    EXPECT_TRUE(says(run(server), "dtype: torch." + std::string(c.type) + ", #tokens: 1000"))
        << c.format;
  }
}

// A draft of heads has K and V, of a latent one size; what was given is said in tokens.
TEST(SglangLines, OfDraftsAndGivenPools) {
  Server server(llama_8b());
  server.in.draft.layers = eagle_draft_layers(server.model);
  server.in.pool = units::gib(40);
  const auto lines = [&](const char* part) {
    const Outcome out = run(server);
    return std::count_if(out.start_lines.begin(), out.start_lines.end(),
                         [&](const std::string& line) { return line.find(part) != line.npos; });
  };
  EXPECT_EQ(lines("K size"), 2);
  EXPECT_EQ(lines(", KV size"), 0);
  EXPECT_NE(flags_of(run(server)).find("--max-total-tokens 317750 "), std::string::npos)
      << "40 GiB ÷ (33 × 4,096 B)";
  server.in.pool.reset();
  server.in.pool_tokens = 9000;
  EXPECT_NE(flags_of(run(server)).find("--max-total-tokens 9000 "), std::string::npos);
  server.in.pool_tokens.reset();
  server.in.pool_blocks = 9001;
  EXPECT_NE(flags_of(run(server)).find("--max-total-tokens 9001 "), std::string::npos);
  server.in.pool_blocks.reset();
  EXPECT_EQ(flags_of(run(server)).find("--max-total-tokens"), std::string::npos);
  Server sparse(model_of({latent(61, 512, 64)}));
  sparse.model.mtp_layers = 1;
  sparse.in.draft.layers = mtp_draft_layers(sparse.model);
  sparse.in.pool = units::gib(40);
  const Outcome out = run(sparse);
  EXPECT_EQ(std::count_if(out.start_lines.begin(), out.start_lines.end(),
                          [](const std::string& l) { return l.find(", KV size") != l.npos; }),
            2);
}

}  // namespace
}  // namespace kvseats::engine
