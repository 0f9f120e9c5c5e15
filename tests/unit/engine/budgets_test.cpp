#include <gtest/gtest.h>

#include <algorithm>

#include "engine/llamacpp/llamacpp.h"
#include "engine/sglang/sglang.h"
#include "engine/trtllm/trtllm.h"
#include "vllm_models.h"

// What each engine is taken to need beside the cache, to the byte: low, typical, high.
namespace kvseats::engine {
namespace {

struct Term {
  const char* id;
  std::uint64_t low, typical, high;
};

void expect_terms(const Outcome& out, const std::vector<Term>& terms, const char* of) {
  for (const Term& term : terms) {
    const auto at = std::find_if(out.budget.begin(), out.budget.end(),
                                 [&term](const BudgetTerm& t) { return t.id == term.id; });
    ASSERT_NE(at, out.budget.end()) << of << ": " << term.id;
    EXPECT_EQ(at->low.raw(), term.low) << of << ": " << term.id;
    EXPECT_EQ(at->typical.raw(), term.typical) << of << ": " << term.id;
    EXPECT_EQ(at->high.raw(), term.high) << of << ": " << term.id;
  }
}

bool has_term(const Outcome& out, std::string_view id) {
  return std::any_of(out.budget.begin(), out.budget.end(),
                     [id](const BudgetTerm& term) { return term.id == id; });
}

// GPUs, version and sequences beside a million bytes of weights.
struct Case {
  const char* name;
  std::uint32_t tp, pp;
  const char* version;
  std::optional<std::uint64_t> seqs;
  std::vector<Term> terms;
};

std::unique_ptr<Server> deployed(const Case& c) {
  auto server = std::make_unique<Server>(llama_8b());
  server->weigh(units::bytes(1000000));
  server->in.parallel.tp = c.tp;
  server->in.parallel.pp = c.pp;
  server->in.version = c.version;
  server->in.seqs = c.seqs;
  return server;
}

// A step of 8,192 tokens is 8,192 × 3 × (14,336 ÷ tp + 4,096) × 2 B = 905,969,664, from 80 to 140
// %; logits of 1,024 sequences × 128,256 words × 15, 17 and 52 B, before 0.19 39 B. Whichever is
// more. Hundredths of a GiB are rounded down: 0.02 GiB is 21,474,836.48 B.
TEST(Budgets, OfVllm) {
  const Case cases[] = {
      {"logits",
       1,
       1,
       "",
       {},
       {{"weights", 997000, 1000000, 1010000},
        {"activations", 1970012160, 2232680448, 6829375488},
        {"graphs", 0, 644245094, 2684354560},
        {"runtime", 21474836, 150323855, 429496729}}},
      {"a step", 1, 1, "", 16, {{"activations", 724775731, 905969664, 1268357529}}},
      {"logits of old",
       1,
       1,
       "0.18.0",
       {},
       {{"activations", 1970012160, 1024ULL * 128256 * 39, 6829375488}}},
      {"logits since 0.19",
       1,
       1,
       "0.19.0",
       {},
       {{"activations", 1970012160, 2232680448, 6829375488}}},
      {"two GPUs",
       2,
       1,
       "",
       16,
       {{"weights", 498500, 500000, 505000},
        {"activations", 442918502, 553648128, 775107379},
        {"runtime", 214748364, 590558003, 1717986918}}},
      {"two stages", 1, 2, "", 16, {{"runtime", 214748364, 590558003, 1717986918}}},
  };
  for (const Case& c : cases) expect_terms(deployed(c)->run(), c.terms, c.name);
  for (const BudgetTerm& term : deployed(cases[0])->run().budget) {
    if (term.id == "weights") {
      EXPECT_EQ(term.formula, "1,000,000 B ÷ (tp 1 × pp 1)") << "nothing is padded";
    }
  }
  EXPECT_FALSE(has_term(deployed(cases[2])->run(), "graphs")) << "charged since 0.21";
}

// 0.25, 0.5 and 1.1 GiB; on several GPUs 0.5, 0.4 + 0.2 and 1.5 + 0.25 for each, up to eight. A
// quarter of what is free before loading is left alone.
TEST(Budgets, OfSglang) {
  const Case cases[] = {
      {"one GPU",
       1,
       1,
       "",
       {},
       {{"weights", 995000, 1015000, 1060000},
        {"runtime", 268435456, 536870912, 1181116006},
        {"reserve", 21179557478, 21340618752, 21407727616}}},
      {"two GPUs", 2, 1, "", {}, {{"runtime", 536870912, 858993459, 2147483648}}},
      {"two stages of four", 4, 2, "", {}, {{"runtime", 536870912, 2147483648, 3758096384}}},
      {"sixteen GPUs", 16, 1, "", {}, {{"runtime", 536870912, 2147483648, 3758096384}}},
  };
  for (const Case& c : cases) {
    const auto server = deployed(c);
    server->in.util = 0.75;
    expect_terms(sglang_profile().run(server->in), c.terms, c.name);
  }
}

// 0.6, 1.2 and 3 GiB, on several GPUs 1, 2 and 5; half of a step's activations to three times.
TEST(Budgets, OfTensorRtLlm) {
  const Case cases[] = {
      {"one GPU",
       1,
       1,
       "",
       {},
       {{"weights", 997000, 1005000, 1040000},
        {"runtime", 644245094, 1288490188, 3221225472},
        {"activations", 452984832, 905969664, 2717908992}}},
      {"two GPUs", 2, 1, "", {}, {{"runtime", 1073741824, 2147483648, 5368709120}}},
      {"two stages", 1, 2, "", {}, {{"runtime", 1073741824, 2147483648, 5368709120}}},
  };
  for (const Case& c : cases) expect_terms(trtllm_profile().run(deployed(c)->in), c.terms, c.name);
}

// 512 tokens × 128,256 logits × 4 B, or 8 × the hidden size, or gate and up of the experts; without
// flash attention scores of 8,192 cells × 32 heads × 4 B as well. From 60 % to twice and 256 MiB.
// The embedding is 525,336,576 of 8,030,261,248 parameters, 65,419 B, and stays in host memory.
TEST(Budgets, OfLlamaCpp) {
  constexpr std::uint64_t kMib = 1048576;
  Server server(llama_8b());
  server.weigh(units::bytes(1000000));
  expect_terms(llamacpp_profile().run(server.in),
               {{"weights", 920562, 934581, 948599},
                {"activations", 157600972, 262668288, 525336576 + 256 * kMib},
                {"runtime", 205 * kMib, 461 * kMib, 922 * kMib},
                {"unused", 1024 * kMib, 1024 * kMib, 1024 * kMib}},
               "flash attention");
  server.option("fa", "off");
  expect_terms(llamacpp_profile().run(server.in),
               {{"activations", 479723520, 799539200, 1599078400 + 256 * kMib}}, "scores");
  server.model.attention_heads = 0;
  expect_terms(llamacpp_profile().run(server.in),
               {{"activations", 167667302, 279445504, 558891008 + 256 * kMib}},
               "one head at least");
  Server wide(llama_8b());
  wide.model.vocab = 100;
  expect_terms(llamacpp_profile().run(wide.in),
               {{"activations", 40265318, 512 * 32768 * 4, 134217728 + 256 * kMib}}, "hidden");
  wide.model.moe = {.experts = 256, .per_token = 8, .shared = 1, .expert_width = 2048};
  expect_terms(llamacpp_profile().run(wide.in),
               {{"activations", 45298483, 512 * 36864 * 4, 150994944 + 256 * kMib}}, "experts");
}

// gpt-oss 120B's experts of 2,880 × 2,880: the kernels take 2,944 × 3,072, with half of the width
// 1,536 × 3,072; whole experts stay whole.
TEST(Budgets, VllmPadsExpertsOf4Bit) {
  struct {
    const char* name;
    std::uint32_t tp, ep;
    const char* format;
    bool routed;
    std::uint64_t hidden, expected;
  } const cases[] = {
      {"one GPU", 1, 1, "mxfp4", true, 2880, 829440000 + 74956800},
      {"two halves", 2, 1, "mxfp4", true, 2880, 414720000 + 57139200},
      {"half of them", 2, 2, "mxfp4", true, 2880, 414720000 + 37478400},
      {"another format", 1, 1, "bf16", true, 2880, 829440000},
      {"not experts", 1, 1, "mxfp4", false, 2880, 829440000},
      {"nothing is known", 1, 1, "mxfp4", true, 0, 829440000},
  };
  for (const auto& c : cases) {
    Server server(llama_8b());
    server.model.hidden = static_cast<std::uint32_t>(c.hidden);
    server.model.moe = {.experts = 128, .per_token = 4, .expert_width = 2880};
    server.weigh(units::bytes(829440000));
    server.in.weights.rows[0].format = c.format;
    server.in.weights.rows[0].routed_experts = c.routed;
    server.in.parallel.tp = c.tp;
    server.in.parallel.ep = c.ep;
    const Outcome out = server.run();
    for (const BudgetTerm& term : out.budget) {
      if (term.id == "weights") {
        EXPECT_EQ(term.typical.raw(), c.expected) << c.name;
      }
    }
  }
}

// vllm/v1/worker/utils.py, request_memory: three quarters of 80 GiB may be asked for beside 20.
TEST(Budgets, VllmStartsBesideOthersUpToTheLastByte) {
  Server server(llama_8b());
  server.weigh(units::gib(16));
  server.in.util = 0.75;
  server.in.overhead = units::gib(4);
  server.in.used = units::gib(20);
  const Outcome out = server.run();
  EXPECT_FALSE(out.refusal.refused);
  EXPECT_FALSE(out.pool.no_room);
  EXPECT_EQ(out.pool.bytes, units::gib(40)) << "what others hold is not taken twice";
  server.in.used += units::bytes(1);
  EXPECT_TRUE(server.run().refusal.refused);
  for (const int given : {0, 1, 2}) {
    server.in.pool.reset();
    server.in.pool_blocks.reset();
    server.in.pool_tokens.reset();
    if (given == 0) server.in.pool = units::gib(40);
    if (given == 1) server.in.pool_blocks = 20000;
    if (given == 2) server.in.pool_tokens = 320000;
    EXPECT_FALSE(server.run().refusal.refused) << "a given pool asks nobody: " << given;
  }
}

}  // namespace
}  // namespace kvseats::engine
