#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "driver.h"
#include "ui/zoom.h"

namespace kvseats::ui::test {
namespace {

void wheel(Driver& driver, float notches) {
  ImGui::SetCurrentContext(driver.app->context());
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, true);
  io.AddMouseWheelEvent(0.0F, notches);
  io.AddKeyEvent(ImGuiMod_Ctrl, false);
  driver.step();
  driver.settle();
}

std::string plot_says(const Driver& driver) {
  return driver.find("Trade-off plot").value;
}

// 53e9 B in requests of 1 GiB: 49; half of that each in 8 bits: 98.
TEST(Frontier, PointingAtALeverShowsItsGhost) {
  Driver driver(kLesson8k);
  EXPECT_EQ(plot_says(driver).find("With 8-bit cache"), std::string::npos);
  hover(driver, "Pin 8-bit cache");
  EXPECT_NE(plot_says(driver).find("With 8-bit cache: 98."), std::string::npos);
  hover(driver, "At the point");
  EXPECT_EQ(plot_says(driver).find("With 8-bit cache"), std::string::npos);
}

TEST(Frontier, TheLineOfTheCheapestChangeShowsItsGhostAndPinsIt) {
  Driver driver(kLesson8k);
  std::string line;
  for (const Widget& widget : driver.widgets()) {
    if (widget.label.starts_with("Cheapest change")) line = widget.label;
  }
  ASSERT_FALSE(line.empty());
  hover(driver, line);
  EXPECT_NE(plot_says(driver).find("With 8-bit cache: 98."), std::string::npos);
  driver.click(line);
  EXPECT_TRUE(says(driver, "pin=")) << driver.query();
}

TEST(Frontier, RowsOfTheLeversTabShowTheirGhosts) {
  Driver driver(kLesson8k, 1440, 1600);
  driver.click("Levers", "tab");
  hover(driver, "8-bit cache");
  EXPECT_NE(plot_says(driver).find("With 8-bit cache: 98."), std::string::npos);
}

TEST(Frontier, APinTogglesIsInTheLinkAndIsUndone) {
  Driver driver(kLesson8k);
  const std::string before = driver.query();
  driver.click("Pin 8-bit cache");
  EXPECT_TRUE(says(driver, "pin=model=llama-3-8b%26")) << driver.query();
  EXPECT_EQ(driver.told, driver.query());
  EXPECT_NE(plot_says(driver).find("Pinned, 8-bit cache: 98."), std::string::npos);
  driver.click("Unpin 8-bit cache");
  EXPECT_EQ(driver.query(), before);
  driver.key(ImGuiKey_Z, false, true);
  EXPECT_TRUE(says(driver, "pin="));
  driver.key(ImGuiKey_Z, false, true);
  EXPECT_EQ(driver.query(), before);
  driver.key(ImGuiKey_Y, false, true);
  EXPECT_TRUE(says(driver, "pin="));
}

TEST(Frontier, APinnedDeploymentStaysWhenTheScenarioGoesOn) {
  Driver driver(kLesson8k);
  driver.click("Pin this one");
  driver.click("Model");
  driver.type("llama 2 7b");
  driver.key(ImGuiKey_Enter);
  EXPECT_NE(plot_says(driver).find("Pinned, Llama 3 8B: 49."), std::string::npos)
      << plot_says(driver);
  const Driver again(driver.query());
  EXPECT_NE(plot_says(again).find("Pinned, Llama 3 8B: 49."), std::string::npos);
}

TEST(Frontier, FourPinsAreTheMost) {
  Driver driver(kLesson8k, 1440, 1200);
  for (const char* length : {"1000", "2000", "3000", "4000", "5000"}) {
    driver.enter("Prompt value", length);
    driver.click("Pin 8-bit cache");
  }
  const std::string query = driver.query();
  std::size_t pins = 0;
  for (std::size_t at = query.find("pin="); at != std::string::npos;
       at = query.find("pin=", at + 1))
    ++pins;
  EXPECT_EQ(pins, 4u);
  EXPECT_TRUE(says(driver, "prompt=1000%26"));
}

TEST(Frontier, TheCrosshairSaysWhatIsUnderIt) {
  Driver driver(kLesson8k);
  const Widget plot = driver.find("Trade-off plot");
  EXPECT_FALSE(driver.has("Crosshair"));
  // 32k is 5 of the 8 octaves from 1k to 256k.
  driver.move(plot.rect.x + plot.rect.w * 5.0 / 8.0, plot.rect.y + 40);
  driver.settle();
  EXPECT_EQ(driver.find("Crosshair").value,
            "At 32,768 tokens 12 fit; one more needs 2.640 GiB, beyond the model's own limit.");
  driver.move(2, 2);
  driver.settle();
  EXPECT_FALSE(driver.has("Crosshair"));
}

TEST(Frontier, KeysMoveThePointAndItsSentence) {
  Driver driver(kLesson8k);
  EXPECT_EQ(driver.find("At the point").value, "At 8,192 tokens 49 fit; one more needs 655.3 MiB.");
  const Widget point = driver.find("Operating point");
  driver.click_at(point.center_x(), point.center_y());
  driver.key(ImGuiKey_LeftArrow);
  EXPECT_TRUE(driver.find("At the point").value.starts_with("At 6,144 tokens 65 fit; one more"));
}

TEST(Frontier, TheWheelZoomsAboutThePointerAndIsUndone) {
  Driver driver(kLesson8k);
  const std::string before = driver.query();
  const Widget plot = driver.find("Trade-off plot");
  driver.move(plot.center_x() + 100, plot.center_y());
  wheel(driver, 1.0F);
  wheel(driver, 1.0F);
  EXPECT_TRUE(says(driver, "range=")) << driver.query();
  EXPECT_TRUE(driver.has("Show all"));
  driver.key(ImGuiKey_Z, false, true);  // both turns are one step
  EXPECT_EQ(driver.query(), before);
}

TEST(Frontier, ButtonsZoomAndShowAllAgain) {
  Driver driver(kLesson8k);
  const std::string before = driver.query();
  driver.click("Zoom in");
  const Widget point = driver.find("Operating point");
  driver.click("Zoom in");
  EXPECT_EQ(driver.find("Operating point").value, point.value);
  EXPECT_NE(driver.query(), before);
  driver.click("Show all");
  EXPECT_EQ(driver.query(), before);
  EXPECT_FALSE(driver.has("Show all"));
}

TEST(Frontier, KeysZoomPanAndShowAll) {
  Driver driver(kLesson8k);
  const std::string before = driver.query();
  const Widget point = driver.find("Operating point");
  driver.click_at(point.center_x(), point.center_y());
  driver.key(ImGuiKey_PageUp);
  const std::string closer = driver.query();
  EXPECT_NE(closer, before);
  driver.key(ImGuiKey_RightArrow, true);
  EXPECT_NE(driver.query(), closer);
  EXPECT_EQ(driver.find("Operating point").value, point.value);
  driver.key(ImGuiKey_Home);
  EXPECT_EQ(driver.query(), before);
}

TEST(Frontier, ShiftAndDragMovesThePaperNotThePoint) {
  Driver driver(kLesson8k);
  driver.click("Zoom in");
  const std::string closer = driver.query();
  const Widget point = driver.find("Operating point");
  const Widget plot = driver.find("Trade-off plot");
  ImGui::SetCurrentContext(driver.app->context());
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, true);
  driver.move(plot.rect.x + 60, plot.rect.y + 60);
  driver.press();
  driver.move(plot.rect.x + 160, plot.rect.y + 60);
  driver.release();
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, false);
  driver.settle();
  EXPECT_EQ(driver.find("Operating point").value, point.value);
  EXPECT_NEAR(driver.find("Operating point").center_x(), point.center_x() + 100, 3.0);
  driver.key(ImGuiKey_Z, false, true);
  EXPECT_EQ(driver.query(), closer);
}

TEST(Frontier, IdleWantsNoFrameWithPinsAndZoom) {
  Driver driver(kLesson8k);
  driver.click("Pin 8-bit cache");
  driver.click("Zoom in");
  driver.settle();
  for (int i = 0; i < 10; ++i) {
    driver.step();
    EXPECT_TRUE(std::isinf(driver.result.next_frame_s));
  }
}

TEST(Zoom, ATextIsItsZoomAndOtherTextsAreNone) {
  const Zoom zoom{.x = std::pair{1024.5, 4096.0}, .y = std::pair{2.0, 100.0}};
  EXPECT_EQ(zoom_text(zoom), "1024.5..4096,2..100");
  EXPECT_EQ(read_zoom(zoom_text(zoom)), zoom);
  for (const char* text : {"", "1..2", "a..b,1..2", "5..1,1..2", "0..9,1..2", "1..2,3..3"}) {
    EXPECT_FALSE(read_zoom(text).any()) << text;
  }
}

// Half of 6,144 tokens shared: each of the others takes 5,120, and 53e9 B hold 78 of them.
TEST(Frontier, ASharedPrefixAndAnotherModelAreGhostsToo) {
  Driver driver(kLesson8k);
  const std::string before = driver.query();
  hover(driver, "Pin Half the prompt shared");
  EXPECT_NE(plot_says(driver).find("3k shared prefix: 78."), std::string::npos)
      << plot_says(driver);
  driver.click("Pin Half the prompt shared");
  EXPECT_TRUE(says(driver, "pin=") && says(driver, "prefix=3072")) << driver.query();
  driver.click("Pin another model");
  driver.type("llama 2 7b");
  driver.key(ImGuiKey_Enter);
  EXPECT_TRUE(says(driver, "model=llama-2-7b%26")) << driver.query();
  driver.key(ImGuiKey_Z, false, true);
  driver.key(ImGuiKey_Z, false, true);
  EXPECT_EQ(driver.query(), before);
}

void double_click(Driver& driver, double x, double y) {
  driver.move(x, y);
  for (int i = 0; i < 2; ++i) {
    driver.press();
    ImGui::SetCurrentContext(driver.app->context());
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    driver.step();
  }
  driver.settle();
}

TEST(Frontier, ADoubleClickShowsAllAndLeavesThePoint) {
  Driver driver(kLesson8k);
  driver.click("Zoom in");
  ASSERT_TRUE(says(driver, "range="));
  const Widget plot = driver.find("Trade-off plot");
  double_click(driver, plot.rect.x + plot.rect.w * 0.2, plot.rect.y + plot.rect.h * 0.3);
  EXPECT_FALSE(says(driver, "range=")) << driver.query();
  EXPECT_TRUE(says(driver, "prompt=6144")) << driver.query();
  driver.key(ImGuiKey_Z, false, true);
  EXPECT_TRUE(says(driver, "range=")) << driver.query();
}

// What a page sends while two fingers lie on the plot (web/canvas-pointer.js).
TEST(Frontier, TwoFingersMoveThePaper) {
  Driver driver(kLesson8k);
  driver.click("Zoom in");
  const std::string before = driver.query();
  const Widget plot = driver.find("Trade-off plot");
  driver.move(plot.center_x(), plot.center_y());
  ImGui::SetCurrentContext(driver.app->context());
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, true);
  io.AddKeyEvent(ImGuiMod_Alt, true);
  io.AddMouseWheelEvent(1.0F, 0.5F);
  io.AddKeyEvent(ImGuiMod_Ctrl, false);
  io.AddKeyEvent(ImGuiMod_Alt, false);
  driver.step();
  driver.settle();
  EXPECT_TRUE(says(driver, "range="));
  EXPECT_NE(driver.query(), before);
  EXPECT_TRUE(says(driver, "prompt=6144"));
}

// The first of two fingers is no tap, and a page that takes it away says so by moving it nowhere.
TEST(Frontier, AFingerPointsWhenItIsLifted) {
  Driver driver(kLesson8k);
  driver.input.touch = true;
  driver.step();
  const std::string before = driver.query();
  const Widget plot = driver.find("Trade-off plot");
  const double y = plot.rect.y + plot.rect.h * 0.3;
  driver.move(plot.rect.x + plot.rect.w * 0.3, y);
  driver.press();
  driver.step();
  EXPECT_EQ(driver.query(), before);
  ImGui::SetCurrentContext(driver.app->context());
  ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  driver.release();
  EXPECT_EQ(driver.query(), before);
  driver.click_at(plot.rect.x + plot.rect.w * 0.3, y);
  EXPECT_NE(driver.query(), before);
}

}  // namespace
}  // namespace kvseats::ui::test
