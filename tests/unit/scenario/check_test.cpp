#include "scenario/check.h"

#include "embedded/test_data.h"
#include "scenario/fields.h"
#include "unit/scenario/fixture.h"

// A log beside the prediction: whole logs as reviewed text, refusals, mixtures, causes.
namespace kvseats::scenario {
namespace {

using testing::shipped;
using testing::words_of;

LogReport check(std::string_view log, std::string_view keys = "") {
  return check_log(log, decode(words_of(keys), Strictness::kCommandLine), shipped());
}

std::string_view golden(std::string_view name) {
  return embedded::test_data(name);
}

TEST(Check, WholeLogsReadAsReviewed) {
  struct Case {
    const char* log;
    const char* golden;
    const char* keys;
  };
  constexpr Case kCases[] = {
      {"check_vllm.log", "check_vllm.golden", "gpu=h100-sxm"},
      {"check_llamacpp.log", "check_llamacpp.golden", ""},
      {"check_command.log", "check_command.golden", "gpu=l40s"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(to_text(check(golden(c.log), c.keys)), golden(c.golden)) << c.log;
  }
}

const LogRow* row_called(const LogReport& report, std::string_view id) {
  for (const LogRow& row : report.rows) {
    if (row.id == id) return &row;
  }
  return nullptr;
}

TEST(Check, ThePoolOfTheLogBecomesAKey) {
  const LogReport report = check(golden("check_vllm.log"));
  EXPECT_EQ(report.pool, "404352tok");
  const Report again = evaluate(decode(report.pool_query, Strictness::kCommandLine), shipped());
  ASSERT_TRUE(again.ok);
  EXPECT_EQ(again.pool.tokens, 404352u);
}

TEST(Check, TheLogNeverGoesIntoALink) {
  const LogReport report = check(
      "(APIServer pid=1) non-default args: {'model': '/srv/secret/Qwen3-32B-AWQ', "
      "'api_key': ['sk-secret'], 'frob': 'sk-other'}\nGPU KV cache size: 1,024 tokens\n");
  ASSERT_TRUE(report.ok);
  for (const std::string& text : {report.query, report.pool_query}) {
    EXPECT_EQ(text.find("secret"), std::string::npos) << text;
  }
  EXPECT_EQ(to_json(report).find("sk-"), std::string::npos);
  EXPECT_EQ(get_key(report.scenario, "model"), "qwen3-32b");
}

TEST(Check, ARefusalIsComparedWithTheEnginesOwn) {
  // vllm/v1/core/kv_cache_utils.py; Qwen3-8B: 147,456 B a token, 40,960 tokens are 5.62 GiB.
  const LogReport report = check(
      "vllm serve Qwen/Qwen3-8B\nvLLM API server version 0.11.0\n"
      "ValueError: To serve at least one request with the models's max seq len (40960), \n"
      "(5.62 GiB KV cache is needed, which is larger than the available KV cache memory (4.50 "
      "GiB). "
      "\nBased on the available memory, the estimated maximum model length is 32768. \n");
  ASSERT_TRUE(report.predicted) << report.no_prediction;
  for (const char* id : {"needed", "estimated"}) {
    const LogRow* row = row_called(report, id);
    ASSERT_NE(row, nullptr) << id;
    EXPECT_EQ(row->verdict, LogVerdict::kAgrees) << to_text(report);
  }
}

TEST(Check, AnotherVersionIsFoundAsTheCause) {
  // tests/cases/vllm.jsonl, vllm-gemma4-26b-nvfp4-98k-c: a server of 0.19, said to be newer.
  const LogReport report = check(
      "vLLM API server version 0.25.0\nAvailable KV cache memory: 8.29 GiB\n"
      "GPU KV cache size: 72,400 tokens\nMaximum concurrency for 98,304 tokens per request: "
      "6.73x\n",
      "model=gemma-4-26b-a4b kv=fp8 batched=2048");
  ASSERT_TRUE(report.predicted) << report.no_prediction;
  ASSERT_GE(report.differ, 1u) << to_text(report);
  EXPECT_EQ(report.cause,
            "With the rules of vLLM 0.9.2 to 0.20, hybrid cache manager every exact row agrees")
      << to_text(report);
}

TEST(Check, AnFp8CacheIsFoundAsTheCause) {
  const LogReport report = check(
      "vLLM API server version 0.11.0\nAvailable KV cache memory: 49.36 GiB\n"
      "GPU KV cache size: 808,704 tokens\n",
      "model=llama-3.1-8b");
  EXPECT_EQ(report.differ, 1u);
  EXPECT_EQ(report.cause, "With an fp8 cache every exact row agrees");
  EXPECT_NE(report.cause_query.find("kv=fp8"), std::string::npos);
}

TEST(Check, WhatNeedsNoPoolIsPredictedWithoutOne) {
  // tests/cases/vllm.jsonl, Qwen3.5 122B with an fp8 cache: blocks of 4,176 tokens.
  const LogReport report = check(
      "Initializing a V1 LLM engine (v0.16.1rc1.dev111+gafd089f23) with config: model='/models', "
      "max_seq_len=131072, tensor_parallel_size=2, kv_cache_dtype=fp8\n"
      "Setting attention block size to 4176 tokens to ensure that attention page size\n",
      "model=qwen3.5-122b-a10b prefixcaching=on engine=vllm");
  const LogRow* row = row_called(report, "block_tokens");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->verdict, LogVerdict::kAgrees) << to_text(report);
}

TEST(Check, RollbackCopiesOfAStateSayWhatIsDrafted) {
  // 149.62 MiB of states a slot, one copy for each drafted token (llama-memory-recurrent.cpp).
  const LogReport report = check(
      "llama_context: n_ctx = 8192\nllama_context: kv_unified = true\n"
      "llama_memory_recurrent: size = 1795.50 MiB (     4 cells,  64 layers,  4 seqs  2 rs_seq), R "
      "(f32):   67.50 MiB, S (f32): 1728.00 MiB\n"
      "srv load_model: creating MTP draft context against the target model\n"
      "llama_context: n_ctx = 512\n",
      "model=qwen3.5-27b");
  EXPECT_EQ(get_key(report.scenario, "drafter"), "mtp");
  EXPECT_EQ(get_key(report.scenario, "draft"), "2");
  EXPECT_EQ(get_key(report.scenario, "nctx"), "8192");
  EXPECT_EQ(report.differ, 0u) << to_text(report);
}

TEST(Check, KeysBesideTheLogWin) {
  const LogReport report = check(golden("check_vllm.log"), "context=4096 kv=fp8");
  EXPECT_EQ(get_key(report.scenario, "context"), "4096");
  EXPECT_EQ(get_key(report.scenario, "kv"), "fp8");
  const LogReport bad = check(golden("check_vllm.log"), "context=0");
  EXPECT_FALSE(bad.ok);
  EXPECT_EQ(bad.diagnostics[0].code, "E-ZERO");
}

TEST(Check, WhatTheLogDoesNotSayIsAskedFor) {
  const LogReport report = check("GPU KV cache size: 404,352 tokens\n");
  ASSERT_TRUE(report.ok);
  EXPECT_FALSE(report.predicted);
  std::string asked;
  for (const LogMissing& m : report.missing) asked += m.key + " ";
  EXPECT_EQ(asked, "model gpu context version ");
}

TEST(Check, TheTypedDeploymentOfLlamaCpp) {
  // -c is the total over the slots; with -np each slot gets its part (llama-server README).
  const LogReport four =
      check("llama-server -m Qwen3-8B-Q4_K_M.gguf -c 32768 -np 4", "gpu=rtx-4090");
  EXPECT_EQ(get_key(four.scenario, "context"), "8192");
  EXPECT_EQ(get_key(four.scenario, "model"), "qwen3-8b");
  EXPECT_EQ(get_key(four.scenario, "weights"), "q4_k_m");
  const LogReport one = check("llama-server -m Qwen3-8B-Q4_K_M.gguf -c 32768", "gpu=rtx-4090");
  EXPECT_EQ(get_key(one.scenario, "context"), "32768");
}

TEST(Check, DataParallelAttentionOfSglangIsCopies) {
  const LogReport report = check(
      "python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp 8 --dp 8 "
      "--enable-dp-attention");
  EXPECT_EQ(get_key(report.scenario, "tp"), "1");
  EXPECT_EQ(get_key(report.scenario, "dp"), "8");
  EXPECT_EQ(get_key(report.scenario, "ep"), "8");
}

TEST(Check, APoolTooLargeToCountIsToldOf) {
  const LogReport report = check(
      "vllm serve Qwen/Qwen3-8B\nvLLM API server version 0.11.0\n"
      "Available KV cache memory: 99999999999999.00 GiB\n");
  const auto told = [](const units::Diagnostic& d) { return d.code == "W-LOG-VALUE"; };
  EXPECT_TRUE(std::any_of(report.diagnostics.begin(), report.diagnostics.end(), told));
  EXPECT_EQ(report.pool, "");
}

TEST(Check, WhatCannotBeComparedIsNotAgreement) {
  const LogReport report =
      check("GPU KV cache size: 404,352 tokens\n", "model=llama-3.1-8b pool=53GB");
  const std::string text = to_text(report);
  EXPECT_EQ(text.find("0 printed values agree"), std::string::npos) << text;
}

TEST(Check, NothingRecognisedIsBadInput) {
  const LogReport report = check("hello\n");
  EXPECT_FALSE(report.ok);
  ASSERT_EQ(report.diagnostics.size(), 1u);
  EXPECT_EQ(report.diagnostics[0].code, "E-LOG");
  EXPECT_EQ(to_text(report), "");
}

TEST(Check, JsonAndMarkdownCarryTheSameRows) {
  const LogReport report = check(golden("check_vllm.log"));
  const std::string json = to_json(report, 0);
  const std::string markdown = to_markdown(report);
  for (const LogRow& row : report.rows) {
    EXPECT_NE(json.find("\"printed\":\"" + row.printed + "\""), std::string::npos) << row.id;
    EXPECT_NE(markdown.find(row.printed), std::string::npos) << row.id;
  }
}

}  // namespace
}  // namespace kvseats::scenario
