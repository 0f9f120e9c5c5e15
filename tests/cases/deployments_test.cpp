#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "catalogue/catalogue.h"
#include "embedded/catalogue.h"
#include "scenario/evaluate.h"
#include "scenario/present.h"

// Whole deployments of catalogue models, from the query to one number of the answer.
namespace kvseats::cases {
namespace {

using nlohmann::json;

const catalogue::Catalogue& facts() {
  static const catalogue::Catalogue read =
      *catalogue::read_catalogue(embedded::catalogue("catalogue.txt"));
  return read;
}

scenario::Report ask(const std::string& query) {
  return scenario::evaluate(scenario::decode(query, scenario::Strictness::kCommandLine), facts());
}

json answer(const std::string& query) {
  return json::parse(scenario::to_json(ask(query)), nullptr, false);
}

double weights_gib(const std::string& query) {
  for (const engine::BudgetTerm& term : ask(query).budget) {
    if (term.id == "weights") return static_cast<double>(term.typical.raw()) / 1073741824.0;
  }
  return 0;
}

struct NumberCase {
  const char* query;
  const char* path;  // into the JSON answer
  double expected;
  const char* source;
};

constexpr NumberCase kNumbers[] = {
    {"engine=vllm&model=qwen3-8b&kv=turboquant_k8v4&pool=10GiB", "/pool/tokens", 161312,
     "vLLM TurboQuantConfig.get_boundary_skip_layers: layers 0, 1, 34 and 35 stay bf16; "
     "10 GiB / (16 x (4 x 4,096 + 32 x 1,568))"},
    {"engine=vllm&model=qwen3.5-27b&kv=turboquant_k8v4&pool=10GiB", "/per_token/bytes",
     16 * 4 * (256 + 128 + 4), "the same: hybrids spare no layer"},
    {"engine=vllm&model=deepseek-v3.2&gpu=h200-sxm&tp=8&pool=10GiB", "/per_token/bytes",
     61 * (656 + 132), "vLLM DeepseekV32ForCausalLM.verify_and_update_config: fp8_ds_mla"},
    {"engine=vllm&model=deepseek-v3.2&gpu=h200-sxm&tp=8&pool=10GiB", "/pool/tokens",
     10737418240ull / (61 * (656 + 132) * 64) * 64, "the same, blocks of 64"},
    {"engine=vllm&model=deepseek-v3.2&gpu=h200-sxm&tp=8&kv=bf16&pool=10GiB", "/pool/tokens",
     10737418240ull / (61 * (1152 + 132) * 64) * 64, "16 bit when asked for"},
    {"engine=vllm&model=glm-5&gpu=h200-sxm&tp=8&pool=10GiB", "/pool/tokens",
     10737418240ull / (78 * (1152 + 132) * 64) * 64,
     "printed by GLM-5 with kv auto (vllm-glm5-h200)"},
    {"engine=hand&model=deepseek-v3.2", "/per_token/bytes", 85888, "61 x (576 + 128) x 2 B"},
    {"engine=sglang&model=deepseek-v3.2&gpu=h200-sxm&tp=8", "/per_token/bytes", 85888,
     "fp8_ds_mla is vLLM's default only"},
    {"engine=llama.cpp&model=minimax-m3&context=65536&seqs=1&pp=16", "/per_token/bytes",
     60 * 2 * 4 * 128 * 2 + 57 * 128 * 2, "by hand an indexer keeps keys only"},
};

TEST(Deployments, NumbersOfTheAnswerAreTheEngines) {
  for (const NumberCase& one : kNumbers) {
    const json value = answer(one.query)[json::json_pointer(one.path)];
    ASSERT_TRUE(value.is_number()) << one.query << " " << one.path;
    EXPECT_EQ(value.get<double>(), one.expected)
        << one.query << " " << one.path << ": " << one.source;
  }
}

// ggml-org/llama.cpp llama-kv-cache-msa.cpp, printed: indexer K and V of MiniMax-M3 912.00 MiB
// each.
TEST(Deployments, AnIndexerBesideOrdinaryKeysKeepsValuesOnLlamaCpp) {
  const scenario::Report r = ask("engine=llama.cpp&model=minimax-m3&context=65536&seqs=1");
  for (const auto& row : r.engine.caches) {
    if (row.name != "indexer") continue;
    EXPECT_EQ(row.k_bytes, units::bytes(912) * (1 << 20));
    EXPECT_EQ(row.v_bytes, units::bytes(912) * (1 << 20));
    return;
  }
  FAIL() << "no indexer";
}

struct HeadCase {
  const char* query;
  double gib;
  double tolerance;
  const char* source;
};

// What a draft head adds to the weights.
TEST(Deployments, DraftHeadsBringTheirWeights) {
  const HeadCase cases[] = {
      {"model=qwen3-32b&drafter=eagle3", 63.94 - 61.03, 0.011, "vLLM: model loading took 63.94"},
      {"model=llama-3.1-8b&drafter=eagle", 0.25e9 * 2 / 1073741824, 0.01, "SafeAILab/EAGLE: 0.25B"},
      {"model=llama-3.3-70b&drafter=eagle", 0.99e9 * 2 / 1073741824, 0.01, "the same: 0.99B"},
  };
  for (const HeadCase& one : cases) {
    const std::string with = one.query;
    const std::string without = with.substr(0, with.find("&drafter"));
    EXPECT_NEAR(weights_gib(with) - weights_gib(without), one.gib, one.tolerance) << one.query;
  }
}

}  // namespace
}  // namespace kvseats::cases
