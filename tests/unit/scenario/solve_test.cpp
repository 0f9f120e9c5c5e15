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

TEST(SolveGpus, DealsTokensOutWhereThatSavesGpus) {
  const std::string asked = "for=gpus model=deepseek-v3 context=128k users=64 kv=fp8 gpu=b200";
  const GpuAnswer free = solve_words(asked).gpus.at(0);
  const GpuAnswer kept = solve_words(asked + " dcp=1").gpus.at(0);
  EXPECT_EQ(free.choice.group.parallel.dcp, 2u) << free.sentence;
  EXPECT_NE(free.sentence.find(", dcp 2: "), std::string::npos) << free.sentence;
  EXPECT_NE(free.query.find("dcp=2"), std::string::npos) << free.query;
  EXPECT_EQ(kept.choice.group.parallel.dcp, 1u);
  EXPECT_GT(kept.choice.gpus, free.choice.gpus);
  EXPECT_NE(to_json(solve_words(asked), 0).find("\"dcp\":2,\"ep\""), std::string::npos);
}

TEST(SolveGpus, AGivenDcpIsKeptOrRefused) {
  const std::string asked = "for=gpus model=deepseek-v3 users=1 gpu=b200 engine=";
  const Solution four = solve_words(asked + "vllm dcp=4");
  ASSERT_TRUE(four.ok);
  EXPECT_EQ(four.gpus.at(0).choice.group.parallel.dcp, 4u);
  EXPECT_EQ(four.report.scenario.dcp->value, 4u);
  for (const std::string_view refused : {"vllm dcp=3", "llama.cpp dcp=2", "trtllm dcp=2"}) {
    const Solution none = solve_words(asked + std::string(refused));
    EXPECT_TRUE(none.ok) << refused;
    EXPECT_NE(none.sentence.find("the engine allows no such split"), std::string::npos)
        << none.sentence;
  }
  const Solution measured =
      solve_words("for=gpus model=deepseek-v3 users=9 gpu=b200 pool=20GB tp=4 dcp=4");
  EXPECT_EQ(measured.gpus.at(0).choice.group.parallel.dcp, 4u) << "with its layout";
}

std::string formats_of(const Solution& s) {
  std::string out;
  for (const GpuAnswer& answer : s.gpus) {
    out += answer.weights + "/" + answer.cache + " " + std::to_string(answer.choice.gpus) + "; ";
  }
  return out;
}

// Half the bytes, half the GPUs; with room to spare all need one, and the order is the lists'.
TEST(SolveGpus, FormatsAreChosenFromLists) {
  const std::string large = "for=gpus model=llama-3.3-70b context=128k users=64 gpu=h100-sxm ";
  EXPECT_EQ(formats_of(solve_words(large + "kv=auto,fp8")),
            "as published/fp8 24; as published/bf16 48; ");
  const std::string small = "for=gpus model=llama-3.1-8b users=1 gpu=h100-sxm ";
  EXPECT_EQ(formats_of(solve_words(small + "kv=auto,fp8 weights=auto,fp8")),
            "as published/bf16 1; as published/fp8 1; fp8/bf16 1; fp8/fp8 1; ");
  EXPECT_EQ(formats_of(solve_words(small + "kv=fp8,auto weights=int4,auto")),
            "int4/fp8 1; int4/bf16 1; as published/fp8 1; as published/bf16 1; ");
  const Solution s = solve_words(large + "kv=auto,fp8 weights=bf16");
  EXPECT_TRUE(s.sentence.starts_with("24 × H100, cache fp8, tp 8, pp 3: ")) << s.sentence;
  EXPECT_EQ(s.report.model.cache_format, "fp8") << "evaluated with it";
  EXPECT_TRUE(
      solve_words(small + "weights=fp8,auto").sentence.starts_with("1 × H100, weights fp8: "));
  const std::string json = to_json(s, 0);
  EXPECT_NE(json.find("\"weights\":\"bf16\",\"kv\":\"fp8\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"kv\":\"bf16\""), std::string::npos) << json;
}

TEST(SolveGpus, AFormatThatTheEngineHasNotIsARowAndNoError) {
  struct {
    std::string_view words, text;
  } constexpr kCases[] = {
      {"engine=llama.cpp kv=fp8,q8_0", "H100, cache fp8: "},
      {"engine=sglang version=0.4.0 weights=nvfp4,auto", "H100, weights nvfp4: "},
      {"kv=fp8_ds_mla,auto", "stores latents"},  // refused before any engine is asked
  };
  for (const auto& c : kCases) {
    const std::string asked = "for=gpus model=llama-3.1-8b users=1 gpu=h100-sxm ";
    const Solution s = solve_words(asked + std::string(c.words));
    ASSERT_TRUE(s.ok) << c.words;
    ASSERT_EQ(s.gpus.size(), 2u);
    EXPECT_EQ(s.gpus[0].choice.gpus, 1u);
    EXPECT_EQ(s.gpus[1].choice.obstacle, plan::Obstacle::kRules);
    EXPECT_NE(s.gpus[1].sentence.find(c.text), std::string::npos) << s.gpus[1].sentence;
    EXPECT_FALSE(units::has_error(s.diagnostics));
    // Alone it is a bad input.
    EXPECT_FALSE(solve_words(asked + std::string(c.words.substr(0, c.words.find(',')))).ok);
  }
  EXPECT_EQ(solve_words("for=gpus kv=auto,fp9").diagnostics.at(0).code, "E-FORMAT");
  // What is refused beside the list is no row of it.
  EXPECT_FALSE(solve_words("for=gpus engine=llama.cpp kv=fp8 weights=auto,q8_0 users=1").ok);
  EXPECT_FALSE(
      solve_words("for=gpus engine=sglang version=0.4.0 weights=nvfp4 kv=auto,bf16 users=1").ok);
}

TEST(SolveGpus, SaysWhatACacheOfEightBitsWouldNeed) {
  const std::string large = "for=gpus model=llama-3.3-70b context=128k users=64 gpu=h100-sxm";
  const Solution s = solve_words(large);
  EXPECT_TRUE(s.sentence.ends_with("; with an 8-bit cache (fp8): 24 instead of 48.")) << s.sentence;
  EXPECT_EQ(solve_words(large + " kv=fp8").gpus.at(0).choice.gpus, 24u);
  EXPECT_NE(to_json(s, 0).find("\"eight_bit_cache_gpus\":24"), std::string::npos);
  // Ollama has no fp8; the second format is tried.
  const std::string ollama = solve_words(large + " engine=ollama users=4").sentence;
  EXPECT_TRUE(ollama.ends_with("; with an 8-bit cache (q8_0): 8 instead of 12.")) << ollama;
  for (const char* nothing : {" kv=fp8", " kv=q4_0", " kv=auto,fp8", " users=1 context=4k"}) {
    EXPECT_EQ(solve_words(large + nothing).gpus.at(0).eight_bit_gpus, 0u) << nothing;
  }
  EXPECT_NE(to_json(solve_words(large + " kv=fp8"), 0).find("\"eight_bit_cache_gpus\":null"),
            std::string::npos);
}

// 40 GB hold 305,175 tokens of 131,072 B, and twice as many in 8 bit.
TEST(SolveGpus, ACacheOfEightBitsMayServeWhereNoneDoes) {
  const Solution s = solve_words(
      "for=gpus model=llama-3.1-8b engine=vllm pool=10GB prompt=100000 output=1000 users=2");
  ASSERT_TRUE(s.ok);
  EXPECT_EQ(s.sentence,
            "H100: the engine would not start for one such request, however split over up to 32 "
            "GPUs; with an 8-bit cache (fp8): 2 GPUs.");
}

TEST(SolveGpus, AcceleratorsTimesFormatsAreAtMostAHundred) {
  std::string asked = "for=gpus model=llama-3.1-8b users=1 kv=auto,fp8 gpu=";
  for (int i = 0; i < 50; ++i) asked += "h100-sxm,";
  EXPECT_EQ(solve_words(asked).gpus.size(), 100u);
  EXPECT_EQ(solve_words(asked + "h100-sxm").diagnostics.at(0).code, "E-TOO-MANY");
  EXPECT_EQ(solve_words(asked + " weights=auto,fp8").diagnostics.at(0).code, "E-TOO-MANY");
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
