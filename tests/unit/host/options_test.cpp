#include "host/desktop/options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kvseats::host {
namespace {

DesktopOptions parse(const std::vector<const char*>& words) {
  return parse_options(words);
}

TEST(DesktopOptions, NothingMeansTheDefaults) {
  const DesktopOptions options = parse({});
  EXPECT_EQ(options.error, "");
  EXPECT_EQ(options.query, "");
  EXPECT_EQ(options.width, 1440);
  EXPECT_EQ(options.height, 900);
  EXPECT_FALSE(options.dark);
}

TEST(DesktopOptions, WordsAreTheScenarioAsOnTheCommandLine) {
  const DesktopOptions options =
      parse({"model=llama-3.1-8b", "--query", "gpu=h100-sxm&tp=2", "users=7"});
  EXPECT_EQ(options.error, "");
  EXPECT_EQ(options.query, "model=llama-3.1-8b&gpu=h100-sxm&tp=2&users=7");
}

TEST(DesktopOptions, FilesAreTheirOwn) {
  const DesktopOptions options = parse({"a/config.json", "gpu=h100-sxm", "model.gguf"});
  EXPECT_EQ(options.error, "");
  EXPECT_EQ(options.query, "gpu=h100-sxm");
  EXPECT_EQ(options.files, (std::vector<std::string>{"a/config.json", "model.gguf"}));
}

TEST(DesktopOptions, EveryOptionIsRead) {
  const DesktopOptions options = parse({"--size", "390x844", "--scale", "2.5", "--theme", "dark",
                                        "--screenshot", "a.png", "--frames", "5"});
  EXPECT_EQ(options.error, "");
  EXPECT_EQ(options.width, 390);
  EXPECT_EQ(options.height, 844);
  EXPECT_EQ(options.scale, 2.5);
  EXPECT_TRUE(options.dark);
  EXPECT_EQ(options.screenshot, "a.png");
  EXPECT_EQ(options.frames_s, 5);
}

TEST(DesktopOptions, BadWordsAreNamed) {
  const struct {
    std::vector<const char*> words;
    const char* error;
  } cases[] = {
      {{"--nonsense"}, "unknown option --nonsense; --help lists them"},
      {{"llama"}, "unknown option llama; --help lists them"},
      {{"--size"}, "--size needs a value"},
      {{"--size", "wide"}, "--size does not take wide"},
      {{"--size", "0x9"}, "--size does not take 0x9"},
      {{"--size", "99999x9"}, "--size does not take 99999x9"},
      {{"--size", "12x9px"}, "--size does not take 12x9px"},
      {{"--scale", "0.1"}, "--scale does not take 0.1"},
      {{"--scale", "nan"}, "--scale does not take nan"},
      {{"--theme", "blue"}, "--theme does not take blue"},
      {{"--screenshot", ""}, "--screenshot does not take "},
      {{"--frames", "-1"}, "--frames does not take -1"},
  };
  for (const auto& c : cases) EXPECT_EQ(parse(c.words).error, c.error);
}

TEST(DesktopOptions, HelpIsHelpWhateverElseIsSaid) {
  EXPECT_TRUE(parse({"users=3", "--help"}).help);
  EXPECT_NE(usage().find("--screenshot"), std::string_view::npos);
}

}  // namespace
}  // namespace kvseats::host
