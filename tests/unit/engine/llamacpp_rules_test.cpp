#include "engine/llamacpp/rules.h"

#include <gtest/gtest.h>

namespace kvseats::engine {
namespace {

using llamacpp::choose_rules;
using llamacpp::Chosen;
using llamacpp::Program;

struct VersionCase {
  const char* text;
  const char* rules;
};

// Merge days of ggml-org/llama.cpp pull requests 12801, 13194, 13833, 14363, 16812, 17046, 19067.
TEST(LlamaCppRules, EveryWayOfWritingAVersionFindsItsRules) {
  const VersionCase cases[] = {
      {"", "llamacpp-k-only"},
      {"auto", "llamacpp-k-only"},
      {"b9265", "llamacpp-k-only"},
      {"2026-01", "llamacpp-k-only"},
      {"2026-01-30", "llamacpp-k-only"},
      {"2026-01-20", "llamacpp-pad256"},
      {"b6990", "llamacpp-pad256"},
      {"6990", "llamacpp-pad256"},
      {"B7079", "llamacpp-pad256"},
      {"2025-11", "llamacpp-pad256"},
      {"2025-10-30", "llamacpp-unpadded"},
      {"b6900", "llamacpp-unpadded"},
      {"2025-10", "llamacpp-streams"},
      {"2025-07", "llamacpp-streams"},
      {"2025-06", "llamacpp-iswa"},
      {"2025-05-27", "llamacpp-iswa-batch"},
      {"2025-05", "llamacpp-iswa-batch"},
      {"2025-04-30", "llamacpp-mla"},
      {"2025-03", "llamacpp-full"},
      {"b4000", "llamacpp-full"},
  };
  for (const VersionCase& one : cases) {
    const Chosen chosen = choose_rules(one.text, Program::kServer);
    EXPECT_EQ(chosen.rules->id, one.rules) << one.text;
    EXPECT_TRUE(chosen.diagnostics.empty()) << one.text;
  }
}

TEST(LlamaCppRules, OllamaAndLmStudioHaveNumbersOfTheirOwn) {
  EXPECT_EQ(choose_rules("0.6.2", Program::kOllama).rules->id, "llamacpp-full");
  EXPECT_EQ(choose_rules("v0.9.0", Program::kOllama).rules->id, "llamacpp-iswa-batch");
  EXPECT_EQ(choose_rules("0.13.0", Program::kOllama).rules->id, "llamacpp-pad256");
  EXPECT_EQ(choose_rules("0.4.1", Program::kLmStudio).rules->id, "llamacpp-k-only");
  EXPECT_EQ(choose_rules("0.4.1", Program::kServer).diagnostics.at(0).code, "E-VERSION");
}

TEST(LlamaCppRules, ABuildNewerThanKnownIsWarnedOf) {
  const Chosen chosen = choose_rules("b99999", Program::kServer);
  EXPECT_EQ(chosen.rules->id, "llamacpp-k-only");
  ASSERT_EQ(chosen.diagnostics.size(), 1u);
  EXPECT_EQ(chosen.diagnostics[0].code, "W-VERSION-NEWER");
}

TEST(LlamaCppRules, NonsenseIsAnErrorAndTheNewestIsTaken) {
  for (const char* text : {"newest please", "0.11.2", "2025-xx", "2025-13", "b", "b12x"}) {
    const Chosen chosen = choose_rules(text, Program::kServer);
    EXPECT_EQ(chosen.rules->id, "llamacpp-k-only") << text;
    ASSERT_EQ(chosen.diagnostics.size(), 1u) << text;
    EXPECT_EQ(chosen.diagnostics[0].code, "E-VERSION") << text;
  }
}

// Pull request 16736 (four slots), 15434 (flash attention), LM Studio's build of August 2025.
TEST(LlamaCppRules, DefaultsChangeWithTheDay) {
  EXPECT_FALSE(llamacpp::starts_four_slots(20251101, Program::kServer));
  EXPECT_TRUE(llamacpp::starts_four_slots(20251102, Program::kServer));
  EXPECT_FALSE(llamacpp::starts_four_slots(20260902, Program::kOllama));
  EXPECT_FALSE(llamacpp::flash_by_default(20250829));
  EXPECT_TRUE(llamacpp::flash_by_default(20250830));
  EXPECT_TRUE(llamacpp::asks_for_full_windows(20250812, Program::kLmStudio));
  EXPECT_FALSE(llamacpp::asks_for_full_windows(20250812, Program::kServer));
}

}  // namespace
}  // namespace kvseats::engine
