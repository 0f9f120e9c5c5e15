#include <gtest/gtest.h>

#include <algorithm>

#include "engine/sglang/cells.h"
#include "engine/sglang/pools.h"
#include "engine/sglang/sglang.h"
#include "vllm_models.h"

// Where SGLang turns from one answer to the next (server_args.py, pool_configurator.py at
// 003fca80).
namespace kvseats::engine {
namespace {

Outcome run(const Server& server) {
  return sglang_profile().run(server.in);
}
std::string codes_of(const Outcome& out) {
  std::string codes;
  for (const units::Diagnostic& d : out.diagnostics) codes += (codes.empty() ? "" : " ") + d.code;
  return codes;
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

// 10 full layers of 20,480 B and 50 with a window of 204,800 B a token, on stages as `order` says.
model::Model windowed() {
  model::Model model = model_of({heads(10, 1, 512), heads(50, 4, 256, 1024)});
  model.family = "Gemma 4";
  return model;
}

struct Check {
  const char* version;
  std::uint32_t kv_heads, tp, dcp;
  const char* codes;
};

TEST(SglangChecks, ContextParallelismIsNewAndDividesTheCopies) {
  constexpr Check kCases[] = {
      {"0.5.13", 4, 8, 2, "E-DCP"},
      {"0.5.14", 4, 8, 2, ""},
      {"0.5.13", 4, 4, 1, ""},
      {"", 1, 8, 8, ""},
      {"", 1, 8, 4, ""},
      {"", 1, 8, 3, "E-DCP"},
      {"", 4, 8, 4, "E-DCP"},
      {"", 1, 8, 5, "E-DCP"},
  };
  for (const Check& c : kCases) {
    Server server(model_of({heads(32, c.kv_heads, 128)}));
    server.in.version = c.version;
    server.in.parallel.tp = c.tp;
    server.in.parallel.dcp = c.dcp;
    server.in.pool = units::gib(40);
    EXPECT_EQ(codes_of(run(server)), c.codes) << c.version << " dcp " << c.dcp;
  }
}

// A GPU holds every fourth token of a pool of 1,000: the requests of 4,000 tokens.
TEST(SglangChecks, ContextParallelRanksDealTokensOut) {
  Server server(model_of({heads(32, 1, 128)}));
  server.in.parallel.tp = server.in.parallel.dcp = 4;
  server.in.context = 500;
  server.in.pool_tokens = 1000;
  const Outcome out = run(server);
  EXPECT_EQ(out.ratio, 8.0);
  EXPECT_EQ(requests_at(out.ranks, 4000), 1u);
  EXPECT_EQ(requests_at(out.ranks, 4001), 0u);
}

struct Word {
  const char* format;
  const char* method;
  const char* has;
};

TEST(SglangFlags, NamesAreTheEngines) {
  constexpr Word kCases[] = {
      {"fp4", "", "--kv-cache-dtype fp4_e2m1 "},
      {"fp8", "", "--kv-cache-dtype fp8_e4m3 "},
      {"fp8_e5m2", "", "--kv-cache-dtype fp8_e5m2 "},
      {"bf16", "eagle3", "--speculative-algorithm EAGLE3 "},
      {"bf16", "eagle", "--speculative-algorithm EAGLE "},
      {"bf16", "ngram", "--speculative-algorithm NGRAM "},
      {"bf16", "mtp", "--speculative-algorithm NEXTN "},
      {"bf16", "model", "--speculative-algorithm STANDALONE "},
  };
  for (const Word& c : kCases) {
    Server server(llama_8b());
    server.format(c.format);
    server.in.draft.method = c.method;
    EXPECT_EQ(flags_of(run(server)).find("--speculative"), std::string::npos);
    server.in.draft.tokens = c.method[0] == 0 ? 0 : 1;
    EXPECT_NE(flags_of(run(server)).find(c.has), std::string::npos) << c.has;
  }
  for (const char* plain : {"f16", "bf16"}) {
    Server server(llama_8b());
    server.format(plain);
    EXPECT_EQ(flags_of(run(server)).find("--kv-cache-dtype"), std::string::npos) << plain;
    EXPECT_EQ(flags_of(run(server)).find("--tp-size"), std::string::npos);
  }
}

// "dtype" is named since 0.5.14; the index is part of the size since 0.5.4: 61 × (576 × 2 + 132) B
// of 1,064 tokens.
TEST(SglangLines, ChangedWithTheVersions) {
  Server server(llama_8b());
  server.in.pool_tokens = 1000;
  server.in.version = "0.5.14";
  EXPECT_TRUE(says(run(server), "dtype: torch.bfloat16, #tokens: 1000, "));
  server.in.version = "0.5.13";
  EXPECT_FALSE(says(run(server), "dtype"));
  Server sparse(model_of({latent(61, 512, 64, 128)}));
  sparse.in.pool_tokens = 1048576 - 64;
  sparse.in.context = 1000;
  sparse.in.version = "0.5.4";
  EXPECT_TRUE(says(run(sparse), "KV size: 76.49 GB"));
  sparse.in.version = "0.5.3";
  EXPECT_TRUE(says(run(sparse), "KV size: 68.62 GB"));
}

// 160 tokens and one to spare of 20,480 B beside 128 (and one) of 204,800 B.
TEST(SglangLines, WindowPoolsComeFirst) {
  Server server(windowed());
  server.in.pool_tokens = 1048575;
  server.in.context = 1000;
  const Outcome out = run(server);
  ASSERT_GE(out.start_lines.size(), 4u);
  EXPECT_EQ(out.start_lines[0],
            "Use sliding window memory pool. full_layer_tokens=1048575, swa_layer_tokens=838860");
  EXPECT_NE(out.start_lines[1].find("#tokens: 838860, K size: 80.00 GB, V size: 80.00 GB"),
            std::string::npos);
  EXPECT_NE(out.start_lines[2].find("#tokens: 1048575, K size: 10.00 GB, V size: 10.00 GB"),
            std::string::npos);
  EXPECT_EQ(out.start_lines[3],
            "SWAKVPool mem usage: 180.00 GB, swa size: 838860, full size: 1048575");
  Server alone(model_of({heads(50, 4, 256, 1024)}));
  alone.model.family = "Gemma 4";
  alone.in.pool_tokens = 1048575;
  alone.in.context = 1000;
  const Outcome all = run(alone);
  EXPECT_EQ(all.start_lines[0],
            "Use sliding window memory pool (all SWA). swa_layer_tokens=1048575");
  EXPECT_TRUE(says(all, "SWAKVPool mem usage: 200.00 GB, swa size: 1048575, full size: 0"));
  EXPECT_EQ(std::count_if(all.start_lines.begin(), all.start_lines.end(),
                          [](const std::string& l) { return l.find("K size") != l.npos; }),
            1);
}

// server_args.py: a request needs its window and a page in the window pool, and one token of the
// pool stays for the answer.
TEST(SglangRefusals, ToTheToken) {
  Server server(windowed());
  server.option("swaratio", "0.5");
  server.in.context = 1500;
  server.in.pool_tokens = 2050;
  EXPECT_TRUE(run(server).refusal.refused) << "1,025 tokens for 1,024 and one";
  server.in.pool_tokens = 2052;
  EXPECT_FALSE(run(server).refusal.refused);
  Server dense(llama_8b());
  dense.in.pool_tokens = 8193;
  EXPECT_FALSE(run(dense).refusal.refused);
  dense.in.pool_tokens = 8192;
  EXPECT_TRUE(run(dense).refusal.refused);
  EXPECT_EQ(run(dense).refusal.estimated_max_tokens, 8191u);
  EXPECT_EQ(run(dense).refusal.needed, units::gib(1));
}

// Two stages of one and of three quarters of the layers: whichever has fewer tokens sizes the pool.
TEST(SglangPools, StagesAgreeOnTheFewestTokens) {
  for (const bool first : {true, false}) {
    model::Model model = model_of({heads(2, 8, 128), heads(2, 8, 256)});
    if (first) model.order = {{1, 2}, {0, 2}};
    Server server(std::move(model));
    server.in.parallel.pp = 2;
    const auto s = sglang::settings_of(server.in, sglang::choose_rules(""));
    const auto stages = sglang::stages_of(server.in, s);
    // 2 layers of 8 × 256 × 2 × 2 B, 16,384 B a token.
    const auto sizes = sglang::sizes_for(server.in, s, stages, units::bytes(16384 * 1000));
    EXPECT_EQ(sizes.tokens, 1000u);
    EXPECT_EQ(sizes.stage, first ? 0u : 1u);
    EXPECT_FALSE(sizes.no_tokens);
    EXPECT_TRUE(sglang::sizes_for(server.in, s, stages, units::bytes(16383)).no_tokens);
  }
}

// Slots for 1,000,000 tokens of 65,536 B: what was left is 1.9 times that, of which 0.9 ÷ 1.9 are
// states, less a slot that pads.
TEST(SglangPools, TokensThatAreGivenTellTheSlots) {
  Server server(hybrid());
  server.in.pool_tokens = 1000000;
  const Outcome out = run(server);
  EXPECT_EQ(out.caches[1].cells, 58982400000u / 153944064 - 1);
  EXPECT_EQ(out.pool.tokens, 1000000u);
  EXPECT_EQ(out.ranks[1].pool, "state");
  EXPECT_EQ(formula(out, "engine.tokens"), "as given");
  EXPECT_EQ(formula(out, "engine.slots"), "by their share, 0.9");
  // 1,000 pages of 64 tokens.
  server.in.pool_tokens.reset();
  server.in.pool_blocks = 15625;
  server.in.block = 64;
  EXPECT_EQ(run(server).caches[1].cells, 58982400000u / 153944064 - 1);
  EXPECT_EQ(run(server).pool.tokens, 1000000u);
  EXPECT_EQ(formula(run(server), "engine.tokens"), "as given");
  EXPECT_EQ(formula(run(server), "engine.slots"), "by their share, 0.9");
}

TEST(SglangPools, AreNamedWhereThereAreSeveral) {
  const auto names = [](model::Model model) {
    Server server(std::move(model));
    server.model.family = "Gemma 4";
    server.in.pool = units::gib(40);
    std::string out;
    for (const Rank& rank : run(server).ranks) out += "[" + std::string(rank.pool) + "]";
    return out;
  };
  EXPECT_EQ(names(llama_8b()), "[]");
  EXPECT_EQ(names(windowed()), "[][window]");
  EXPECT_EQ(names(model_of({heads(50, 4, 256, 1024)})), "[]");
  EXPECT_EQ(names(hybrid()), "[][state]");
  EXPECT_EQ(names(model_of({delta(48, 16, 48, model::StateType::kF32)})), "[]");
  EXPECT_EQ(names(model_of({heads(8, 4, 256, 512), delta(48, 16, 48, model::StateType::kF32)})),
            "[][state]");
}

// Slots of a state that stores 16 bit and is kept in 32: 48 × 48 × 128 × 128 × 2 B more.
TEST(SglangWaste, StatesKeptIn32Bit) {
  Server server(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF16)}));
  server.model.groups[1].state.assumed_type = true;
  server.in.pool = units::gib(40);
  const Outcome out = run(server);
  std::uint64_t spare = 0;
  for (const WasteRow& row : out.waste) spare += row.id == "state_type" ? row.bytes.raw() : 0;
  EXPECT_EQ(spare, 48ULL * 48 * 128 * 128 * 2);
}

// Stages alike are one rank for each of their pools: 2 full layers, then twice 1 and 3 windows.
TEST(SglangRanks, StagesAlikeAreCounted) {
  model::Model model = model_of({heads(4, 1, 512), heads(8, 4, 256, 1024)});
  model.family = "Gemma 4";
  model.order = {{0, 2}, {1, 2}, {0, 1}, {1, 3}, {0, 1}, {1, 3}};
  Server server(std::move(model));
  server.in.parallel.pp = 3;
  server.in.pool = units::gib(40);
  const Outcome out = run(server);
  ASSERT_EQ(out.ranks.size(), 4u);
  const std::uint32_t counted[] = {1, 1, 2, 2};
  const std::uint32_t stage[] = {0, 0, 1, 1};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(out.ranks[i].stages, counted[i]) << i;
    EXPECT_EQ(out.ranks[i].stage, stage[i]) << i;
  }
  EXPECT_EQ(out.low_capacity.size(), 4u);
  EXPECT_EQ(out.unit_bytes, units::bytes(1));
}

struct Told {
  const char* name;
  model::Model model;
  const char* version;
  std::uint64_t pool;
  const char* tokens;
  const char* slots;
};

// The formulas of the ledger, with the numbers in.
TEST(SglangLedger, SaysHowTheTokensCameAbout) {
  const Told cases[] = {
      {"dense", llama_8b(), "", 1310720000, "1,310,720,000 B ÷ 131072 B, rounded down to 1",
       "none"},
      {"not a token", llama_8b(), "", 131071, "less than a page is left", "none"},
      {"windows", windowed(), "", 1843200000,
       "1,843,200,000 B ÷ (20480 + 0.8 × 204800) B, rounded down to 1", "none"},
      {"windows of old", windowed(), "0.5.10", 1843200000, "as rules before 0.5.12 round it",
       "none"},
      {"windows alone", model_of({heads(50, 4, 256, 1024)}), "", 2048000000,
       "2,048,000,000 B ÷ 204800 B, rounded down to 1", "none"},
      {"states", hybrid(), "", 16000000000,
       "(16,000,000,000 B − states 7,543,259,136 B) ÷ 65536 B, rounded down to 1",
       "(16,000,000,000 B × 0.9 ÷ (1 + 0.9) − 153,944,064 B) ÷ 153,944,064 B, rounded down"},
      {"states of old", hybrid(), "0.5.12", 16000000000,
       "(16,000,000,000 B − states 7,543,259,136 B) ÷ 65536 B, rounded down to 1",
       "16,000,000,000 B × 0.9 ÷ (1 + 0.9) ÷ 153,944,064 B, rounded down"},
      {"no slot", hybrid(), "", 100000000,
       "(100,000,000 B − states 153,944,064 B) ÷ 65536 B, rounded down to 1",
       "by their share, 0.9"},
  };
  for (const Told& c : cases) {
    Server server(c.model);
    server.model.family = "Gemma 4";
    server.in.version = c.version;
    server.in.pool = units::bytes(c.pool);
    const Outcome out = run(server);
    if (std::string(c.name) != "no slot") {
      EXPECT_EQ(formula(out, "engine.tokens"), c.tokens) << c.name;
    }
    EXPECT_EQ(formula(out, "engine.slots"), c.slots) << c.name;
    EXPECT_EQ(formula(out, "engine.window_tokens") != "none",
              std::string(c.name).substr(0, 8) == "windows " ? server.model.groups.size() == 2
                                                             : server.model.groups[0].k_dim == 512)
        << c.name;
  }
  Server server(hybrid());
  server.in.pool = units::gigabytes(16);
  for (const units::LedgerRow& row : run(server).ledger) {
    if (row.id == "engine.slot_requests") {
      EXPECT_EQ(row.value.whole, 16u) << "48 slots, three a request";
    }
  }
  server.in.draft.method = "ngram";
  server.in.draft.tokens = 1;
  EXPECT_EQ(formula(run(server), "engine.slots"), "by their share, 0.9");
  server.in.draft.tokens = 0;
  server.in.seqs = 7;
  server.option("prefixcaching", "off");
  EXPECT_EQ(formula(run(server), "engine.slots"), "one for each of the sequences (seqs)");
  server.option("stateslots", "30");
  EXPECT_EQ(formula(run(server), "engine.slots"), "as given");
}

}  // namespace
}  // namespace kvseats::engine
