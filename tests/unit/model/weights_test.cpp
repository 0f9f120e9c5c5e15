#include "model/weights.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kvseats::model {
namespace {

using units::bytes;
using units::Bytes;
using units::params;

// meta-llama/Llama-3.1-8B: 8,030,261,248 parameters, total_size 16,060,522,496 in
// model.safetensors.index.json.
Model llama_8b() {
  Model m;
  m.params = m.active = params(8030261248);
  m.hidden = 4096;
  m.vocab = 128256;
  return m;
}

void expect_rows_add_up(const Weights& w) {
  Bytes sum;
  for (const WeightRow& row : w.rows) sum += row.bytes;
  EXPECT_EQ(sum, w.total);
}

TEST(Weights, TheCheckpointAsPublished) {
  const Weights w = weights(llama_8b(), nullptr);
  EXPECT_TRUE(w.known);
  EXPECT_EQ(w.total.raw(), 16060522496U);
  expect_rows_add_up(w);
}

TEST(Weights, SizesOnDiskOfKnownFiles) {
  struct Case {
    const char* format;
    double gib;
  };
  // ggml-org/llama.cpp tools/quantize/README.md: sizes of Llama 3.1 8B in GiB, two decimals.
  for (const Case c :
       {Case{"q8_0", 7.95}, Case{"q6_k", 6.14}, Case{"q5_k_m", 5.33}, Case{"q4_k_m", 4.58},
        Case{"q4_k_s", 4.36}, Case{"iq4_xs", 4.17}, Case{"q3_k_m", 3.74}, Case{"q2_k", 2.95},
        Case{"iq2_xxs", 2.23}, Case{"q4_0", 4.34}, Case{"q5_0", 5.21}, Case{"f16", 14.96}}) {
    const WeightFormat* format = find_weight_format(c.format);
    ASSERT_NE(format, nullptr) << c.format;
    const Weights w = weights(llama_8b(), format);
    EXPECT_NEAR(static_cast<double>(w.total.raw()) / 1073741824, c.gib, 0.011) << c.format;
    expect_rows_add_up(w);
  }
}

TEST(Weights, EmbeddingsAndHeadStaySixteenBitWhereTheFormatKeepsThem) {
  // 2 × 128,256 × 4,096 parameters in 16 bit, the others at 66.5 bytes for 128.
  const Weights w = weights(llama_8b(), find_weight_format("awq"));
  const std::uint64_t ends = 2ULL * 128256 * 4096;
  EXPECT_EQ(w.total.raw(), ends * 2 + ((8030261248 - ends) * 133 + 255) / 256);
  expect_rows_add_up(w);
  Model tied = llama_8b();
  tied.tied_embeddings = true;
  EXPECT_LT(weights(tied, find_weight_format("awq")).total, w.total);
}

TEST(Weights, ExpertsAreARowOfTheirOwn) {
  // mistralai/Mixtral-8x7B-v0.1: 32 layers × 8 experts × 3 × 4,096 × 14,336.
  Model m;
  m.params = params(46702792704);
  m.hidden = 4096;
  m.moe = {.experts = 8, .per_token = 2, .expert_width = 14336, .layers = 32};
  const Weights w = weights(m, nullptr);
  ASSERT_EQ(w.rows.size(), 2U);
  EXPECT_TRUE(w.rows[0].routed_experts);
  EXPECT_EQ(w.rows[0].params.raw(), 45097156608U);
  EXPECT_EQ(w.total.raw(), 2U * 46702792704);
  expect_rows_add_up(w);
}

// deepseek-ai/DeepSeek-V3: 671 B parameters in fp8 with fp32 scales per 128 × 128, embeddings and
// head in bf16; the published files hold 688.6 GB with the next-token layer.
Model deepseek_v3() {
  Model m;
  m.params = params(671026419200);
  m.parts = {{"routed experts", params(653908770816), "fp8_block", true},
             {"attention, dense and shared layers", params(15264290304), "fp8_block", false},
             {"embeddings and head", params(1853358080), "bf16", false}};
  return m;
}

TEST(Weights, PartsAreStoredEachInItsOwnFormat) {
  Model m = deepseek_v3();
  const Weights parts = weights(m, nullptr);
  EXPECT_EQ(parts.rows.size(), 3U);
  EXPECT_NEAR(static_cast<double>(parts.total.raw()) / 1e9, 673.0, 0.2);
  m.published_bytes = bytes(688590631731);
  m.published_basis = "files of the repository";
  const Weights published = weights(m, nullptr);
  EXPECT_EQ(published.total, m.published_bytes);
  EXPECT_EQ(published.rows.size(), 4U);
  EXPECT_EQ(published.basis, "files of the repository");
  expect_rows_add_up(published);
}

TEST(Weights, APublishedSizeWithinRoundingLeavesTheExactCount) {
  Model m = llama_8b();
  m.published_bytes = bytes(16063177687);  // 14.96 GiB, two decimals
  EXPECT_EQ(weights(m, nullptr).total.raw(), 16060522496U);
  m.published_bytes = bytes(12000000000);  // smaller: every row shrinks alike
  const Weights w = weights(m, nullptr);
  EXPECT_EQ(w.total, m.published_bytes);
  expect_rows_add_up(w);
}

TEST(Weights, NothingIsGuessed) {
  EXPECT_FALSE(weights(Model{}, nullptr).known);
  EXPECT_FALSE(weights(Model{}, find_weight_format("fp8")).known);
  Model m = deepseek_v3();
  m.parts[1].format = "int3_secret";
  const Weights w = weights(m, nullptr);
  EXPECT_FALSE(w.known);
  EXPECT_NE(w.basis.find("int3_secret"), std::string::npos);
}

}  // namespace
}  // namespace kvseats::model
