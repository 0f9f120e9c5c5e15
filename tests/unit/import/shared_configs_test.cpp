#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <sstream>

#include "import/config_json.h"
#include "model/demand.h"
#include "shared_folder.h"

/// Runs over a folder of real config.json files with an INDEX.md of answers, where there is one:
/// `cases/configs` in a folder `shared` beside the project. The fixtures carry the same facts, so
/// nothing is lost elsewhere.
namespace kvseats {
namespace {

struct Answer {
  std::string file;
  std::uint32_t layers = 0;
  double growing = 0, windowed = 0, state = 0, cross = 0;
};

/// "32,768" after `before` in `text`, or 0.
double number_before(const std::string& text, const std::string& after) {
  const std::size_t end = text.find(after);
  if (end == std::string::npos) return 0;
  std::size_t start = end;
  while (start > 0 &&
         (isdigit(text[start - 1]) != 0 || text[start - 1] == ',' || text[start - 1] == '.')) {
    --start;
  }
  std::string digits;
  for (std::size_t i = start; i < end; ++i) {
    if (text[i] != ',') digits += text[i];
  }
  return std::strtod(digits.c_str(), nullptr);
}

/// "16 layers; 32,768 B/token; +4,096 B/token up to 512 tokens; state 10 B; cross 5 B per source…"
std::vector<Answer> read_index(const std::string& index) {
  std::vector<Answer> answers;
  std::stringstream lines(index);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::stringstream row(line);
    for (std::string cell; std::getline(row, cell, '|');) cells.push_back(cell);
    if (cells.size() < 7 || cells[1].find(".json") == std::string::npos) continue;
    std::string answer = cells[cells.size() - 1];
    Answer a;
    a.file = cells[1].substr(1, cells[1].size() - 2);
    a.layers = static_cast<std::uint32_t>(number_before(answer, " layers"));
    a.growing = number_before(answer, " B/token");
    const std::size_t plus = answer.find("; +");
    if (plus != std::string::npos)
      a.windowed = number_before(answer.substr(plus), " B/token up to");
    const std::size_t state = answer.find("state ");
    if (state != std::string::npos) a.state = number_before(answer.substr(state), " B");
    a.cross = number_before(answer, " B per source token");
    // The index leaves MiniMax-M3's index keys out: 57 layers × 128 × 2 bytes.
    if (a.file.find("minimax-m3") == 0) a.growing += 57 * 128 * 2;
    answers.push_back(a);
  }
  return answers;
}

TEST(SharedConfigs, EachGivesTheAnswerOfItsIndex) {
  const std::string index = shared_folder().empty() ? "" : slurp(shared_folder() + "INDEX.md");
  if (index.empty()) {
    std::cout << "no folder shared/cases/configs beside the project: nothing to compare\n";
    return;
  }
  const auto answers = read_index(index);
  EXPECT_GT(answers.size(), 60u);
  const model::CacheFormat* bf16 = model::find_cache_format("bf16");
  for (const Answer& answer : answers) {
    const std::string bytes = slurp(shared_folder() + answer.file);
    const auto draft = import::read_config(bytes, answer.file);
    ASSERT_TRUE(draft.has_value()) << answer.file << ": " << draft.error()[0].text;
    const auto parts = model::demand(draft->model, {bf16, bf16});
    const auto value = [](units::Ratio r) {
      return static_cast<double>(r.num) / static_cast<double>(r.den);
    };
    const double growing = value(model::per_token_beyond_windows(parts));
    double state = 0;
    double cross = 0;
    for (const model::Component& part : parts) {
      if (part.kind == model::ComponentKind::kState && !part.replicated) {
        state += static_cast<double>((part.fixed * part.layers).raw());
      }
      if (part.of_encoder) cross += value(model::per_token(part));
    }
    EXPECT_EQ(draft->model.layers, answer.layers) << answer.file;
    EXPECT_EQ(growing, answer.growing) << answer.file;
    EXPECT_EQ(value(model::per_token(parts)) - growing, answer.windowed) << answer.file;
    EXPECT_EQ(state, answer.state) << answer.file;
    EXPECT_EQ(cross, answer.cross) << answer.file;
  }
}

TEST(SharedConfigs, NoTruncationCrashes) {
  const std::string index = shared_folder().empty() ? "" : slurp(shared_folder() + "INDEX.md");
  for (const Answer& answer : read_index(index)) {
    const std::string bytes = slurp(shared_folder() + answer.file);
    for (std::size_t i = 0; i < 200; ++i) {
      (void)import::read_config(std::string_view(bytes).substr(0, bytes.size() * i / 200), "");
    }
  }
}

}  // namespace
}  // namespace kvseats
