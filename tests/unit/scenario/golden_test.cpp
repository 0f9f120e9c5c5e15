#include "embedded/test_data.h"
#include "scenario/json_path.h"
#include "scenario/present.h"
#include "unit/scenario/fixture.h"

// The reviewed text files of tests/data, on the shipped catalogue.
namespace kvseats::scenario {
namespace {

using testing::ask;
using testing::Case;
using testing::cases_of;

void expect_what_stands_there(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const std::string json = to_json(ask(c.query));
    EXPECT_FALSE(c.lines.empty()) << c.query;
    for (const std::string& line : c.lines) {
      const std::size_t equals = line.find(" = ");
      ASSERT_NE(equals, std::string::npos) << line;
      const std::string path = line.substr(0, equals);
      EXPECT_EQ(json_path(json, path), line.substr(equals + 3)) << c.query << "\n  " << path;
    }
  }
}

TEST(Golden, TheLessonsNumbersComeOutToTheDigit) {
  const auto cases = cases_of(embedded::test_data("lesson.golden"));
  ASSERT_GE(cases.size(), 20u);
  expect_what_stands_there(cases);
}

TEST(Golden, LinksThatWereSharedKeepTheirMeaning) {
  const auto cases = cases_of(embedded::test_data("links.golden"));
  ASSERT_GE(cases.size(), 10u);
  expect_what_stands_there(cases);
}

TEST(Golden, BadInputIsToldByCodeAndPlace) {
  const auto cases = cases_of(embedded::test_data("bad_input.golden"));
  ASSERT_GE(cases.size(), 30u);
  for (const Case& c : cases) {
    const Report report = ask(c.query);
    ASSERT_EQ(c.lines.size(), 1u) << c.query;
    if (c.lines[0] == "ok") {
      EXPECT_TRUE(report.ok) << c.query;
      continue;
    }
    ASSERT_FALSE(report.diagnostics.empty()) << c.query;
    const units::Diagnostic& first = report.diagnostics[0];
    std::string told = first.code;
    if (!first.where.empty()) told += " " + first.where;
    EXPECT_EQ(told, c.lines[0]) << c.query;
    EXPECT_EQ(report.ok, first.severity != units::Severity::kError) << c.query;
    EXPECT_FALSE(first.text.empty()) << c.query;
    EXPECT_FALSE(first.remedy.empty()) << c.query;
  }
}

TEST(Golden, DeepSeekIsShownAsAbout69KiBForEachToken) {
  const Report report = ask("model=deepseek-v3");
  EXPECT_EQ(units::size_text(report.per_token.bytes, units::SizeUnit::kGib), "68.63 KiB");
}

TEST(Golden, TheAnswerIsOneSentence) {
  const Report report = ask("model=llama-3.1-8b pool=53GB prompt=6144 output=2048");
  EXPECT_EQ(plain_text(answer_sentence(report, units::SizeUnit::kGib)),
            "A request of 8,192 tokens to Llama 3.1 8B holds 1 GiB of cache; 49 of them fit at "
            "once on one H100.");
}

}  // namespace
}  // namespace kvseats::scenario
