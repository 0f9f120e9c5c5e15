#include <gtest/gtest.h>

#include "model/demand.h"
#include "unit/catalogue/catalogue_data.h"

// Models that calculators are known to get wrong, by factors from 1.3 to 57. Two more are fixtures
// of the importer: DeepSeek-VL2-tiny (`latent_switched_off`: plain attention in spite of its
// model_type) and Nemotron's blocks (`blocks`: heads from block to block). The right figure is in
// each model's own config.json on huggingface.co; the comment says how it comes about.
namespace kvseats {
namespace {

struct Known {
  std::string_view slug;
  std::uint64_t growing;   ///< bf16 bytes per token beyond all windows
  std::uint64_t windowed;  ///< and on top of that while below them
};

constexpr Known kKnown[] = {
    // One latent of 512 + 64 a layer, no factor 2, not 128 heads: 61 × 576 × 2.
    {"deepseek-v3", 70272, 0},
    // head_dim 128 is declared; 5120 / 64 would be 80: 2 × 64 × 8 × 128 × 2.
    {"qwen3-32b", 262144, 0},
    // The same: 4096 / 64 would be 64. 2 × 94 × 4 × 128 × 2.
    {"qwen3-235b-a22b", 192512, 0},
    // Every other layer keeps 128 tokens; head_dim 64, not 2880 / 64. 2 × 18 × 8 × 64 × 2 each.
    {"gpt-oss-120b", 36864, 36864},
    {"gpt-oss-20b", 24576, 24576},
    // Twelve layers of 48 attend: 2 × 12 × 2 × 256 × 2.
    {"qwen3-next-80b-a3b", 24576, 0},
    // Six layers of sixteen: 2 × 6 × 8 × 64 × 2.
    {"lfm2-1.2b", 12288, 0},
    // 20 of 35 layers own a cache, 4 of them full (the others keep 512 tokens): 2 × 4 × 2 × 256
    // × 2.
    {"gemma-3n-e4b", 8192, 32768},
    // 15 of 35 layers own a cache, 3 of them full with head_dim 512.
    {"gemma-4-e2b", 6144, 12288},
    // 49 blocks of 80 attend, 8 KV heads each: 2 × 49 × 8 × 128 × 2.
    {"nemotron-super-49b-v1.5", 200704, 0},
    // new_decoder_architecture overrides multi_query: 8 KV heads of 64. 2 × 60 × 8 × 64 × 2.
    {"falcon-40b", 122880, 0},
    // multi_query alone: one KV head. 2 × 32 × 1 × 64 × 2.
    {"falcon-7b", 8192, 0},
};

const model::Model* find(const catalogue::Catalogue& c, std::string_view slug) {
  for (const model::Model& m : c.models) {
    if (m.slug == slug) return &m;
  }
  return nullptr;
}

std::uint64_t request(const model::Model& m, std::uint64_t tokens) {
  const model::CacheFormat* bf16 = model::find_cache_format("bf16");
  return model::bytes_at(model::demand(m, {bf16, bf16}), tokens).raw();
}

TEST(KnownAnswers, AreRightHere) {
  const catalogue::Catalogue c = shipped_catalogue();
  const model::CacheFormat* bf16 = model::find_cache_format("bf16");
  for (const Known& known : kKnown) {
    const model::Model* m = find(c, known.slug);
    ASSERT_NE(m, nullptr) << known.slug;
    const auto parts = model::demand(*m, {bf16, bf16});
    const units::Ratio growing = model::per_token_beyond_windows(parts);
    const units::Ratio all = model::per_token(parts);
    EXPECT_EQ(growing, (units::Ratio{known.growing, 1})) << known.slug;
    EXPECT_EQ(all, (units::Ratio{known.growing + known.windowed, 1})) << known.slug;
  }
}

// Qwen/Qwen3-Next-80B-A3B: 131,072 tokens are 3.0 GiB of K and V, and 36 delta states that do not
// grow: 36 × (3 × 8,192 × 2 + 32 × 128 × 128 × 4) bytes.
TEST(KnownAnswers, StatesDoNotGrow) {
  const catalogue::Catalogue c = shipped_catalogue();
  const model::Model* m = find(c, "qwen3-next-80b-a3b");
  ASSERT_NE(m, nullptr);
  constexpr std::uint64_t kState = 36 * (3 * 8192 * 2 + 32 * 128 * 128 * 4);
  EXPECT_EQ(request(*m, 131072), (std::uint64_t{3} << 30) + kState);
  EXPECT_EQ(request(*m, 1), 24576 + kState);
}

// LiquidAI/LFM2-1.2B: 384 MiB at 32,768 tokens, and ten short convolutions of 2 × 2,048 × 2 bytes.
TEST(KnownAnswers, ConvolutionsKeepTwoColumns) {
  const catalogue::Catalogue c = shipped_catalogue();
  const model::Model* m = find(c, "lfm2-1.2b");
  ASSERT_NE(m, nullptr);
  EXPECT_EQ(request(*m, 32768), (std::uint64_t{384} << 20) + 10 * 2 * 2048 * 2);
}

// apple/OpenELM-1_1B: from 4 to 8 KV heads, layer by layer; their sum is 169: 169 × 2 × 64 × 2.
TEST(KnownAnswers, HeadsMayDifferFromLayerToLayer) {
  const catalogue::Catalogue c = shipped_catalogue();
  const model::Model* m = find(c, "openelm-1.1b");
  ASSERT_NE(m, nullptr);
  EXPECT_GT(m->groups.size(), 3u);
  EXPECT_EQ(request(*m, 1), 43264u);
}

}  // namespace
}  // namespace kvseats
