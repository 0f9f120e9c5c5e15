#include "scenario/solve.h"

#include "fixture.h"
#include "traffic/random.h"

namespace kvseats::scenario {
namespace {

using testing::shipped;
using testing::words_of;

Solution solve_words(std::string_view line) {
  return solve(read_question(words_of(line), Strictness::kCommandLine), shipped());
}

const GpuAnswer& of(const Solution& solution, std::string_view slug) {
  for (const GpuAnswer& answer : solution.gpus) {
    if (answer.slug == slug) return answer;
  }
  ADD_FAILURE() << "no answer for " << slug;
  return solution.gpus.front();
}

TEST(Solve, ContextAloneAndForAllAtOnce) {
  const Solution s = solve_words("for=context model=llama-3-8b pool=53GB");
  ASSERT_TRUE(s.ok);
  EXPECT_EQ(s.sentence,
            "One request alone: 404,357 tokens by memory; the model's own limit is 8,192 tokens. "
            "100 requests at once: 4,043 tokens each; limited by cache pool of one GPU.");
}

TEST(Solve, UnknownTargetIsRefused) {
  const Solution s = solve_words("for=everything");
  ASSERT_FALSE(s.ok);
  EXPECT_EQ(s.diagnostics[0].code, "E-SOLVE");
}

TEST(Solve, BadBoundsOfTheSearchAreRefused) {
  EXPECT_EQ(solve_words("for=gpus node=0").diagnostics.at(0).code, "E-RANGE");
  EXPECT_EQ(solve_words("for=gpus multinode=perhaps").diagnostics.at(0).code, "E-CHOICE");
  EXPECT_EQ(solve_words("for=gpus gpu=h100-sxm,h9000").diagnostics.at(0).code, "E-UNKNOWN-GPU");
}

// The lesson: 100 users with 13,000 tokens each, of which 31 fit a pool of 53 GB.
TEST(SolveGpus, AGivenPoolKeepsItsLayoutAndCountsCopies) {
  const Solution s =
      solve_words("for=gpus model=llama-3-8b pool=53GB prompt=13000 output=0 users=100");
  ASSERT_TRUE(s.ok);
  EXPECT_EQ(s.gpus.at(0).choice.gpus, 4u);
  EXPECT_EQ(s.gpus.at(0).choice.per_copy, 31u);
  EXPECT_EQ(s.report.concurrency.requests, 124u);
}

// 671 B parameters published in 8 bit are 689 GB; eight H100 offer 8 × 85 GB = 680 GB. With a cache
// of 64 × 131,072 × 70,272 B = 590 GB beside them, eight H200 (1,200 GB) are too few as well, and
// eight B200 (1,530 GB) are enough.
TEST(SolveGpus, DeepSeekV3HasNoRoomOnOneNodeOfH100) {
  const Solution s =
      solve_words("for=gpus model=deepseek-v3 context=128k users=64 gpu=h100-sxm,h200,b200,mi300x");
  ASSERT_TRUE(s.ok);
  EXPECT_GT(of(s, "h100-sxm").choice.gpus, 8u);
  EXPECT_GT(of(s, "h200-sxm").choice.gpus, 8u);
  EXPECT_EQ(of(s, "b200-sxm").choice.gpus, 8u);
  EXPECT_EQ(solve_words("for=users model=deepseek-v3 tp=8 gpu=h100-sxm").report.verdict.status,
            "no_room");
}

TEST(SolveGpus, TheAnswerServesTheUsersWhenEvaluated) {
  for (const std::string_view scenario :
       {"model=llama-3.3-70b context=128k users=64", "model=llama-3.1-8b users=1000",
        "model=deepseek-v3 context=128k users=64", "model=qwen3-32b users=10 context=32k",
        "model=llama-3.1-405b users=1", "model=llama-3.3-70b users=64 engine=vllm"}) {
    const Solution s =
        solve_words("for=gpus gpu=h100-sxm,h200,b200,mi300x,l4 " + std::string(scenario));
    ASSERT_TRUE(s.ok) << scenario;
    for (const GpuAnswer& answer : s.gpus) {
      if (answer.query.empty()) continue;
      const Report report = evaluate(decode(answer.query, Strictness::kCommandLine), shipped());
      EXPECT_TRUE(report.users.fits) << answer.query;
      EXPECT_EQ(report.gpu.count, answer.choice.gpus) << answer.query;
      EXPECT_GE(*report.concurrency.requests, report.users.asked) << answer.query;
      EXPECT_EQ(report.concurrency.requests, answer.choice.requests) << answer.query;
    }
  }
}

// The pool is an estimate: the answer has its ends, as every other count has.
TEST(SolveGpus, SaysWhatTheEndsOfThePoolGive) {
  const Solution s = solve_words(
      "for=gpus model=llama-3.3-70b context=128k users=64 gpu=h100-sxm,h200,b200,mi300x");
  for (const GpuAnswer& answer : s.gpus) {
    const plan::Choice& c = answer.choice;
    const Report report = evaluate(decode(answer.query, Strictness::kCommandLine), shipped());
    EXPECT_EQ(report.concurrency.low_requests, c.low_requests) << answer.query;
    EXPECT_EQ(report.concurrency.high_requests, c.high_requests) << answer.query;
    EXPECT_EQ(c.holds_low, c.low_requests >= 64) << answer.query;
    EXPECT_LE(c.high_gpus, c.gpus) << answer.query;
    EXPECT_GE(c.low_gpus, c.gpus) << answer.query;
    EXPECT_EQ(c.holds_low, c.low_gpus == c.gpus) << answer.query;
    EXPECT_EQ(c.low_requests != c.high_requests,
              answer.sentence.find("as the pool is an estimate") != std::string::npos);
    EXPECT_EQ(c.holds_low, answer.sentence.find("too few at its low end") == std::string::npos)
        << answer.sentence;
  }
  const Solution given = solve_words("for=gpus pool=53GB prompt=13000 output=0 users=100");
  EXPECT_EQ(given.sentence.find("estimate"), std::string::npos) << given.sentence;
}

// One group fewer of the same layout is too few.
// Nobody runs 17 stages of 80 layers: the next usual layout is chosen, and that is said.
TEST(SolveGpus, ChoosesALayoutThatPeopleRunAndSaysWhatFewerWouldTake) {
  for (const char* model : {"llama-3.3-70b", "deepseek-v3", "qwen3-235b-a22b", "gemma-3-27b"}) {
    const Solution s = solve_words(
        "for=gpus context=128k users=64 gpu=h100-sxm,h200,b200,mi300x "
        "model=" +
        std::string(model));
    for (const GpuAnswer& answer : s.gpus) {
      const plan::Choice& c = answer.choice;
      const std::uint32_t pp = c.group.parallel.pp;
      const std::uint64_t layers = s.report.model.layers;
      const std::uint64_t uneven = (layers + pp - 1) / pp * pp - layers;
      EXPECT_TRUE(pp <= 4 || (pp <= 8 && uneven * 20 <= layers)) << answer.sentence;
      EXPECT_EQ(c.odd_gpus != 0, answer.sentence.find(" would do as ") != std::string::npos);
      EXPECT_LT(c.odd_gpus, c.gpus) << answer.sentence;
    }
  }
}

TEST(SolveGpus, OneGroupFewerIsTooFew) {
  int several = 0;
  traffic::Random random(20251203);
  for (int i = 0; i < 60; ++i) {
    const auto& models = shipped().models;
    const std::string slug = models[static_cast<std::size_t>(random.below(models.size()))].slug;
    const char* engine = random.below(2) == 0 ? "hand" : "vllm";
    const Solution s =
        solve_words("for=gpus gpu=h100-sxm,l40s engine=" + std::string(engine) + " model=" + slug +
                    " users=" + std::to_string(1 + random.below(2000)));
    for (const GpuAnswer& answer : s.gpus) {
      const plan::Choice& c = answer.choice;
      if (answer.query.empty()) continue;
      const Scenario now = decode(answer.query, Strictness::kCommandLine).scenario;
      EXPECT_TRUE(evaluate(now, shipped()).users.fits) << answer.query;
      if (c.groups < 2) continue;
      ++several;
      const Report fewer = evaluate(with_layout(now, c.group.parallel, c.groups - 1), shipped());
      EXPECT_FALSE(fewer.users.fits) << fewer.query;
    }
  }
  EXPECT_GT(several, 20);
}

// Where nothing grows it is said, and what binds the count is named.
TEST(Solve, ModelsWithOnlyWindowsOrOnlyStatesNameWhatBinds) {
  const std::string windows = " model=custom shape=window:32x8x128@4096 params=7e9";
  EXPECT_NE(solve_words("for=context" + windows).sentence.find("its windows are full"),
            std::string::npos)
      << solve_words("for=context" + windows).sentence;
  for (const std::string_view engine : {"hand", "vllm", "sglang", "trtllm"}) {
    const std::string sentence =
        solve_words("for=gpus users=2000 engine=" + std::string(engine) + windows).sentence;
    EXPECT_TRUE(sentence.find("limited by the ") != std::string::npos ||
                sentence.find("slots end before") != std::string::npos)
        << sentence;
    EXPECT_NE(solve_words("for=users engine=" + std::string(engine) + windows)
                  .sentence.find("limited by"),
              std::string::npos);
  }
}

TEST(SolveGpus, AGivenLayoutIsSaidNotToBeKept) {
  const auto noted = [](const Solution& s) {
    return std::any_of(s.diagnostics.begin(), s.diagnostics.end(),
                       [](const units::Diagnostic& d) { return d.code == "N-LAYOUT"; });
  };
  EXPECT_TRUE(noted(solve_words("for=gpus model=llama-3.1-8b users=10 tp=4")));
  EXPECT_FALSE(noted(solve_words("for=gpus model=llama-3.1-8b users=10 tp=1")));
  EXPECT_FALSE(noted(solve_words("for=gpus model=llama-3.1-8b users=10 tp=4 pool=53GB")));
}

TEST(SolveGpus, TheFewestComeFirstAndThoseThatCannotServeLast) {
  const Solution s =
      solve_words("for=gpus model=llama-3.1-405b weights=bf16 users=1 gpu=l4,h100-sxm,b200 node=8");
  ASSERT_EQ(s.gpus.size(), 3u);
  EXPECT_EQ(s.gpus[0].slug, "b200-sxm");
  for (std::size_t i = 1; i < s.gpus.size(); ++i) {
    const plan::Choice& before = s.gpus[i - 1].choice;
    const plan::Choice& after = s.gpus[i].choice;
    EXPECT_TRUE(after.obstacle != plan::Obstacle::kNone || before.gpus <= after.gpus);
  }
}

TEST(SolveLever, NamesTheCheapestChangeThatReachesTheUsers) {
  const Solution s = solve_words("for=lever pool=53GB prompt=8192 output=0 users=98");
  ASSERT_TRUE(s.ok);
  ASSERT_TRUE(s.lever.has_value());
  EXPECT_EQ(s.report.levers[*s.lever].id, "kv8");
  EXPECT_TRUE(solve_words("for=lever pool=53GB prompt=8192 output=0 users=5000")
                  .sentence.starts_with("No single change reaches 5,000"));
  EXPECT_EQ(solve_words("for=lever pool=53GB prompt=8192 output=0 users=49").sentence,
            "All 49 fit already.");
  // Nobody asked for a number of users: none is named.
  const Solution open = solve_words("for=lever pool=53GB prompt=8192 output=0");
  ASSERT_TRUE(open.lever.has_value());
  EXPECT_NE(open.sentence.find("instead of 49 requests"), std::string::npos) << open.sentence;
  EXPECT_EQ(open.sentence.find("100"), std::string::npos) << open.sentence;
}

TEST(SolveOffload, NeedsAnEngineThatCan) {
  EXPECT_EQ(solve_words("for=offload").diagnostics.at(0).code, "E-SOLVE");
}

TEST(SolveOffload, MostLayersThatServeAndOneMoreDoesNot) {
  const std::string scenario =
      "engine=llama.cpp model=llama-3.3-70b weights=q4_k_m gpu=rtx-4090 "
      "context=8192 users=1";
  const Solution s = solve_words("for=offload " + scenario);
  ASSERT_TRUE(s.ok);
  ASSERT_TRUE(s.layers_on_gpu.has_value());
  EXPECT_GT(*s.layers_on_gpu, 20u);
  EXPECT_LT(*s.layers_on_gpu, 81u);
  EXPECT_TRUE(s.report.verdict.fits);
  const Report more = testing::ask(scenario + " ngl=" + std::to_string(*s.layers_on_gpu + 1));
  EXPECT_FALSE(more.verdict.fits && more.concurrency.requests.value_or(0) > 0);
}

}  // namespace
}  // namespace kvseats::scenario
