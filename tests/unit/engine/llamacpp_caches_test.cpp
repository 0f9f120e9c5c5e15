#include "engine/llamacpp/caches.h"

#include <gtest/gtest.h>

#include "llamacpp_models.h"

namespace kvseats::engine {
namespace {

constexpr std::uint64_t kMib = 1048576;

std::uint64_t mib(units::Bytes bytes) {
  return bytes.raw() / kMib;
}

// Printed by llama.cpp for Llama 3.1 8B at -c 8192: 8192 cells, 32 layers, 4/1 seqs, 1024.00 MiB.
TEST(LlamaCppCaches, FourSlotsShareTheCellsUnlessSeqsIsGiven) {
  const auto s = served(llama_8b());
  const Outcome out = llamacpp_profile().run(s->in);
  ASSERT_EQ(out.caches.size(), 1u);
  EXPECT_EQ(out.caches[0].name, "kv");
  EXPECT_EQ(out.caches[0].layers, 32u);
  EXPECT_EQ(out.caches[0].cells, 8192u);
  EXPECT_EQ(out.caches[0].streams, 1u);
  EXPECT_EQ(mib(out.caches[0].bytes), 1024u);
  EXPECT_EQ(out.seq_cap, 4u);
  EXPECT_DOUBLE_EQ(out.ratio, 1.0);
}

// Printed: -c 10000 over 3 slots gives 3584 cells each, 10752 in all.
TEST(LlamaCppCaches, SeparateSlotsArePaddedEach) {
  const auto s = served(llama_8b());
  s->in.nctx = 10000;
  s->in.seqs = 3;
  const Outcome out = llamacpp_profile().run(s->in);
  EXPECT_EQ(out.caches.at(0).cells, 3584u);
  EXPECT_EQ(out.caches.at(0).streams, 3u);
  EXPECT_EQ(out.pool.tokens, 10752u);
}

// Printed for gpt-oss-20b: 4 unified slots 4 × 128 + 512 = 1024 cells; 8 separate ones with
// -ub 2048 pad(128 + 2048) = 2304 each; with --swa-full as many as the slot has.
TEST(LlamaCppCaches, WindowsCountTheSlotsOnlyWhenUnified) {
  const auto s = served(model_of({heads(12, 8, 64), heads(12, 8, 64, 128)}));
  s->in.context = 65536;
  EXPECT_EQ(cache_row(llamacpp_profile().run(s->in), "kv_swa")->cells, 1024u);
  s->in.seqs = 8;
  s->in.context = 16384;
  s->in.batched = 2048;
  const Outcome separate = llamacpp_profile().run(s->in);
  EXPECT_EQ(cache_row(separate, "kv_swa")->cells, 2304u);
  EXPECT_EQ(cache_row(separate, "kv_swa")->streams, 8u);
  EXPECT_EQ(mib(cache_row(separate, "kv_swa")->bytes), 432u);
  s->in.options = {{"swafull", "on"}};
  EXPECT_EQ(cache_row(llamacpp_profile().run(s->in), "kv_swa")->cells, 16384u);
}

TEST(LlamaCppCaches, BeforeMay2025EveryLayerKeepsEverything) {
  const auto s = served(model_of({heads(12, 8, 64), heads(12, 8, 64, 128)}));
  s->in.version = "2025-04";
  const Outcome out = llamacpp_profile().run(s->in);
  ASSERT_EQ(out.caches.size(), 1u);
  EXPECT_EQ(out.caches[0].layers, 24u);
  EXPECT_EQ(out.caches[0].cells, 8192u);
}

// The first version added n_batch (2048) to the window, the next n_ubatch (512).
TEST(LlamaCppCaches, TheFirstWindowsAddedTheBatch) {
  const auto s = served(model_of({heads(12, 8, 64), heads(12, 8, 64, 128)}));
  s->in.version = "2025-05-27";
  s->in.options = {{"fa", "on"}};
  EXPECT_EQ(cache_row(llamacpp_profile().run(s->in), "kv_swa")->cells, 2304u);
  s->in.version = "2025-06";
  EXPECT_EQ(cache_row(llamacpp_profile().run(s->in), "kv_swa")->cells, 768u);
  s->in.options = {{"fa", "off"}};
  EXPECT_EQ(cache_row(llamacpp_profile().run(s->in), "kv_swa")->cells, 640u);
}

// Printed for gemma-4-31B at 32k without flash attention: K 1280 MiB, V 2560 MiB.
TEST(LlamaCppCaches, WithoutFlashAttentionVIsAsWideAsTheWidestLayer) {
  const auto s = served(model_of({heads(10, 4, 512), heads(50, 16, 256, 1024)}));
  s->in.context = 32768;
  s->in.seqs = 1;
  s->in.options = {{"fa", "off"}};
  const Outcome out = llamacpp_profile().run(s->in);
  EXPECT_EQ(mib(cache_row(out, "kv")->k_bytes), 1280u);
  EXPECT_EQ(mib(cache_row(out, "kv")->v_bytes), 2560u);
}

// Printed for DeepSeek-V3 at 16384: K only 1098 MiB; in 2025 V 976 MiB beside it; without MLA
// tensors 4096 cells take 19520 MiB.
TEST(LlamaCppCaches, ALatentHasHadAVAndMayBeMissing) {
  model::Model model = model_of({latent(61, 512, 64)});
  model.attention_heads = 128;
  const auto s = served(model);
  s->in.context = 16384;
  s->in.seqs = 1;
  const Outcome now = llamacpp_profile().run(s->in);
  EXPECT_EQ(mib(cache_row(now, "mla")->bytes), 1098u);
  EXPECT_EQ(cache_row(now, "mla")->v_bytes.raw(), 0u);
  s->in.version = "2025-11";
  EXPECT_EQ(mib(cache_row(llamacpp_profile().run(s->in), "mla")->v_bytes), 976u);
  s->in.version = "";
  s->in.context = 4096;
  s->in.options = {{"mla", "off"}};
  const Outcome without = llamacpp_profile().run(s->in);
  EXPECT_EQ(mib(cache_row(without, "kv")->bytes), 19520u);
  EXPECT_TRUE(has_code(without, "N-MLA-HEADS"));
}

// Printed for Qwen3.5-27B: R 5.62 and S 144.00 MiB a slot; 4 slots and 3 draft tokens 2394.00.
TEST(LlamaCppCaches, StatesAreF32AndCopiedForRollback) {
  const auto s = served(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF16)}));
  const Outcome four = llamacpp_profile().run(s->in);
  EXPECT_EQ(cache_row(four, "recurrent")->cells, 4u);
  s->in.draft.tokens = 3;
  const Outcome out = llamacpp_profile().run(s->in);
  EXPECT_EQ(cache_row(out, "recurrent")->copies, 4u);
  EXPECT_EQ(mib(cache_row(out, "recurrent")->k_bytes), 90u);
  EXPECT_EQ(mib(cache_row(out, "recurrent")->v_bytes), 2304u);
}

// llama-model.cpp gives GGUFs of these families no window.
TEST(LlamaCppCaches, SomeFamiliesHaveNoWindowInTheirFile) {
  model::Model model = model_of({heads(32, 8, 128, 4096)});
  model.family = "Mistral";
  const auto s = served(model);
  s->in.context = 32768;
  EXPECT_EQ(cache_row(llamacpp_profile().run(s->in), "kv")->cells, 32768u);
}

// Printed: 47 layers for the 46 of GLM-4.5-Air.
TEST(LlamaCppCaches, Glm45KeepsItsNextTokenLayer) {
  // The catalogue's name, a config.json's model_type, a GGUF's general.architecture.
  for (const char* family : {"GLM-4.5", "glm4_moe", "glm4moe"}) {
    model::Model model = model_of({heads(46, 8, 128)});
    model.family = family;
    model.mtp_layers = 1;
    const auto s = served(model);
    EXPECT_EQ(cache_row(llamacpp_profile().run(s->in), "kv")->layers, 47u) << family;
  }
}

TEST(LlamaCppCaches, LayersAreDealtWithTheOutputLayerCounted) {
  const auto s = served(model_of({heads(78, 1, 128)}));
  s->in.parallel.pp = 4;
  llamacpp::Settings settings;
  std::vector<std::uint32_t> layers;
  for (const auto& counts : llamacpp::deal_layers(s->in, settings)) layers.push_back(counts[0]);
  EXPECT_EQ(layers, (std::vector<std::uint32_t>{20, 20, 20, 18, 0}));
  s->in.parallel.pp = 1;
  settings.gpu_layers = 21;
  layers.clear();
  for (const auto& counts : llamacpp::deal_layers(s->in, settings)) layers.push_back(counts[0]);
  EXPECT_EQ(layers, (std::vector<std::uint32_t>{20, 58}));
}

}  // namespace
}  // namespace kvseats::engine
