#include "import/gguf.h"

#include <gtest/gtest.h>

#include "gguf_writer.h"
#include "model/demand.h"
#include "model/weights.h"

namespace kvseats {
namespace {

GgufWriter plain(const std::string& arch, std::uint32_t layers, std::uint32_t hidden,
                 std::uint32_t heads) {
  GgufWriter w;
  w.text("general.architecture", arch).text("general.name", "Test");
  w.u32(arch + ".block_count", layers).u32(arch + ".embedding_length", hidden);
  w.u32(arch + ".attention.head_count", heads).u32(arch + ".context_length", 131072);
  return w;
}

double per_token(const model::Model& m, bool beyond) {
  const model::CacheFormat* f16 = model::find_cache_format("f16");
  const auto parts = model::demand(m, {f16, f16});
  const units::Ratio r = beyond ? model::per_token_beyond_windows(parts) : model::per_token(parts);
  return static_cast<double>(r.num) / static_cast<double>(r.den);
}

tl::expected<import::FileRead, units::Diagnostics> read_one(std::string_view head,
                                                            std::uint64_t size) {
  const import::File file{.name = "test.gguf", .head = head, .size = size};
  return import::read_gguf({&file, 1});
}

model::Model read(const GgufWriter& w) {
  const std::string bytes = w.bytes();
  const auto read = read_one(bytes, 0);
  EXPECT_TRUE(read.has_value());
  if (!read || !read->draft) return {};
  EXPECT_EQ(model::find_fault(read->draft->model), "");
  return read->draft->model;
}

// meta-llama/Llama-3.1-8B: 2 × 32 layers × 8 KV heads × 128 × 2 bytes.
TEST(Gguf, PlainAttention) {
  GgufWriter w = plain("llama", 32, 4096, 32);
  w.u32("llama.attention.head_count_kv", 8).u32("general.file_type", 15);
  const model::Model m = read(w);
  EXPECT_EQ(per_token(m, true), 131072);
  EXPECT_EQ(m.layers, 32u);
  EXPECT_EQ(m.max_tokens, 131072u);
}

// google/gemma-3-27b-it: the file has the window's length, llama.cpp knows its period.
TEST(Gguf, WindowByArchitecture) {
  GgufWriter w = plain("gemma3", 62, 5376, 32);
  w.u32("gemma3.attention.head_count_kv", 16).u32("gemma3.attention.key_length", 128);
  w.u32("gemma3.attention.value_length", 128).u32("gemma3.attention.sliding_window", 1024);
  const model::Model m = read(w);
  EXPECT_EQ(per_token(m, true), 81920);
  EXPECT_EQ(per_token(m, false), 81920 + 425984);
}

// llama.cpp ignores the window of Mistral and Phi-3 files: every layer keeps everything.
TEST(Gguf, WindowsThatLlamaCppIgnores) {
  GgufWriter w = plain("phi3", 32, 3072, 32);
  w.u32("phi3.attention.sliding_window", 2047);
  EXPECT_EQ(per_token(read(w), true), 393216);
}

// google/gemma-4-31B-it: KV heads and windows by layer.
TEST(Gguf, ArraysByLayer) {
  GgufWriter w = plain("gemma4", 60, 5376, 32);
  std::vector<std::uint32_t> heads;
  std::vector<int> slides;
  for (int i = 0; i < 60; ++i) {
    slides.push_back(i % 6 != 5 ? 1 : 0);
    heads.push_back(i % 6 != 5 ? 16 : 4);
  }
  w.u32s("gemma4.attention.head_count_kv", heads);
  w.bools("gemma4.attention.sliding_window_pattern", slides);
  w.u32("gemma4.attention.sliding_window", 1024).u32("gemma4.attention.key_length", 512);
  w.u32("gemma4.attention.value_length", 512).u32("gemma4.attention.key_length_swa", 256);
  w.u32("gemma4.attention.value_length_swa", 256);
  const model::Model m = read(w);
  EXPECT_EQ(per_token(m, true), 81920);
  EXPECT_EQ(per_token(m, false), 81920 + 819200);
}

// deepseek-ai/DeepSeek-V3: 61 × (512 + 64) × 2 bytes, once.
TEST(Gguf, LatentAttention) {
  GgufWriter w = plain("deepseek2", 61, 7168, 128);
  w.u32("deepseek2.attention.kv_lora_rank", 512).u32("deepseek2.rope.dimension_count", 64);
  w.u32("deepseek2.attention.head_count_kv", 1);
  EXPECT_EQ(per_token(read(w), true), 70272);
}

// Qwen/Qwen3-Next-80B-A3B: every fourth layer attends; the others keep a delta state.
TEST(Gguf, GatedDelta) {
  GgufWriter w = plain("qwen3next", 48, 2048, 16);
  w.u32("qwen3next.attention.head_count_kv", 2).u32("qwen3next.attention.key_length", 256);
  w.u32("qwen3next.attention.value_length", 256).u32("qwen3next.ssm.conv_kernel", 4);
  w.u32("qwen3next.ssm.inner_size", 4096).u32("qwen3next.ssm.state_size", 128);
  w.u32("qwen3next.ssm.group_count", 16).u32("qwen3next.ssm.time_step_rank", 32);
  w.u32("qwen3next.full_attention_interval", 4);
  const model::Model m = read(w);
  EXPECT_EQ(per_token(m, true), 24576);
  ASSERT_EQ(m.groups.size(), 2u);
  EXPECT_EQ(m.groups[1].layers, 36u);
  EXPECT_EQ(m.groups[1].state.conv_width, 8192u);
  EXPECT_EQ(model::state_bytes(m.groups[1].state), units::bytes(2146304));
}

// ibm-granite/granite-4.0-h-tiny: layers without KV heads keep a Mamba-2 state.
TEST(Gguf, HybridByKvHeads) {
  GgufWriter w = plain("granitehybrid", 40, 1536, 12);
  std::vector<std::uint32_t> heads(40, 0);
  for (const int i : {5, 15, 25, 35}) heads[static_cast<std::size_t>(i)] = 4;
  w.u32s("granitehybrid.attention.head_count_kv", heads);
  w.u32("granitehybrid.ssm.conv_kernel", 4).u32("granitehybrid.ssm.inner_size", 3072);
  w.u32("granitehybrid.ssm.state_size", 128).u32("granitehybrid.ssm.group_count", 1);
  w.u32("granitehybrid.ssm.time_step_rank", 48);
  const model::Model m = read(w);
  EXPECT_EQ(per_token(m, true), 8192);
  EXPECT_EQ(model::state_bytes(m.groups[1].state), units::bytes(806400));
}

TEST(Gguf, AsksForMoreUntilTheGeometryIsKnown) {
  GgufWriter w = plain("llama", 32, 4096, 32);
  w.u32("llama.attention.head_count_kv", 8)
      .vocabulary(128256)
      .u32("general.quantization_version", 2);
  const std::string file = w.bytes();
  ASSERT_GT(file.size(), 2000000u);
  std::uint64_t have = 16;
  for (int round = 0; round < 10; ++round) {
    const auto read = read_one(std::string_view(file).substr(0, have), 4920000000);
    ASSERT_TRUE(read.has_value());
    if (read->draft) {
      EXPECT_LE(have, 200000u);
      EXPECT_EQ(per_token(read->draft->model, true), 131072);
      EXPECT_EQ(read->draft->model.published_bytes, units::bytes(4920000000));
      return;
    }
    ASSERT_GT(read->need, have);
    have = read->need;
  }
  FAIL() << "never done";
}

TEST(Gguf, RefusesWithAReason) {
  const std::string good = plain("llama", 32, 4096, 32).bytes();
  std::string swapped = good;
  std::swap(swapped[4], swapped[7]);
  const std::pair<std::string, std::string> rows[] = {
      {"", ""},
      {"PK\x03\x04 this is a zip archive, not a model", "E-NOT-GGUF"},
      {swapped, "E-BIG-ENDIAN"},
      {GgufWriter(1).text("general.architecture", "llama").bytes(), "E-GGUF-VERSION"},
      {GgufWriter().text("general.name", "x").bytes(), "E-MISSING"},
      {GgufWriter().text("general.architecture", "llama").bytes(), "E-MISSING"},
  };
  for (const auto& [bytes, code] : rows) {
    const auto read = read_one(bytes, 0);
    if (code.empty()) {
      ASSERT_TRUE(read.has_value());
      EXPECT_GT(read->need, 0u);
      continue;
    }
    ASSERT_FALSE(read.has_value()) << code;
    EXPECT_EQ(read.error()[0].code, code);
  }
  const auto cut = read_one(good.substr(0, 100), 100);
  ASSERT_FALSE(cut.has_value());
  EXPECT_EQ(cut.error()[0].code, "E-TRUNCATED");
}

// bartowski's Llama-3.2-1B Q4_K_M in small: whole blocks of each tensor, exact to the byte.
GgufWriter with_tensors() {
  GgufWriter w = plain("llama", 2, 512, 8);
  w.u32("llama.attention.head_count_kv", 2).u32("general.file_type", 15).vocabulary(1000);
  w.tensor("token_embd.weight", {512, 1000}, 14);   // Q6_K: 2 blocks of 210 a row
  w.tensor("blk.0.attn_q.weight", {512, 512}, 12);  // Q4_K: 2 blocks of 144
  w.tensor("blk.0.attn_norm.weight", {512}, 0);     // F32
  w.tensor("blk.1.ffn_gate_exps.weight", {512, 256, 4}, 12);
  return w;
}

TEST(Gguf, TheTableOfTensorsGivesExactWeights) {
  const std::string bytes = with_tensors().bytes();
  const auto read = read_one(bytes, 5000000);
  ASSERT_TRUE(read.has_value() && read->draft.has_value());
  EXPECT_EQ(read->need, 0u);
  const model::Model& m = read->draft->model;
  EXPECT_EQ(m.published_bytes, units::bytes(1000 * 420 + 512 * 288 + 512 * 4 + 1024 * 288));
  EXPECT_EQ(m.params, units::params(512000 + 262144 + 512 + 524288));
  EXPECT_EQ(m.vocab, 1000u);
  EXPECT_TRUE(m.tied_embeddings);  // no output.weight
  ASSERT_EQ(m.parts.size(), 4u);
  EXPECT_TRUE(m.parts[3].routed_experts);
  EXPECT_EQ(model::weights(m, nullptr).total, m.published_bytes);
}

TEST(Gguf, WithoutTheTableTheSizeOfTheFileStandsIn) {
  const std::string bytes = with_tensors().bytes();
  const auto read = read_one(std::string_view(bytes).substr(0, 2000), 5000000);
  ASSERT_TRUE(read.has_value() && read->draft.has_value());
  EXPECT_GT(read->need, 2000u);  // would make it exact
  EXPECT_EQ(read->draft->model.published_bytes, units::bytes(5000000));
  EXPECT_EQ(model::weights(read->draft->model, nullptr).total, units::bytes(5000000));
}

// tools/gguf-split: the first part has the metadata, each its own tensors.
TEST(Gguf, PartsOfASplitModelAddUp) {
  GgufWriter first = plain("llama", 2, 512, 8);
  first.u32("llama.attention.head_count_kv", 2).u32("split.no", 0).u32("split.count", 2);
  first.tensor("token_embd.weight", {512, 1000}, 1);
  GgufWriter second;
  second.u32("split.no", 1).u32("split.count", 2).tensor("output.weight", {512, 1000}, 8);
  const std::string one = first.bytes(), two = second.bytes();
  const import::File both[] = {{.name = "m-00001-of-00002.gguf", .head = one, .size = 2000000},
                               {.name = "m-00002-of-00002.gguf", .head = two, .size = 1000000}};
  const auto read = import::read_gguf(both);
  ASSERT_TRUE(read.has_value() && read->draft.has_value());
  EXPECT_EQ(read->draft->model.published_bytes, units::bytes(1024000 + 544000));
  EXPECT_FALSE(read->draft->model.tied_embeddings);
  EXPECT_TRUE(read->draft->diagnostics.empty());

  const auto half = import::read_gguf({both, 1});
  ASSERT_TRUE(half.has_value() && half->draft.has_value());
  ASSERT_EQ(half->draft->diagnostics.size(), 1u);
  EXPECT_EQ(half->draft->diagnostics[0].code, "W-SPLIT-FILE");
  EXPECT_EQ(half->draft->model.published_bytes, units::Bytes());

  const auto other = import::read_gguf({both + 1, 1});
  ASSERT_FALSE(other.has_value());
  EXPECT_EQ(other.error()[0].code, "E-MISSING");
  EXPECT_EQ(other.error()[0].where, "general.architecture");
}

// llama-hparams.cpp: n_embd_r = 2 × 2560, n_embd_s = 2560 × 64 (RWKV-7 World 2.9B).
TEST(Gguf, RwkvKeepsShiftedTokensAndAMatrixAHead) {
  GgufWriter w = plain("rwkv7", 32, 2560, 0);
  w.u32("rwkv7.wkv.head_size", 64).u32("rwkv7.token_shift_count", 2);
  const model::Model m = read(w);
  EXPECT_EQ(per_token(m, true), 0);
  ASSERT_EQ(m.groups.size(), 1u);
  EXPECT_EQ(m.groups[0].state.kind, model::StateKind::kRwkv);
  EXPECT_EQ(model::state_bytes(m.groups[0].state), units::bytes(2 * 2560 * 2 + 2560 * 64 * 4));
}

// deepseek-ai/DeepSeek-V4: a window in every layer, an entry for 4 or 128 tokens in most; the file
// lists the ratios (llama-arch.cpp LLM_KV_ATTENTION_COMPRESS_RATIOS).
TEST(Gguf, CompressedLayersAreNotFullAttention) {
  const auto file = [](std::vector<std::uint32_t> ratios) {
    GgufWriter w = plain("deepseek4", 4, 4096, 64);
    w.u32("deepseek4.attention.head_count_kv", 1).u32("deepseek4.attention.key_length", 512);
    w.u32("deepseek4.attention.value_length", 512);
    w.u32("deepseek4.attention.sliding_window", 128);
    w.u32("deepseek4.attention.indexer.key_length", 128);
    w.u32s("deepseek4.attention.compress_ratios", ratios);
    return w;
  };
  const model::Model m = read(file({0, 4, 128, 4}));
  ASSERT_EQ(m.groups.size(), 3u);
  for (const model::LayerGroup& g : m.groups) {
    EXPECT_EQ(g.kind, model::CacheKind::kCompressed);
    EXPECT_EQ(g.window, 128u);
  }
  // 2 × (512 + 128) / 4 + 512 / 128 elements of 2 bytes.
  EXPECT_EQ(per_token(m, true), 2 * (2 * 640.0 / 4 + 512.0 / 128));
  for (const auto& [ratios, code] :
       {std::pair{std::vector<std::uint32_t>{0, 4, 64, 4}, "E-UNKNOWN-LAYOUT"},
        std::pair{std::vector<std::uint32_t>{0, 4}, "E-BAD-VALUE"}}) {
    const std::string bytes = file(ratios).bytes();
    const auto refused = read_one(bytes, 0);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error()[0].code, code);
  }
}

// tiiuae/Falcon-H1-34B: attention and a Mamba-2 state in every layer.
TEST(Gguf, ParallelHybridsKeepBothCaches) {
  GgufWriter w = plain("falcon-h1", 72, 5120, 20);
  w.u32("falcon-h1.attention.head_count_kv", 4).u32("falcon-h1.attention.key_length", 128);
  w.u32("falcon-h1.attention.value_length", 128).u32("falcon-h1.ssm.conv_kernel", 4);
  w.u32("falcon-h1.ssm.inner_size", 4096).u32("falcon-h1.ssm.state_size", 256);
  w.u32("falcon-h1.ssm.group_count", 2).u32("falcon-h1.ssm.time_step_rank", 32);
  const model::Model m = read(w);
  EXPECT_EQ(per_token(m, true), 72.0 * 2 * 4 * 128 * 2);
  ASSERT_EQ(m.groups.size(), 1u);
  EXPECT_EQ(m.groups[0].state.kind, model::StateKind::kMamba2);
  EXPECT_EQ(m.groups[0].state.conv_width, 4096u + 2 * 2 * 256);
}

// MiniMaxAI/MiniMax-M3: an index key of 128 in the 57 layers with experts.
TEST(Gguf, PlainAttentionWithAnIndexer) {
  GgufWriter w = plain("minimax-m3", 60, 6144, 64);
  w.u32("minimax-m3.attention.head_count_kv", 4).u32("minimax-m3.attention.key_length", 128);
  w.u32("minimax-m3.attention.value_length", 128).u32("minimax-m3.leading_dense_block_count", 3);
  w.u32("minimax-m3.attention.indexer.key_length", 128);
  EXPECT_EQ(per_token(read(w), true), 60.0 * 2 * 4 * 128 * 2 + 57 * 128 * 2);
}

// google/t5-v1_1-xl: 24 decoder layers, 32 heads of 64, and the encoder's K and V beside.
TEST(Gguf, EncoderDecodersHaveACrossCacheAndEncodersNone) {
  GgufWriter t5 = plain("t5", 24, 2048, 32);
  t5.u32("t5.attention.key_length", 64).u32("t5.attention.value_length", 64);
  const model::Model m = read(t5);
  EXPECT_EQ(per_token(m, true), 24.0 * 2 * 32 * 64 * 2);
  ASSERT_EQ(m.groups.size(), 2u);
  EXPECT_EQ(m.groups[1].kind, model::CacheKind::kCross);
  EXPECT_TRUE(m.groups[1].overlay);
  GgufWriter bert = plain("bert", 12, 384, 12);
  bert.bools("unused", {}).u32("bert.attention.causal", 0);
  EXPECT_EQ(per_token(read(bert), true), 0);
}

TEST(Gguf, UnknownCacheKeysAreRefusedOrNamed) {
  GgufWriter w = plain("newmodel", 32, 4096, 32);
  w.u32("newmodel.attention.head_count_kv", 8).u32("newmodel.attention.kv_lora_rank_swa", 512);
  const std::string bytes = w.bytes();
  const auto refused = read_one(bytes, 0);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error()[0].code, "E-UNKNOWN-LAYOUT");
  EXPECT_EQ(refused.error()[0].where, "newmodel.attention.kv_lora_rank_swa");
  EXPECT_NE(refused.error()[0].text.find("131,072 bytes"), std::string::npos);
  GgufWriter mild = plain("newmodel", 32, 4096, 32);
  mild.u32("newmodel.attention.indexer.kpool", 4);
  const std::string named = mild.bytes();
  const auto read = read_one(named, 0);
  ASSERT_TRUE(read.has_value() && read->draft.has_value());
  ASSERT_EQ(read->draft->diagnostics.size(), 1u);
  EXPECT_EQ(read->draft->diagnostics[0].code, "N-UNREAD-KEYS");
}

// ik_llama.cpp ggml.h: 139 is IQ4_K. The geometry is known, the weights only by the file's size.
TEST(Gguf, AnUnknownTensorTypeLeavesTheGeometry) {
  for (const std::uint32_t type : {41u, 139u}) {
    GgufWriter w = with_tensors();
    w.tensor("blk.1.attn_q.weight", {512, 512}, type);
    const std::string bytes = w.bytes();
    const auto read = read_one(bytes, 0);
    ASSERT_TRUE(read.has_value() && read->draft.has_value()) << type;
    EXPECT_EQ(read->draft->diagnostics.at(0).code, "W-TENSOR-TYPE");
    EXPECT_FALSE(model::weights(read->draft->model, nullptr).known);
    const auto sized = read_one(bytes, 5000000);
    ASSERT_TRUE(sized.has_value() && sized->draft.has_value());
    EXPECT_EQ(model::weights(sized->draft->model, nullptr).total, units::bytes(5000000));
  }
}

// Found by fuzzing: 65,425 next-token layers beside 12 layers, which no link could hold again.
TEST(Gguf, NextTokenLayersAreFewerThanTheLayersThatCountThem) {
  for (const std::uint32_t extra : {12U, 65425U}) {
    GgufWriter w = plain("llama", 12, 4096, 32);
    const std::string bytes = w.u32("llama.nextn_predict_layers", extra).bytes();
    const auto refused = read_one(bytes, 0);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error()[0].code, "E-BAD-VALUE");
  }
  EXPECT_EQ(read(plain("llama", 12, 4096, 32).u32("llama.nextn_predict_layers", 1)).mtp_layers, 1U);
  // None less the largest number would be one.
  GgufWriter none = plain("llama", 0, 4096, 32);
  const std::string bytes = none.u32("llama.nextn_predict_layers", 0xFFFFFFFF).bytes();
  EXPECT_EQ(read_one(bytes, 0).error()[0].code, "E-MISSING");
}

TEST(Gguf, ListsShorterThanTheLayersAreNamed) {
  GgufWriter w = plain("llama", 32, 4096, 32);
  w.u32s("llama.attention.head_count_kv", {8, 8, 8});
  const std::string bytes = w.bytes();
  const auto refused = read_one(bytes, 0);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error()[0].code, "E-BAD-VALUE");
  EXPECT_EQ(refused.error()[0].where, "llama.attention.head_count_kv");
}

TEST(Gguf, NoCutAndNoChangedByteCrashes) {
  GgufWriter w = plain("gemma4", 60, 5376, 32);
  w.u32s("gemma4.attention.head_count_kv", std::vector<std::uint32_t>(60, 8));
  w.u32("gemma4.ssm.conv_kernel", 4).u32("gemma4.ssm.inner_size", 64).vocabulary(10);
  w.tensor("token_embd.weight", {512, 10}, 14).tensor("blk.0.ffn_up_exps.weight", {32, 8, 4}, 2);
  const std::string good = w.bytes();
  for (std::size_t i = 0; i <= good.size(); ++i) {
    (void)read_one(std::string_view(good).substr(0, i), 0);
  }
  std::string bad = good;
  for (std::size_t i = 0; i < bad.size(); ++i) {
    for (const int c : {0x00, 0x09, 0x7F, 0xFF}) {
      bad[i] = static_cast<char>(c);
      (void)read_one(bad, 0);
    }
    bad[i] = good[i];
  }
}

}  // namespace
}  // namespace kvseats
