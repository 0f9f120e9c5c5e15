#include "engine/llamacpp/lines.h"

#include <gtest/gtest.h>

#include "llamacpp_models.h"

namespace kvseats::engine {
namespace {

using llamacpp::mib_text;

// Printed: 1166.625 MiB as 1166.62 (half to even), 0.84375 as 0.84, 3.375 as 3.38.
TEST(LlamaCppLines, MibAreRoundedHalfToEven) {
  EXPECT_EQ(mib_text(units::bytes(1223294976)), "1166.62");
  EXPECT_EQ(mib_text(units::bytes(884736)), "0.84");
  EXPECT_EQ(mib_text(units::bytes(3538944)), "3.38");
  EXPECT_EQ(mib_text(units::bytes(0)), "0.00");
  EXPECT_EQ(mib_text(units::bytes(1048575)), "1.00");
  EXPECT_EQ(mib_text(units::gib(64)), "65536.00");
}

// A float keeps 24 bits: 2^34 + 1 counts as 2^34, and 2^34 + 1536 (a tie) goes to 2^34 + 2048.
TEST(LlamaCppLines, MibAreAFloatsQuotient) {
  EXPECT_EQ(mib_text(units::bytes((1ULL << 34) + 1)), "16384.00");
  EXPECT_EQ(mib_text(units::bytes((1ULL << 40) + (1ULL << 15))), "1048576.00");
}

bool has_line(const Outcome& out, const std::string& line) {
  for (const std::string& one : out.start_lines) {
    if (one == line) return true;
  }
  return false;
}

TEST(LlamaCppLines, StartLinesHaveTheEnginesShape) {
  const auto s = served(llama_8b());
  const Outcome out = llamacpp_profile().run(s->in);
  EXPECT_TRUE(has_line(out, "llama_context: n_ctx         = 8192"));
  EXPECT_TRUE(has_line(out, "llama_context: kv_unified    = true"));
  EXPECT_TRUE(has_line(out,
                       "llama_kv_cache: size = 1024.00 MiB (  8192 cells,  32 layers,  4/1 seqs), "
                       "K (f16):  512.00 MiB, V (f16):  512.00 MiB"));
}

TEST(LlamaCppLines, OlderBuildsPrintNoStreams) {
  const auto s = served(llama_8b());
  s->in.version = "2025-06";
  EXPECT_TRUE(has_line(llamacpp_profile().run(s->in),
                       "llama_kv_cache_unified: size = 1024.00 MiB (  8192 cells,  32 layers,  1 "
                       "seqs), K (f16):  512.00 MiB, V (f16):  512.00 MiB"));
  s->in.version = "2025-04";
  EXPECT_TRUE(has_line(llamacpp_profile().run(s->in),
                       "llama_context: KV self size  = 1024.00 MiB, K (f16):  512.00 MiB, V (f16): "
                       " 512.00 MiB"));
}

TEST(LlamaCppLines, StatesHaveALineOfTheirOwn) {
  const auto s = served(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF16)}));
  s->in.seqs = 1;
  EXPECT_TRUE(has_line(llamacpp_profile().run(s->in),
                       "llama_memory_recurrent: size =  149.62 MiB (     1 cells,  64 layers,  1 "
                       "seqs), R (f32):    5.62 MiB, S (f32):  144.00 MiB"));
}

TEST(LlamaCppLines, FlagsGiveTheShownServer) {
  const auto s = served(llama_8b(), "q8_0");
  s->in.seqs = 4;
  s->in.batched = 2048;
  const std::vector<std::string> expected = {"llama-server",
                                             "-m",
                                             "Meta-Llama-3-8B.gguf",
                                             "-c",
                                             "32768",
                                             "-np",
                                             "4",
                                             "-ub",
                                             "2048",
                                             "-ctk",
                                             "q8_0",
                                             "-ctv",
                                             "q8_0",
                                             "-fa",
                                             "on"};
  EXPECT_EQ(llamacpp_profile().run(s->in).flags, expected);
  EXPECT_EQ(ollama_profile().run(s->in).flags.front(), "OLLAMA_CONTEXT_LENGTH=8192");
}

}  // namespace
}  // namespace kvseats::engine
