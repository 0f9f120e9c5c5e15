#include <gtest/gtest.h>

#include "llamacpp_models.h"

// How many run at once and how long, from slots and cells; and what is refused.
namespace kvseats::engine {
namespace {

TEST(LlamaCppSlots, OneRequestOfTheContextFillsUnifiedCells) {
  const auto s = served(llama_8b());
  const Outcome out = llamacpp_profile().run(s->in);
  EXPECT_EQ(requests_at(out.ranks, 8192), 1u);
  EXPECT_EQ(requests_at(out.ranks, 4096), 2u);
  EXPECT_EQ(requests_at(out.ranks, 1), 4u);
  EXPECT_TRUE(has_code(out, "N-SLOTS"));
}

TEST(LlamaCppSlots, MoreCellsLetTheSlotsRunTogether) {
  const auto s = served(llama_8b());
  s->in.nctx = 32768;
  const Outcome out = llamacpp_profile().run(s->in);
  EXPECT_DOUBLE_EQ(out.ratio, 4.0);
  EXPECT_EQ(requests_at(out.ranks, 8192), 4u);
  EXPECT_EQ(longest_at(out.ranks, 1, 1u << 30), 32768u);
}

TEST(LlamaCppSlots, SeparateSlotsRunOneRequestEach) {
  const auto s = served(llama_8b());
  s->in.seqs = 8;
  const Outcome out = llamacpp_profile().run(s->in);
  EXPECT_DOUBLE_EQ(out.ratio, 8.0);
  EXPECT_EQ(requests_at(out.ranks, 8192), 8u);
  EXPECT_EQ(requests_at(out.ranks, 1), 8u);
  // A request takes its whole slot: 8,192 cells of 131,072 B.
  EXPECT_EQ(out.ranks.at(0).cost.at(1), 1073741824u);
}

TEST(LlamaCppSlots, CellsThatAreGivenLimitTheLength) {
  const auto s = served(llama_8b());
  s->in.nctx = 8192;
  s->in.seqs = 4;
  const Outcome out = llamacpp_profile().run(s->in);
  EXPECT_EQ(requests_at(out.ranks, 2048), 4u);
  EXPECT_EQ(requests_at(out.ranks, 2049), 0u);
  EXPECT_EQ(longest_at(out.ranks, 1, 1u << 30), 2048u);
  EXPECT_TRUE(has_code(out, "E-CONTEXT")) << "prompt + output do not fit a slot";
  EXPECT_EQ(out.ratio, 0) << "no slot holds 8,192 tokens";
  s->in.prompt = 1536;
  s->in.output = 512;
  const Outcome shorter = llamacpp_profile().run(s->in);
  EXPECT_FALSE(has_code(shorter, "E-CONTEXT"));
  EXPECT_TRUE(has_code(shorter, "W-SLOT")) << "the limit of 8,192 tokens does not";
}

TEST(LlamaCppSlots, WithoutGivenCellsTheLongestIsWhatMemoryHolds) {
  const auto s = served(llama_8b());
  s->in.pool = units::gib(53);
  const Outcome out = llamacpp_profile().run(s->in);
  // 53 GiB ÷ (256 cells of 131,072 B), rounded down.
  EXPECT_EQ(longest_at(out.ranks, 1, 1u << 30), 434176u);
}

TEST(LlamaCppSlots, MoreSlotsThanMemoryHoldsAreRefusedInTheEnginesWords) {
  const auto s = served(llama_8b());
  s->in.pool = units::gib(4);
  s->in.seqs = 8;
  const Outcome out = llamacpp_profile().run(s->in);
  EXPECT_TRUE(out.refusal.refused);
  EXPECT_EQ(out.refusal.needed, units::gib(8));
  EXPECT_EQ(out.refusal.available, units::gib(4));
  EXPECT_EQ(out.refusal.estimated_max_tokens, 4096u);
  EXPECT_NE(out.refusal.message.find("failed to allocate buffer for kv cache"), std::string::npos);
  EXPECT_EQ(requests_at(out.ranks, 8192), 4u);
}

TEST(LlamaCppSlots, OllamaHasOneSlotOfItsContextUnlessTold) {
  const auto s = served(llama_8b());
  const Outcome one = ollama_profile().run(s->in);
  EXPECT_EQ(one.seq_cap, 1u);
  s->in.seqs = 3;
  const Outcome three = ollama_profile().run(s->in);
  EXPECT_EQ(three.caches.at(0).cells, 8192u);
  EXPECT_EQ(three.caches.at(0).streams, 3u);
  EXPECT_EQ(three.pool.tokens, 24576u);
}

TEST(LlamaCppSlots, ACacheInHostMemoryTakesNothingOfTheGpu) {
  const auto s = served(llama_8b());
  s->in.options = {{"kvhost", "on"}};
  const Outcome out = llamacpp_profile().run(s->in);
  EXPECT_EQ(out.refusal.needed.raw(), 0u);
  EXPECT_EQ(out.caches.at(0).bytes, units::gib(1));
  EXPECT_EQ(requests_at(out.ranks, 2048), 4u);
  EXPECT_TRUE(has_code(out, "N-HOST"));
}

TEST(LlamaCppSlots, FewerLayersOnTheGpuTakeLessOfBoth) {
  const auto s = served(llama_8b());
  s->in.weights.total = units::gib(16);
  s->in.options = {{"ngl", "17"}};
  const Outcome half = llamacpp_profile().run(s->in);
  EXPECT_EQ(half.caches.at(0).layers, 16u);
  s->in.options.clear();
  const Outcome all = llamacpp_profile().run(s->in);
  EXPECT_GT(half.pool.bytes, all.pool.bytes);
}

struct Refused {
  const char* k;
  const char* v;
  const char* fa;
  std::uint32_t dim;
  const char* code;
};

TEST(LlamaCppSlots, TypesThatTheEngineRefuses) {
  const Refused cases[] = {
      {"q8_0", "q8_0", "off", 128, "E-FA"},
      {"q8_0", "f16", "on", 80, "E-FORMAT-ENGINE"},
      {"fp8", "fp8", "on", 128, "E-FORMAT-ENGINE"},
  };
  for (const Refused& one : cases) {
    const auto s = served(model_of({heads(32, 8, one.dim)}));
    s->in.formats = {.k = model::find_cache_format(one.k), .v = model::find_cache_format(one.v)};
    s->in.options = {{"fa", one.fa}};
    EXPECT_TRUE(has_code(llamacpp_profile().run(s->in), one.code)) << one.k << one.code;
  }
  const auto fine = served(llama_8b(), "q8_0");
  fine->in.options = {{"fa", "off"}};
  fine->in.formats.v = model::find_cache_format("f16");
  EXPECT_FALSE(units::has_error(llamacpp_profile().run(fine->in).diagnostics));
}

TEST(LlamaCppSlots, HeadsAreNotSplit) {
  const auto s = served(llama_8b());
  s->in.parallel.tp = 2;
  EXPECT_TRUE(has_code(llamacpp_profile().run(s->in), "E-TP"));
}

}  // namespace
}  // namespace kvseats::engine
