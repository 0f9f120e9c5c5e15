#include <gtest/gtest.h>

#include <algorithm>

#include "engine/llamacpp/rules.h"
#include "engine/llamacpp/settings.h"
#include "llamacpp_models.h"

// Where llama.cpp, ollama and LM Studio turn from one answer to the next.
namespace kvseats::engine {
namespace {

using llamacpp::choose_rules;
using llamacpp::Program;

std::string codes_of(const Outcome& out) {
  std::string codes;
  for (const units::Diagnostic& d : out.diagnostics) codes += (codes.empty() ? "" : " ") + d.code;
  return codes;
}

llamacpp::Settings settings_for(const Served& s, const char* version, Program program) {
  return llamacpp::settings_of(s.in, choose_rules(version, program), program);
}

struct Day {
  const char* text;
  const char* rules;  ///< or "" for no version
  std::uint32_t day;
};

// Merge days and first builds of the pull requests of rules.h, each to the day and to the build.
TEST(LlamaCppEdges, RulesHoldFromTheirDayAndBuild) {
  constexpr Day kCases[] = {
      {"2026-01-25", "llamacpp-k-only", 20260125},
      {"2026-01-24", "llamacpp-pad256", 20260124},
      {"2025-11-07", "llamacpp-pad256", 20251107},
      {"2025-11-06", "llamacpp-unpadded", 20251106},
      {"2025-10-28", "llamacpp-unpadded", 20251028},
      {"2025-10-27", "llamacpp-streams", 20251027},
      {"b7830", "llamacpp-k-only", 20260125},
      {"b7829", "llamacpp-pad256", 20251214},
      {"b6868", "llamacpp-unpadded", 20251028},
      {"b6867", "llamacpp-streams", 20250830},
      {"5140", "llamacpp-mla", 20250415},
      {"5139", "llamacpp-full", 20241031},
      {"b1", "llamacpp-full", 20230301},
      {"b0", "llamacpp-full", 20230301},
      {"2025-12", "llamacpp-pad256", 20251230},
      {"2025-00", "", 0},
      {"2025-13-01", "", 0},
      {"2025-01-xx", "", 0},
      {"xxxx-01-01", "", 0},
      {"2025-1x-01", "", 0},
      {"2025/01/01", "", 0},
      {"2025-01/01", "", 0},
      {"2025-011", "", 0},
      {"123456789", "", 0},
  };
  for (const Day& c : kCases) {
    const auto chosen = choose_rules(c.text, Program::kServer);
    const bool version = *c.rules != 0;
    EXPECT_EQ(chosen.diagnostics.empty(), version) << c.text;
    if (!version) {
      EXPECT_EQ(chosen.diagnostics.at(0).code, "E-VERSION") << c.text;
      continue;
    }
    EXPECT_EQ(chosen.rules->id, c.rules) << c.text;
    EXPECT_EQ(chosen.day, c.day) << c.text;
  }
}

// The newest known: b10760 of September 2026.
TEST(LlamaCppEdges, NewerThanKnownIsAMonthOrABuildLater) {
  for (const auto& [text, newer] : {std::pair{"2026-09", false},
                                    {"2026-09-30", false},
                                    {"2026-10", true},
                                    {"2027-01-01", true},
                                    {"b10760", false},
                                    {"b10761", true},
                                    {"b12345678", true}}) {
    const auto chosen = choose_rules(text, Program::kServer);
    EXPECT_EQ(chosen.diagnostics.empty() ? "" : chosen.diagnostics[0].code,
              newer ? "W-VERSION-NEWER" : "")
        << text;
  }
}

// Releases count from their month; the ten days without padding are no release's.
TEST(LlamaCppEdges, ReleasesOfOllamaAndLmStudio) {
  EXPECT_EQ(choose_rules("0.12.3", Program::kOllama).rules->id, "llamacpp-streams");
  EXPECT_EQ(choose_rules("0.12", Program::kOllama).day, 20250918u);
  EXPECT_EQ(choose_rules("0.15.1", Program::kOllama).day, 20260201u);
  EXPECT_EQ(choose_rules("1.0.0", Program::kOllama).day, 20260201u);
  EXPECT_EQ(choose_rules("0.0.9", Program::kOllama).day, 20230926u);
  EXPECT_EQ(choose_rules("0.3.9", Program::kLmStudio).day, 20250801u);
  for (const char* none : {"0.x", "x.1", "0.", "."}) {
    EXPECT_EQ(choose_rules(none, Program::kOllama).diagnostics.size(), 1u) << none;
  }
  EXPECT_TRUE(llamacpp::asks_for_full_windows(20250831, Program::kLmStudio));
  EXPECT_FALSE(llamacpp::asks_for_full_windows(20250901, Program::kLmStudio));
  EXPECT_FALSE(llamacpp::starts_four_slots(20260127, Program::kLmStudio));
  EXPECT_TRUE(llamacpp::starts_four_slots(20260128, Program::kLmStudio));
}

struct Batch {
  const char* version;
  Program program;
  std::uint64_t context;
  std::uint64_t ubatch;
};

// llm/llama_server.go of ollama, since August 2026: by context.
TEST(LlamaCppEdges, OllamasBatchFollowsTheContext) {
  constexpr Batch kCases[] = {
      {"", Program::kOllama, 4096, 512},
      {"", Program::kOllama, 4097, 1024},
      {"", Program::kOllama, 32768, 1024},
      {"", Program::kOllama, 32769, 2048},
      {"2026-08-01", Program::kOllama, 32769, 2048},
      {"2026-07-31", Program::kOllama, 32769, 512},
      {"", Program::kServer, 32769, 512},
  };
  for (const Batch& c : kCases) {
    const auto s = served(llama_8b());
    s->in.context = c.context;
    const auto settings = settings_for(*s, c.version, c.program);
    EXPECT_EQ(settings.ubatch, c.ubatch) << c.version << " " << c.context;
    EXPECT_EQ(settings.batch, 2048u);
    s->in.batched = 0;
    EXPECT_EQ(settings_for(*s, c.version, c.program).ubatch, 1u);
  }
}

// A quantised V needs flash attention, which was off by default until 30 August 2025.
TEST(LlamaCppEdges, FlashAttentionWhereVNeedsIt) {
  for (const auto& [version, v, flash] : {std::tuple{"2025-08-29", "f16", false},
                                          {"2025-08-29", "q8_0", true},
                                          {"2025-08-30", "f16", true}}) {
    const auto s = served(llama_8b());
    s->in.formats.v = model::find_cache_format(v);
    EXPECT_EQ(settings_for(*s, version, Program::kServer).flash, flash) << version << v;
  }
}

// One array of 8,192 cells, four slots of 2,048; ten days without padding.
TEST(LlamaCppEdges, CellsOfOldBuilds) {
  const auto s = served(llama_8b());
  s->in.nctx = 8000;
  s->in.seqs = 4;
  auto settings = settings_for(*s, "2025-06", Program::kServer);
  EXPECT_EQ(settings.n_ctx, 8000u) << "a multiple of 32";
  EXPECT_EQ(settings.slot_tokens, 2000u);
  EXPECT_EQ(settings.cells, 8000u);
  s->in.nctx = 8001;
  settings = settings_for(*s, "2025-10-30", Program::kServer);
  EXPECT_EQ(settings.pad, 1u);
  EXPECT_EQ(settings.cells, 2000u);
  EXPECT_EQ(settings.n_ctx, 8000u);
  s->in.options = {{"ngl", ""}};
  EXPECT_EQ(settings_for(*s, "", Program::kServer).gpu_layers, UINT64_MAX);
}

struct Slots {
  const char* name;
  std::optional<std::uint64_t> seqs, nctx, tokens, blocks;
  const char* unified;
  const char* codes;
};

// 8,192 tokens a request: which slots are too short, and what is said of shared ones.
TEST(LlamaCppChecks, OfSlots) {
  const Slots cases[] = {
      {"shared", {}, {}, {}, {}, "auto", "N-SLOTS"},
      {"one shared", 1, {}, {}, {}, "on", ""},
      {"two shared", 2, {}, {}, {}, "on", "N-SLOTS"},
      {"own", 2, {}, {}, {}, "off", ""},
      {"256", 256, {}, {}, {}, "off", ""},
      {"257", 257, {}, {}, {}, "off", "E-SEQS"},
      {"short", 2, 8192, {}, {}, "off", "E-CONTEXT"},
      {"given in tokens", 2, {}, 8192, {}, "off", "E-CONTEXT"},
      {"given in blocks", 2, {}, {}, 32, "off", "E-CONTEXT W-BLOCK"},
  };
  for (const Slots& c : cases) {
    const auto s = served(llama_8b());
    s->in.seqs = c.seqs;
    s->in.nctx = c.nctx;
    s->in.pool_tokens = c.tokens;
    s->in.pool_blocks = c.blocks;
    s->in.pool = units::gib(400);
    s->in.options = {{"unified", c.unified}};
    const Outcome out = llamacpp_profile().run(s->in);
    EXPECT_EQ(codes_of(out), c.codes) << c.name;
    for (const units::Diagnostic& d : out.diagnostics) {
      if (d.code != "E-CONTEXT") continue;
      EXPECT_EQ(d.where, c.tokens || c.blocks ? "pool" : "nctx") << c.name;
      EXPECT_EQ(d.text, "A slot has 4,096 cells, less than prompt + output = 8,192");
    }
  }
  const auto s = served(llama_8b());
  s->in.block = 16;
  s->in.seqs = 1;
  EXPECT_EQ(codes_of(llamacpp_profile().run(s->in)), "W-BLOCK");
  s->in.block.reset();
  s->in.nctx = 1;
  s->in.version = "2025-10-30";
  const Outcome one = llamacpp_profile().run(s->in);
  EXPECT_EQ(one.diagnostics.at(0).text, "A slot has 1 cell, less than prompt + output = 8,192");
}

struct Width {
  const char* format;
  std::uint32_t width;
  const char* nearest;
};

// Rows are whole blocks of 32: 80 and 33 do not divide, so that only plain types are left, the
// nearest by bytes a number; a width that divides is not refused.
TEST(LlamaCppChecks, TheNearestTypeThatDivides) {
  constexpr Width kCases[] = {
      {"q8_0", 80, "f16"}, {"q4_0", 33, "f16"}, {"q8_0", 96, ""}, {"q5_1", 64, ""}};
  for (const Width& c : kCases) {
    const auto s = served(model_of({heads(32, 8, c.width)}), c.format);
    s->in.seqs = 1;
    const Outcome out = llamacpp_profile().run(s->in);
    EXPECT_EQ(codes_of(out), *c.nearest == 0 ? "" : "E-FORMAT-ENGINE E-FORMAT-ENGINE") << c.format;
    if (*c.nearest == 0) continue;
    EXPECT_EQ(out.diagnostics[0].remedy,
              "The nearest type that does is " + std::string(c.nearest) + ".");
  }
  // One complaint, however many groups; layers without keys have no width.
  const auto two = served(model_of({heads(2, 8, 80), heads(2, 8, 48)}), "q8_0");
  two->in.seqs = 1;
  EXPECT_EQ(codes_of(llamacpp_profile().run(two->in)), "E-FORMAT-ENGINE E-FORMAT-ENGINE");
  model::LayerGroup none = heads(2, 8, 80);
  none.kind = model::CacheKind::kNone;
  model::LayerGroup shared = heads(2, 8, 80);
  shared.kind = model::CacheKind::kShared;
  const auto empty = served(model_of({none, shared, heads(2, 8, 64)}), "q8_0");
  empty->in.seqs = 1;
  EXPECT_EQ(codes_of(llamacpp_profile().run(empty->in)), "");
}

// A checkpoint in fp8 has no such GGUF: as published with a word, asked for in so many words with
// an error. ollama stores f16, q8_0 and q4_0.
TEST(LlamaCppChecks, FormatsThatNoGgufHas) {
  const auto s = served(llama_8b());
  s->in.seqs = 1;
  s->in.weights.rows = {{.label = "all", .params = {}, .format = "fp8", .bytes = units::gib(8)}};
  Outcome out = llamacpp_profile().run(s->in);
  ASSERT_EQ(codes_of(out), "E-FORMAT-ENGINE");
  EXPECT_EQ(out.diagnostics[0].remedy, "The nearest a GGUF has is q8_0.");
  s->in.weights.rows[0].format = "w4a16";
  EXPECT_EQ(llamacpp_profile().run(s->in).diagnostics.at(0).remedy,
            "The nearest a GGUF has is q4_k_m.");
  s->model.parts = {{.format = "fp8"}};
  s->in.weights.rows[0].format = "fp8";
  s->in.weights.basis = "published size";
  EXPECT_EQ(codes_of(llamacpp_profile().run(s->in)), "W-GGUF");
  s->in.weights.basis = "8.03 billion parameters in fp8";
  EXPECT_EQ(codes_of(llamacpp_profile().run(s->in)), "E-FORMAT-ENGINE");
  s->model.parts = {{.format = "bf16"}};
  s->in.weights.basis = "published size";
  EXPECT_EQ(codes_of(llamacpp_profile().run(s->in)), "E-FORMAT-ENGINE");
  const auto five = served(llama_8b(), "q5_0");
  five->in.seqs = 1;
  EXPECT_EQ(codes_of(llamacpp_profile().run(five->in)), "");
  EXPECT_NE(codes_of(ollama_profile().run(five->in)).find("E-FORMAT-ENGINE"), std::string::npos);
}

}  // namespace
}  // namespace kvseats::engine
