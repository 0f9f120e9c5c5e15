#include <algorithm>

#include "unit/scenario/fixture.h"

// What a model's name or file makes of the weights and of the cache, through the whole core.
namespace kvseats::scenario {
namespace {

using testing::ask;

std::uint64_t weights_of(const Report& report) {
  for (const engine::BudgetTerm& term : report.budget) {
    if (term.id == "weights") return term.typical.raw();
  }
  return 0;
}

// huggingface.co/google/gemma-2-9b: 9,241,705,984 numbers in float32; -it in bfloat16. vLLM and
// SGLang with --dtype auto load float32 in 16 bit (vllm/config/model.py).
TEST(ModelNames, EnginesLoadFloat32In16BitAndByHandItStays) {
  struct Row {
    std::string_view query;
    std::uint64_t bytes;
  };
  constexpr std::uint64_t kGemma = 9241705984;
  for (const Row& row : {Row{"model=gemma-2-9b gpu=h100-sxm", 4 * kGemma},
                         Row{"model=gemma-2-9b gpu=h100-sxm engine=vllm", 2 * kGemma},
                         Row{"model=gemma-2-9b gpu=h100-sxm engine=sglang", 2 * kGemma},
                         Row{"model=gemma-2-9b gpu=h100-sxm engine=trtllm", 2 * kGemma},
                         Row{"model=gemma-2-9b gpu=h100-sxm engine=llama.cpp", 2 * kGemma},
                         Row{"model=google/gemma-2-9b-it gpu=h100-sxm", 2 * kGemma},
                         Row{"model=gemma-2-9b gpu=h100-sxm engine=vllm weights=f32", 4 * kGemma},
                         Row{"model=gpt2 gpu=h100-sxm engine=vllm", 2ULL * 124439808}}) {
    // SGLang and TensorRT-LLM take a little more than the tensors (engines' budgets).
    EXPECT_NEAR(static_cast<double>(weights_of(ask(row.query))) / static_cast<double>(row.bytes), 1,
                0.02)
        << row.query;
  }
}

// ollama.com/library: tags that name no quantisation are Q4_K_M; llama.cpp -hf takes it too.
TEST(ModelNames, OllamaTagsAndGgufRepositoriesAreNot16Bit) {
  for (const std::string_view query :
       {"model=gemma2:9b engine=ollama gpu=rtx-4090", "model=gemma2 engine=ollama gpu=rtx-4090",
        "model=bartowski/gemma-2-9b-it-GGUF engine=llama.cpp gpu=rtx-4090"}) {
    const Report report = ask(query);
    EXPECT_LT(weights_of(report), 6'500'000'000u) << query;
    EXPECT_GT(weights_of(report), 5'000'000'000u) << query;
    bool said = false;
    for (const units::Diagnostic& d : report.diagnostics) {
      said = said || (d.code == "N-MODEL-ASSUMED" && d.text.find("q4_k_m") != std::string::npos);
    }
    EXPECT_TRUE(said) << query;
  }
}

// openai/whisper-large-v3: 32 decoder layers of 20 × 64 in 16 bit, 163,840 B a token; 1,500 frames
// of the encoder and 100 tokens of text.
TEST(EncoderDecoder, ThePromptIsTheEncodersLength) {
  const Report report = ask("model=whisper-large-v3 prompt=1500 output=100");
  EXPECT_EQ(report.per_request.bytes, units::bytes(163840ULL * (1500 + 100)));
  EXPECT_EQ(report.per_gpu.request_bytes, report.per_request.bytes);
  EXPECT_EQ(report.per_request.tokens, 100u);
  for (const units::Diagnostic& d : report.diagnostics) EXPECT_NE(d.code, "W-BEYOND-MODEL-LIMIT");
  const Report t5 = ask("model=t5-v1.1-xxl prompt=512 output=64");
  EXPECT_EQ(t5.per_request.bytes, units::bytes(393216ULL * (512 + 64)));
}

// The same 262,144,000 B a request, ten at once, in every place that divides memory.
TEST(EncoderDecoder, MemoryInUseAndServicesCountTheDecodersTokensAlone) {
  const Report report =
      ask("model=whisper-large-v3 prompt=1500 output=100 users=10 engine=vllm pool=10GiB "
          "service=a:1500+100x3");
  const auto cache = std::find_if(report.memory.begin(), report.memory.end(),
                                  [](const auto& part) { return part.id == "cache"; });
  ASSERT_NE(cache, report.memory.end());
  EXPECT_EQ(cache->bytes, report.per_request.bytes * 10);
  ASSERT_EQ(report.services.size(), 1u);
  EXPECT_EQ(report.services[0].tokens, report.per_request.tokens);
}

// meta-llama/Llama-3.2-11B-Vision: 32 layers of text, 8 of one image's 6,404 tokens.
TEST(EncoderDecoder, ImageLayersHoldTheImageAndNotTheText) {
  for (const std::uint64_t prompt : {1000, 6000}) {
    const Report r = ask("model=llama-3.2-11b-vision output=100 prompt=" + units::plain(prompt));
    EXPECT_EQ(r.per_request.bytes, units::bytes(131072 * (prompt + 100) + 32768ULL * 6404));
  }
}

// compress_ratios of deepseek-ai/DeepSeek-V4-Pro end with 0: the next-token layer has a window.
TEST(Drafters, NextTokenLayersOfCompressedModelsCount) {
  const Report with = ask("model=deepseek-v4-pro drafter=mtp tp=8 prompt=4000 output=96");
  const Report without = ask("model=deepseek-v4-pro tp=8 prompt=4000 output=96");
  EXPECT_EQ(with.per_request.bytes, without.per_request.bytes + units::bytes(128ULL * 512 * 2));
}

TEST(Parameters, AreWrittenAsOnModelCards) {
  const std::pair<std::string_view, std::uint64_t> rows[] = {{"12b", 12000000000},
                                                             {"8B", 8000000000},
                                                             {"7.5b", 7500000000},
                                                             {"1t", 1000000000000},
                                                             {"8030261248", 8030261248}};
  for (const auto& [typed, params] : rows) {
    const Report r = ask("model=llama-3.1-8b params=" + std::string(typed));
    EXPECT_EQ(r.model.params, params) << typed;
  }
  EXPECT_TRUE(units::has_error(ask("model=llama-3.1-8b params=b").diagnostics));
}

TEST(Formats, ThatTheModelCannotHaveNameTheNearest) {
  for (const std::string_view query :
       {"model=llama-3.1-8b kv=fp8_ds_mla", "model=deepseek-v3 kv=turboquant_k8v4",
        "model=llama-3.1-8b k=turboquant_k8v4 v=fp8"}) {
    const Report r = ask(query);
    ASSERT_FALSE(r.ok) << query;
    EXPECT_EQ(r.diagnostics[0].code, "E-FORMAT") << query;
    EXPECT_NE(r.diagnostics[0].remedy.find("Use kv="), std::string::npos) << query;
  }
}

TEST(Links, QuotesAreEscaped) {
  const Scenario s = decode("name=it%27s&model=custom", Strictness::kLink).scenario;
  EXPECT_EQ(encode(s).find('\''), std::string::npos);
  EXPECT_EQ(decode(encode(s), Strictness::kLink).scenario.name, "it's");
}

}  // namespace
}  // namespace kvseats::scenario
