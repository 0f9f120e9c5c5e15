#include <gtest/gtest.h>

#include "unit/catalogue/catalogue_data.h"

namespace kvseats {
namespace {

using catalogue::Catalogue;

struct Row {
  std::string_view typed;
  std::string_view slug;
  bool exact;
  std::string_view format;
};

// Names as people paste them: Hugging Face ids, Ollama tags, quantised and GGUF repositories.
constexpr Row kRows[] = {
    {"llama-3.1-8b", "llama-3.1-8b", true, ""},
    {"  Llama-3.1-8B ", "llama-3.1-8b", true, ""},
    {"Llama 3.1 8B", "llama-3.1-8b", true, ""},
    {"meta-llama/Llama-3.1-8B", "llama-3.1-8b", true, ""},
    {"META-LLAMA/LLAMA-3.1-8B", "llama-3.1-8b", true, ""},
    {"llama3.1:8b", "llama-3.1-8b", false, "q4_k_m"},
    {"llama3.1", "llama-3.1-8b", true, ""},
    {"gemma3:27b", "gemma-3-27b", false, "q4_k_m"},
    {"gpt-oss:120b", "gpt-oss-120b", true, ""},
    {"qwen3:30b-a3b", "qwen3-30b-a3b", false, "q4_k_m"},
    {"openai/gpt-oss-120b", "gpt-oss-120b", true, ""},
    {"meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b", false, ""},
    {"google/gemma-2-9b-it", "gemma-2-9b", true, "bf16"},
    {"gemma-2-9b-it", "gemma-2-9b", true, "bf16"},
    {"google/gemma-2-9b", "gemma-2-9b", true, ""},
    {"bartowski/gemma-2-9b-it-GGUF", "gemma-2-9b", false, "q4_k_m"},
    {"gemma2:9b", "gemma-2-9b", false, "q4_k_m"},
    {"gemma2:9b-instruct-fp16", "gemma-2-9b", false, "f16"},
    {"deepseek-v3.1:671b", "deepseek-v3.1", false, "q4_k_m"},
    {"ggml-org/gpt-oss-20b-GGUF", "gpt-oss-20b", false, ""},
    {"allenai/OLMo-2-1124-7B-Instruct", "olmo-2-7b", true, "bf16"},
    {"unsloth/gemma-3-27b-it-qat-GGUF", "gemma-3-27b", false, "q4_k_m"},
    {"qwen2.5-coder:32b-instruct-q4_K_M", "qwen2.5-32b", false, "q4_k_m"},
    {"hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M", "llama-3.2-3b", false, "q4_k_m"},
    {"bartowski/meta-llama_Llama-3.3-70B-Instruct-GGUF", "llama-3.3-70b", false, "q4_k_m"},
    {"unsloth/Qwen3-30B-A3B-GGUF:UD-Q4_K_XL", "qwen3-30b-a3b", false, "q4_k_m"},
    {"Qwen/Qwen3-235B-A22B-Instruct-2507-FP8", "qwen3-235b-a22b", false, "fp8"},
    {"neuralmagic/Meta-Llama-3.1-70B-Instruct-FP8-dynamic", "llama-3.1-70b", false, "fp8"},
    {"RedHatAI/Meta-Llama-3.1-70B-Instruct-quantized.w4a16", "llama-3.1-70b", false, "w4a16"},
    {"Qwen/Qwen2.5-72B-Instruct-AWQ", "qwen2.5-72b", false, "awq"},
    {"TheBloke/Llama-2-7B-Chat-GPTQ", "llama-2-7b", false, "gptq"},
    {"mlx-community/Meta-Llama-3.1-8B-Instruct-4bit", "llama-3.1-8b", false, "mlx4"},
    {"unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit", "llama-3.1-8b", false, "bnb4"},
    {"nvidia/DeepSeek-R1-0528-FP4", "deepseek-r1", false, "nvfp4"},
    {"deepseek-ai/DeepSeek-V3-0324", "deepseek-v3", false, ""},
    {"deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "llama-3.3-70b", false, ""},
    {"Kimi-K2-Instruct-0905", "kimi-k2", false, ""},
    {"mistral:7b-instruct-q8_0", "mistral-7b-v0.3", false, "q8_0"},
};

TEST(CatalogueLookup, TakesTheNamesThatPeoplePaste) {
  const Catalogue c = shipped_catalogue();
  for (const Row& row : kRows) {
    const auto found = catalogue::find_model(c, row.typed);
    ASSERT_TRUE(found.has_value()) << row.typed;
    EXPECT_EQ(c.models[found->index].slug, row.slug) << row.typed;
    EXPECT_EQ(found->exact, row.exact) << row.typed;
    EXPECT_EQ(found->weight_format, row.format) << row.typed;
    EXPECT_EQ(found->note ? found->note->code : "", row.exact ? "" : "N-MODEL-ASSUMED");
  }
}

TEST(CatalogueLookup, EverySlugIdAndNameFindsItself) {
  const Catalogue c = shipped_catalogue();
  for (std::size_t i = 0; i < c.models.size(); ++i) {
    const model::Model& m = c.models[i];
    for (const std::string& name : {m.slug, m.hf, m.name}) {
      const auto found = catalogue::find_model(c, name);
      ASSERT_TRUE(found.has_value()) << name;
      EXPECT_EQ(found->index, i) << name;
      EXPECT_TRUE(found->exact) << name;
    }
  }
  for (std::size_t i = 0; i < c.devices.size(); ++i) {
    const device::Device& d = c.devices[i];
    for (const std::string& name : {d.slug, d.name, d.short_name}) {
      const auto found = catalogue::find_device(c, name);
      ASSERT_TRUE(found.has_value()) << name;
      EXPECT_EQ(found->index, i) << name;
    }
  }
}

TEST(CatalogueLookup, DevicesWithOrWithoutTheMaker) {
  const Catalogue c = shipped_catalogue();
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"h100", "h100-sxm"},
      {"NVIDIA H100 PCIe", "h100-pcie"},
      {"rtx4090", "rtx-4090"},
      {"GeForce RTX 4090", "rtx-4090"},
      {"4090", "rtx-4090"},
      {"MI300X", "mi300x"},
      {"AMD Instinct MI300X", "mi300x"},
      {"a100", "a100-80-sxm"},
      {"m4 max", "apple-m4-max"},
  };
  for (const auto& [typed, slug] : rows) {
    const auto found = catalogue::find_device(c, typed);
    ASSERT_TRUE(found.has_value()) << typed;
    EXPECT_EQ(c.devices[found->index].slug, slug) << typed;
  }
}

TEST(CatalogueLookup, UnknownNamesGetTheNearest) {
  const Catalogue c = shipped_catalogue();
  EXPECT_FALSE(catalogue::find_model(c, "llama-3.1-9b").has_value());
  EXPECT_FALSE(catalogue::find_model(c, "").has_value());
  EXPECT_FALSE(catalogue::find_model(c, "---").has_value());
  EXPECT_FALSE(catalogue::find_model(c, std::string(100000, 'a')).has_value());
  const auto near = catalogue::nearest_models(c, "lama-3.1-8b");
  ASSERT_EQ(near.size(), 3u);
  EXPECT_EQ(near[0], "llama-3.1-8b");
  EXPECT_EQ(catalogue::nearest_devices(c, "h101").at(0), "h100-sxm");
  EXPECT_TRUE(catalogue::nearest_models(c, "").empty());
  EXPECT_TRUE(catalogue::nearest_models(c, "zzzzzzzzzzzzzzzzzzzzzzzzzzzz").empty());
}

TEST(CatalogueLookup, SearchPutsNamesThatStartWithTheTextFirst) {
  const Catalogue c = shipped_catalogue();
  const auto hits = catalogue::search_models(c, "qwen3 a3b");
  ASSERT_FALSE(hits.empty());
  for (const std::size_t i : hits) EXPECT_NE(c.models[i].slug.find("a3b"), std::string::npos);
  EXPECT_EQ(c.models[catalogue::search_models(c, "llama-3.1").at(0)].slug, "llama-3.1-8b");
  EXPECT_EQ(catalogue::search_models(c, "").size(), c.models.size());
  EXPECT_TRUE(catalogue::search_models(c, "llama 5").empty()) << "5 is not in 405B";
  EXPECT_FALSE(catalogue::search_models(c, "llama 405").empty());
  EXPECT_FALSE(catalogue::search_models(c, "qwen 2.5 7").empty());
  EXPECT_FALSE(catalogue::search_devices(c, "apple").empty());
}

}  // namespace
}  // namespace kvseats
