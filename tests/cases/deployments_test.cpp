#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "catalogue/catalogue.h"
#include "embedded/catalogue.h"
#include "scenario/check.h"
#include "scenario/evaluate.h"
#include "scenario/present.h"
#include "units/text.h"

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
    {"engine=trtllm&backend=cpp&model=llama-3.1-8b&kv=int8&pool=10GiB", "/per_token/bytes", 65536,
     "quantization/mode.py INT8_KV_CACHE: one byte"},
    {"engine=vllm&model=qwen3.5-27b&statecache=all&pool=20GiB", "/pool/block_tokens", 2048,
     "vLLM get_mamba_chunk_size: 2,048 where the config names none"},
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
  const scenario::Report r = ask("engine=llama.cpp&model=minimax-m3&context=65536&seqs=1&ngl=61");
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

struct TextCase {
  const char* query;
  const char* text;  // in the JSON answer
  const char* source;
};

// What an answer must say somewhere.
TEST(Deployments, AnswersSayWhatTheEngineDoes) {
  const TextCase cases[] = {
      {"engine=vllm&model=llama-3.1-405b&tp=8&pp=2&weights=fp8&pool=10GiB", "63 layers",
       "126 layers over 2 stages"},
      {"engine=vllm&model=deepseek-v4-flash&tp=4&pool=20GiB", "vllm-dsv4-flash-2spark",
       "tests/cases/vllm.jsonl"},
      {"engine=vllm&model=deepseek-v3&gpu=h200-sxm&tp=8", "DP 8 + EP 8",
       "docs.vllm.ai, expert parallel deployment: the latent cache is replicated under TP"},
      {"engine=trtllm&model=whisper-large-v3&pool=10GiB", "cross_kv_cache_fraction",
       "kvCacheManager.cpp: a pool of its own for cross attention"},
      {"engine=llama.cpp&model=llama-3.1-8b&weights=q4_k_m&memory=24GiB,16GiB", "E-DEVICES",
       "two devices and pp=1"},
      {"engine=llama.cpp&model=llama-3.3-70b&weights=q4_k_m&gpu=rtx-4090", "--fit keeps",
       "ggml-org/llama.cpp PR 16653"},
      {"engine=llama.cpp&model=llama-3.3-70b&weights=q4_k_m&gpu=rtx-4090&version=2025-11",
       "cudaMalloc failed", "before --fit"},
      {"engine=llama.cpp&model=llama-3.3-70b&weights=q4_k_m&gpu=rtx-4090&ngl=81",
       "cudaMalloc failed", "told to keep all layers"},
      {"engine=trtllm&model=llama-3.1-8b&kv=int8&pool=10GiB", "E-FORMAT-ENGINE",
       "llm_args.py: no int8 with PyTorch"},
  };
  for (const TextCase& one : cases) {
    const std::string all = scenario::to_json(ask(one.query));
    EXPECT_NE(all.find(one.text), std::string::npos) << one.query << ": " << one.source;
  }
}

// A printed value that reads like an end of the predicted range is not outside of it.
TEST(Deployments, ValuesThatReadAlikeAgree) {
  const std::string beside = "model=llama-3.1-8b&gpu=h100-sxm&version=0.11.2";
  const scenario::Report ours = ask("engine=vllm&" + beside);
  for (const units::Bytes end : {ours.pool.low_bytes, ours.pool.high_bytes}) {
    const std::string gib = units::fixed(static_cast<double>(end.raw()) / 1073741824.0, 2);
    const scenario::LogReport report =
        scenario::check_log("INFO Available KV cache memory: " + gib + " GiB",
                            scenario::decode(beside, scenario::Strictness::kCommandLine), facts());
    ASSERT_TRUE(report.ok);
    ASSERT_FALSE(report.rows.empty());
    EXPECT_EQ(report.rows[0].verdict, scenario::LogVerdict::kAgrees) << gib;
  }
}

// ggml-org/llama.cpp: Metal has no cudaMalloc.
TEST(Deployments, UnifiedMemoryQuotesNoCuda) {
  const std::string all = scenario::to_json(
      ask("engine=llama.cpp&model=llama-3.3-70b&weights=bf16&gpu=custom&memory=64GiB&ngl=81"));
  EXPECT_NE(all.find("cudaMalloc"), std::string::npos);
  for (const device::Device& device : facts().devices) {
    if (!device.unified_memory) continue;
    const std::string answer = scenario::to_json(
        ask("engine=llama.cpp&model=llama-3.1-405b&weights=bf16&ngl=127&gpu=" + device.slug));
    EXPECT_EQ(answer.find("cudaMalloc"), std::string::npos) << device.slug;
  }
}

// GPUs of a group that all hold the same are shown too, experts beside the rest of the weights.
TEST(Deployments, TheStripShowsGpusThatAreAlike) {
  const chart::BarChart strip = scenario::gpu_strip(
      ask("engine=vllm&model=qwen3-235b-a22b&gpu=h200-sxm&tp=4&ep=4"), units::SizeUnit::kGib);
  ASSERT_EQ(strip.bars.size(), 1u);
  bool experts = false;
  for (const chart::Segment& one : strip.bars[0].segments) experts |= one.name == "Routed experts";
  EXPECT_TRUE(experts);
}

// llama-model.cpp, load_tensors: layers by the memory of each device; the tightest decides.
TEST(Deployments, UnequalCardsHoldLayersByTheirMemory) {
  const std::string rest = "engine=llama.cpp&model=qwen3-32b&weights=q4_k_m&seqs=1&pp=2";
  const auto requests = [&](const std::string& more) {
    return ask(rest + more).max_context.memory_tokens.value_or(0);
  };
  const std::uint64_t equal = requests("&memory=20GiB&gpu=custom&ngl=65");
  const std::uint64_t unequal = requests("&memory=24GiB,16GiB&gpu=custom&ngl=65");
  EXPECT_GT(equal, 0u);
  EXPECT_GT(unequal, 0u);
  const scenario::Report cards = ask(rest + "&gpu=rtx-4090,rtx-4080");
  ASSERT_TRUE(cards.ok);
  ASSERT_EQ(cards.ranks.size(), 2u);
  EXPECT_GT(cards.ranks[0].weights, cards.ranks[1].weights);
}

}  // namespace
}  // namespace kvseats::cases
