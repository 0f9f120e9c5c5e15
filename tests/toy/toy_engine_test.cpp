#include <gtest/gtest.h>

#include "engine/engine.h"
#include "scenario/fields.h"
#include "scenario/present.h"
#include "unit/scenario/fixture.h"

// Adding an engine is a folder and one line: this program is the core, a folder beside this file,
// and src/engine/profiles.cpp with one line more (tests/CMakeLists.txt writes it).
namespace kvseats::scenario {
namespace {

using testing::ask;

TEST(ToyEngine, StandsAmongTheOthers) {
  const engine::Profile* toy = engine::find_profile("toy");
  ASSERT_NE(toy, nullptr);
  EXPECT_EQ(toy->name, "Toy");
  EXPECT_NE(engine::find_profile("vllm"), nullptr);
}

TEST(ToyEngine, AnswersByItsName) {
  const Report report = ask("engine=toy pool=53GB users=1000");
  ASSERT_TRUE(report.ok);
  EXPECT_EQ(report.engine.name, "Toy");
  EXPECT_EQ(report.concurrency.requests, 16u);
  EXPECT_EQ(report.concurrency.limited_by, "engine");
  EXPECT_EQ(command_line(report), "toy serve 'it'\\''s here'");
}

TEST(ToyEngine, BringsItsOwnKey) {
  EXPECT_EQ(ask("engine=toy pool=53GB users=1000 toyslots=5").concurrency.requests, 5u);
  const Report elsewhere = ask("engine=vllm toyslots=5");
  ASSERT_FALSE(elsewhere.ok);
  EXPECT_EQ(elsewhere.diagnostics.front().code, "E-KEY-ENGINE");
}

TEST(ToyEngine, IsAFieldOfItsForms) {
  Scenario scenario;
  ASSERT_TRUE(set_key(scenario, "engine", "toy"));
  EXPECT_NE(fields_json(scenario).find("\"toyslots\""), std::string::npos);
}

TEST(ToyEngine, ShowsItsWaste) {
  const Report report = ask("engine=toy");
  ASSERT_EQ(report.waste.size(), 1u);
  EXPECT_EQ(report.waste.front().label, "Toys");
}

}  // namespace
}  // namespace kvseats::scenario
