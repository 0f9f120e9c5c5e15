#include <algorithm>

#include "unit/scenario/fixture.h"

// What each GPU stores under tensor, pipeline, data and decode context parallelism, by hand.
namespace kvseats::scenario {
namespace {

using testing::ask;

struct PerGpu {
  const char* query;
  std::uint64_t token_bytes;
};

TEST(PerGpu, EachComponentHasItsOwnDivisor) {
  const PerGpu cases[] = {
      // One latent of 576 per layer, 61 layers, bf16, on every GPU (DeepSeek-V2, arXiv 2405.04434,
      // section 2.1): tensor parallelism does not shrink it.
      {"model=deepseek-v3 gpu=h200-sxm tp=8", 70272},
      {"model=deepseek-v3 gpu=h200-sxm tp=8 dcp=8", 8784},
      // 8 KV heads over 8 GPUs, then copies: Llama 3 70B at tp 16 stays at one head a GPU.
      {"model=llama-3-70b gpu=h100-sxm tp=8", 40960},
      {"model=llama-3-70b gpu=h100-sxm tp=16", 40960},
      {"model=llama-3-70b gpu=h100-sxm tp=16 dcp=2", 20480},
      {"model=llama-3-70b gpu=h100-sxm tp=4 pp=2", 40960},
      {"model=llama-3.1-8b tp=3", 49152},
  };
  for (const PerGpu& c : cases) {
    const Report report = ask(c.query);
    ASSERT_TRUE(report.ok) << c.query;
    EXPECT_EQ(report.per_gpu.token_bytes.raw(), c.token_bytes) << c.query;
  }
}

TEST(PerGpu, WholeModelBytesDoNotDependOnTheSplit) {
  EXPECT_EQ(ask("model=deepseek-v3 gpu=h200-sxm tp=8").per_token.bytes.raw(), 70272u);
  EXPECT_EQ(ask("model=llama-3-70b gpu=h100-sxm tp=16").per_token.bytes.raw(), 327680u);
}

TEST(PerGpu, CopiesOfALatentShowAsAllocated) {
  const Report report = ask("model=deepseek-v3 gpu=h200-sxm tp=8 prompt=8192 output=0");
  EXPECT_EQ(report.per_request.bytes.raw(), 70272u * 8192);
  EXPECT_EQ(report.per_request.allocated_bytes.raw(), 8 * 70272ULL * 8192);
}

TEST(PerGpu, CountOfGpusIsTheProduct) {
  const Report report = ask("model=llama-3-70b gpu=h100-sxm tp=4 pp=2 dp=3");
  EXPECT_EQ(report.gpu.count, 24u);
  EXPECT_EQ(report.gpu.per_copy, 8u);
}

TEST(PerGpu, SequencesAreCappedInEachCopy) {
  const Report report = ask("pool=53GB prompt=8192 output=0 seqs=10 dp=2");
  EXPECT_EQ(report.concurrency.requests, 20u);
  EXPECT_EQ(report.concurrency.limited_by, "engine");
}

TEST(PerGpu, PoolsGivenInBlocksAndTokens) {
  // 4,739 blocks of 16 tokens at 131,072 B a token.
  EXPECT_EQ(ask("pool=4739blk").pool.bytes.raw(), 4739ULL * 16 * 131072);
  EXPECT_EQ(ask("pool=237312tok").pool.tokens, 237312u);
}

TEST(PerGpu, ASharedPrefixIsHeldOnce) {
  // (53 GB − 1,024 tokens) ÷ 7,168 tokens.
  const Report report = ask("pool=53GB prompt=8192 output=0 prefix=1024");
  EXPECT_EQ(report.concurrency.requests, (53000000000ULL - 1024ULL * 131072) / (7168ULL * 131072));
}

// The checkpoint's next-token layer has 256 experts too (DeepSeek-V3's config.json,
// num_nextn_predict_layers 1): 8 GPUs hold 32 of them each. 256 x 3 x 2,048 x 7,168 numbers of one
// byte are 11.27 GB, which no GPU holds whole.
TEST(PerGpu, ExpertsOfNextTokenLayersAreSplitToo) {
  const auto of_one = [](std::string_view line) {
    const Report report = ask(line);
    const auto part = std::find_if(report.budget.begin(), report.budget.end(),
                                   [](const auto& term) { return term.id == "weights"; });
    return part == report.budget.end() ? 0 : part->typical.raw();
  };
  const std::uint64_t alone = of_one("model=deepseek-v3 gpu=h200-sxm dp=8 ep=1");
  const std::uint64_t split = of_one("model=deepseek-v3 gpu=h200-sxm dp=8 ep=8");
  const std::uint64_t experts = (653908770816 + 11274289152) / 8 * 7;
  EXPECT_GT(alone - split, experts);
  EXPECT_LT(alone - split, experts + experts / 1000) << "scales of the blocks beside them";
}

}  // namespace
}  // namespace kvseats::scenario
