#include <gtest/gtest.h>

#include "model/weights.h"
#include "unit/catalogue/catalogue_data.h"

// Weights as published against sizes that somebody else wrote down. Counts that come from a config
// do not check themselves: every figure here is a checkpoint's own.
namespace kvseats {
namespace {

struct Size {
  std::string_view slug;
  std::uint64_t bytes;
  std::string_view source;
};

// "index": metadata.total_size of the repository's model.safetensors.index.json. "api":
// huggingface.co/api/models/<id>, safetensors.total in 16 bit. "keras": "params" of
// keras-team/keras-hub keras_hub/src/models/<family>/<family>_presets.py, in 16 bit.
constexpr Size kSizes[] = {
    {"llama-3-8b", 2ULL * 8030261248, "keras, llama3"},
    {"llama-3.1-8b", 16060522496, "index, meta-llama/Llama-3.1-8B"},
    {"llama-3.1-70b", 141107412992, "index, meta-llama/Llama-3.1-70B-Instruct"},
    {"mistral-7b-v0.1", 14483464192, "index, mistralai/Mistral-7B-v0.1"},
    {"mistral-7b-v0.3", 14496047104, "index, mistralai/Mistral-7B-v0.3"},
    {"mistral-small-3.2-24b", 2ULL * 24011361280, "keras, mistral3 (with its vision tower)"},
    {"mixtral-8x7b", 93405585408, "index, mistralai/Mixtral-8x7B-v0.1"},
    {"mixtral-8x22b", 2ULL * 140620634112, "api, mistral-community/Mixtral-8x22B-v0.1"},
    {"qwen2.5-0.5b", 2ULL * 494032768, "keras, qwen"},
    {"qwen2.5-1.5b", 2ULL * 1543714304, "keras, qwen"},
    {"qwen2.5-3b", 6171877376, "index, Qwen/Qwen2.5-3B"},
    {"qwen2.5-7b", 15231233024, "index, Qwen/Qwen2.5-7B-Instruct"},
    {"qwen2.5-32b", 65527752704, "index, Qwen/Qwen2.5-32B-Instruct"},
    {"qwen2.5-72b", 2ULL * 72706203648, "keras, qwen"},
    {"qwen3-0.6b", 2ULL * 596049920, "keras, qwen3"},
    {"qwen3-1.7b", 2ULL * 1720574976, "keras, qwen3"},
    {"qwen3-4b", 8044936192, "index, Qwen/Qwen3-4B"},
    {"qwen3-8b", 16381470720, "index, Qwen/Qwen3-8B"},
    {"qwen3-14b", 2ULL * 14768307200, "keras, qwen3"},
    {"qwen3-32b", 2ULL * 32762123264, "keras, qwen3"},
    {"qwen3-30b-a3b", 61064245248, "index, Qwen/Qwen3-30B-A3B"},
    {"qwen3-235b-a22b", 470187269120, "api, Qwen/Qwen3-235B-A22B"},
    {"qwen3-coder-480b-a35b", 2ULL * 480154875392, "api, Qwen/Qwen3-Coder-480B-A35B-Instruct"},
    {"qwen3-next-80b-a3b", 2ULL * 81324862720, "api, Qwen/Qwen3-Next-80B-A3B-Instruct"},
    {"qwen3-vl-30b-a3b", 2ULL * 31070754032, "api, Qwen/Qwen3-VL-30B-A3B-Instruct"},
    {"qwen3.5-0.8b", 2ULL * 873438784, "api, Qwen/Qwen3.5-0.8B"},
    {"qwen3.5-9b", 2ULL * 9653104368, "api, Qwen/Qwen3.5-9B"},
    {"qwen3.5-27b", 2ULL * 27781427952, "api, Qwen/Qwen3.5-27B"},
    {"qwen3.5-35b-a3b", 2ULL * 35951822704, "api, Qwen/Qwen3.5-35B-A3B"},
    {"qwen3.5-122b-a10b", 2ULL * 125086497008, "api, Qwen/Qwen3.5-122B-A10B"},
    {"qwen3.5-397b-a17b", 2ULL * 403397928944, "api, Qwen/Qwen3.5-397B-A17B"},
    {"qwen3.6-27b", 2ULL * 27781427952, "api, Qwen/Qwen3.6-27B"},
    {"qwen3.6-35b-a3b", 2ULL * 35951822704, "api, Qwen/Qwen3.6-35B-A3B"},
    {"llama-4-scout", 2ULL * 108641793536, "api, meta-llama/Llama-4-Scout-17B-16E-Instruct"},
    {"llama-4-maverick", 2ULL * 401583781376, "api, Llama-4-Maverick-17B-128E-Instruct"},
    {"qwen3.8-2.4t-a95b", 2ULL * 2446182725504, "api, Qwen/Qwen3.8-2.4T-A95B"},
    {"gemma-2-27b", 2ULL * 27227128320, "keras, gemma"},
    {"gemma-3-1b", 2ULL * 999885952, "keras, gemma3"},
    {"gemma-3-4b", 8600158944, "index, google/gemma-3-4b-it"},
    {"gemma-3-27b", 2ULL * 27432406640, "keras, gemma3 (medgemma_instruct_27b)"},
    {"phi-4", 29319014400, "index, microsoft/phi-4"},
    {"deepseek-v2", 2ULL * 235741434880, "api, deepseek-ai/DeepSeek-V2"},
    {"deepseek-v2-lite", 2ULL * 15706484224, "api, deepseek-ai/DeepSeek-V2-Lite"},
    {"deepseek-v3", 688574839360, "api, deepseek-ai/DeepSeek-V3, by type"},
    {"deepseek-v3.1", 688574839360, "api, deepseek-ai/DeepSeek-V3, by type: the same tensors"},
    {"deepseek-r1", 688574839360, "api, deepseek-ai/DeepSeek-V3, by type: the same tensors"},
    {"gpt-oss-20b", 13761264768, "index, openai/gpt-oss-20b"},
    {"glm-4.5", 2ULL * 358337791296, "api, zai-org/GLM-4.5"},
    {"glm-4.5-air", 2ULL * 110468824832, "api, zai-org/GLM-4.5-Air"},
    {"glm-4.6", 2ULL * 356785898816, "api, zai-org/GLM-4.6"},
    {"glm-5", 2ULL * 753864139008, "api, zai-org/GLM-5"},
    {"glm-5.1", 2ULL * 753864139008, "api, zai-org/GLM-5.1"},
    {"glm-5.2", 2ULL * 753329940480, "api, zai-org/GLM-5.2"},
    {"minimax-m1", 2ULL * 456089655296, "api, MiniMaxAI/MiniMax-M1-80k"},
    {"nemotron-3-nano-30b-a3b", 2ULL * 31577937344, "api, nvidia Nemotron-3-Nano-30B-A3B-BF16"},
    {"nemotron-3-super-120b-a12b", 2ULL * 123611012096,
     "api, nvidia Nemotron-3-Super-120B-A12B-BF16"},
    {"laguna-s-2.1", 2ULL * 117561977600, "api, poolside/Laguna-S-2.1"},
    {"ling-1t", 2ULL * 999705328640, "api, inclusionAI/Ling-1T"},
    {"ling-flash-2.0", 2ULL * 102889705216, "api, inclusionAI/Ling-flash-2.0"},
    {"ling-mini-2.0", 2ULL * 16255643392, "api, inclusionAI/Ling-mini-2.0"},
};

const model::Model& model_of(const catalogue::Catalogue& c, std::string_view slug) {
  static const model::Model kNone;
  for (const model::Model& m : c.models) {
    if (m.slug == slug) return m;
  }
  return kNone;
}

TEST(PublicSizes, WeightsAreWithinTwoInAThousand) {
  const catalogue::Catalogue c = shipped_catalogue();
  static_assert(std::size(kSizes) >= 25);
  for (const Size& size : kSizes) {
    const model::Weights w = model::weights(model_of(c, size.slug), nullptr);
    ASSERT_TRUE(w.known) << size.slug;
    EXPECT_NEAR(static_cast<double>(w.total.raw()) / static_cast<double>(size.bytes), 1.0, 0.002)
        << size.slug << ", " << size.source;
  }
}

// The published size is a check on the parts, not a stand-in for them: what is re-stored in another
// format, or left out by an engine, is a part.
TEST(PublicSizes, PartsAloneAddUpToThem) {
  const catalogue::Catalogue c = shipped_catalogue();
  for (const std::string_view slug :
       {"qwen3.5-0.8b", "qwen3.5-27b", "qwen3.5-35b-a3b", "qwen3-vl-30b-a3b", "llama-4-scout",
        "llama-4-maverick", "deepseek-v3.1", "deepseek-v3", "deepseek-r1", "glm-5.2"}) {
    model::Model m = model_of(c, slug);
    const double published = static_cast<double>(m.published_bytes.raw());
    m.published_bytes = units::Bytes();
    const double parts = static_cast<double>(model::weights(m, nullptr).total.raw());
    EXPECT_NEAR(parts / published, 1.0, 0.002) << slug;
  }
}

// Several formats in one checkpoint, part by part. deepseek-ai/DeepSeek-V3: 163 files, "total size
// 685B" with the next-token layer; openai/gpt-oss-120b: mxfp4 experts; Kimi-K2-Thinking: int4 ones.
TEST(PublicSizes, MixedCheckpointsAreAddedUpPartByPart) {
  struct Range {
    std::string_view slug;
    double low, high;  // GB
  };
  const catalogue::Catalogue c = shipped_catalogue();
  for (const Range& range : {Range{"deepseek-v3", 669, 691}, Range{"gpt-oss-120b", 60, 66},
                             Range{"kimi-k2-thinking", 550, 610}}) {
    const model::Weights w = model::weights(model_of(c, range.slug), nullptr);
    const double gb = static_cast<double>(w.total.raw()) / 1e9;
    EXPECT_GE(gb, range.low) << range.slug;
    EXPECT_LE(gb, range.high) << range.slug;
    EXPECT_GT(w.rows.size(), 1u) << range.slug;
  }
}

}  // namespace
}  // namespace kvseats
