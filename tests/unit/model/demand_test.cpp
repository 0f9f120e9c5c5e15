#include "model/demand.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "known_models.h"

namespace kvseats::model {
namespace {

using test::kKnownModels;
using test::KnownModel;
using units::bytes;
using units::Bytes;
using units::Ratio;

Model model_of(const char* shape) {
  const auto read = read_shape(shape);
  EXPECT_TRUE(read) << shape << ": " << (read ? "" : read.error().text);
  Model model;
  if (!read) return model;
  model.groups = read->groups;
  model.order = read->order;
  model.layers = read->layers;
  return model;
}

CacheFormats both(const char* id) {
  return {find_cache_format(id), find_cache_format(id)};
}

std::vector<Component> demand_of(const char* shape, const char* format = "bf16") {
  return demand(model_of(shape), both(format));
}

std::uint64_t whole(Ratio r) {
  EXPECT_EQ(r.den, 1U);
  return r.num;
}

TEST(Demand, BytesPerTokenOfKnownModels) {
  for (const KnownModel& known : kKnownModels) {
    const auto parts = demand_of(known.shape);
    EXPECT_EQ(whole(per_token(parts)), known.per_token) << known.name;
    EXPECT_EQ(whole(per_token_beyond_windows(parts)), known.beyond) << known.name;
    Bytes state;
    for (const Component& part : parts) {
      if (part.kind == ComponentKind::kState) state += part.fixed * part.layers;
    }
    EXPECT_EQ(state.raw(), known.state) << known.name;
    EXPECT_EQ(bytes_at(parts, 0).raw(), known.state) << known.name;
  }
}

// The second formula: goes through layers and tokens one by one and counts 16-bit numbers.
std::uint64_t counted_bytes(const Model& model, std::uint64_t tokens) {
  std::uint64_t numbers = 0;
  for (const std::uint16_t index : layer_groups(model)) {
    const LayerGroup& g = model.groups[index];
    if (g.kind == CacheKind::kNone || g.kind == CacheKind::kShared) continue;
    for (std::uint64_t age = 0; age < tokens; ++age) {
      const bool kept = g.window == 0 || age < g.window;
      if (kept) numbers += std::uint64_t{g.kv_heads} * (g.k_dim + g.v_dim);
      const bool entry = g.compress_ratio != 0 && age % g.compress_ratio == 0;
      if (entry) numbers += g.compress_dim;
    }
  }
  for (const LayerGroup& g : model.groups) {
    std::uint64_t keys = 0;
    for (std::uint64_t age = 0; age < tokens; ++age) {
      if (g.compress_ratio == 0 || age % g.compress_ratio == 0) ++keys;
    }
    numbers += keys * g.index_layers * g.index_dim;
  }
  return numbers * 2;
}

TEST(Demand, AgreesWithCountingEveryToken) {
  for (const KnownModel& known : kKnownModels) {
    const Model model = model_of(known.shape);
    const auto parts = demand(model, both("bf16"));
    for (const std::uint64_t tokens : {1U, 2U, 5U, 100U, 127U, 128U, 129U, 513U, 4096U, 8193U}) {
      EXPECT_EQ(bytes_at(parts, tokens).raw(), counted_bytes(model, tokens) + known.state)
          << known.name << " at " << tokens;
    }
  }
}

TEST(Demand, TheLessonsRequests) {
  const auto llama = demand_of("full:32x8x128");
  EXPECT_EQ(bytes_at(llama, 8192), units::gib(1));
  EXPECT_EQ(bytes_at(llama, 131072), units::gib(16));
  EXPECT_EQ(bytes_at(llama, 1500).raw(), 196608000U);
  EXPECT_EQ(bytes_at(llama, 13000).raw(), 1703936000U);
  EXPECT_EQ(units::gigabytes(53) / bytes(whole(per_token(llama))), 404357U);
  const auto fp8 = demand_of("full:32x8x128", "fp8");
  EXPECT_EQ(units::gigabytes(53) / bytes(whole(per_token(fp8))), 808715U);
}

// Sizes that calculators get wrong: a hybrid's attention layers only, windows that stop growing.
TEST(Demand, HybridsAndWindowsAtLength) {
  const auto lfm2 = demand_of("full:6x8x64+none:10,state=short-conv,conv=2x2048");
  EXPECT_EQ(bytes_at(lfm2, 32768), units::mib(384) + bytes(81920));
  const auto next = demand_of(
      "full:12x2x256+none:36,state=gated-delta,conv=3x8192,temporal=32x128x128,statetype=f32");
  EXPECT_EQ(bytes_at(next, 131072), units::gib(3) + bytes(77266944));
  const auto gemma = demand_of("full:10x16x128+window:52x16x128@1024");
  EXPECT_EQ(bytes_at(gemma, 1024).raw(), 1024U * 507904U);
  EXPECT_EQ(bytes_at(gemma, 1025).raw(), 1024U * 507904U + 81920U);
  EXPECT_EQ(bytes_at(gemma, 131072).raw(), 131072ULL * 81920 + 1024 * 425984);
}

struct FormatCase {
  const char* shape;
  const char* format;
  std::uint64_t num;
  std::uint64_t den;
};

TEST(Demand, FormatsChangeTheBytes) {
  constexpr FormatCase kCases[] = {
      {"full:32x8x128", "f32", 262144, 1},
      {"full:32x8x128", "f16", 131072, 1},
      {"full:32x8x128", "fp8", 65536, 1},
      {"full:32x8x128", "fp8_e5m2", 65536, 1},
      {"full:32x8x128", "int8", 65536, 1},
      {"full:32x8x128", "fp8_per_token_head", 67584, 1},   // + 2 × 32 × 8 × 4 B
      {"full:32x8x128", "int4_per_token_head", 34816, 1},  // half, and the same scales
      {"full:32x8x128", "mxfp8", 67584, 1},                // 33/32
      {"full:32x8x128", "q8_0", 69632, 1},                 // 34/32
      {"full:32x8x128", "q5_1", 49152, 1},
      {"full:32x8x128", "q5_0", 45056, 1},
      {"full:32x8x128", "q4_1", 40960, 1},
      {"full:32x8x128", "q4_0", 36864, 1},
      {"full:32x8x128", "iq4_nl", 36864, 1},
      {"full:32x8x128", "nvfp4", 36864, 1},  // 128/72 less than fp8, as vLLM prints
      {"full:32x8x128", "fp4", 36864, 1},
      {"full:1x1x72", "q8_0", 153, 1},  // rows of 72 and 72 do not divide into blocks of 32
      {"full:1x1x40", "q8_0", 85, 1},
      {"full:1x1x20", "q4_0", 45, 2},
      // 28 layers × 8 × (128 + 68), and four layers in 16 bit
      {"full:32x8x128", "turboquant_k8v4", 60288, 1},
      // 28 × 8 × (66 + 68) + 16,384
      {"full:32x8x128", "turboquant_4bit_nc", 46400, 1},
      // 28 × 8 × round_up(50 + 68, 2) + 16,384
      {"full:32x8x128", "turboquant_k3v4_nc", 42816, 1},
      {"full:32x8x128", "turboquant_3bit_nc", 39232, 1},  // 50 + 52
      // SGLang prints 576 × 61 for Kimi-K2 in fp8
      {"latent:61x576,rank=512", "fp8", 35136, 1},
      {"latent:61x576,rank=512", "q8_0", 37332, 1},
      // vLLM and SGLang, DeepSeek-V3.2: 656 per latent, 128 + 4 per index key
      {"latent:61x576,rank=512,index=128", "fp8_ds_mla", 48068, 1},
      {"latent:61x576,rank=512,index=128", "fp8", 43188, 1},
      {"latent:61x576,rank=512,index=128", "q8_0", 45628, 1},  // llama.cpp: index like K
      {"latent:1x576", "fp8_ds_mla", 656, 1},
      // vLLM, DeepSeek-V4: 584 per entry of 512
      {"compressed:1x512@128", "fp8_ds_mla", 584, 1},
      {"full:32x8x128", "fp8_ds_mla", 65536, 1},
  };
  for (const FormatCase& c : kCases) {
    EXPECT_EQ(per_token(demand_of(c.shape, c.format)), (Ratio{c.num, c.den}))
        << c.shape << " " << c.format;
  }
}

TEST(Demand, KeysAndValuesMayHaveFormatsOfTheirOwn) {
  const Model llama = model_of("full:32x8x128");
  const CacheFormats mixed{find_cache_format("q8_0"), find_cache_format("q4_0")};
  EXPECT_EQ(whole(per_token(demand(llama, mixed))), 32U * 8 * (136 + 72));
  const Model wide_keys = model_of("full:10x4x192/128");
  EXPECT_EQ(whole(per_token(demand(wide_keys, mixed))), 10U * 4 * (204 + 72));
  const CacheFormats turbo_keys{find_cache_format("turboquant_k8v4"), find_cache_format("fp8")};
  EXPECT_EQ(whole(per_token(demand(llama, turbo_keys))), 28U * 8 * (128 + 128) + 4 * 4096);
}

TEST(Demand, TurboQuantLeavesTheEndsOfTheModelNotOfTheGroup) {
  // First two layers full and window, last two both windows: one full and three window layers stay.
  const auto parts =
      demand_of("full:3x1x128+window:5x1x128@64+order:0.1.0.1.0.1*3", "turboquant_k8v4");
  ASSERT_EQ(parts.size(), 4U);
  EXPECT_EQ(parts[0].layers, 1U);
  EXPECT_EQ(parts[0].per_head_token, (Ratio{512, 1}));
  EXPECT_EQ(parts[1].layers, 2U);
  EXPECT_EQ(parts[1].per_head_token, (Ratio{196, 1}));
  EXPECT_EQ(parts[2].layers, 3U);
  EXPECT_EQ(parts[3].layers, 2U);
}

TEST(Demand, CrossAttentionCountsTheEncodersTokens) {
  const auto parts = demand_of("full:32x20x64+cross:32x20x64@1500,overlay=1");
  EXPECT_EQ(bytes_at(parts, 448).raw(), 448U * 163840U);
  EXPECT_EQ(bytes_at(parts, 448, 1500).raw(), 448U * 163840U + 1500U * 163840U);
  EXPECT_EQ(bytes_at(parts, 448, 9000).raw(), 448U * 163840U + 1500U * 163840U);
  EXPECT_TRUE(parts[1].of_encoder);
  EXPECT_EQ(parts[1].cap_tokens, 1500U);
}

TEST(Demand, LatentsAndIndexersAreTheSameOnEveryGpu) {
  for (const Component& part : demand_of("latent:61x576,rank=512,index=128")) {
    EXPECT_TRUE(part.replicated);
    EXPECT_EQ(part.heads, 1U);
  }
  EXPECT_FALSE(demand_of("full:32x8x128")[0].replicated);
}

TEST(Demand, IndexersMayKeepValuesToo) {
  const auto keys = demand_of("full:57x4x128,index=128");
  const auto values = demand_of("full:57x4x128,index=128,indexv=1");
  EXPECT_EQ(whole(per_token(keys)), 57U * (2048 + 256));
  EXPECT_EQ(whole(per_token(values)), 57U * (2048 + 512));
}

TEST(Demand, CompressedLayersKeepOneEntryForSeveralTokens) {
  const auto parts = demand_of("compressed:1x512@128,index=128,ratio=4,dim=512");
  ASSERT_EQ(parts.size(), 5U);  // window, entries, two compressors, index
  EXPECT_EQ(parts[1].stride, 4U);
  EXPECT_EQ(bytes_at(parts[1], 0).raw(), 0U);
  EXPECT_EQ(bytes_at(parts[1], 1).raw(), 1024U);
  EXPECT_EQ(bytes_at(parts[1], 4).raw(), 1024U);
  EXPECT_EQ(bytes_at(parts[1], 5).raw(), 2048U);
  EXPECT_EQ(per_token(parts[1]), (Ratio{256, 1}));
}

TEST(Demand, APersonsStateReplacesTheModels) {
  Model model = model_of("full:12x2x256+none:36,state=gated-delta,conv=3x8192,temporal=32x128x128");
  model.state_override = bytes(1000);
  const auto parts = demand(model, both("bf16"));
  EXPECT_EQ(bytes_at(parts, 1).raw(), 24576U + 1000U);
  EXPECT_EQ(parts.back().group, 1U);
  model.state_override = bytes(0);
  EXPECT_EQ(bytes_at(demand(model, both("bf16")), 1).raw(), 24576U);
}

TEST(Demand, FormulasCarryTheirNumbers) {
  const auto formula = [](const char* shape, const char* format) {
    return demand_of(shape, format).front().formula;
  };
  EXPECT_EQ(formula("full:32x8x128", "bf16"), "2 × 32 layers × 8 KV heads × 128 × 2 B");
  EXPECT_EQ(formula("full:1x1x128", "q8_0"), "2 × 1 layer × 1 KV head × 128 × 34/32 B");
  EXPECT_EQ(formula("full:9x4x192/128", "bf16"), "9 layers × 4 KV heads × (192 + 128) × 2 B");
  EXPECT_EQ(formula("full:32x8x128", "fp8_per_token_head"),
            "2 × 32 layers × 8 KV heads × (128 × 1 B + 4 B)");
  EXPECT_EQ(formula("latent:61x576", "bf16"), "61 layers × 576 × 2 B");
  EXPECT_EQ(formula("latent:61x576", "fp8_ds_mla"), "61 layers × 656 B");
  EXPECT_EQ(formula("window:52x16x128@1024", "bf16"),
            "2 × 52 layers × 16 KV heads × 128 × 2 B, up to 1,024 tokens");
  EXPECT_EQ(
      formula("none:36,state=gated-delta,conv=3x8192,temporal=32x128x128,statetype=f32", "bf16"),
      "36 layers × (3 × 8,192 × 2 B + 32 × 128 × 128 × 4 B) per request");
}

TEST(Demand, AModelWithoutACacheNeedsNothing) {
  const auto parts = demand_of("none:12");
  EXPECT_TRUE(parts.empty());
  EXPECT_EQ(bytes_at(parts, 1000000), bytes(0));
  EXPECT_EQ(per_token(parts), (Ratio{0, 1}));
}

TEST(Demand, TooLargeIsOutOfRangeNeverSmall) {
  const auto parts = demand_of("full:10000x1048576x1048576");
  EXPECT_FALSE(bytes_at(parts, UINT64_MAX - 1).in_range());
  EXPECT_FALSE(bytes_at(parts, std::uint64_t{1} << 40).in_range());
  EXPECT_TRUE(bytes_at(parts, 1).in_range());
  State state{.kind = StateKind::kMamba2, .heads = 1048576, .rows = 1048576, .cols = 1048576};
  EXPECT_TRUE(state_bytes(state).in_range());
  state.temporal_type = StateType::kF32;
  EXPECT_EQ(state_bytes(state).raw(), std::uint64_t{1} << 62);
}

}  // namespace
}  // namespace kvseats::model
