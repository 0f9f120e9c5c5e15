#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "logs/engine_tables.h"
#include "logs/facts.h"
#include "logs/lines.h"
#include "logs/number.h"
#include "logs/pattern.h"
#include "logs/words.h"

// Numbers, lines, patterns and words, each alone.
namespace kvseats::logs {
namespace {

TEST(Number, ReadsWhatLogsPrint) {
  struct Case {
    const char* text;
    std::uint64_t digits;
    int decimals;
    std::size_t used;
  };
  constexpr Case kCases[] = {
      {"404,352 tokens", 404352, 0, 7}, {"49.36x", 4936, 2, 5},
      {"1,687,476", 1687476, 0, 9},     {"3840,00 MiB", 384000, 2, 7},  // a decimal comma
      {"131072, next", 131072, 0, 6},   {"32768. Try", 32768, 0, 5},  // the point ends the sentence
      {"1.234,5", 1234, 3, 5},          {"0.9", 9, 1, 3},
      {"8,192,", 8192, 0, 5},
  };
  for (const Case& c : kCases) {
    std::size_t used = 0;
    const auto n = read_number(c.text, used);
    ASSERT_TRUE(n) << c.text;
    EXPECT_EQ(n->digits, c.digits) << c.text;
    EXPECT_EQ(n->decimals, c.decimals) << c.text;
    EXPECT_EQ(used, c.used) << c.text;
  }
}

TEST(Number, NegativeAndTooLong) {
  std::size_t used = 0;
  EXPECT_EQ(to_double(*read_number("-0.45 GiB", used)), -0.45);
  EXPECT_FALSE(read_number("123456789012345678901234567890", used));
  EXPECT_FALSE(read_number("x", used));
  EXPECT_FALSE(read_number("", used));
  EXPECT_FALSE(read_number("-", used));
  EXPECT_EQ(to_whole({.digits = 1200, .decimals = 2}), 12u);
  EXPECT_EQ(to_whole({.digits = 1250, .decimals = 2}), std::nullopt);
  EXPECT_EQ(to_whole({.digits = 5, .decimals = 0, .negative = true}), std::nullopt);
}

std::vector<std::string> all_lines(std::string_view text) {
  std::vector<std::string> out;
  LineReader reader(text);
  std::string line;
  while (reader.next(line)) out.push_back(std::to_string(reader.number()) + ":" + line);
  return out;
}

TEST(Lines, ColoursAndControlsAreTakenOut) {
  EXPECT_EQ(all_lines("a\x1b[1;36mb\x1b[0;0mc"), (std::vector<std::string>{"1:abc"}));
  EXPECT_EQ(all_lines("a\\u001b[33mb"), (std::vector<std::string>{"1:ab"}));
  EXPECT_EQ(all_lines("a\tb\x01\x7f"), (std::vector<std::string>{"1:a b"}));
  EXPECT_EQ(all_lines("a\xc2\xa0"
                      "b"),
            (std::vector<std::string>{"1:a b"}));
  EXPECT_EQ(all_lines("\x1b[never ends here, so it stays"),
            (std::vector<std::string>{"1:ever ends here, so it stays"}));
}

TEST(Lines, AreCountedByLineFeeds) {
  EXPECT_EQ(all_lines("a\r\nb\n\nc"), (std::vector<std::string>{"1:a", "2:b", "3:", "4:c"}));
  // A progress bar writes over its own line.
  EXPECT_EQ(all_lines("10%\r20%\r\nx"), (std::vector<std::string>{"1:10%", "1:20%", "2:x"}));
  EXPECT_TRUE(all_lines("").empty());
}

TEST(Pattern, MatchesAnywhereAndSkipsBlanks) {
  const Pattern p{"size = {a} MiB ({b} cells"};
  const auto m = find_match(p, "x: size =  102.00 MiB (  8192 cells, 12", 0);
  ASSERT_TRUE(m);
  ASSERT_EQ(m->captures.size(), 2u);
  EXPECT_EQ(m->captures[0].text, "102.00");
  EXPECT_EQ(m->captures[1].text, "8192");
  EXPECT_EQ(m->begin, 3u);
  EXPECT_FALSE(find_match(p, "size = lots MiB", 0));
}

TEST(Pattern, ALeadingCaptureIsTheWordBefore) {
  const auto device = find_match({"{d:w} KV buffer size = {s} MiB"},
                                 "I llama_kv_cache:      CUDA0 KV buffer size =  4096.00 MiB", 0);
  ASSERT_TRUE(device);
  EXPECT_EQ(device->captures[0].text, "CUDA0");
  const auto needed = find_match({"{n} GiB KV cache is needed"},
                                 "max seq len (40960), (5.62 GiB KV cache is needed, which", 0);
  ASSERT_TRUE(needed);
  EXPECT_EQ(needed->captures[0].text, "5.62");
  EXPECT_FALSE(find_match({"{n} GiB KV cache is needed"}, "GiB KV cache is needed", 0));
}

TEST(Pattern, KindsOfWords) {
  EXPECT_EQ(find_match({"(v{x:w}"}, "engine (v0.11.0) with", 0)->captures[0].text, "0.11.0");
  EXPECT_EQ(find_match({"device ({x:u})"}, "device (NVIDIA RTX 3090)", 0)->captures[0].text,
            "NVIDIA RTX 3090");
  EXPECT_EQ(find_match({"type = {x:l}"}, "type =  Q4_K - Medium  ", 0)->captures[0].text,
            "Q4_K - Medium");
  EXPECT_TRUE(find_match({"{_} secs, took {g} GiB"}, "in 8 secs, took 0.31 GiB", 0));
}

TEST(Pattern, WithinMustStandBefore) {
  const Pattern p{"batch={b}", "enabled"};
  EXPECT_TRUE(find_match(p, "enabled with batch=8", 0));
  EXPECT_FALSE(find_match(p, "batch=8 enabled", 0));
}

TEST(Words, AreCutAsAShellDoes) {
  using List = std::vector<std::string>;
  EXPECT_EQ(split_words("a 'b c' \"d \\\" e\" f\\ g"), (List{"a", "b c", "d \" e", "f g"}));
  EXPECT_EQ(split_words("-m x | tee log"), (List{"-m", "x"}));
  EXPECT_EQ(split_words("-c 8192 --port 1\""), (List{"-c", "8192", "--port", "1"}));
  EXPECT_EQ(split_words("--x '' # remark"), (List{"--x", ""}));
  EXPECT_TRUE(split_words("   ").empty());
}

TEST(Words, ArgumentsOfPython) {
  const auto list = split_arguments(
      "'model': 'a/b', 'served': ['x', 'y'], 'one': ['z'], 'n': 3, 'c': {'d': 1, 'e': 2}} rest, "
      "'no': 1");
  ASSERT_EQ(list.size(), 5u);
  EXPECT_EQ(list[0].name, "model");
  EXPECT_EQ(list[0].value, "a/b");
  EXPECT_EQ(list[1].value, "['x', 'y']");
  EXPECT_EQ(list[2].value, "z");
  EXPECT_EQ(list[3].value, "3");
  EXPECT_EQ(list[4].value, "{'d': 1, 'e': 2}");
}

TEST(Counts, EachEngineReadsItsOwn) {
  struct Case {
    const char* text;
    std::optional<std::uint64_t> vllm, plain;
  };
  // vllm/engine/arg_utils.py, human_readable_int; argparse int elsewhere.
  const Case kCases[] = {
      {"8192", 8192, 8192},
      {"32k", 32000, std::nullopt},
      {"32K", 32768, std::nullopt},
      {"25.6k", 25600, std::nullopt},
      {"1M", 1048576, std::nullopt},
      {"1m", 1000000, std::nullopt},
      {"2.5K", std::nullopt, std::nullopt},
      {"2g", 2000000000, std::nullopt},
      {"", std::nullopt, std::nullopt},
      {"-5", std::nullopt, std::nullopt},
      {"k", std::nullopt, std::nullopt},
      {"999999999999999999999", std::nullopt, std::nullopt},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(vllm_count(c.text), c.vllm) << c.text;
    EXPECT_EQ(plain_count(c.text), c.plain) << c.text;
  }
}

TEST(Tables, EveryCaptureIsAFact) {
  for (const EngineTables* engine : engine_tables()) {
    for (const Pattern& pattern : engine->patterns) {
      std::string_view rest = pattern.text;
      for (std::size_t at = rest.find('{'); at != std::string_view::npos; at = rest.find('{')) {
        rest.remove_prefix(at + 1);
        const std::string_view name = rest.substr(0, rest.find_first_of(":}"));
        EXPECT_TRUE(name == "_" || find_fact(name) != nullptr) << pattern.text << " " << name;
      }
    }
  }
}

TEST(Tables, NoFlagIsListedTwice) {
  for (const EngineTables* engine : engine_tables()) {
    std::vector<std::string> seen;
    for (const Flag& flag : engine->flags) {
      std::string_view names = flag.names;
      while (true) {
        const std::size_t bar = names.find('|');
        const std::string name(names.substr(0, bar));
        EXPECT_EQ(std::find(seen.begin(), seen.end(), name), seen.end()) << engine->id << name;
        seen.push_back(name);
        if (bar == std::string_view::npos) break;
        names.remove_prefix(bar + 1);
      }
    }
  }
}

}  // namespace
}  // namespace kvseats::logs
