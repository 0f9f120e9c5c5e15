#include "import/gguf.h"

#include <gtest/gtest.h>

#include "model/demand.h"

namespace kvseats {
namespace {

/// Writes GGUF headers for tests (ggml docs/gguf.md), so that no file of weights is needed.
class GgufWriter {
 public:
  explicit GgufWriter(std::uint32_t version = 3) : version_(version) {}

  GgufWriter& text(const std::string& key, const std::string& value) {
    start(key, 8);
    append_text(value);
    return *this;
  }
  GgufWriter& u32(const std::string& key, std::uint32_t value) {
    start(key, 4);
    append(value, 4);
    return *this;
  }
  GgufWriter& u32s(const std::string& key, const std::vector<std::uint32_t>& values) {
    start(key, 9);
    append(4, 4);
    append(values.size(), 8);
    for (const std::uint32_t v : values) append(v, 4);
    return *this;
  }
  GgufWriter& bools(const std::string& key, const std::vector<int>& values) {
    start(key, 9);
    append(7, 4);
    append(values.size(), 8);
    for (const int v : values) append(static_cast<std::uint64_t>(v), 1);
    return *this;
  }
  GgufWriter& vocabulary(std::size_t tokens) {
    start("tokenizer.ggml.tokens", 9);
    append(8, 4);
    append(tokens, 8);
    for (std::size_t i = 0; i < tokens; ++i) append_text("token" + std::to_string(i));
    return *this;
  }
  [[nodiscard]] std::string bytes() const {
    GgufWriter head;
    head.pairs_bytes_ = "GGUF";
    head.append(version_, 4);
    head.append(291, 8);
    head.append(pairs_, 8);
    return head.pairs_bytes_ + pairs_bytes_;
  }

 private:
  void append(std::uint64_t n, int size) {
    for (int i = 0; i < size; ++i) pairs_bytes_ += static_cast<char>((n >> (8 * i)) & 0xFF);
  }
  void append_text(const std::string& s) {
    append(s.size(), 8);
    pairs_bytes_ += s;
  }
  void start(const std::string& key, std::uint64_t type) {
    ++pairs_;
    append_text(key);
    append(type, 4);
  }

  std::uint32_t version_;
  std::uint64_t pairs_ = 0;
  std::string pairs_bytes_;
};

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

model::Model read(const GgufWriter& w) {
  const auto read = import::read_gguf(w.bytes(), 0, "test.gguf");
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
    const auto read = import::read_gguf(std::string_view(file).substr(0, have), 4920000000, "");
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
    const auto read = import::read_gguf(bytes, 0, "");
    if (code.empty()) {
      ASSERT_TRUE(read.has_value());
      EXPECT_GT(read->need, 0u);
      continue;
    }
    ASSERT_FALSE(read.has_value()) << code;
    EXPECT_EQ(read.error()[0].code, code);
  }
  const auto cut = import::read_gguf(good.substr(0, 100), 100, "");
  ASSERT_FALSE(cut.has_value());
  EXPECT_EQ(cut.error()[0].code, "E-TRUNCATED");
}

TEST(Gguf, NoCutAndNoChangedByteCrashes) {
  GgufWriter w = plain("gemma4", 60, 5376, 32);
  w.u32s("gemma4.attention.head_count_kv", std::vector<std::uint32_t>(60, 8));
  w.u32("gemma4.ssm.conv_kernel", 4).u32("gemma4.ssm.inner_size", 64).vocabulary(10);
  const std::string good = w.bytes();
  for (std::size_t i = 0; i <= good.size(); ++i) {
    (void)import::read_gguf(std::string_view(good).substr(0, i), 0, "");
  }
  std::string bad = good;
  for (std::size_t i = 0; i < bad.size(); ++i) {
    for (const int c : {0x00, 0x09, 0x7F, 0xFF}) {
      bad[i] = static_cast<char>(c);
      (void)import::read_gguf(bad, 0, "");
    }
    bad[i] = good[i];
  }
}

}  // namespace
}  // namespace kvseats
