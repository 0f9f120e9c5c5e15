#include <gtest/gtest.h>

#include <algorithm>

#include "engine/sglang/rules.h"
#include "engine/sglang/settings.h"
#include "engine/sglang/sglang.h"
#include "vllm_models.h"

// How SGLang sizes its pools: sgl-project/sglang at 003fca80, server_args.py
// (_handle_gpu_memory_settings), model_executor/pool_configurator.py.
namespace kvseats::engine {
namespace {

Outcome run(const Server& server) {
  return sglang_profile().run(server.in);
}

struct Fraction {
  std::uint64_t mib;
  std::uint32_t tp;
  double util;
};

// reserved = 512 + 1.5 × chunk + 2 × graph batch + GPUs ÷ 8 × 1,024 MiB, by the memory of the GPU;
// the fraction is what that leaves, to three decimals.
TEST(SglangFraction, FollowsFromTheTierOfTheGpu) {
  constexpr Fraction kCases[] = {
      {16384, 1, 0.772},   // chunk 2,048, batch 8: 3,728 MiB
      {20479, 1, 0.818},   // the same
      {20480, 1, 0.816},   // batch 24: 3,760
      {24576, 1, 0.847},   // the same
      {24576, 4, 0.827},   // batch 80, four GPUs: 4,256
      {24576, 2, 0.842},   // batch 24, two GPUs: 3,888
      {35840, 1, 0.809},   // chunk 4,096, batch 32: 6,848
      {40960, 1, 0.833},   // the same
      {40960, 4, 0.817},   // batch 160: 7,488
      {61440, 1, 0.781},   // chunk 8,192, batch 256: 13,440
      {81920, 4, 0.825},   // batch 512: 14,336
      {144384, 1, 0.907},  // 13,440 of more
      {163840, 1, 0.84},   // chunk 16,384, batch 512: 26,240
      {196608, 1, 0.867},  // the same
      {1024, 1, 0},        // less than what is reserved
  };
  for (const Fraction& c : kCases) {
    Server server(llama_8b());
    server.in.memory = units::mib(c.mib);
    server.in.parallel.tp = c.tp;
    EXPECT_EQ(run(server).util, c.util) << c.mib << " MiB, tp " << c.tp;
  }
}

// Chunks below 2,048 count as 2,048: 512 + 3,072 + 512 + 128 = 4,224 MiB; above 60 GiB at least 10
// GiB are kept.
TEST(SglangFraction, LargeGpusKeepTenGib) {
  for (const auto& [mib, util] : {std::pair{61440u, 0.931}, {62464u, 0.836}, {81920u, 0.875}}) {
    Server server(llama_8b());
    server.in.memory = units::mib(mib);
    server.in.batched = 1024;
    EXPECT_EQ(run(server).util, util) << mib;
  }
}

// Beside 13,440 of 81,920 MiB: 2 GiB for a head, 6 for a model of its own, nothing for n-grams.
TEST(SglangFraction, ADrafterTakesItsRoom) {
  for (const auto& [method, util] :
       {std::pair{"eagle", 0.811}, {"eagle3", 0.811}, {"mtp", 0.811}, {"standalone", 0.761}}) {
    Server server(llama_8b());
    server.in.draft.method = method;
    server.in.draft.layers = eagle_draft_layers(server.model);
    EXPECT_EQ(run(server).util, util) << method;
  }
  Server ngram(llama_8b());
  ngram.in.draft.method = "ngram";
  EXPECT_EQ(run(ngram).util, 0.836);
}

// Two stages: 512 + 12,288 + 512 + 256 = 13,568. Eight ranks of attention, batch 160 on 40 GiB: 512
// + 6,144 + 320 + 1,024 + 160 × 8 × 3 = 11,840.
TEST(SglangFraction, StagesAndRanksOfAttentionCount) {
  Server stages(llama_8b());
  stages.in.parallel.pp = 2;
  EXPECT_EQ(run(stages).util, 0.834);
  Server ranks(model_of({latent(61, 512, 64)}));
  ranks.in.memory = units::mib(40960);
  ranks.in.parallel.dp = ranks.in.parallel.ep = 8;
  EXPECT_EQ(run(ranks).util, 0.711);
}

// server_args.py of 0.4.6.
TEST(SglangFraction, BeforeTheTiersItWentByTensorParallelism) {
  struct {
    std::uint32_t tp;
    double util;
  } constexpr kCases[] = {{1, 0.88}, {2, 0.87}, {4, 0.85}, {8, 0.81}, {16, 0.79}, {32, 0.79}};
  for (const auto& c : kCases) {
    Server server(llama_8b());
    server.in.version = "0.4.6";
    server.in.parallel.tp = c.tp;
    EXPECT_EQ(run(server).util, c.util) << c.tp;
  }
}

TEST(SglangSettings, PagesOfSparseAndCompressedCachesAreLarger) {
  Server dense(llama_8b());
  EXPECT_EQ(run(dense).pool.block_tokens, 1u);
  Server sparse(model_of({latent(61, 512, 64, 128)}));
  EXPECT_EQ(run(sparse).pool.block_tokens, 64u);
  sparse.in.block = 32;
  EXPECT_EQ(run(sparse).pool.block_tokens, 32u);
}

struct Listed {
  const char* family;
  const char* version;
  bool pool;
};

// Whose window layers have a pool of their own, and since which release.
TEST(SglangSettings, OnlyListedFamiliesHaveAWindowPool) {
  constexpr Listed kCases[] = {
      {"Llama 4", "0.5.0", true},
      {"gpt-oss", "0.5.0", true},
      {"gpt_oss", "0.4.9", false},
      {"MiMo-V2", "0.5.8", true},
      {"MiMo-V2", "0.5.7", false},
      {"Gemma 4", "0.5.10", true},
      {"gemma4_text", "0.5.9", false},
      {"Gemma 3", "0.5.19", false},
      {"", "0.5.0", true},
      {"", "0.4.9", false},
  };
  for (const Listed& c : kCases) {
    EXPECT_EQ(sglang::has_window_pool(sglang::choose_rules(c.version), c.family), c.pool)
        << c.family << " " << c.version;
  }
}

// Full layers 10 × 2,048 B, window layers 50 × 4,096 B a token, 0.8 of the tokens in windows:
// 184,320 B. Rounded once over all layers (225,280 B) it is 8,181 × 225,280 ÷ 184,320; before
// 0.5.9, with every layer like a full one (122,880 B), 15,000 × 60 ÷ (10 + 40).
TEST(SglangPools, WindowPoolsWereSolvedInThreeWays) {
  for (const auto& [version, tokens] :
       {std::pair{"0.5.13", 10000u}, {"0.5.12", 9999u}, {"0.5.9", 9999u}, {"0.5.8", 18000u}}) {
    Server server(model_of({heads(10, 1, 512), heads(50, 4, 256, 1024)}));
    server.model.family = "gpt-oss";
    server.in.version = version;
    server.in.pool = units::bytes(184320ULL * 10000);
    EXPECT_EQ(run(server).pool.tokens, tokens) << version;
  }
}

// A slot is 153,944,064 B, a token 65,536. Four draft tokens: (16e9 × 0.9 ÷ 1.9 − 5 slots) ÷ (1 + 4
// ÷ 3 slots) is 18; with its padding and (18 ÷ 3 + 1) × 4 more there are 47 slots of 16e9 B.
TEST(SglangPools, DraftTokensTakeSlotsOfTheirOwn) {
  Server server(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF32)}));
  server.in.pool = units::gigabytes(16);
  server.in.draft.method = "ngram";
  server.in.draft.tokens = 4;
  const Outcome out = run(server);
  ASSERT_EQ(out.caches.size(), 2u);
  EXPECT_EQ(out.caches[1].cells, 18u);
  EXPECT_EQ(out.seq_cap, 6u);
  EXPECT_EQ(out.pool.tokens, (16000000000u - 47 * 153944064ULL) / 65536);
}

// Until 0.5.12 there was no padding: 49 slots, of 16e9 × 0.9 ÷ 1.9 B.
TEST(SglangPools, ThePaddingSlotCameWith0513) {
  Server server(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF32)}));
  server.in.pool = units::gigabytes(16);
  server.in.version = "0.5.12";
  const Outcome out = run(server);
  EXPECT_EQ(out.caches[1].cells, 49u);
  EXPECT_EQ(out.pool.tokens, (16000000000u - 49 * 153944064ULL) / 65536);
}

TEST(SglangPools, StatesByRatioByRequestsOrAsGiven) {
  const auto slots = [](Server& server) {
    const Outcome out = run(server);
    return out.caches.back().cells;
  };
  Server server(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF32)}));
  server.in.pool = units::gigabytes(16);
  server.option("stateratio", "0.5");
  EXPECT_EQ(slots(server), (16000000000u / 3 - 153944064u) / 153944064u);
  Server plain(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF32)}));
  plain.in.pool = units::gigabytes(16);
  plain.in.seqs = 7;
  EXPECT_EQ(run(plain).seq_cap, 7u);
  plain.option("prefixcaching", "off");
  EXPECT_EQ(slots(plain), 7u) << "a slot a request, and no more are asked for";
  Server typed(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF32)}));
  typed.in.pool = units::gigabytes(16);
  typed.option("statetype", "bfloat16");
  const std::uint64_t slot = 48u * (3 * 10240 * 2 + 48 * 128 * 128 * 2);
  EXPECT_EQ(slots(typed), 16000000000u * 9 / 19 / slot - 1);
}

struct Requests {
  const char* version;
  std::uint64_t tokens, context;
  std::uint64_t most;
};

// clamp(tokens ÷ context × 512, 2,048, 4,096), and since 0.5.13 no more than half of the tokens.
TEST(SglangPools, RequestsAreEstimatedFromThePool) {
  constexpr Requests kCases[] = {
      {"0.5.13", 404357, 8192, 4096},  {"0.5.13", 404357, 131072, 2048},
      {"0.5.13", 393216, 65536, 3072}, {"0.5.13", 1000, 100, 500},
      {"0.5.12", 1000, 100, 4096},
  };
  for (const Requests& c : kCases) {
    Server server(llama_8b());
    server.in.version = c.version;
    server.in.pool_tokens = c.tokens;
    server.in.context = c.context;
    EXPECT_EQ(run(server).seq_cap, c.most) << c.tokens;
  }
}

TEST(SglangPools, AttentionRanksShareTheRequests) {
  Server ranks(model_of({latent(61, 512, 64)}));
  ranks.in.parallel.dp = ranks.in.parallel.ep = 8;
  ranks.in.pool = units::gib(40);
  ranks.in.seqs = 100;
  EXPECT_EQ(run(ranks).seq_cap, 12u);
  ranks.in.seqs = 7;
  EXPECT_EQ(run(ranks).seq_cap, 1u);
  ranks.in.parallel.ep = ranks.in.parallel.tp;  // dp without sharing experts: whole servers
  EXPECT_EQ(run(ranks).seq_cap, 7u);
}

// A slot of 146.81 MiB does not fit 95 MiB.
TEST(SglangRefusals, StatesThatFindNoSlot) {
  Server server(model_of({heads(16, 4, 256), delta(48, 16, 48, model::StateType::kF32)}));
  server.in.pool = units::bytes(100000000);
  const Outcome out = run(server);
  EXPECT_TRUE(out.refusal.refused);
  EXPECT_EQ(out.refusal.message.substr(0, 178),
            "Not enough GPU memory for hybrid (mamba/linear-attention) state cache. Computed "
            "max_mamba_cache_size=0 (total_rest_memory=0.09 GB, mamba_cache_per_req=146.81 MB). "
            "Try: (1) reduce");
}

// 22 GiB before, 4 after: at least 1 − 4 ÷ 22 = 0.8182 must be allowed.
TEST(SglangRefusals, AFractionThatLeavesNothingIsToldTheLeast) {
  Server server(llama_8b());
  server.in.util = 0.8;
  server.option("freebefore", "22GiB");
  server.option("freeafter", "4GiB");
  const Outcome out = run(server);
  EXPECT_EQ(out.refusal.message,
            "Loaded weights leave no GPU memory for the KV cache under "
            "--mem-fraction-static=0.8. Raise --mem-fraction-static above 0.819 (minimum viable = "
            "1 - available/pre = 0.8182). If using speculative decoding, draft weights are now "
            "counted.");
  server.in.version = "0.5.12";
  EXPECT_EQ(run(server).refusal.message,
            "Not enough memory. Please try to increase --mem-fraction-static. Current value: "
            "mem_fraction_static=0.8");
}

// What is taken and what is left are all there is, for the middle and for both ends.
TEST(SglangBudget, TermsAndPoolAddUpToTheMemory) {
  Server server(llama_8b());
  server.weigh(units::gib(15));
  server.in.used = units::gib(1);
  for (const bool given : {false, true}) {
    if (given) server.in.overhead = units::gib(3);
    const Outcome out = run(server);
    std::uint64_t typical = out.pool.bytes.raw();
    for (const BudgetTerm& term : out.budget) {
      typical += term.typical.raw();
      EXPECT_LE(term.low, term.typical) << term.id;
      EXPECT_LE(term.typical, term.high) << term.id;
    }
    EXPECT_EQ(typical, out.seen.raw());
    EXPECT_LT(out.pool.low_bytes, out.pool.bytes);
    EXPECT_LT(out.pool.bytes, out.pool.high_bytes);
  }
}

}  // namespace
}  // namespace kvseats::engine
