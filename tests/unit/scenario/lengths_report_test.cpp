#include <algorithm>
#include <tuple>

#include "chart/describe.h"
#include "fixture.h"
#include "scenario/lengths.h"
#include "scenario/lists.h"
#include "scenario/present.h"
#include "scenario/rates.h"
#include "scenario/report_page.h"

namespace kvseats::scenario {
namespace {

using testing::ask;
using testing::shipped;
using testing::words_of;

PastedLengths pasted(std::string_view text, std::string_view words = "") {
  return read_pasted(text, read_lengths_question(words_of(words)));
}

constexpr std::string_view kCsv =
    "TIMESTAMP,ContextTokens,GeneratedTokens\n1,100,10\n2,200,20\n3,300,20\n4,400,90\n";

TEST(PastedLengths, QuantilesAreThoseOfTheList) {
  const PastedLengths p = pasted("4 1 2 3\n5;6,7 8 9 10");
  ASSERT_TRUE(p.ok);
  ASSERT_EQ(p.parts.size(), 1u);
  EXPECT_EQ(p.parts[0].lengths.quantile(50), 5u);
  EXPECT_EQ(p.parts[0].lengths.quantile(95), 10u);
  EXPECT_EQ(p.parts[0].text, "1/2/3/4/5/6/7/8/9/10");
  EXPECT_EQ(to_table(p).rows.size(), 10u);
}

TEST(PastedLengths, TwoColumnsMakeAServiceThatCanBeEvaluated) {
  const PastedLengths p =
      pasted(kCsv, "prompt=contexttokens output=GeneratedTokens name=mine users=7");
  ASSERT_TRUE(p.ok);
  EXPECT_EQ(p.service, "mine:100/200/300/400+10/20@2/90x7");
  const Report r = ask("pool=53GB service=" + p.service);
  ASSERT_TRUE(r.ok);
  EXPECT_EQ(r.services[0].tokens, 250u + 35u);
  EXPECT_EQ(r.services[0].users, 7u);
}

TEST(PastedLengths, TwoColumnsWithoutNamesArePromptAndOutput) {
  for (const char* text : {"100,10\n200,20\n300,20\n400,90\n", "100\t10\n200\t20\n300\t20\n400\t90",
                           "100;10\r\n\r\n200; 20\r\n300;20\r\n400 90\r\n"}) {
    const PastedLengths p = pasted(text, "name=mine users=7");
    ASSERT_TRUE(p.ok) << text;
    EXPECT_EQ(p.service, "mine:100/200/300/400+10/20@2/90x7");
    ASSERT_EQ(p.diagnostics.size(), 1u);
    EXPECT_EQ(p.diagnostics[0].code, "N-COLUMNS");
  }
  // A line alone, and lines of other lengths, are a list.
  for (const char* text : {"100,10", "100,10\n200", "1,2,3\n4,5,6"}) {
    EXPECT_EQ(pasted(text).parts.size(), 1u) << text;
  }
}

// Names without a choice: the remedy lists them.
TEST(PastedLengths, ColumnsThatAreNamedAreToBeChosen) {
  const PastedLengths p = pasted(kCsv);
  ASSERT_FALSE(p.ok);
  EXPECT_EQ(p.diagnostics.back().code, "E-COLUMN");
  EXPECT_NE(p.diagnostics.back().remedy.find("ContextTokens"), std::string::npos);
  EXPECT_EQ(pasted("in,out\n1,2\n").diagnostics.back().code, "E-COLUMN");
}

TEST(PastedLengths, ALinkKeepsSixtyFourBinsAndAnExportAll) {
  std::string list;
  for (int i = 1; i <= 1000; ++i) list += std::to_string(i * 7) + "\n";
  const PastedLengths p = pasted(list);
  ASSERT_TRUE(p.ok);
  EXPECT_LE(std::count(p.parts[0].text.begin(), p.parts[0].text.end(), '/'), 63);
  EXPECT_EQ(to_table(p).rows.size(), 1000u);
  EXPECT_TRUE(traffic::parse_lengths(p.parts[0].text).has_value());
}

TEST(PastedLengths, HostileInputIsDiagnosed) {
  const std::string many(2500000, '1');
  std::string too_many;
  for (int i = 0; i < 1000001; ++i) too_many += "1 ";
  for (const auto& [text, words, code] : {std::tuple{std::string(), "", "E-EMPTY"},
                                          {std::string("1 x 3"), "", "E-NUMBER"},
                                          {std::string("1\n-5"), "", "E-NEGATIVE"},
                                          {std::string(40, '1'), "", "E-OVERFLOW"},
                                          {many, "", "E-NUMBER"},
                                          {too_many, "", "E-TOO-MANY"},
                                          {std::string(kCsv), "column=nope", "E-COLUMN"},
                                          {std::string(kCsv), "prompt=ContextTokens", "E-COLUMN"},
                                          {std::string("1 2"), "users=0", "E-ZERO"},
                                          {std::string("1 2"), "kolumn=a", "E-UNKNOWN-KEY"}}) {
    const PastedLengths p = pasted(text, words);
    EXPECT_FALSE(p.ok) << code;
    ASSERT_FALSE(p.diagnostics.empty()) << code;
    EXPECT_EQ(p.diagnostics.back().code, code);
    EXPECT_NE(to_json(p).find(code), std::string::npos);
  }
}

TEST(PastedLengths, AnyNameMakesAServiceThatIsRead) {
  const PastedLengths p = pasted(kCsv, "prompt=ContextTokens output=GeneratedTokens name=a:b&c#");
  EXPECT_TRUE(p.service.starts_with("abc:")) << p.service;
}

TEST(PastedLengths, TheChartShowsHowOftenAndSaysTheQuantiles) {
  const chart::Chart chart = lengths_chart(pasted("1 2 3 4 100").parts.at(0));
  ASSERT_EQ(chart.series.size(), 1u);
  EXPECT_NE(chart::describe(chart).text.find("half have at most 3"), std::string::npos);
}

// What is listed can be used as it stands, and says where it is from.
TEST(MeasuredServices, EachIsAServiceWithAPublicSource) {
  const auto table = list("services", shipped());
  ASSERT_TRUE(table.has_value());
  ASSERT_GE(table->rows.size(), 3u);
  for (const auto& row : table->rows) {
    const Report r = ask("model=llama-3.1-8b service=" + row[1]);
    EXPECT_TRUE(r.ok) << row[1];
    EXPECT_FALSE(row[3].empty());
  }
}

// 1,024 blocks hold 31 requests of 13,000 tokens; by the sum of what runs at a random time, 32.
TEST(Sizing, ByTheSumNeverFewerThanByThe95thPercentile) {
  Report r =
      ask("model=llama-3.1-8b pool=53GB service=chat:p50=800/p95=3000+200-600x100 "
          "service=documents:12000+1000x100");
  add_sizing(r);
  for (const Report::ServiceAnswer& s : r.services) {
    ASSERT_TRUE(s.sizing.has_value());
    EXPECT_GE(s.sizing->by_sum.low, s.sizing->by_p95) << s.name;
    EXPECT_LE(s.sizing->by_sum.low, s.sizing->by_sum.high) << s.name;
  }
  EXPECT_EQ(r.services[1].sizing->by_p95, 31u);
  EXPECT_EQ(r.services[1].sizing->by_sum.low, 32u);
  EXPECT_GT(r.services[0].sizing->gain, 2);
  EXPECT_NE(to_json(r, 0).find("\"sizing\":{\"p95_tokens\":13000"), std::string::npos);
  EXPECT_NE(to_text(r).find("at a risk of 5 %"), std::string::npos);
}

TEST(Sizing, IsLeftOutWhereItSaysNothing) {
  Report reserved = ask("pool=53GB alloc=reserved service=a:100+100x10");
  add_sizing(reserved);
  EXPECT_FALSE(reserved.services[0].sizing.has_value());
  EXPECT_NE(to_json(reserved, 0).find("\"sizing\":null"), std::string::npos);
}

Report full(std::string_view line) {
  Report r = evaluate_with_rates(decode(words_of(line), Strictness::kCommandLine), shipped());
  add_sizing(r);
  return r;
}

TEST(ReportPage, HasQuestionAnswerAssumptionsPlotsNumbersLinkAndVersions) {
  const std::string html = report_html(full("pool=53GB engine=vllm users=60"), shipped());
  for (const char* part : {"<h2>Question</h2>", "<h2>Answer</h2>", "<h2>Assumptions</h2>", "<svg",
                           "<h2>By hand, every number</h2>", "vllm serve", "#engine=vllm", "commit",
                           "<h2>What it costs</h2>", "@media print"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("http-equiv"), std::string::npos);
}

// The chance that the pool overflows against requests at once, for each service.
TEST(ReportPage, HasTheOverflowOfEveryService) {
  const Report r = full("pool=53GB service=chat:p50=800/p95=3000+200-600x100 service=b:12k+1kx9");
  const std::vector<PageSection> sections = page_sections(r, shipped());
  std::vector<PageSection> overflow;
  for (const PageSection& s : sections) {
    if (s.title == "How likely the pool overflows") overflow.push_back(s);
  }
  ASSERT_EQ(overflow.size(), 2u);
  EXPECT_NE(overflow[0].paragraphs[0].find("of chat fit at once"), std::string::npos);
  EXPECT_NE(overflow[0].svg.find("by their sum"), std::string::npos);
  EXPECT_EQ(overflow[1].table.columns[1], "Overflow");
  EXPECT_NE(report_markdown(r, shipped()).find("| Requests | Overflow |"), std::string::npos);
}

TEST(ReportPage, EveryIdIsThereOnce) {
  const std::string html = report_html(
      full("pool=53GB engine=vllm tp=2 service=a:1k-2k+9x60 service=b:12k+1kx9"), shipped());
  std::vector<std::string> ids;
  for (std::size_t at = html.find(" id=\""); at != std::string::npos;
       at = html.find(" id=\"", at + 1)) {
    ids.push_back(html.substr(at + 5, html.find('"', at + 5) - at - 5));
  }
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

TEST(ReportPage, TextOfOthersStaysText) {
  const std::string line =
      "model=custom shape=full:2x2x64 params=1000 gpu=h100-sxm service=<b>|x:10+10x1";
  const std::string html = report_html(full(line), shipped());
  EXPECT_EQ(html.find("<b>"), std::string::npos);
  EXPECT_NE(html.find("&lt;b&gt;"), std::string::npos);
  const std::string markdown = report_markdown(full(line), shipped());
  EXPECT_EQ(markdown.find("| <b>"), std::string::npos);
}

TEST(ReportPage, MarkdownTablesHaveAsManyCellsAsHeads) {
  const std::string markdown = report_markdown(full("pool=53GB engine=vllm"), shipped());
  std::size_t bars = 0;
  std::size_t at = 0;
  while (at < markdown.size()) {
    const std::size_t end = std::min(markdown.find('\n', at), markdown.size());
    const std::string line = markdown.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("|")) {
      bars = 0;
      continue;
    }
    std::size_t here = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      here += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    }
    if (bars != 0) {
      EXPECT_EQ(here, bars) << line;
    }
    bars = here;
  }
}

TEST(ReportPage, WhereNothingRunsItSaysSo) {
  const std::string markdown = report_markdown(full("model=llama-3.1-405b"), shipped());
  EXPECT_NE(markdown.find("## Answer"), std::string::npos);
  EXPECT_EQ(markdown.find("## Context against requests"), std::string::npos);
}

}  // namespace
}  // namespace kvseats::scenario
