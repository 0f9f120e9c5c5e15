#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "chart/layout.h"
#include "scenario/evaluate.h"
#include "scenario/present.h"
#include "unit/scenario/fixture.h"
#include "unit/scenario/labels.h"

namespace kvseats::scenario::testing {
namespace {

using chart::Layout;

constexpr const char* kLesson = "model=llama-3-8b gpu=h100-sxm pool=53GB prompt=6144 output=2048";
constexpr units::SizeUnit kGb = units::SizeUnit::kGb;

// 131,072 B a token (2 x 32 x 8 x 128 x 2 B): 50 x 2^30 - 53e9 = 687,091,200 and
// 13 x 2^32 - 53e9 = 2,834,574,848.
TEST(PointAnswer, SaysWhatOneMoreNeeds) {
  struct Row {
    std::uint64_t tokens, fit, missing;
    const char* sentence;
  };
  const Report report = ask(kLesson);
  for (const Row& row : {
           Row{8192, 49, 687091200, "At 8,192 tokens 49 fit; one more needs 687.1 MB."},
           Row{32768, 12, 2834574848,
               "At 32,768 tokens 12 fit; one more needs 2.835 GB, beyond the model's own limit."},
           Row{262144, 1, 15719476736,
               "At 262,144 tokens 1 request fits; one more needs 15.72 GB, beyond the model's own "
               "limit."},
       }) {
    const PointAnswer answer = point_answer(report, row.tokens, kGb);
    EXPECT_EQ(answer.requests, row.fit);
    EXPECT_EQ(answer.one_more.raw(), row.missing);
    EXPECT_EQ(answer.sentence, row.sentence);
  }
}

TEST(PointAnswer, AgreesWithTheAnswerAtTheOperatingPoint) {
  for (const char* query :
       {kLesson, "engine=vllm prompt=1000 output=500 tp=2", "engine=sglang prefix=1024",
        "model=deepseek-v3 gpu=h200 tp=8 engine=vllm", "gpu=h100-sxm dp=4 engine=vllm"}) {
    const Report report = ask(query);
    ASSERT_TRUE(report.ok) << query;
    const PointAnswer answer = point_answer(report, report.per_request.tokens, kGb);
    EXPECT_EQ(answer.requests, report.concurrency.requests) << query;
  }
}

TEST(PointAnswer, NamesTheEngineWhereMemoryIsNotTheEnd) {
  const Report report = ask("model=llama-3-8b pool=53GB engine=vllm seqs=4 prompt=1000 output=24");
  const PointAnswer answer = point_answer(report, 1024, kGb);
  EXPECT_EQ(answer.one_more.raw(), 0u);
  EXPECT_EQ(answer.sentence, "At 1,024 tokens 4 fit, the most that the engine runs at once.");
}

TEST(Ghosts, TheOnePointedAtComesForward) {
  const Report report = ask(kLesson);
  const chart::Chart chart = tradeoff_chart(report, kGb, {.lever = "kv8"});
  int forward = 0;
  for (const chart::Series& s : chart.series) forward += s.ink == chart::Ink::kPoint ? 1 : 0;
  EXPECT_EQ(forward, 1);
  EXPECT_NE(chart.summary.find("With 8-bit cache: 98."), std::string::npos) << chart.summary;
}

TEST(Ghosts, APinIsNamedByWhatItHasThatIsMissingHere) {
  const Report now = ask(kLesson);
  struct Row {
    const char* query;
    const char* label;
  };
  for (const Row& row :
       {Row{"model=llama-2-7b pool=53GB", "Llama 2 7B"},
        Row{"model=llama-3-8b pool=53GB tp=4 kv=fp8", "4 × H100, fp8 cache"},
        Row{"model=llama-3-8b pool=53GB engine=vllm", "vLLM"}, Row{kLesson, "pinned"}}) {
    EXPECT_EQ(overlay_of(ask(row.query), now).label, row.label) << row.query;
  }
  const Report::Lever& lever = now.levers.front();
  const Report other = evaluate(decode(lever.query, Strictness::kLink), shipped());
  EXPECT_EQ(overlay_of(other, now).label, lever.label);
}

TEST(Ghosts, APinThatIsThePresentOneIsNoCurve) {
  const Report now = ask(kLesson);
  const std::vector<Overlay> pins = {overlay_of(now, now)};
  for (const chart::Series& s : tradeoff_chart(now, kGb, {.overlays = pins}).series) {
    EXPECT_NE(s.id, "pin.0");
  }
}

TEST(Tradeoff, APartOfItHasTheSameCurve) {
  const Report report = ask(kLesson);
  const chart::Chart chart =
      tradeoff_chart(report, kGb, {.x = std::pair{4096.0, 16384.0}, .y = std::pair{20.0, 100.0}});
  EXPECT_EQ(chart.x.min, 4096.0);
  EXPECT_EQ(chart.y.max, 100.0);
  for (const chart::Point& p : chart.series.back().points) {
    const auto tokens = static_cast<std::uint64_t>(p.x);
    EXPECT_LE(static_cast<std::uint64_t>(p.y), 53000000000ULL / (131072ULL * tokens));
  }
}

// Six ghosts: the levers, one of them pointed at, and four pins; any model, size and part in view.
TEST(Ghosts, NoLabelLiesOnAnythingWithPinsAndALeverForward) {
  const std::vector<Report> others = {
      ask("model=llama-2-7b gpu=h100-sxm"), ask("model=llama-3.1-8b gpu=h100-sxm tp=4 kv=fp8"),
      ask("model=llama-3.1-70b gpu=h200 tp=8"), ask("model=deepseek-v3 gpu=h200 tp=8")};
  std::uint64_t seed = 1;
  const auto draw = [&seed](std::uint64_t below) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (seed >> 33U) % below;
  };
  std::size_t placed = 0;
  for (int i = 0; i < 200; ++i) {
    const auto& models = shipped().models;
    const std::string query = "gpu=h100-sxm tp=8 model=" + models[draw(models.size())].slug +
                              " prompt=" + std::to_string(500 + draw(60000)) +
                              (i % 3 == 0 ? " engine=vllm" : "");
    const Report report = ask(query);
    if (!report.ok) continue;
    std::vector<Overlay> pins;
    for (const Report& other : others) pins.push_back(overlay_of(other, report));
    TradeoffView view{.overlays = pins};
    if (!report.levers.empty()) view.lever = report.levers[draw(report.levers.size())].id;
    if (i % 4 == 0) view.x = {2048.0, 65536.0};
    if (i % 4 == 0) view.y = {2.0, 500.0};
    const Layout layout = chart::lay_out(tradeoff_chart(report, kGb, view),
                                         {.width = 320.0 + static_cast<double>(draw(1100)),
                                          .height = 280.0 + static_cast<double>(draw(500))});
    expect_clear(layout, query + " ");
    placed += layout.labels.size();
  }
  EXPECT_GT(placed, 700u);
}

// The dotted lines say what they are: in the plot, not only below it.
TEST(Ghosts, EveryLeverIsNamedWhereItIsDrawn) {
  for (const char* query :
       {"model=llama-3.1-8b gpu=h100-sxm", "model=llama-3-8b gpu=h100-sxm",
        "model=llama-3.3-70b gpu=h200 tp=4 engine=vllm prompt=20000",
        "model=gemma-3-27b gpu=h100-sxm engine=vllm", "model=deepseek-v3 gpu=h200 tp=8"}) {
    for (const double width : {620.0, 1060.0}) {
      const chart::Chart c = tradeoff_chart(ask(query), kGb);
      const Layout layout = chart::lay_out(c, {.width = width, .height = 420});
      for (std::size_t i = 0; i < c.series.size(); ++i) {
        if (!c.series[i].id.starts_with("lever.")) continue;
        const bool drawn = std::any_of(
            layout.strokes.begin(), layout.strokes.end(),
            [i](const chart::Stroke& s) { return s.part == chart::Part::kSeries && s.index == i; });
        const bool named = std::any_of(layout.labels.begin(), layout.labels.end(),
                                       [i](const chart::PlacedLabel& l) {
                                         return l.part == chart::Part::kSeries && l.index == i;
                                       });
        EXPECT_TRUE(named || !drawn) << query << ": " << c.series[i].label.text << " " << width;
      }
    }
  }
}

}  // namespace
}  // namespace kvseats::scenario::testing
