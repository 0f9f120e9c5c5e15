#include "engine/trtllm/trtllm.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "vllm_models.h"

// Rules: NVIDIA/TensorRT-LLM, batch_manager/kvCacheManager.cpp (calculateMaxNumBlocks) and
// _torch/pyexecutor/resource_manager.py at 001541ba.
namespace kvseats::engine {
namespace {

Outcome run(const Server& server) {
  return trtllm_profile().run(server.in);
}

bool says(const Outcome& out, const std::string& line) {
  return std::find(out.start_lines.begin(), out.start_lines.end(), line) != out.start_lines.end();
}

bool has_code(const Outcome& out, std::string_view code) {
  return std::any_of(out.diagnostics.begin(), out.diagnostics.end(),
                     [code](const units::Diagnostic& d) { return d.code == code; });
}

// 17.835 GiB × 0.9 ÷ 65,536 B = 262,988 tokens: 8,218.4 blocks of 32.
TEST(Trtllm, TheCppBackEndRoundsUpAndThePytorchOneDown) {
  Server server(llama_8b());
  server.format("fp8");
  server.option("freeafter", "17.835GiB");
  EXPECT_EQ(run(server).pool.blocks, 8218u);
  server.option("backend", "cpp");
  const Outcome out = run(server);
  EXPECT_EQ(out.pool.blocks, 8219u);
  EXPECT_TRUE(says(out,
                   "[TensorRT-LLM][INFO] [MemUsageChange] Allocated 16.05 GiB for max tokens "
                   "in paged KV cache (263008)."));
  EXPECT_TRUE(says(out, "[TensorRT-LLM][INFO] Number of blocks in KV cache primary pool: 8219"));
}

TEST(Trtllm, VersionsChooseBackEndAndBlock) {
  Server server(llama_8b());
  server.in.pool = units::gigabytes(53);
  EXPECT_EQ(run(server).rules, "trtllm-1.0");
  EXPECT_EQ(run(server).pool.block_tokens, 32u);
  EXPECT_EQ(run(server).pool.tokens, 404352u);
  server.in.version = "0.16.0";
  EXPECT_EQ(run(server).rules, "trtllm-0");
  EXPECT_EQ(run(server).pool.block_tokens, 64u);
  EXPECT_EQ(run(server).pool.tokens, 404416u);
}

// ceil(8 ÷ 16) heads on each GPU: 5 × 16 and 8 ÷ 16 are one head.
TEST(Trtllm, HeadsFewerThanGpusAreOneOnEach) {
  Server server(llama_8b());
  server.model.attention_heads = 32;
  server.in.parallel.tp = 16;
  server.in.pool = units::gib(10);
  EXPECT_EQ(run(server).ranks[0].cost.at(32), 32u * 32 * 128 * 2 * 2);
  EXPECT_TRUE(has_code(run(server), "N-REPLICATED"));
}

TEST(Trtllm, LatentsHaveNoFactorTwoAndAreNotSplit) {
  Server server(model_of({latent(61, 512, 64)}));
  server.in.parallel.tp = 8;
  server.in.pool = units::gib(40);
  EXPECT_EQ(run(server).ranks[0].cost.at(32), 32u * 70272);
}

// One pool of all layers unless a window is asked for; then two that share the memory equally, and
// a request holds its window and the block that straddles its start.
TEST(Trtllm, WindowsSharePoolsEqually) {
  Server server(model_of({heads(10, 16, 128), heads(50, 16, 128, 1024)}));
  server.in.pool = units::gib(40);
  EXPECT_EQ(run(server).ranks.size(), 1u);
  EXPECT_TRUE(has_code(run(server), "N-WINDOW-KEPT"));
  server.option("attentionwindow", "1024");
  const Outcome out = run(server);
  ASSERT_EQ(out.ranks.size(), 2u);
  EXPECT_NEAR(static_cast<double>(out.ranks[0].capacity),
              static_cast<double>(out.ranks[1].capacity), 1e8);
  EXPECT_EQ(out.ranks[1].cost.at(8192), 33u * 32 * 50 * 16 * 256 * 2);
  server.in.version = "0.20.0";
  EXPECT_EQ(run(server).ranks[1].cost.at(8192), 32u * 32 * 50 * 16 * 256 * 2);
}

TEST(Trtllm, TheFractionIsOneOfWhatIsFree) {
  Server server(llama_8b());
  server.in.overhead = units::gib(4);
  server.weigh(units::gib(16));
  const Outcome out = run(server);
  const double weights = 16 * 1.005;
  EXPECT_NEAR(static_cast<double>(out.pool.bytes.raw()) / 1073741824, (80 - 4 - weights) * 0.9,
              0.001);
}

TEST(Trtllm, WhatIsLongerThanThePoolIsTurnedAway) {
  Server server(llama_8b());
  server.in.pool_tokens = 4096;
  const Outcome out = run(server);
  EXPECT_TRUE(out.refusal.refused);
  EXPECT_EQ(out.refusal.estimated_max_tokens, 4096u);
  EXPECT_EQ(out.refusal.message.substr(0, 61),
            "Prompt length (8192) exceeds maximum input length (4095). Set");
}

TEST(Trtllm, ATpThatDoesNotDivideTheHeadsIsRefused) {
  Server server(llama_8b());
  server.in.parallel.tp = 3;
  EXPECT_TRUE(has_code(run(server), "E-TP"));
}

TEST(Trtllm, ForeignFormatsAreRefused) {
  Server server(llama_8b());
  server.format("q8_0");
  EXPECT_TRUE(has_code(run(server), "E-FORMAT-ENGINE"));
}

TEST(Trtllm, FlagsGiveTheDeployment) {
  Server server(llama_8b());
  server.format("fp8");
  server.in.parallel.tp = 2;
  server.in.util = 0.85;
  const std::vector<std::string> expected = {"trtllm-serve",
                                             "meta-llama/Meta-Llama-3-8B",
                                             "--tp_size",
                                             "2",
                                             "--max_seq_len",
                                             "8192",
                                             "--kv_cache_free_gpu_memory_fraction",
                                             "0.85",
                                             "--extra_llm_api_options",
                                             "<(echo '{kv_cache_config: {dtype: fp8}}')"};
  EXPECT_EQ(run(server).flags, expected);
}

// Need and waste add up to what is allocated, with windows in a pool and kept.
TEST(Trtllm, NeedAndWasteAreTheAllocation) {
  for (const char* window : {"auto", "1024"}) {
    Server server(model_of({heads(10, 16, 128), heads(52, 16, 128, 1024)}));
    server.in.pool = units::gib(40);
    server.option("attentionwindow", window);
    server.in.prompt = 5000;
    server.in.output = 333;
    const Outcome out = run(server);
    std::uint64_t waste = 0;
    for (const WasteRow& row : out.waste) waste += row.bytes.raw();
    const std::uint64_t need =
        model::bytes_at(model::demand(server.model, server.in.formats), 5333).raw();
    EXPECT_EQ(need + waste, fullest_at(out.ranks, 5333)) << window;
  }
}

}  // namespace
}  // namespace kvseats::engine
