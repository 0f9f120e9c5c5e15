#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>

#include "driver.h"

namespace kvseats::ui::test {
namespace {

TEST(Tools, ButtonsUndoAndRedo) {
  Driver driver(kLesson8k);
  const std::string before = driver.query();
  driver.click("Undo");  // nothing to undo yet
  EXPECT_EQ(driver.query(), before);
  driver.enter("KV heads", "32");
  driver.click("Undo");
  EXPECT_EQ(driver.query(), before);
  driver.click("Redo");
  EXPECT_TRUE(says(driver, "kvheads=32"));
}

TEST(Tools, APresetIsOneStepOfUndo) {
  Driver driver(kLesson8k);
  const std::string before = driver.query();
  driver.click("Presets");
  std::string first;
  for (const Widget& widget : driver.widgets()) {
    if (first.empty() && widget.role == "option") first = widget.label;
  }
  ASSERT_FALSE(first.empty());
  driver.click(first, "option");
  EXPECT_NE(driver.query(), before);
  driver.click("Undo");
  EXPECT_EQ(driver.query(), before);
}

TEST(Tools, ResetIsOneStepOfUndo) {
  Driver driver(kLesson8k, 1440, 1400);
  const std::string before = driver.query();
  driver.click("Reset all");
  EXPECT_FALSE(says(driver, "pool=53GB"));
  driver.key(ImGuiKey_Z, false, true);
  EXPECT_EQ(driver.query(), before);
}

TEST(Tools, UnitsAreInTheLinkAndUndone) {
  Driver driver(kLesson8k, 1440, 1400);
  const std::string before = driver.query();
  driver.click("Sizes in GB");
  EXPECT_TRUE(says(driver, "unit=GB"));
  EXPECT_NE(driver.find("At the point").value.find("687.1 MB"), std::string::npos);
  driver.click("Undo");
  EXPECT_EQ(driver.query(), before);
}

TEST(Tools, LargerTextIsALargerEverythingAndThePointerKeepsUp) {
  Driver driver(kLesson8k, 1440, 2400);
  const double before = driver.find("KV heads").rect.h;
  driver.click("Text size 150");
  EXPECT_TRUE(says(driver, "text=150"));
  EXPECT_NEAR(driver.find("KV heads").rect.h, before * 1.5, 0.6);
  driver.enter("KV heads", "32");
  EXPECT_TRUE(says(driver, "kvheads=32"));
  for (const Widget& widget : driver.widgets()) {
    EXPECT_LE(widget.rect.x + widget.rect.w, 1440.5) << widget.label;
  }
}

TEST(Tools, AQuestionMarkShowsTheKeysAndEscapeClosesThem) {
  Driver driver(kLesson8k);
  EXPECT_TRUE((driver.result.keys & kKeysHelp) != 0);
  driver.type("?");
  EXPECT_TRUE(driver.has("Ctrl + wheel"));
  driver.key(ImGuiKey_Escape);
  EXPECT_FALSE(driver.has("Ctrl + wheel"));
  EXPECT_TRUE(driver.has("How many at once?"));
}

TEST(PoolView, PlaysOnlyWhenAskedTo) {
  Driver driver(kLesson8k);
  driver.click("Allocation", "tab");
  EXPECT_TRUE(says(driver, "view=allocation"));
  driver.settle();
  const std::string before = driver.find("Paged").value;
  for (int i = 0; i < 10; ++i) {
    driver.step();
    EXPECT_TRUE(std::isinf(driver.result.next_frame_s));
  }
  EXPECT_EQ(driver.find("Paged").value, before);
  driver.click("Speed 64\xC3\x97");
  driver.click("Play");
  for (int i = 0; i < 30; ++i) driver.step();
  EXPECT_EQ(driver.result.next_frame_s, 0.0);
  EXPECT_NE(driver.find("Paged").value, before);
  driver.click("Pause");
  driver.settle();
  EXPECT_TRUE(std::isinf(driver.result.next_frame_s));
}

TEST(PoolView, RestsWhileAnotherTabIsOpen) {
  Driver driver(kLesson8k);
  driver.click("Allocation", "tab");
  driver.click("Play");
  driver.click("Trade-off", "tab");
  driver.settle();
  EXPECT_TRUE(std::isinf(driver.result.next_frame_s));
}

TEST(PoolView, StepsAndRestarts) {
  Driver driver(kLesson8k);
  driver.click("Allocation", "tab");
  const std::string start = driver.find("Reserved").value;
  for (int i = 0; i < 200; ++i) driver.click("Step");
  EXPECT_NE(driver.find("Reserved").value, start);
  driver.click("Restart");
  EXPECT_EQ(driver.find("Reserved").value, start);
}

TEST(PoolView, SaysWhyNothingRuns) {
  Driver driver("model=llama-3.1-70b&gpu=rtx-4090&view=allocation");
  EXPECT_FALSE(driver.has("Play"));
}

TEST(MemoryBar, PointingAtAPartSaysWhatItIsMadeOf) {
  Driver driver(kLesson8k);
  EXPECT_FALSE(driver.has("Where it comes from"));
  const Widget bar = driver.find("Memory of one GPU, parts");
  driver.move(bar.rect.x + 12, bar.center_y());
  driver.settle();
  const std::string said = driver.find("Where it comes from").value;
  EXPECT_TRUE(said.starts_with("Weights: ")) << said;
  EXPECT_NE(said.find("16,060,522,496 B"), std::string::npos) << said;
}

TEST(MemoryBar, APressGoesToTheRowOfTheLedger) {
  Driver driver(kLesson8k);
  const Widget bar = driver.find("Memory of one GPU, parts");
  driver.click_at(bar.rect.x + 12, bar.center_y());
  EXPECT_TRUE(says(driver, "view=byhand"));
}

TEST(MemoryBar, TheKeyboardWalksItsParts) {
  Driver driver(kLesson8k);
  driver.app->focus_in(FocusFrom::kForward);
  driver.settle();
  for (int i = 0; i < 60 && !driver.find("Memory of one GPU, parts").focused; ++i) {
    driver.key(ImGuiKey_Tab);
  }
  const std::string first = driver.find("Where it comes from").value;
  driver.key(ImGuiKey_RightArrow);
  EXPECT_NE(driver.find("Where it comes from").value, first);
}

}  // namespace
}  // namespace kvseats::ui::test
