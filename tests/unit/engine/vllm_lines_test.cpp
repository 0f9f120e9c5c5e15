#include "engine/vllm/lines.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "vllm_models.h"

namespace kvseats::engine {
namespace {

bool says(const Outcome& out, const std::string& line) {
  return std::find(out.start_lines.begin(), out.start_lines.end(), line) != out.start_lines.end();
}

// 53e9 B ÷ (16 tokens × 131,072 B) = 25,272 blocks; 25,272 × 16 = 404,352; 25,272 ÷ 512 = 49.36.
TEST(VllmLines, LlamaIn53GbStartsWithTheseLines) {
  Server server(llama_8b());
  server.in.pool = units::gigabytes(53);
  for (const char* version : {"", "0.22.0", "0.11.2", "0.8.5"}) {
    server.in.version = version;
    const Outcome out = server.run();
    EXPECT_TRUE(says(out, "GPU KV cache size: 404,352 tokens")) << version;
    EXPECT_TRUE(says(out, "Maximum concurrency for 8,192 tokens per request: 49.36x")) << version;
    EXPECT_TRUE(says(out, "Available KV cache memory: 49.36 GiB")) << version;
    EXPECT_EQ(out.pool.blocks, 25272u);
    EXPECT_EQ(out.ratio_text, "49.36x");
    EXPECT_FALSE(out.refusal.refused);
  }
}

TEST(VllmLines, TheNullBlockServesNobody) {
  Server server(llama_8b());
  server.in.pool_blocks = 512;
  EXPECT_EQ(server.run().ranks[0].capacity, 511u);
  server.in.version = "v0";
  EXPECT_EQ(server.run().ranks[0].capacity, 512u);
}

// V0 counts blocks; swap space of 4 GiB gives 2,048 host blocks of 2 MiB (vllm/worker/worker.py).
TEST(VllmLines, V0PrintsBlocks) {
  Server server(llama_8b());
  server.in.pool = units::gigabytes(53);
  server.in.version = "0.7.3";
  const Outcome out = server.run();
  EXPECT_TRUE(says(out, "# cuda blocks: 25272, # CPU blocks: 2048"));
  EXPECT_TRUE(says(out, "Maximum concurrency for 8192 tokens per request: 49.36x"));
  server.in.version = "0.6.4";
  EXPECT_TRUE(says(server.run(), "# GPU blocks: 25272, # CPU blocks: 2048"));
}

// The engine's language rounds a tie that is exact in binary to the even digit.
TEST(VllmLines, RatiosRoundAsTheEngineDoes) {
  EXPECT_EQ(engine::two_decimals(1.125), "1.12");
  EXPECT_EQ(engine::two_decimals(1.375), "1.38");
  EXPECT_EQ(engine::two_decimals(0.625), "0.62");
  EXPECT_EQ(engine::two_decimals(49.359375), "49.36");
  EXPECT_EQ(engine::two_decimals(2.0), "2.00");
}

// Message: kv_cache_utils.py at 001cabc1; sizes as printed on TPU v5e (tests/cases/vllm.jsonl).
TEST(VllmLines, ARequestThatDoesNotFitIsRefusedInTheEnginesWords) {
  Server server(llama_8b());
  server.in.context = 131072;
  server.in.block = 256;
  server.in.pool = units::bytes(762336000);  // 0.71 GiB
  server.in.version = "0.8.5";
  const Outcome out = server.run();
  EXPECT_TRUE(out.refusal.refused);
  EXPECT_EQ(out.refusal.needed, units::gib(16));
  EXPECT_EQ(out.refusal.estimated_max_tokens, 5632u);
  EXPECT_EQ(out.refusal.message,
            "To serve at least one request with the models's max seq len (131072), (16.00 GiB KV "
            "cache is needed, which is larger than the available KV cache memory (0.71 GiB). Based "
            "on the available memory, the estimated maximum model length is 5632. Try increasing "
            "`gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.");
}

TEST(VllmLines, WeightsThatFillTheCardLeaveNoBlocks) {
  Server server(llama_8b());
  server.weigh(units::gib(90));
  const Outcome out = server.run();
  EXPECT_TRUE(out.pool.no_room);
  EXPECT_TRUE(out.refusal.refused);
  EXPECT_EQ(out.refusal.message.rfind("No available memory for the cache blocks.", 0), 0u);
  EXPECT_TRUE(out.start_lines.empty());
}

// vllm/v1/worker/utils.py, request_memory.
TEST(VllmLines, MemoryThatOthersHoldIsNamed) {
  Server server(llama_8b());
  server.weigh(units::gib(15));
  server.in.used = units::gib(20);
  server.in.util = 0.9;
  const Outcome out = server.run();
  EXPECT_TRUE(out.refusal.refused);
  EXPECT_EQ(out.refusal.message,
            "Free memory on device cuda:0 (60.00/80.00 GiB) on startup is less than desired GPU "
            "memory utilization (0.9, 72.00 GiB). Decrease GPU memory utilization or reduce GPU "
            "memory used by other processes.");
}

TEST(VllmLines, FlagsGiveTheShownDeployment) {
  Server server(llama_8b());
  server.in.parallel.tp = 2;
  server.in.parallel.dp = 4;
  server.in.context = 16384;
  server.in.pool = units::gigabytes(53);
  server.in.seqs = 64;
  server.format("fp8");
  server.in.draft.method = "eagle3";
  server.in.draft.tokens = 3;
  server.option("prefixcaching", "off");
  std::string line;
  for (const std::string& word : server.run().flags) line += (line.empty() ? "" : " ") + word;
  EXPECT_EQ(line,
            "vllm serve meta-llama/Meta-Llama-3-8B --tensor-parallel-size 2 --data-parallel-size 4 "
            "--max-model-len 16384 --kv-cache-memory-bytes 53000000000 --kv-cache-dtype fp8 "
            "--max-num-seqs 64 --no-enable-prefix-caching --speculative-config "
            "{\"method\":\"eagle3\",\"num_speculative_tokens\":3}");
}

TEST(VllmLines, AModelWithoutACacheHasNoLines) {
  model::Model model;
  model.layers = 4;
  model.groups.resize(1);
  model.groups[0].kind = model::CacheKind::kNone;
  model.groups[0].layers = 4;
  Server server(std::move(model));
  server.in.pool = units::gib(10);
  const Outcome out = server.run();
  EXPECT_TRUE(out.start_lines.empty());
  EXPECT_FALSE(out.pool.tokens.has_value());
  ASSERT_EQ(out.ranks.size(), 1u);
  EXPECT_TRUE(out.ranks[0].cost.is_free());
}

}  // namespace
}  // namespace kvseats::engine
