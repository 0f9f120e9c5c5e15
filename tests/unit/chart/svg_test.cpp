#include "chart/svg.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "unit/chart/samples.h"

namespace kvseats::chart {
namespace {

/// A strict little XML reader: elements, double-quoted attributes, five entities. It collects what
/// the tests ask about and says where it first choked.
struct Xml {
  std::string error;
  std::vector<std::string> elements;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string text;

  explicit Xml(std::string_view s) { read(s); }

 private:
  static bool name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == ':';
  }
  static bool entities_ok(std::string_view s) {
    for (std::size_t i = s.find('&'); i != std::string_view::npos; i = s.find('&', i + 1)) {
      bool known = false;
      for (const char* e : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"}) {
        known = known || s.substr(i).rfind(e, 0) == 0;
      }
      if (!known) return false;
    }
    for (const char c : s) {
      if (static_cast<unsigned char>(c) < 0x20) return false;
    }
    return true;
  }
  void read(std::string_view s) {
    std::vector<std::string> open;
    std::size_t i = 0;
    while (i < s.size()) {
      if (s[i] != '<') {
        const std::size_t end = std::min(s.find('<', i), s.size());
        if (!entities_ok(s.substr(i, end - i)) || open.empty()) return fail(s, i);
        text += s.substr(i, end - i);
        i = end;
        continue;
      }
      const bool closing = i + 1 < s.size() && s[i + 1] == '/';
      std::size_t k = i + (closing ? 2 : 1);
      const std::size_t start = k;
      while (k < s.size() && name_char(s[k])) ++k;
      const std::string name(s.substr(start, k - start));
      if (name.empty()) return fail(s, i);
      if (closing) {
        if (open.empty() || open.back() != name || s[k] != '>') return fail(s, i);
        open.pop_back();
        i = k + 1;
        continue;
      }
      elements.push_back(name);
      std::set<std::string> seen;
      while (k < s.size() && s[k] == ' ') {
        const std::size_t from = ++k;
        while (k < s.size() && name_char(s[k])) ++k;
        const std::string key(s.substr(from, k - from));
        if (key.empty() || s.substr(k, 2) != "=\"" || !seen.insert(key).second) return fail(s, k);
        const std::size_t end = s.find('"', k + 2);
        if (end == std::string_view::npos) return fail(s, k);
        const std::string_view value = s.substr(k + 2, end - k - 2);
        if (!entities_ok(value) || value.find('<') != std::string_view::npos) return fail(s, k);
        attributes.emplace_back(key, value);
        k = end + 1;
      }
      const bool empty = s.substr(k, 2) == "/>";
      if (!empty && s.substr(k, 1) != ">") return fail(s, k);
      if (!empty) open.push_back(name);
      i = k + (empty ? 2 : 1);
    }
    if (!open.empty()) error = "not closed: " + open.back();
  }
  void fail(std::string_view s, std::size_t i) {
    error = "at " + std::to_string(i) + ": " + std::string(s.substr(i, 60));
  }
};

void expect_safe(const std::string& svg) {
  const Xml xml(svg);
  EXPECT_EQ(xml.error, "");
  static const std::set<std::string> kElements{"svg",  "title",  "desc", "rect",
                                               "path", "circle", "g",    "text"};
  for (const std::string& element : xml.elements) EXPECT_TRUE(kElements.count(element)) << element;
  for (const auto& [key, value] : xml.attributes) {
    EXPECT_NE(key, "style");
    EXPECT_NE(key, "href");
    EXPECT_NE(key.substr(0, 2), "on");
    EXPECT_EQ(value.find("url("), std::string::npos);
    EXPECT_EQ(value.find("nan"), std::string::npos) << key;
    EXPECT_EQ(value.find("inf"), std::string::npos) << key;
  }
}

TEST(ChartSvg, IsWellFormedAndCarriesNothingThatAPolicyForbids) {
  for (const SvgTheme theme : {SvgTheme::kAuto, SvgTheme::kLight, SvgTheme::kDark}) {
    expect_safe(to_svg(samples::tradeoff(), {.theme = theme, .ground = true, .caption = true}));
  }
  for (std::uint64_t seed = 500; seed < 560; ++seed) {
    samples::Random r(seed);
    const Chart c = samples::random_chart(r);
    expect_safe(to_svg(c, {.width = r.between(1, 1200), .height = r.between(1, 900)}));
  }
}

TEST(ChartSvg, HostileTextStaysText) {
  Chart c = samples::tradeoff();
  const std::string evil = "</text><script>alert(1)</script>\" onload=\"x\x01\xEF\xBF\xBF\xFF &lt;";
  c.id = "a\"><script>";
  c.title = c.caption = c.summary = c.x.title = c.y.title = evil;
  for (Series& s : c.series) s.label.text = evil;
  for (Mark& m : c.marks) m.label.text = evil;
  c.handle.y_text = evil;
  const std::string svg = to_svg(c, {.font = evil, .id = evil, .caption = true});
  expect_safe(svg);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_NE(svg.find("&lt;script&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("\xEF\xBF\xBF"), std::string::npos);
}

TEST(ChartSvg, NamesAndDescribesItself) {
  const std::string svg = to_svg(samples::tradeoff(), {.id = "p1"});
  EXPECT_NE(svg.find("role=\"img\""), std::string::npos);
  EXPECT_NE(svg.find("aria-labelledby=\"p1-t p1-d\""), std::string::npos);
  EXPECT_NE(svg.find("<title id=\"p1-t\">Context against requests</title>"), std::string::npos);
  EXPECT_NE(svg.find("<desc id=\"p1-d\">"), std::string::npos);
}

TEST(ChartSvg, TextIsText) {
  const Xml xml(to_svg(samples::tradeoff(), {.width = 1060, .height = 560}));
  for (const char* word :
       {"8k", "128k", "1,000", "context of one request, tokens", "49", "one H100", "Document QA"}) {
    EXPECT_NE(xml.text.find(word), std::string::npos) << word;
  }
}

TEST(ChartSvg, FollowsThePagesThemeOrItsOwn) {
  const std::string page = to_svg(samples::tradeoff(), {});
  EXPECT_NE(page.find("var(--kv-data,#2a6fbb)"), std::string::npos);
  const std::string dark = to_svg(samples::tradeoff(), {.theme = SvgTheme::kDark});
  EXPECT_EQ(dark.find("var("), std::string::npos);
  EXPECT_NE(dark.find("#5ba3ea"), std::string::npos);
}

TEST(ChartSvg, StaysSmall) {
  EXPECT_LT(to_svg(samples::tradeoff(), {}).size(), 30000U);
  EXPECT_LT(to_svg(samples::tradeoff(), {.theme = SvgTheme::kLight}).size(), 20000U);
  EXPECT_LT(to_svg(samples::tradeoff(), {.width = 360, .height = 300}).size(), 20000U);
}

TEST(ChartSvg, BarsAreSafeToo) {
  BarChart b{.id = "memory", .title = "Memory <of> one GPU"};
  b.bars.push_back({.name = "a & b",
                    .value = "\"80\"",
                    .segments = {{"w", "weights", "16.1 GB", 16.1, Ink::kWeights},
                                 {"h", "waste", "1 GB", 1.0, Ink::kData, true},
                                 {"n", "nothing", "", 0.0, Ink::kData}}});
  expect_safe(to_svg(b, {.width = 300}));
  expect_safe(to_svg(BarChart{}, {}));
}

}  // namespace
}  // namespace kvseats::chart
