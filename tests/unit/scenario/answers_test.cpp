#include <algorithm>
#include <cmath>
#include <set>

#include "scenario/compare.h"
#include "scenario/json_path.h"
#include "scenario/present.h"
#include "scenario/solve.h"
#include "scenario/sweep.h"
#include "unit/scenario/fixture.h"
#include "unit/scenario/random_scenarios.h"

// What an answer may say: nothing that the deployment does not do, and nothing without its doubt.
namespace kvseats::scenario {
namespace {

using testing::ask;
using testing::shipped;
using testing::words_of;

constexpr const char* kEngines[] = {"hand",      "vllm",   "sglang",  "trtllm",
                                    "llama.cpp", "ollama", "lmstudio"};

std::string first_sentence(const Report& report) {
  return plain_text(answer_sentence(report, units::SizeUnit::kGib));
}

bool has_code(const Report& report, std::string_view code, std::string_view where = "") {
  return std::any_of(report.diagnostics.begin(), report.diagnostics.end(),
                     [&](const units::Diagnostic& d) {
                       return d.code == code && (where.empty() || d.where == where);
                     });
}

// vLLM, SGLang and TensorRT-LLM refuse a limit that the pool does not hold, however short the load.
// 80e9 B are 78,125,000 blocks of 16 x 64 B, one of them lost; a request keeps 65 of them whatever
// its length. vLLM's tokens are blocks / 65 x context: 1.2e15, then 1.2e18, beyond all that JSON
// holds.
TEST(Answers, APoolOfWindowsAloneIsAsGoodAsEndless) {
  const std::string line =
      "model=custom shape=window:1x1x16@16 engine=vllm pool=80GB prompt=1000 output=10 context=";
  EXPECT_TRUE(ask(line + "1000000000").pool.tokens.has_value());
  EXPECT_FALSE(ask(line + "1000000000000").pool.tokens.has_value());
}

TEST(Answer, NobodyFitsWhereTheEngineDoesNotStart) {
  for (const char* query :
       {"engine=vllm gpu=l4 context=2m prompt=100 output=100 users=3",
        "engine=trtllm gpu=l4 context=2m prompt=100 output=100 users=3",
        "engine=sglang gpu=l4 context=2m prompt=100 output=100 users=3",
        "engine=vllm model=llama-3.1-70b", "model=llama-3.1-70b users=1",
        "engine=vllm gpu=l4 context=2m prompt=100 output=100 service=a:10+10x1"}) {
    const Report report = ask(query);
    ASSERT_TRUE(report.ok) << query;
    EXPECT_FALSE(report.users.fits) << query;
    EXPECT_FALSE(report.verdict.fits) << query;
    EXPECT_EQ(report.users.gpus_needed, std::nullopt) << query;
    EXPECT_EQ(first_sentence(report).find(" fit at once"), std::string::npos)
        << first_sentence(report);
    EXPECT_EQ(figures(report, units::SizeUnit::kGib).how_many.value, "0") << query;
    EXPECT_EQ(report.concurrency.requests, 0u) << query;
    EXPECT_EQ(report.concurrency.per_replica, 0u) << query;
    EXPECT_EQ(report.concurrency.context_requests, 0u) << query;
    EXPECT_NE(
        to_text(report).find(report.verdict.status == "no_room" ? "no room" : "none; the pool"),
        std::string::npos)
        << to_text(report);
    for (const Report::ServiceAnswer& service : report.services) EXPECT_FALSE(service.fits);
    for (const Report::Lever& lever : report.levers) {
      const Report changed = evaluate(decode(lever.query, Strictness::kCommandLine), shipped());
      EXPECT_EQ(lever.reaches_users, changed.users.fits) << lever.query;
      EXPECT_EQ(lever.requests, changed.concurrency.requests) << lever.query;
    }
  }
}

// Every face has the same count, also where the pool alone would hold some.
TEST(Answer, ARefusalServesNobodyInEveryFace) {
  const std::string query = "engine=vllm gpu=l4 context=2m prompt=100 output=100 users=3";
  const Report report = ask(query);
  EXPECT_GT(report.concurrency.pool_requests.value_or(0), 0u);
  EXPECT_EQ(json_path(to_json(report), "concurrency.requests"), "0");
  const std::vector<std::string_view> words = testing::words_of(query);
  const Table swept = sweep(words, shipped());
  const auto at = std::find(swept.columns.begin(), swept.columns.end(), "concurrency.requests");
  ASSERT_NE(at, swept.columns.end());
  EXPECT_EQ(swept.rows.at(0).at(static_cast<std::size_t>(at - swept.columns.begin())), "0");
  const std::vector<std::string> queries = {encode(report.scenario), "model=llama-2-7b"};
  const Comparison both = compare(queries, {}, shipped(), units::SizeUnit::kGib);
  for (const ComparedRow& row : both.rows) {
    if (row.id != "requests") continue;
    EXPECT_EQ(row.values.at(0), "0");
  }
}

// The engine's line promises; slots, pages, windows and states take some of it back.
TEST(Answer, TheWorstCaseIsTheWholePartOfTheRatio) {
  traffic::Random random(20251202);
  int differ = 0;
  for (int i = 0; i < 600; ++i) {
    const Report report = evaluate(testing::odd_scenario(random), shipped());
    if (!report.ok) continue;
    if (is_stopped(report)) {
      EXPECT_EQ(report.concurrency.worst_requests, 0u) << report.query;
      EXPECT_EQ(report.concurrency.context_requests, 0u) << report.query;
      continue;
    }
    if (!report.concurrency.worst_requests) continue;
    EXPECT_EQ(static_cast<double>(*report.concurrency.worst_requests),
              std::floor(report.concurrency.ratio))
        << report.query;
    differ += report.concurrency.worst_requests != report.concurrency.context_requests;
  }
  EXPECT_GT(differ, 10) << "two fields of one meaning";
}

// What the model stores and what the engine takes for it are two sizes; a count follows the second.
TEST(Answer, TheHeadlineSaysWhatTheEngineTakes) {
  const Report gemma = ask("model=gemma-3-27b engine=vllm");
  EXPECT_NE(first_sentence(gemma).find("1.031 GiB of cache, for which vLLM takes 4.382 GiB; "),
            std::string::npos)
      << first_sentence(gemma);
  EXPECT_EQ(first_sentence(ask("")).find("takes"), std::string::npos);
  EXPECT_NE(first_sentence(ask("model=deepseek-v3 gpu=h200-sxm tp=8")).find(" with its copies; "),
            std::string::npos);
}

// A block of q8_0 is 34 B for 32 numbers (ggml-common.h, block_q8_0).
TEST(Answer, AFractionOfAByteIsShownBesideItsRounding) {
  const Report r = ask("model=custom layers=1 kvheads=1 headdim=40 kv=q8_0 params=1e9");
  ASSERT_TRUE(r.ok);
  // 2 × 40 × 34/32 B = 85 B; of 44 numbers 93.5.
  EXPECT_EQ(json_path(to_json(r), "per_token.exact_bytes"), "85");
  const Report half = ask("model=custom layers=1 kvheads=1 headdim=44 kv=q8_0 params=1e9");
  EXPECT_EQ(json_path(to_json(half), "per_token.bytes"), "94");
  EXPECT_EQ(json_path(to_json(half), "per_token.exact_bytes"), "93.5");
  EXPECT_NE(to_text(half).find("94 B (93.5 B, rounded up)"), std::string::npos) << to_text(half);
  EXPECT_EQ(ratio_text({658167, 16}), "41,135.4375");
  EXPECT_EQ(ratio_text({1000, 3}), "333.33");
  EXPECT_EQ(ratio_text({2999999, 3000}), "999.99");
}

// What people are sent to first has an answer and nothing to excuse.
TEST(Presets, AnswerWithoutATrouble) {
  EXPECT_GE(shipped().presets.size(), 6u);
  for (const catalogue::Preset& preset : shipped().presets) {
    const Report report = evaluate(decode(preset.query, Strictness::kCommandLine), shipped());
    EXPECT_TRUE(report.ok) << preset.slug;
    EXPECT_FALSE(is_stopped(report)) << preset.slug;
    EXPECT_FALSE(has_code(report, "N-MODEL-ASSUMED")) << preset.slug;
    EXPECT_FALSE(has_code(report, "W-BEYOND-MODEL-LIMIT") && preset.slug != "lesson")
        << preset.slug;
  }
}

TEST(Answer, SaysWhatHappensInsteadOfACount) {
  EXPECT_EQ(first_sentence(ask("engine=vllm gpu=l4 context=2m prompt=100 output=100 users=3")),
            "A request of 200 tokens to Llama 3.1 8B holds 25 MiB of cache; vLLM would not serve "
            "one of 2,097,152 tokens on one L4.");
}

// A model whose checkpoint declares no number of parameters, and one that is only a shape.
TEST(Answer, UnknownWeightsAreSaidAndNeverCertain) {
  for (const char* query : {"model=custom layers=8 kvheads=8 headdim=128", "model=mimo-v2.5",
                            "model=mimo-v2.5 engine=vllm tp=8"}) {
    const Report report = ask(query);
    ASSERT_TRUE(report.ok) << query;
    EXPECT_TRUE(has_code(report, "W-WEIGHTS", "params")) << query;
    EXPECT_EQ(report.verdict.certainty, "unsure") << query;
    EXPECT_NE(first_sentence(report).find("the weights are not known"), std::string::npos)
        << first_sentence(report);
    EXPECT_NE(report.verdict.sentence.find("are not known"), std::string::npos);
  }
  // With a size, or with a pool that was measured beside them, there is nothing to doubt.
  for (const char* query : {"model=custom layers=8 kvheads=8 headdim=128 params=7e9",
                            "model=custom layers=8 kvheads=8 headdim=128 pool=53GB"}) {
    EXPECT_FALSE(has_code(ask(query), "W-WEIGHTS")) << query;
  }
}

TEST(Answer, UnsureShowsBothCounts) {
  // 1.18 … 5.69 GB on an L4 beside 16 GB of weights: one request of 1 GiB, or five.
  const Report report = ask("engine=vllm gpu=l4 users=4");
  ASSERT_EQ(report.verdict.certainty, "unsure");
  ASSERT_TRUE(report.concurrency.low_requests && report.concurrency.high_requests);
  const std::string low = counted(report.concurrency.low_requests, "request");
  const std::string high = counted(report.concurrency.high_requests, "request");
  EXPECT_NE(report.verdict.sentence.find(low), std::string::npos) << report.verdict.sentence;
  EXPECT_NE(report.verdict.sentence.find(high), std::string::npos) << report.verdict.sentence;
  EXPECT_NE(first_sentence(report).find("to " + high), std::string::npos);
}

TEST(Answer, NamesWhatLeavesNoRoom) {
  struct Case {
    const char* query;
    const char* binding;
    const char* starts;
  };
  constexpr Case kCases[] = {
      {"model=llama-3.1-70b", "weights of the model", "The weights of Llama 3.1 70B leave"},
      {"used=70GB", "memory held by other programs (used)", "Other programs leave"},
      {"util=0.2", "memory fraction of the engine (util)", "The memory fraction leaves"},
      {"overhead=70GB", "overhead beside the weights", "The overhead leaves"},
      {"model=llama-3.1-70b drafter=llama-3.1-8b", "weights of the model",
       "The weights of Llama 3.1 70B and Llama 3.1 8B leave"},
      {"model=llama-3.1-70b drafter=eagle3", "weights of the model",
       "The weights of Llama 3.1 70B and its EAGLE-3 head leave"},
  };
  for (const Case& c : kCases) {
    const Report report = ask(c.query);
    ASSERT_EQ(report.verdict.status, "no_room") << c.query;
    EXPECT_EQ(report.verdict.binding, c.binding) << c.query;
    EXPECT_TRUE(report.verdict.sentence.starts_with(c.starts)) << report.verdict.sentence;
  }
}

const units::LedgerRow* row_called(const Report& report, std::string_view id) {
  for (const units::LedgerRow& row : report.ledger) {
    if (row.id == id) return &row;
  }
  return nullptr;
}

// 70.55 billion parameters in bf16 are 141.1 GB, also on a card of 85 GB.
TEST(Ledger, WeightsAreNotCutToTheCard) {
  const Report report = ask("model=llama-3.1-70b");
  const units::LedgerRow* row = row_called(report, "gpu.weights");
  ASSERT_NE(row, nullptr);
  EXPECT_GT(row->value.whole, report.gpu.seen.raw());
  EXPECT_EQ(row->parent, "") << "it is no part of what the card has";
}

TEST(Ledger, EveryInputIsARow) {
  for (const char* engine : kEngines) {
    for (const char* rest :
         {"", "pool=53GB", "model=llama-3.1-70b", "used=70GB",
          "model=custom layers=1 kvheads=1 "
          "headdim=64",
          "model=deepseek-v3 gpu=b200-sxm pp=2 users=1",
          "model=gemma-3-27b service=a:10+10x1 service=b:100+1x2", "model=mamba-2.8b overhead=0",
          "model=gpt-oss-120b", "gpu=l4 context=2m", "model=whisper-large-v3"}) {
      const Report report = ask("engine=" + std::string(engine) + " " + rest);
      if (!report.ok) continue;
      std::set<std::string> ids;
      for (const units::LedgerRow& row : report.ledger) ids.insert(row.id);
      for (const units::LedgerRow& row : report.ledger) {
        for (const std::string& input : row.inputs) {
          EXPECT_TRUE(ids.contains(input)) << report.query << ": " << row.id << " from " << input;
        }
        EXPECT_TRUE(row.parent.empty() || ids.contains(row.parent)) << row.parent;
      }
    }
  }
}

// llama-server rejects a prompt that a slot does not hold (tools/server, "exceed_context_size").
TEST(LlamaCpp, ALoadLongerThanASlotIsBadInput) {
  struct Case {
    const char* query;
    const char* where;
  };
  for (const Case& c : {Case{"nctx=4096", "nctx"},
                        {"nctx=16384 seqs=4", "nctx"},
                        {"pool=1blk", "pool"},
                        {"pool=4096tok", "pool"}}) {
    const Report report = ask("engine=llama.cpp " + std::string(c.query));
    EXPECT_FALSE(report.ok) << c.query;
    EXPECT_TRUE(has_code(report, "E-CONTEXT", c.where)) << c.query;
  }
  EXPECT_TRUE(ask("engine=llama.cpp nctx=4096 prompt=3072 output=1024").ok);
  EXPECT_TRUE(ask("engine=llama.cpp nctx=32768 seqs=4").ok);
}

TEST(LlamaCpp, TheRatioAgreesWithWhatIsServed) {
  for (const char* query :
       {"", "seqs=4", "nctx=32768 seqs=4", "context=2m seqs=4", "context=2m",
        "nctx=16384 seqs=4 context=8192 prompt=2000 output=1000", "seqs=100 context=128k"}) {
    const Report report = ask("engine=llama.cpp " + std::string(query));
    ASSERT_TRUE(report.ok) << query;
    EXPECT_EQ(report.concurrency.worst_requests.value_or(0),
              static_cast<std::uint64_t>(std::floor(report.concurrency.ratio)))
        << query;
  }
}

// Layers that llama.cpp's --fit leaves on the GPU, as the note says it; empty where it moves none.
std::string fitted(const Report& report) {
  for (const units::Diagnostic& d : report.diagnostics) {
    if (d.code == "N-FIT" && d.where == "ngl") return d.text;
  }
  return {};
}

// Evaluating at the answer serves, evaluating one token more does not, or only after moving more
// layers to host memory.
void expect_longest(const std::string& scenario) {
  const Report report = ask(scenario);
  if (!report.ok || !report.max_context.memory_tokens) return;
  const std::uint64_t longest = *report.max_context.memory_tokens;
  const auto fits = [&](std::uint64_t tokens) {
    const Report at = ask(scenario + " context=" + std::to_string(tokens));
    return at.ok && at.verdict.status != "no_room" && at.verdict.status != "refuses" &&
           fitted(at) == fitted(report);
  };
  EXPECT_TRUE(longest == 0 || fits(longest)) << scenario << " " << longest;
  EXPECT_FALSE(fits(longest + 1)) << scenario << " " << longest;
}

void expect_longest_for(const std::string& scenario, std::uint64_t users) {
  const std::string wanted = scenario + " users=" + std::to_string(users);
  const Report report = ask(wanted);
  if (!report.ok || !report.max_context.for_users_tokens) return;
  const std::uint64_t longest = *report.max_context.for_users_tokens;
  const auto fits = [&](std::uint64_t tokens) {
    // Of an encoder-decoder only the output has a length to find.
    const bool encoded =
        scenario.find("whisper") != std::string::npos || scenario.find("t5-") != std::string::npos;
    const std::uint64_t output = encoded ? tokens : tokens / 4;
    const std::string load = (encoded ? "" : " prompt=" + std::to_string(tokens - output)) +
                             " output=" + std::to_string(output);
    for (const std::uint64_t context : {tokens, std::max(tokens, report.context)}) {
      const Report at = ask(wanted + load + " context=" + std::to_string(context));
      if (at.users.fits && fitted(at) == fitted(report)) return true;
    }
    return false;
  };
  EXPECT_TRUE(longest == 0 || fits(longest)) << wanted << " " << longest;
  EXPECT_FALSE(fits(longest + 1)) << wanted << " " << longest;
}

TEST(Longest, IsServedAndOneTokenMoreIsNot) {
  std::size_t at = 0;
  for (const model::Model& model : shipped().models) {
    // Every model with one engine or two, so that all pairs of kind and engine come up.
    for (std::size_t i = 0; i < std::size(kEngines); ++i) {
      if ((at + i) % 4 != 0 && model.slug.find("whisper") == std::string::npos) continue;
      expect_longest("model=" + model.slug + " gpu=b200-sxm engine=" + kEngines[i]);
      expect_longest_for("model=" + model.slug + " gpu=b200-sxm engine=" + kEngines[i], 3);
    }
    ++at;
  }
}

TEST(Longest, FollowsWhatChangesWithTheContext) {
  for (const char* scenario :
       {"model=llama-3.2-11b-vision gpu=l40s", "model=t5-v1.1-xxl", "model=whisper-large-v3",
        "engine=ollama gpu=rtx-4090 weights=q4_k_m",
        "engine=ollama gpu=rtx-4090 weights=q4_k_m "
        "seqs=4",
        "engine=lmstudio gpu=rtx-4090 weights=q4_k_m fa=off",
        "engine=llama.cpp gpu=rtx-4090 weights=q4_k_m fa=off", "engine=llama.cpp seqs=4",
        "engine=vllm version=0.6.0", "engine=vllm model=llama-3.2-11b-vision", "engine=sglang",
        "engine=sglang model=gemma-3-27b", "engine=trtllm", "alloc=reserved", "dp=2 tp=2"}) {
    expect_longest(scenario);
    expect_longest_for(scenario, 4);
  }
}

TEST(Longest, SlotsOfFixedSizeAreNamedAsTheLimit) {
  const Report report = ask("engine=llama.cpp nctx=32768 seqs=4");
  EXPECT_EQ(report.max_context.memory_tokens, 8192u);
  EXPECT_EQ(report.max_context.limited_by, "engine");
}

// 100 that share 5,000 tokens: the shared part is held once, and nothing shorter has it.
TEST(Longest, ForAllSharesThePrefix) {
  const Report report = ask("pool=53GB prompt=6000 output=1000 prefix=5000");
  ASSERT_TRUE(report.max_context.for_users_tokens.has_value());
  const std::uint64_t longest = *report.max_context.for_users_tokens;
  EXPECT_EQ(longest, 5000 + (53000000000ULL / 131072 - 5000) / 100);
  const auto fits = [](std::uint64_t tokens) {
    return ask("pool=53GB output=0 prefix=5000 prompt=" + std::to_string(tokens)).users.fits;
  };
  EXPECT_TRUE(fits(longest));
  EXPECT_FALSE(fits(longest + 1));
  // A pool that does not hold the prefix holds nobody.
  EXPECT_EQ(ask("pool=100MB prompt=6000 output=1000 prefix=5000").max_context.for_users_tokens, 0u);
}

TEST(Lever, VerdictAndSolveNameTheSameOne) {
  for (const char* scenario :
       {"pool=53GB prompt=8192 output=0 users=98", "pool=53GB prompt=8192 output=0 users=5000",
        "gpu=l4 engine=vllm users=10", "model=llama-3.1-70b users=1", "used=60GB users=3",
        "model=deepseek-v3 gpu=b200-sxm tp=8 users=100", "engine=llama.cpp seqs=2 users=4"}) {
    const Report report = ask(scenario);
    const auto best = cheapest_lever(report);
    const Solution solution = solve(
        read_question(words_of("for=lever " + std::string(scenario)), Strictness::kCommandLine),
        shipped());
    const bool reaches = best && report.levers[*best].reaches_users;
    EXPECT_EQ(solution.lever.has_value(), reaches) << scenario;
    EXPECT_TRUE(!reaches || solution.lever == best) << scenario;
    EXPECT_EQ(report.verdict.lever.empty(), report.verdict.fits || !best) << scenario;
  }
  // What does not fit at all now is helped by whatever fits.
  EXPECT_EQ(ask("engine=vllm model=llama-3.1-70b users=1").verdict.lever,
            "2 GPUs, TP 2 → 3 requests");
}

TEST(Services, TogetherIsSaidToo) {
  const std::string text =
      to_text(ask("pool=53GB service=chat:1000+500x200 service=doc:8000+0x30"));
  EXPECT_NE(text.find("chat, 200 users: fits"), std::string::npos) << text;
  EXPECT_NE(text.find("doc, 30 users: fits"), std::string::npos);
  EXPECT_NE(text.find("they do not fit together, 2 × H100 needed"), std::string::npos) << text;
  EXPECT_NE(to_json(ask("pool=53GB service=chat:1000+500x200 service=doc:8000+0x30"))
                .find("\"sentence\": \"they do not fit together"),
            std::string::npos);
  EXPECT_NE(to_text(ask("pool=53GB service=a:10+10x1 service=b:10+10x1")).find("all fit together"),
            std::string::npos);
}

TEST(Services, TwoOfOneNameAreWarnedOf) {
  EXPECT_TRUE(has_code(ask("service=a:10+10x1 service=a:20+10x1"), "W-SERVICE-NAME", "service"));
  EXPECT_FALSE(has_code(ask("service=a:10+10x1 service=b:20+10x1"), "W-SERVICE-NAME"));
}

TEST(Range, NumbersBeyondJsonAreAWarningAndTheAnswerStays) {
  const Report report = ask("context=1099511627776 users=1000000000");
  EXPECT_TRUE(report.ok);
  ASSERT_TRUE(has_code(report, "E-RANGE"));
  for (const units::Diagnostic& d : report.diagnostics) {
    EXPECT_NE(d.severity, units::Severity::kError) << d.code;
  }
}

TEST(Words, OneIsSingular) {
  EXPECT_EQ(counted(1, "token"), "1 token");
  EXPECT_EQ(counted(8192, "token"), "8,192 tokens");
  EXPECT_EQ(counted(std::nullopt, "request"), "any number of requests");
  EXPECT_TRUE(
      ask("model=custom shape=none:4 params=1e9").verdict.sentence.starts_with("Any number"));
  const std::string text = to_text(ask("prompt=1 output=0 users=1"));
  EXPECT_EQ(text.find("1 tokens"), std::string::npos) << text;
  EXPECT_EQ(to_text(ask("seqs=1")).find("0 tokens each"), std::string::npos);
  const std::string markdown = to_markdown(ask("prompt=1 output=0 users=1"));
  EXPECT_EQ(markdown.find(" 1 tokens"), std::string::npos) << markdown;
  EXPECT_EQ(markdown.find(" 1 GPUs"), std::string::npos) << markdown;
}

}  // namespace
}  // namespace kvseats::scenario
