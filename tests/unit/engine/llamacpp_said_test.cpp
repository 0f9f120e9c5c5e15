#include <gtest/gtest.h>

#include <algorithm>

#include "engine/llamacpp/lines.h"
#include "llamacpp_models.h"

// What llama.cpp and ollama are told and say: command lines, start-up lines, the ledger, devices.
namespace kvseats::engine {
namespace {

using llamacpp::mib_text;

std::string flags_of(const Outcome& out) {
  std::string line;
  for (const std::string& word : out.flags) line += (line.empty() ? "" : " ") + word;
  return line;
}

bool has_line(const Outcome& out, const std::string& line) {
  return std::find(out.start_lines.begin(), out.start_lines.end(), line) != out.start_lines.end();
}

std::string formula(const Outcome& out, std::string_view id) {
  for (const units::LedgerRow& row : out.ledger) {
    if (row.id == id) return row.formula;
  }
  return "none";
}

struct Flagged {
  const char* name;
  const char* version;
  std::vector<std::pair<std::string, std::string>> options;
  std::optional<std::uint64_t> seqs;
  const char* v;
  const char* expected;
};

TEST(LlamaCppFlags, SayWhatIsNotTheDefault) {
  const Flagged cases[] = {
      {"defaults", "", {}, {}, "f16", ""},
      {"flash attention asked for", "", {{"fa", "on"}}, {}, "f16", " -fa on"},
      {"and not", "", {{"fa", "off"}}, {}, "f16", " -fa off"},
      {"a quantised V", "", {}, {}, "q8_0", " -ctv q8_0 -fa on"},
      {"of old a switch", "2025-08-29", {{"fa", "on"}}, {}, "f16", " -fa"},
      {"since then a value", "2025-08-30", {{"fa", "on"}}, {}, "f16", " -fa on"},
      {"shared", "", {{"unified", "on"}}, 2, "f16", " -np 2 -kvu"},
      {"own", "", {{"unified", "off"}}, {}, "f16", " -no-kvu"},
      {"own, of one", "2025-10-30", {{"unified", "off"}}, {}, "f16", ""},
      {"windows in full", "", {{"swafull", "on"}}, {}, "f16", " --swa-full"},
      {"on the host",
       "",
       {{"kvhost", "on"}, {"ncmoe", "2"}, {"ngl", "9"}},
       {},
       "f16",
       " -ngl 9 --n-cpu-moe 2 -nkvo"},
  };
  for (const Flagged& c : cases) {
    const auto s = served(llama_8b());
    s->in.version = c.version;
    s->in.options = c.options;
    s->in.seqs = c.seqs;
    s->in.formats.v = model::find_cache_format(c.v);
    const bool own = std::string(c.name) == "own";
    const std::string cells = c.seqs && *c.seqs == 2 ? "8192" : own ? "32768" : "8192";
    EXPECT_EQ(flags_of(llamacpp_profile().run(s->in)),
              "llama-server -m Meta-Llama-3-8B.gguf -c " + cells + c.expected)
        << c.name;
  }
}

TEST(LlamaCppFlags, DevicesFilesAndDrafters) {
  const auto s = served(llama_8b());
  s->in.parallel.pp = 2;
  EXPECT_NE(flags_of(llamacpp_profile().run(s->in)).find(" -sm layer -ts 1,1"), std::string::npos);
  EXPECT_EQ(flags_of(llamacpp_profile().run(s->in)).find("1,1,1"), std::string::npos);
  s->in.memories = {units::gib(24), units::mib(8191)};
  EXPECT_NE(flags_of(llamacpp_profile().run(s->in)).find(" -ts 24576,8191"), std::string::npos);
  s->in.parallel.pp = 3;
  EXPECT_NE(flags_of(llamacpp_profile().run(s->in)).find(" -ts 24576,8191,1"), std::string::npos);
  s->in.parallel.pp = 1;
  EXPECT_EQ(flags_of(llamacpp_profile().run(s->in)).find("-sm"), std::string::npos);
  s->in.weights.restored = "q4_k_m";
  EXPECT_NE(flags_of(llamacpp_profile().run(s->in)).find("Meta-Llama-3-8B-Q4_K_M.gguf"),
            std::string::npos);
  s->in.weights.restored = "az09";
  EXPECT_NE(flags_of(llamacpp_profile().run(s->in)).find("-AZ09.gguf"), std::string::npos);
  s->in.draft.model = "small";
  s->in.draft.tokens = 3;
  EXPECT_NE(flags_of(llamacpp_profile().run(s->in)).find(" -md small --draft-max 3"),
            std::string::npos);
  s->in.batched = 4096;
  EXPECT_NE(flags_of(llamacpp_profile().run(s->in)).find(" -ub 4096 -b 4096"), std::string::npos);
}

TEST(LlamaCppFlags, OllamaHasVariables) {
  const auto s = served(llama_8b());
  EXPECT_EQ(flags_of(ollama_profile().run(s->in)), "OLLAMA_CONTEXT_LENGTH=8192 ollama serve");
  s->in.seqs = 3;
  s->in.formats.k = s->in.formats.v = model::find_cache_format("q8_0");
  s->in.options = {{"fa", "on"}};
  EXPECT_EQ(flags_of(ollama_profile().run(s->in)),
            "OLLAMA_CONTEXT_LENGTH=8192 OLLAMA_NUM_PARALLEL=3 OLLAMA_FLASH_ATTENTION=1 "
            "OLLAMA_KV_CACHE_TYPE=q8_0 ollama serve");
}

// Names of the lines by the day: llama_kv_cache from September, n_ctx_seq from 2 November 2025.
TEST(LlamaCppLines, ChangedWithTheDays) {
  struct {
    const char* version;
    const char* cells;
    const char* cache;
  } constexpr kCases[] = {
      {"2025-08-31", "llama_context: n_ctx_per_seq = 8192",
       "llama_kv_cache_unified_iswa: creating non-SWA KV cache, size = 8192 cells"},
      {"2025-09-01", "llama_context: n_ctx_per_seq = 8192",
       "llama_kv_cache_iswa: creating non-SWA KV cache, size = 8192 cells"},
      {"2025-11-01", "llama_context: n_ctx_per_seq = 8192",
       "llama_kv_cache_iswa: creating     SWA KV cache, size = 640 cells"},
      {"2025-11-02", "llama_context: n_ctx_seq     = 8192",
       "llama_kv_cache_iswa: creating     SWA KV cache, size = 1024 cells"},
  };
  for (const auto& c : kCases) {
    const auto s = served(model_of({heads(12, 8, 64), heads(12, 8, 64, 128)}));
    s->in.version = c.version;
    s->in.options = {{"fa", "on"}};
    const Outcome out = llamacpp_profile().run(s->in);
    EXPECT_TRUE(has_line(out, c.cells)) << c.version;
    EXPECT_TRUE(has_line(out, c.cache)) << c.version;
  }
  const auto plain = served(llama_8b());
  for (const auto& [version, name] : {std::pair{"2025-08-31", "llama_kv_cache_unified: size"},
                                      {"2025-09-01", "llama_kv_cache: size"}}) {
    plain->in.version = version;
    const Outcome out = llamacpp_profile().run(plain->in);
    EXPECT_TRUE(std::any_of(out.start_lines.begin(), out.start_lines.end(),
                            [name = name](const auto& line) { return line.find(name) == 0; }))
        << version;
  }
  plain->in.version = "";
  for (const std::string& line : llamacpp_profile().run(plain->in).start_lines) {
    EXPECT_EQ(line.find("iswa"), std::string::npos) << line;
    EXPECT_EQ(line.find("CUDA"), std::string::npos) << "one device names no buffers: " << line;
  }
}

// A batch is no longer than the cells.
TEST(LlamaCppLines, BatchesAndBuffers) {
  const auto s = served(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF16)}));
  Outcome out = llamacpp_profile().run(s->in);
  EXPECT_TRUE(has_line(out, "llama_context: n_batch       = 2048"));
  EXPECT_TRUE(has_line(out, "llama_context: n_ubatch      = 512"));
  s->in.nctx = 256;
  out = llamacpp_profile().run(s->in);
  EXPECT_TRUE(has_line(out, "llama_context: n_batch       = 256"));
  EXPECT_TRUE(has_line(out, "llama_context: n_ubatch      = 256"));
  s->in.nctx.reset();
  s->in.seqs = 1;
  s->in.draft.tokens = 1;
  EXPECT_TRUE(has_line(llamacpp_profile().run(s->in),
                       "llama_memory_recurrent: size =  299.25 MiB (     1 cells,  64 layers,  1 "
                       "seqs, 1 rs_seq), R (f32):   11.25 MiB, S (f32):  288.00 MiB"));
  s->in.draft.tokens = 0;
  s->in.parallel.pp = 2;
  out = llamacpp_profile().run(s->in);
  // 33 of 65 layers on the first device: 16 with keys and 17 states.
  EXPECT_TRUE(has_line(out, "llama_kv_cache:      CUDA0 KV buffer size =   512.00 MiB"));
  EXPECT_TRUE(has_line(out, "llama_memory_recurrent:      CUDA0 RS buffer size =    52.99 MiB"));
  EXPECT_TRUE(has_line(out, "llama_memory_recurrent:      CUDA1 RS buffer size =    96.63 MiB"));
}

// A float has 24 bits: from 2^34 on whole units of 2,048 B, from 2^35 of 4,096, halves to the even
// one. Then MiB to two decimals (0.005 are 5,242.88 B), halves to the even digit again.
TEST(LlamaCppLines, MibOfAFloat) {
  const std::pair<std::uint64_t, const char*> cases[] = {
      {10 * 1048576 + 99 * 10486, "10.99"},
      {5242880 + 104858, "5.10"},  // 5.10000…
      {5242880 + 94371, "5.09"},   // 5.08999…
      {131072, "0.12"},            // 0.125
      {131073, "0.13"},
      {655360, "0.62"},                    // 0.625
      {917504, "0.88"},                    // 0.875
      {(1ULL << 37) + 5000, "131072.00"},  // units of 16,384 B
      {393216, "0.38"},                    // 0.375
      {(1ULL << 34) + 5242880, "16389.00"},
      {(1ULL << 34) + 5119, "16384.00"},   // 2 units, 0.0039
      {(1ULL << 34) + 5120, "16384.00"},   // 2.5 units: 2
      {(1ULL << 34) + 5121, "16384.01"},   // 3 units, 0.0059
      {(1ULL << 34) + 15359, "16384.01"},  // 7 units, 0.0137
      {(1ULL << 34) + 15360, "16384.02"},  // 7.5 units: 8, 0.0156
      {(1ULL << 35) + 6143, "32768.00"},   // 1 unit, 0.0039
      {(1ULL << 35) + 6144, "32768.01"},   // 1.5 units: 2, 0.0078
  };
  for (const auto& [bytes, text] : cases) EXPECT_EQ(mib_text(units::bytes(bytes)), text) << bytes;
}

struct Told {
  const char* name;
  std::optional<std::uint64_t> seqs, nctx, tokens;
  const char* version;
  const char* cells;
  const char* cache;
};

TEST(LlamaCppLedger, SaysHowTheCellsCameAbout) {
  const Told cases[] = {
      {"shared", {}, {}, {}, "", "8,192, rounded up to 256", "8,192 cells × 1 streams × 131,072 B"},
      {"asked for",
       {},
       8000,
       {},
       "",
       "8,000 asked for, rounded up to 256",
       "8,192 cells × 1 streams × 131,072 B"},
      {"slots",
       4,
       {},
       {},
       "",
       "8,192 a slot, rounded up to 256",
       "8,192 cells × 4 streams × 131,072 B"},
      {"one slot",
       1,
       {},
       {},
       "",
       "8,192, rounded up to 256",
       "8,192 cells × 1 streams × 131,072 B"},
      {"slots of what was asked for",
       4,
       32000,
       {},
       "",
       "32,000 asked for ÷ 4 slots, rounded up to 256",
       "8,192 cells × 4 streams × 131,072 B"},
      {"unpadded", 4, {}, {}, "2025-10-30", "8,192 a slot", "8,192 cells × 4 streams × 131,072 B"},
      {"given",
       4,
       {},
       32768,
       "",
       "as the pool given divides",
       "8,192 cells × 4 streams × 131,072 B"},
  };
  for (const Told& c : cases) {
    const auto s = served(llama_8b());
    s->in.seqs = c.seqs;
    s->in.nctx = c.nctx;
    s->in.pool_tokens = c.tokens;
    s->in.version = c.version;
    const Outcome out = llamacpp_profile().run(s->in);
    EXPECT_EQ(formula(out, "engine.cells"), c.cells) << c.name;
    EXPECT_EQ(formula(out, "engine.cache.kv"), c.cache) << c.name;
    EXPECT_EQ(out.pool.given, c.tokens.has_value()) << c.name;
    EXPECT_EQ(out.unit_bytes, units::bytes(1));
    EXPECT_FALSE(out.pool.no_room);
  }
  const auto s = served(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF16)}));
  s->in.seqs = 2;
  s->in.draft.tokens = 1;
  EXPECT_EQ(formula(llamacpp_profile().run(s->in), "engine.cache.recurrent"),
            "2 cells × 1 streams × 2 copies × 156,893,184 B");
}

// Of two devices the one with less to spare limits, and what each has is its own.
TEST(LlamaCppDevices, TheTighterOneLimits) {
  const auto s = served(llama_8b());
  s->in.parallel.pp = 2;
  s->in.overhead = units::mib(0);
  s->model.params = {};
  s->model.vocab = 0;
  s->in.weights.total = units::mib(3200);
  s->in.memories = {units::gib(12), units::gib(24)};
  const Outcome out = llamacpp_profile().run(s->in);
  EXPECT_EQ(out.seen, units::gib(12));
  ASSERT_EQ(out.ranks.size(), 2u);
  EXPECT_EQ(out.ranks[0].weights, units::mib(1100)) << "11 layers below a third of 33";
  EXPECT_EQ(out.ranks[1].weights, units::mib(2100));
  EXPECT_EQ(out.ranks[0].capacity, (units::gib(11) / units::mib(1)) * 1048576 - 1100 * 1048576ULL);
  s->in.memories = {units::gib(24), units::gib(12)};
  EXPECT_EQ(llamacpp_profile().run(s->in).seen, units::gib(12));
  // Alike: stages of one rank.
  s->in.memories = {};
  s->in.parallel.pp = 3;
  s->in.memory = units::gib(24);
  const Outcome three = llamacpp_profile().run(s->in);
  ASSERT_EQ(three.ranks.size(), 2u) << "11, 11 and 10 layers";
  EXPECT_EQ(three.ranks[0].stages, 2u);
  EXPECT_EQ(three.ranks[1].stage, 2u);
}

// A first device with less for its cache may have more to spare: 17 light layers there, 15 heavy
// ones on the second, which limits.
TEST(LlamaCppDevices, TheOneWithLeastToSpareLimits) {
  const auto s = served(model_of({heads(17, 1, 64), heads(15, 32, 128)}));
  s->in.parallel.pp = 2;
  s->in.weights.total = units::mib(3200);
  const Outcome out = llamacpp_profile().run(s->in);
  EXPECT_EQ(out.refusal.needed.raw(), 15u * 32 * 128 * 2 * 2 * 8192);
  // A pool that is given is the same for all: stages still differ by what they keep.
  const auto same = served(llama_8b());
  same->in.parallel.pp = 3;
  same->in.pool = units::gib(40);
  EXPECT_EQ(llamacpp_profile().run(same->in).ranks.size(), 2u);
}

// Cells that were asked for are no pool that was given: what is left stays a range.
TEST(LlamaCppPools, CellsAreNoPool) {
  const auto s = served(llama_8b());
  s->in.nctx = 8192;
  const Outcome out = llamacpp_profile().run(s->in);
  EXPECT_LT(out.pool.low_bytes, out.pool.bytes);
  EXPECT_LT(out.pool.bytes, out.pool.high_bytes);
  EXPECT_EQ(out.pool.block_tokens, 1u);
  EXPECT_EQ(out.ranks[0].cost.of_prefix(4096), 0u) << "slots share nothing";
}

// 8,032 cells over three slots of an old build: 2,677 each, an odd number.
TEST(LlamaCppPools, OneArrayIsCutToTheCell) {
  const auto s = served(llama_8b());
  s->in.version = "2025-06";
  s->in.nctx = 8032;
  s->in.seqs = 3;
  EXPECT_EQ(llamacpp_profile().run(s->in).ranks[0].cost.at(1), 2677u * 131072);
}

// Without flash attention half of V is spare in the full layers; 7,192 cells are the slot's rest.
TEST(LlamaCppWaste, SpareIsNotCountedTwice) {
  const auto s = served(model_of({heads(10, 4, 512), heads(50, 16, 256, 1024)}));
  s->in.seqs = 1;
  s->in.prompt = 1000;
  s->in.output = 0;
  s->in.options = {{"fa", "off"}};
  std::uint64_t slot = 0;
  for (const WasteRow& row : llamacpp_profile().run(s->in).waste) {
    if (row.id == "slot") slot = row.bytes.raw();
  }
  EXPECT_EQ(slot, 7192u * 10 * (2048 + 2048) * 2);
}

// To the byte: a cache as large as what is left is served.
TEST(LlamaCppRefusals, ToTheByte) {
  const auto s = served(llama_8b());
  s->in.pool = units::gib(1);
  EXPECT_FALSE(llamacpp_profile().run(s->in).refusal.refused);
  EXPECT_EQ(llamacpp_profile().run(s->in).pool.low_bytes, units::gib(1));
  s->in.pool = units::bytes(1073741823);
  const Outcome out = llamacpp_profile().run(s->in);
  EXPECT_TRUE(out.refusal.refused);
  EXPECT_EQ(out.refusal.estimated_max_tokens, 7936u) << "31 times 256 cells";
  EXPECT_EQ(out.ratio, 0);
  for (const auto& [tokens, longest] :
       {std::pair{5000u, 4864u}, {257u, 256u}, {6400u, 6400u}, {1u, 0u}}) {
    s->in.pool = units::bytes(131072ULL * tokens);
    EXPECT_EQ(llamacpp_profile().run(s->in).refusal.estimated_max_tokens, longest);
  }
  for (const auto& [version, fits] : {std::pair{"2025-12-15", true}, {"2025-12-14", false}}) {
    s->in.version = version;
    const Outcome told = llamacpp_profile().run(s->in);
    EXPECT_EQ(told.diagnostics.back().remedy.find("--fit") != std::string::npos, fits) << version;
  }
}

TEST(LlamaCppProfiles, WhatTheyAre) {
  EXPECT_TRUE(ollama_profile().has_tags);
  EXPECT_FALSE(llamacpp_profile().has_tags);
  EXPECT_FALSE(lmstudio_profile().has_tags);
  for (const Profile* p : profiles()) {
    const bool family = p->id == "llama.cpp" || p->id == "ollama" || p->id == "lmstudio";
    EXPECT_EQ(p->deals_layers, family) << p->id;
    EXPECT_EQ(p->has_util, !family) << p->id;
    EXPECT_EQ(p->honours_cache_scheme, !family && p->id != "hand") << p->id;
    EXPECT_EQ(find_profile(p->id), p);
  }
}

}  // namespace
}  // namespace kvseats::engine
