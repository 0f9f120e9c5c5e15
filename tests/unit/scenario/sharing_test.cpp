#include "scenario/codec.h"
#include "unit/scenario/fixture.h"

// What requests have in common, and sessions that wait, from the link to the report. The lesson's
// model by hand: 131,072 B a token, in a pool of 53 GB.
namespace kvseats::scenario {
namespace {

using testing::ask;

struct Case {
  const char* query;
  std::uint64_t requests, without;
  double hit_rate;
  const char* sentence;
};

TEST(SharedTokens, HitRateAndWhatTheyBuy) {
  const Case cases[] = {
      // 53 GB ÷ 8,192 tokens = 49.4; (53 GB − 1,024) ÷ 7,168 = 56.3; 1,024 of 8,192 are found.
      {"pool=53GB prompt=8192 output=0 prefix=1024", 56, 49, 0.125,
       "Sharing 1,024 tokens buys 7 requests: 56 instead of 49."},
      // 404,357 tokens: ten groups of 8 × 4,096 + 4,096, and of the 35,717 left 7 and a document.
      // Seven of eight readers find theirs.
      {"pool=53GB prompt=8192 output=0 document=4096 readers=8", 87, 49, 0.4375,
       "Sharing 4,096 tokens buys 38 requests: 87 instead of 49."},
      {"pool=53GB prompt=8192 output=0 document=4096", 49, 49, 0, ""},
      {"engine=vllm pool=53GB prompt=8192 output=0 prefix=1030", 56, 49, 0.125,
       "Sharing 1,024 tokens buys 7 requests: 56 instead of 49."},
      {"engine=vllm prefixcaching=off pool=53GB prompt=8192 output=0 prefix=1024", 49, 49, 0,
       "vLLM shares nothing with these settings."},
  };
  for (const Case& c : cases) {
    const Report r = ask(c.query);
    EXPECT_EQ(r.concurrency.requests, c.requests) << c.query;
    EXPECT_EQ(r.sharing.without, c.without) << c.query;
    EXPECT_DOUBLE_EQ(r.sharing.hit_rate, c.hit_rate) << c.query;
    EXPECT_EQ(r.sharing.sentence, c.sentence) << c.query;
  }
  EXPECT_EQ(ask("pool=53GB").sharing.sentence, "");
}

TEST(SharedTokens, ArePartOfThePrompt) {
  const Report r = ask("prompt=1000 prefix=600 document=401 readers=2");
  ASSERT_FALSE(r.ok);
  EXPECT_EQ(r.diagnostics[0].code, "E-PREFIX");
  EXPECT_EQ(r.diagnostics[0].where, "document");
  EXPECT_TRUE(ask("prompt=1000 prefix=600 document=400 readers=2").ok);
}

// 300 × 1,000 tokens × 131,072 B; 404 requests of 1,000 tokens fit.
TEST(IdleSessions, TakeRoomButAreNoRequests) {
  const Report r = ask("pool=53GB prompt=1000 output=0 idle=300 users=100");
  EXPECT_EQ(r.concurrency.requests, 104u);
  EXPECT_TRUE(r.users.fits);
  EXPECT_EQ(r.verdict.status, "tight");
  EXPECT_EQ(r.sharing.idle_bytes.raw(), 39321600000u);
  EXPECT_NE(r.verdict.sentence.find("300 idle sessions hold 39.32 GB"), std::string::npos)
      << r.verdict.sentence;
  // (100 + 300) × 1,010 tokens are within 404,357, 1,011 are not.
  EXPECT_EQ(r.max_context.for_users_tokens, 1010u);
}

TEST(IdleSessions, AreSpreadOverTheCopies) {
  // 2 × 404 − 300, in the fuller copy 254.
  const Report two = ask("pool=53GB prompt=1000 output=0 idle=300 dp=2 users=600");
  EXPECT_EQ(two.concurrency.requests, 508u);
  EXPECT_EQ(two.concurrency.per_replica, 254u);
  EXPECT_FALSE(two.users.fits);
  // 900 in copies of 404.
  EXPECT_EQ(two.users.gpus_needed, 3u);
  // The engine's own cap is on those that run.
  EXPECT_EQ(ask("pool=53GB prompt=1000 output=0 idle=300 seqs=50").concurrency.requests, 50u);
}

TEST(IdleSessions, MayLeaveNoRoom) {
  const Report r = ask("pool=53GB prompt=1000 output=0 idle=500");
  EXPECT_EQ(r.concurrency.requests, 0u);
  EXPECT_EQ(r.verdict.status, "queues");
  units::Bytes sum;
  for (const Report::MemoryPart& part : r.memory) sum += part.bytes;
  EXPECT_EQ(sum, r.gpu.seen);
}

TEST(IdleSessions, HoldASharedPrefixOnce) {
  // 404,357 tokens: (404,357 − 500) ÷ 500 = 807, less 300.
  EXPECT_EQ(ask("pool=53GB prompt=1000 output=0 idle=300 prefix=500").concurrency.requests, 507u);
}

TEST(SharedTokens, KeysAreInTheLink) {
  const Decoded decoded = decode("prompt=8k&document=4k&readers=8&idle=300", Strictness::kLink);
  EXPECT_TRUE(decoded.diagnostics.empty());
  EXPECT_EQ(encode(decoded.scenario), "prompt=8k&document=4k&readers=8&idle=300");
}

}  // namespace
}  // namespace kvseats::scenario
