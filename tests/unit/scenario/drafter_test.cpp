#include <gtest/gtest.h>

#include "fixture.h"

namespace kvseats::scenario::testing {
namespace {

// Llama 3.1 8B with an EAGLE head prints the tokens of 33 layers: 135,168 B each.
TEST(Drafter, AnEagleHeadIsOneMoreLayer) {
  for (const char* engine : {"hand", "vllm"}) {
    const Report r = ask(std::string("model=llama-3.1-8b drafter=eagle engine=") + engine);
    EXPECT_EQ(r.per_token.bytes, units::bytes(33 * 4096)) << engine;
    EXPECT_EQ(r.per_request.bytes, units::bytes(33 * 4096 * 8192ull)) << engine;
  }
}

TEST(Drafter, NgramAddsNoLayer) {
  EXPECT_EQ(ask("model=llama-3.1-8b drafter=ngram draft=4 engine=vllm").per_token.bytes,
            units::bytes(131072));
}

// Qwen3.6 35B-A3B with 2 speculative tokens and fp8: blocks of 2,128 tokens are printed, and
// 153,216 tokens is the longest that 1.89 GiB hold.
TEST(Drafter, SpeculativeTokensWidenTheStates) {
  const Report r =
      ask("model=qwen3.6-35b-a3b engine=vllm version=0.21.0 kv=fp8 drafter=mtp draft=2 "
          "prefixcaching=on pool=1.89GiB context=262144");
  EXPECT_EQ(r.pool.block_tokens, 2128u);
  EXPECT_TRUE(r.engine.refused);
  EXPECT_EQ(r.engine.estimated_max_tokens, 153216u);
}

TEST(Drafter, AModelBringsItsLayersAndWeights) {
  const Report with = ask("model=llama-3.3-70b drafter=llama-3.2-1b draft=3 tp=4");
  const Report without = ask("model=llama-3.3-70b tp=4");
  // Llama 3.2 1B: 16 layers × 8 heads × 64, 32,768 B per token.
  EXPECT_EQ(with.per_token.bytes, without.per_token.bytes + units::bytes(32768));
  EXPECT_LT(with.pool.bytes, without.pool.bytes);
}

TEST(Drafter, AnUnknownDrafterIsAnError) {
  EXPECT_TRUE(units::has_error(ask("model=llama-3.1-8b drafter=no-such-model").diagnostics));
}

}  // namespace
}  // namespace kvseats::scenario::testing
