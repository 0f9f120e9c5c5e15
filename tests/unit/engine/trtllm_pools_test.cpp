#include <gtest/gtest.h>

#include <algorithm>

#include "engine/trtllm/trtllm.h"
#include "vllm_models.h"

// How TensorRT-LLM cuts its pools (kvCacheManager.cpp, pyexecutor/resource_manager.py) and what its
// options file says (tensorrt_llm/llmapi/llm_args.py).
namespace kvseats::engine {
namespace {

Outcome run(const Server& server) {
  return trtllm_profile().run(server.in);
}

std::string options_of(const Server& server) {
  const std::vector<std::string> flags = run(server).flags;
  const auto at = std::find(flags.begin(), flags.end(), "--extra_llm_api_options");
  return at == flags.end() ? "" : *(at + 1);
}

bool says(const Server& server, const std::string& part) {
  return options_of(server).find(part) != std::string::npos;
}

// A window as long as the context is none.
TEST(TrtllmWindows, AreCutOnlyBelowTheContext) {
  for (const auto& [window, pools] : {std::pair{"8192", 1u}, {"8191", 2u}}) {
    Server server(model_of({heads(10, 16, 128), heads(50, 16, 128, 1024)}));
    server.in.pool = units::gib(40);
    server.option("attentionwindow", window);
    EXPECT_EQ(run(server).ranks.size(), pools) << window;
  }
}

// A model of full layers alone: all of them keep the window, 32 blocks and the one that straddles.
TEST(TrtllmWindows, CanBeAskedOfAModelWithoutAny) {
  Server server(llama_8b());
  server.in.pool = units::gib(40);
  server.option("attentionwindow", "1024");
  const Outcome out = run(server);
  ASSERT_EQ(out.ranks.size(), 1u);
  EXPECT_EQ(out.ranks[0].cost.at(8192), 33u * 32 * 131072);
  EXPECT_EQ(out.ranks[0].cost.at(1000), 33u * 32 * 131072);
  EXPECT_EQ(out.ranks[0].pool, "window");
  ASSERT_EQ(out.caches.size(), 1u);
  EXPECT_EQ(out.caches[0].name, "kv_swa");
}

// The list is repeated over the layers, so a period of it is enough.
TEST(TrtllmWindows, AreListedForOnePeriodOfTheLayers) {
  Server server(model_of({heads(2, 16, 128), heads(4, 16, 128, 512)}));
  server.model.order = {{0, 1}, {1, 2}, {0, 1}, {1, 2}};
  server.in.pool = units::gib(40);
  server.option("attentionwindow", "512");
  EXPECT_TRUE(says(server, "max_attention_window: [8192,512,512]")) << options_of(server);
  server.model.order = {{1, 2}, {0, 2}, {1, 2}};
  EXPECT_TRUE(says(server, "max_attention_window: [512,512,8192,8192]")) << options_of(server);
  server.model.order = {{0, 2}, {1, 4}};
  EXPECT_TRUE(says(server, "max_attention_window: [8192,8192,512,512,512,512]"));
  Server dense(llama_8b());
  dense.option("attentionwindow", "1024");
  EXPECT_TRUE(says(dense, "max_attention_window: [1024]")) << "as its pool is cut";
}

struct Drafter {
  const char* method;
  const char* said;
};

TEST(TrtllmOptions, ADrafterIsNamedAsTheEngineNamesIt) {
  constexpr Drafter kCases[] = {
      {"mtp", "speculative_config: {decoding_type: MTP, num_nextn_predict_layers: 3}"},
      {"eagle", "speculative_config: {decoding_type: Eagle, max_draft_len: 3}"},
      {"eagle3", "speculative_config: {decoding_type: Eagle3, max_draft_len: 3}"},
      {"ngram", "speculative_config: {decoding_type: NGram, max_draft_len: 3}"},
      {"model", "speculative_config: {decoding_type: Draft_Target, max_draft_len: 3}"},
  };
  for (const Drafter& c : kCases) {
    Server server(llama_8b());
    server.in.draft.method = c.method;
    EXPECT_EQ(options_of(server), "") << "without a token there is no drafter";
    server.in.draft.tokens = 3;
    EXPECT_TRUE(says(server, c.said)) << options_of(server);
    server.in.draft.model = "a/b";
    EXPECT_TRUE(says(server, ", speculative_model_dir: a/b}"));
  }
}

TEST(TrtllmOptions, SayWhatIsNotTheDefault) {
  Server server(llama_8b());
  server.format("f16");
  EXPECT_EQ(options_of(server), "");
  server.option("prefixcaching", "off");
  EXPECT_TRUE(says(server, "kv_cache_config: {enable_block_reuse: false}"));
  server.format("fp4");
  server.in.block = 64;
  EXPECT_TRUE(says(server, "{dtype: nvfp4, tokens_per_block: 64, enable_block_reuse: false}"));
  server.in.pool_tokens = 6400;
  EXPECT_TRUE(says(server, "{max_tokens: 6400, dtype")) << options_of(server);
  server.in.parallel.dp = 2;
  EXPECT_FALSE(says(server, "attention_dp"));
  server.in.parallel.ep = 2;
  EXPECT_TRUE(says(server, "<(echo '{enable_attention_dp: true, kv_cache_config"));
  const std::vector<std::string> flags = run(server).flags;
  const auto tp = std::find(flags.begin(), flags.end(), "--tp_size");
  ASSERT_NE(tp, flags.end());
  EXPECT_EQ(*(tp + 1), "2") << "ranks of attention are GPUs";
}

// Keys of a sparse indexer: a byte a number and a scale for each 128 begun.
TEST(TrtllmPools, IndexersAreKeptBesideLatents) {
  for (const auto& [dim, key] : {std::pair{128u, 132u}, {129u, 137u}, {192u, 200u}}) {
    Server server(model_of({latent(61, 512, 64, dim)}));
    server.in.pool = units::gib(40);
    EXPECT_EQ(run(server).ranks[0].cost.at(32), 32u * 61 * (576 * 2 + key)) << dim;
  }
}

// 48 × (3 × 10,240 × 2 + 48 × 128 × 128 × 4) B of state, halved over two GPUs, once; 16 layers of
// two heads of 256 a token.
TEST(TrtllmPools, StatesAreChargedOnceToTheFirstPool) {
  Server server(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF32)}));
  server.in.parallel.tp = 2;
  server.in.pool = units::gib(40);
  const Outcome out = run(server);
  ASSERT_EQ(out.ranks.size(), 1u);
  EXPECT_EQ(out.ranks[0].cost.at(33), 2u * 32 * 16 * 2 * 256 * 2 * 2 + 153944064 / 2);
}

TEST(TrtllmPools, OnlyWholeContextsShareAPrefix) {
  Server server(model_of({heads(10, 16, 128), heads(50, 16, 128, 1024)}));
  server.in.pool = units::gib(40);
  server.option("attentionwindow", "1024");
  const Outcome out = run(server);
  ASSERT_EQ(out.ranks.size(), 2u);
  EXPECT_EQ(out.ranks[0].cost.of_prefix(64), 64u * 10 * 16 * 256 * 2);
  EXPECT_EQ(out.ranks[1].cost.of_prefix(64), 0u);
  server.option("prefixcaching", "off");
  EXPECT_EQ(run(server).ranks[0].cost.of_prefix(64), 0u);
}

// Two stages of 16 layers; the last has the drafter's layer too.
TEST(TrtllmPools, ADraftersLayersAreOnTheLastStage) {
  Server server(llama_8b());
  server.in.parallel.pp = 2;
  server.in.pool = units::gib(40);
  server.in.draft.method = "eagle3";
  server.in.draft.tokens = 3;
  server.in.draft.layers = eagle_draft_layers(server.model);
  server.in.draft.format = model::find_cache_format("fp8");
  EXPECT_EQ(fullest_at(run(server).ranks, 32), 32u * (16 * 4096 + 2048));
}

TEST(TrtllmPools, BlocksAreOf64TokensBefore017) {
  for (const auto& [version, block] : {std::pair{"0.16.0", 64u}, {"0.17.0", 32u}, {"1.0", 32u}}) {
    Server server(llama_8b());
    server.in.version = version;
    EXPECT_EQ(run(server).pool.block_tokens, block) << version;
  }
}

TEST(TrtllmBudget, TermsAndPoolAreTheMemory) {
  for (const int what : {0, 1, 2}) {
    Server server(llama_8b());
    server.weigh(units::gib(15));
    server.in.used = units::gib(1);
    if (what == 1) server.in.overhead = units::gib(3);
    if (what == 2) server.option("freeafter", "60GiB");
    const Outcome out = run(server);
    std::uint64_t sum = out.pool.bytes.raw();
    for (const BudgetTerm& term : out.budget) {
      sum += term.typical.raw();
      EXPECT_LE(term.low, term.typical) << term.id;
      EXPECT_LE(term.typical, term.high) << term.id;
    }
    EXPECT_EQ(sum, out.seen.raw()) << what;
    EXPECT_EQ(out.pool.low_bytes < out.pool.bytes, what != 2);
    EXPECT_EQ(out.pool.bytes < out.pool.high_bytes, what != 2);
  }
}

}  // namespace
}  // namespace kvseats::engine
