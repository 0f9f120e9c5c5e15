#include "scenario/byhand.h"

#include <cmath>

#include "embedded/test_data.h"
#include "scenario/formula.h"
#include "scenario/rates.h"
#include "unit/scenario/fixture.h"
#include "unit/scenario/pencil.h"
#include "unit/scenario/random_scenarios.h"

// The ledger as arithmetic: what stands there can be worked out again, and gives the value.
namespace kvseats::scenario {
namespace {

using testing::ask;
using testing::shipped;

TEST(Formula, WorksOutWhatPeopleWrite) {
  const std::pair<const char*, double> kCases[] = {
      {"2 × 32 layers × 8 KV heads × 128 × 2 B", 131072},
      {"9 layers × 4 KV heads × (192 + 128) × 2 B", 23040},
      {"2 × 1 layer × 1 KV head × 128 × 34/32 B", 272},
      {"floor(55,194,830,439 B ÷ 1,073,741,824 B)", 51},
      {"floor(10 B ÷ 4 B) × dp 2", 4},
      {"ceil(100 ÷ 51) × 1", 2},
      {"min(floor(9 ÷ 2), 3 sequences)", 3},
      {"16,060,522,496 B ÷ (tp 1 × pp 1)", 16060522496.0},
      {"10 B − weights 3 B − overhead 2 B", 5},
      {"6,144 prompt + 2,048 output", 8192},
      {"8,100 × 1, rounded up to 256", 8192},
      {"100 B ÷ 30 B, rounded down", 3},
      {"2 × 3 B, up to 128 tokens + 2 × 4 B", 14},
      {"50 % × 8", 4},
      {"max(0 B, 10 B − weights 30 B)", 0},
  };
  for (const auto& [text, value] : kCases) {
    ASSERT_TRUE(formula_value(text)) << text;
    EXPECT_EQ(*formula_value(text), value) << text;
  }
}

TEST(Formula, HasNoValueForWords) {
  for (const char* text : {"", "by the rules of vLLM", "3.5, 4.9 or 8.0 GiB per GPU", "1,024 MiB",
                           "at 8,192 tokens", "4 × (3", "4 × ", "1 ÷ 0", "× 3", "(1 + 2"}) {
    EXPECT_FALSE(formula_value(text)) << text;
  }
}

TEST(Formula, IsTypesetForLatex) {
  EXPECT_EQ(formula_latex("2 × 32 layers × 8 KV heads × 128 × 2 B"),
            "2 \\times 32\\,\\text{layers} \\times 8\\,\\text{KV heads} \\times 128 \\times "
            "2\\,\\text{B}");
  EXPECT_EQ(formula_latex("floor(55,194 B ÷ 1,024 B)"),
            "\\lfloor 55{,}194\\,\\text{B} \\div 1{,}024\\,\\text{B} \\rfloor");
  EXPECT_EQ(latex_text("50 % of R&D_x #1 $"), "50 \\% of R\\&D\\_x \\#1 \\$");
}

const HandLine* line_called(const std::vector<HandStep>& steps, std::string_view id) {
  for (const HandStep& step : steps) {
    for (const HandLine& line : step.lines) {
      if (line.id == id) return &line;
    }
  }
  return nullptr;
}

// lesson.txt: 128 KiB a token, 1 GiB at 8k, 49 in 53 GB.
TEST(ByHand, IsTheLessonsArithmetic) {
  const Report report = ask("model=llama-3-8b pool=53GB");
  const auto steps = by_hand(report, units::SizeUnit::kGib);
  const auto text = [&](const char* id) {
    const HandLine* line = line_called(steps, id);
    return line == nullptr ? std::string("none") : equation(*line);
  };
  EXPECT_EQ(text("per_token.bytes"),
            "2 × 32 layers × 8 KV heads × 128 × 2 B = 131,072 B (128 KiB)");
  EXPECT_EQ(text("per_request.bytes"), "131,072 B × 8,192 tokens = 1,073,741,824 B (1 GiB)");
  EXPECT_EQ(text("pool.tokens"), "floor(53,000,000,000 B ÷ 131,072 B) = 404,357 tokens");
  EXPECT_EQ(text("concurrency.requests"),
            "floor(53,000,000,000 B ÷ 1,073,741,824 B) = 49 requests");
  EXPECT_EQ(text("users.gpus_needed"), "ceil(100 ÷ 49) × 1 = 3 GPUs");
}

TEST(ByHand, EveryInputNamesItsSource) {
  for (const HandStep& step : by_hand(ask("tp=2"), units::SizeUnit::kGib)) {
    for (const HandLine& line : step.lines) {
      if (line.relation == Relation::kGiven && line.how.empty()) continue;
      EXPECT_FALSE(line.label.empty()) << line.id;
    }
  }
  const HandLine* layers = nullptr;
  const auto steps = by_hand(ask("layers=40"), units::SizeUnit::kGib);
  layers = line_called(steps, "model.layers");
  ASSERT_NE(layers, nullptr);
  EXPECT_EQ(layers->source, "yours");
}

// Each of an engine's estimates has a rule and a source; together they are the overhead, and what
// is free is the pool less what is in it.
TEST(ByHand, OverheadAndFreeSayWhatTheyAreMadeOf) {
  constexpr struct {
    const char* engine;
    std::size_t terms;
  } kCases[] = {{"vllm", 3}, {"sglang", 2}, {"llama.cpp", 2}, {"trtllm", 2}};
  for (const auto& c : kCases) {
    const Report report = ask("model=llama-3-8b engine=" + std::string(c.engine));
    std::uint64_t sum = 0;
    std::size_t terms = 0;
    for (const units::LedgerRow& row : report.ledger) {
      if (row.parent != "gpu.overhead") continue;
      EXPECT_FALSE(row.formula.empty() || row.source.empty()) << c.engine << ' ' << row.id;
      sum += row.value.whole;
      ++terms;
    }
    EXPECT_EQ(terms, c.terms) << c.engine;
    for (const units::LedgerRow& row : report.ledger) {
      if (row.id != "gpu.overhead" && row.id != "gpu.free") continue;
      EXPECT_FALSE(row.formula.empty()) << c.engine << ' ' << row.id;
      EXPECT_TRUE(row.id == "gpu.free" || row.value.whole == sum) << c.engine;
    }
  }
  const auto steps = by_hand(ask("model=llama-3-8b engine=vllm pool=68GB"), units::SizeUnit::kGib);
  EXPECT_TRUE(line_called(steps, "gpu.overhead")->how.empty()) << "a given pool leaves the rest";
}

TEST(ByHand, OnlyWhatWasGivenIsYours) {
  constexpr struct {
    const char *line, *id, *source;
  } kCases[] = {
      {"", "load.prompt", "default"},
      {"", "users.asked", "default"},
      {"prompt=6144", "load.prompt", "yours"},
      {"prompt=6144", "load.output", "default"},
      {"output=7", "load.output", "yours"},
      {"context=8k", "load.prompt", "a part of context"},
      {"context=8k output=2048", "load.prompt", "default"},
      {"users=100", "users.asked", "yours"},
      {"people=5000 active=2%", "users.asked", "of the people"},
      {"maxlen=32k", "model.max_tokens", "yours"},
      {"kvheads=4", "model.geometry", "yours"},
      {"vdim=64", "model.geometry", "yours"},
  };
  for (const auto& c : kCases) {
    const auto steps = by_hand(ask(c.line), units::SizeUnit::kGib);
    const HandLine* line = line_called(steps, c.id);
    ASSERT_NE(line, nullptr) << c.line;
    EXPECT_EQ(line->source, c.source) << c.line << ' ' << c.id;
  }
  const auto steps = by_hand(ask("maxlen=32k"), units::SizeUnit::kGib);
  EXPECT_EQ(line_called(steps, "model.geometry")->source.substr(0, 9), "catalogue");
}

const char* const kDeployments[] = {
    "",
    "tp=2",
    "pool=53GB",
    "gpu=h200-sxm tp=8",
    "engine=vllm tp=2",
    "engine=vllm pool=53GB alloc=reserved context=131072",
    "engine=sglang tp=4",
    "engine=sglang pp=4",
    "engine=trtllm tp=8 dp=2",
    "engine=llama.cpp gpu=rtx-4090 weights=q4_k_m kv=q8_0",
    "util=0.8765",
    "used=6GiB",
    "engine=vllm used=4GiB",
    "dp=3 seqs=7",
    "tp=4 ep=4 pp=2",
};

struct Tally {
  int equal = 0, about = 0, words = 0;
};

// What a written number may be off: 0.0152 by a unit of its fourth decimal.
double last_place(const std::string& text) {
  double unit = text.find('.') == std::string::npos ? 0 : 1;
  for (std::size_t i = text.find('.') + 1; i < text.size() && text[i] >= '0' && text[i] <= '9';
       ++i) {
    unit /= 10;
  }
  return unit;
}

// With a pencil: a line with "=" gives its value to the last digit, one with "≈" within 0.1 %, and
// what reads as arithmetic is one of them. What cannot be an identity stands there in words.
void check_lines(const Report& report, Tally& tally) {
  if (!report.ok) return;
  for (const HandStep& step : by_hand(report, units::SizeUnit::kGib)) {
    for (const HandLine& line : step.lines) {
      const auto worked = testing::pencil(line.how);
      const auto value = testing::pencil("0 + " + line.value);
      if (line.relation == Relation::kEqual) {
        ASSERT_TRUE(worked && value) << report.query << "\n  " << line.id << ": " << equation(line);
        EXPECT_EQ(*worked, *value) << report.query << "\n  " << line.id << ": " << equation(line);
        ++tally.equal;
      } else if (line.relation == Relation::kAbout) {
        ASSERT_TRUE(worked && value) << report.query << "\n  " << line.id << ": " << equation(line);
        EXPECT_NEAR(*worked, *value, std::fmax(std::abs(*value) * 2e-3, last_place(line.value)))
            << report.query << "\n  " << line.id << ": " << equation(line);
        ++tally.about;
      } else {
        EXPECT_FALSE(worked) << "reads as arithmetic: " << report.query << "\n  " << line.id << ": "
                             << equation(line);
        tally.words += !line.how.empty();
      }
    }
  }
}

TEST(ByHand, ArithmeticHoldsForEveryModelAndEngine) {
  Tally tally;
  for (const model::Model& model : shipped().models) {
    for (const char* deployment : kDeployments) {
      check_lines(ask("model=" + model.slug + " " + deployment), tally);
      if (::testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(tally.equal, 20000);
}

TEST(ByHand, ArithmeticHoldsForTheQueriesOfParity) {
  Tally tally;
  std::string_view rest = embedded::test_data("queries.txt");
  while (!rest.empty()) {
    const std::string_view line = units::trimmed(rest.substr(0, rest.find('\n')));
    rest = rest.find('\n') == std::string_view::npos ? "" : rest.substr(rest.find('\n') + 1);
    if (line.empty() || line[0] == '#') continue;
    check_lines(evaluate_with_rates(decode(line, Strictness::kLink), shipped()), tally);
  }
  EXPECT_GT(tally.equal, 800);
}

TEST(ByHand, ArithmeticHoldsForRandomScenarios) {
  traffic::Random random(20251201);
  Tally tally;
  for (int i = 0; i < 1500; ++i) {
    Report report = evaluate(testing::odd_scenario(random), shipped());
    if (report.ok) add_rates(report, shipped());
    check_lines(report, tally);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(tally.equal, 8000);
  EXPECT_GT(tally.about, 100);
}

// The test's own arithmetic, which must not say yes to everything.
TEST(ByHand, APencilFindsWhatIsWrong) {
  EXPECT_EQ(testing::pencil("2 × 32 layers × 8 KV heads × 128 × 2 B"), 131072);
  EXPECT_EQ(testing::pencil("max(0 B, 3 B − weights 5 B)"), 0);
  EXPECT_EQ(testing::pencil("(53 B − states 3 B) ÷ (2 + 0.5 × 4) B, rounded down to 4"), 12);
  EXPECT_EQ(testing::pencil("experts 8 B ÷ (ep 4 × pp 1) + 9 B ÷ (tp 3 × pp 1)"), 5);
  EXPECT_FALSE(testing::pencil("53 B ÷ (0) B"));
  EXPECT_FALSE(testing::pencil("by the rules of vLLM"));
  EXPECT_FALSE(testing::pencil("3.5, 4.9 or 8.0 GiB per GPU"));
}

TEST(ByHand, IsWrittenInThreeNotations) {
  const Report report = ask("model=llama-3-8b pool=53GB");
  const std::string text = written(report, Notation::kText, units::SizeUnit::kGib);
  EXPECT_NE(text.find("\nOne token\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Requests at once: floor(53,000,000,000 B ÷ 1,073,741,824 B) = 49 requests"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Link: #"), std::string::npos);
  const std::string markdown = written(report, Notation::kMarkdown, units::SizeUnit::kGib);
  EXPECT_NE(markdown.find("### One token"), std::string::npos);
  EXPECT_NE(markdown.find("- **Requests at once**: floor("), std::string::npos);
  const std::string latex = written(report, Notation::kLatex, units::SizeUnit::kGib);
  EXPECT_NE(latex.find("\\item \\textbf{Requests at once}: $\\lfloor 53{,}000{,}000{,}000\\,"
                       "\\text{B} \\div 1{,}073{,}741{,}824\\,\\text{B} \\rfloor = 49\\,"
                       "\\text{requests}$"),
            std::string::npos)
      << latex;
}

// Braces, brackets of environments and mathematics are balanced for every model.
TEST(ByHand, LatexIsBalanced) {
  for (const model::Model& model : shipped().models) {
    const Report report = ask("model=" + model.slug + " engine=vllm");
    if (!report.ok) continue;
    const std::string latex = written(report, Notation::kLatex, units::SizeUnit::kGb);
    int depth = 0;
    int dollars = 0;
    for (std::size_t i = 0; i < latex.size(); ++i) {
      if (i > 0 && latex[i - 1] == '\\') continue;
      depth += latex[i] == '{' ? 1 : latex[i] == '}' ? -1 : 0;
      dollars += latex[i] == '$' ? 1 : 0;
      ASSERT_GE(depth, 0) << model.slug;
    }
    EXPECT_EQ(depth, 0) << model.slug;
    EXPECT_EQ(dollars % 2, 0) << model.slug;
  }
}

TEST(ByHand, IsEmptyWithoutAnAnswer) {
  const Report report = ask("model=custom");
  ASSERT_FALSE(report.ok);
  EXPECT_TRUE(by_hand(report, units::SizeUnit::kGib).empty());
}

}  // namespace
}  // namespace kvseats::scenario
