#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <limits>

#include "driver.h"

// Services as a table, who asks, lengths, bills, an hour of traffic, and what there is to rent.
namespace kvseats::ui::test {
namespace {

// lesson.txt: 53 GB hold 100 chats of 1,500 tokens (19.66 GB), and of documents of 13,000 tokens 31
// of 100, which need 4 GPUs.
constexpr const char* kTwo =
    "model=llama-3-8b&gpu=h100-sxm&pool=53GB&service=chat:1000+500x100&"
    "service=documents:12000+1000x100";

std::string two(std::string_view view) {
  return std::string(kTwo) + "&view=" + std::string(view);
}

TEST(ServicesView, TheTableSaysWhatFits) {
  const Driver driver(two("services"), 1440, 1600);
  EXPECT_EQ(driver.find("chat fits").value, "fits");
  EXPECT_EQ(driver.find("documents fits").value, "31 fit, 4 × H100 needed");
  EXPECT_NE(driver.find("Together").value.find("do not fit together"), std::string::npos);
}

TEST(ServicesView, ACellIsTypedIntoAndUndone) {
  Driver driver(two("services"), 1440, 1600);
  const std::string before = driver.query();
  driver.enter("Prompt of documents", "p50=7059/p90=12985");
  EXPECT_TRUE(says(driver, "documents:p50=7059/p90=12985+1000x100")) << driver.query();
  EXPECT_NE(driver.find("Prompts of documents").value.find("half have at most 7,059 tokens"),
            std::string::npos)
      << driver.find("Prompts of documents").value;
  driver.key(ImGuiKey_Z, false, true);
  EXPECT_EQ(driver.query(), before);
}

TEST(ServicesView, TheColumnOfInputsKeepsADistributionWhole) {
  Driver driver(std::string(kTwo) + "&service=mixed:500-2000+128@30/256@12x10", 1440, 1600);
  driver.click("Mixed · 1,415");
  driver.enter("mixed users", "20");
  EXPECT_TRUE(says(driver, "mixed:500-2000+128@30/256@12x20")) << driver.query();
}

TEST(ServicesView, AWrongLengthIsRefusedInWords) {
  Driver driver(two("services"), 1440, 1600);
  const std::string before = driver.query();
  driver.enter("Prompt of documents", "9000-1");
  EXPECT_EQ(driver.query(), before);
}

TEST(ServicesView, RowsAreAddedAndRemoved) {
  Driver driver(two("services"), 1440, 1600);
  driver.click("Add a row");
  driver.key(ImGuiKey_Enter);
  EXPECT_TRUE(says(driver, "service-3:")) << driver.query();
  driver.click("Remove service-3");
  EXPECT_FALSE(says(driver, "service-3")) << driver.query();
  driver.click("Add a measured one");
  driver.click("chat", "option");
  EXPECT_TRUE(says(driver, "sharegpt4-prompt+sharegpt4-output")) << driver.query();
  EXPECT_NE(driver.find("Source of chat").value.find("arXiv:2403.02310"), std::string::npos);
  driver.key(ImGuiKey_Z, false, true);
  EXPECT_FALSE(says(driver, "sharegpt4")) << driver.query();
}

// issue: 5,000 people × 2 % = 100 at once.
TEST(ServicesView, PeopleBecomeRequests) {
  Driver driver(two("services"), 1440, 1600);
  driver.enter("People", "5000");
  driver.enter("Share that asks", "2%");
  EXPECT_EQ(driver.find("People at once").value, "At once: 5,000 people × 2 % = 100 at once.");
}

TEST(ServicesView, TheOverflowOfTheShownServiceIsSaid) {
  Driver driver(std::string(kTwo) + "&service=mixed:500-2000+100-900x10&view=services", 1440, 1900);
  driver.click("Service shown");
  driver.click("mixed", "option");
  EXPECT_TRUE(says(driver, "shown=3")) << driver.query();
  const std::string said = driver.find("How likely the pool overflows").value;
  EXPECT_NE(said.find("of mixed fit at once"), std::string::npos) << said;
  EXPECT_NE(said.find("the sum gains"), std::string::npos) << said;
  EXPECT_NE(driver.find("Answers of mixed").value.find("95 % at most"), std::string::npos);
  driver.key(ImGuiKey_Z, false, true);
  EXPECT_FALSE(says(driver, "shown=")) << driver.query();
  Driver opened(std::string(kTwo) + "&service=mixed:500-2000+100-900x10&view=services&shown=3",
                1440, 1900);
  EXPECT_TRUE(opened.has("Answers of mixed"));
}

// 1 GPU for 100 people of chat, 4 for 100 of documents: four times the bill.
TEST(PlanView, TwoServicesAreTwoBills) {
  Driver driver(two("plan"), 1440, 2200);
  const std::string said = driver.find("What an hour of one user costs").value;
  EXPECT_NE(said.find("0.0100 GPU-hours for chat and 0.0400 GPU-hours for documents"),
            std::string::npos)
      << said;
  driver.enter("Price of a GPU-hour", "2.5");
  driver.enter("Currency", "EUR");
  EXPECT_NE(driver.find("What an hour of one user costs").value.find("EUR 0.10"), std::string::npos)
      << driver.find("What an hour of one user costs").value;
}

TEST(PlanView, TheHourRunsInSlicesAndEnds) {
  Driver driver(std::string(kLesson8k) + "&minutes=2&view=plan", 1440, 2200);
  EXPECT_FALSE(driver.has("Requests at once over time"));
  driver.click("Run the traffic");
  for (int i = 0; i < 400 && driver.has("Cancel the traffic"); ++i) driver.step();
  EXPECT_TRUE(driver.has("Run the traffic"));
  EXPECT_NE(driver.find("Requests at once over time").value.find("ran at once"), std::string::npos);
  EXPECT_TRUE(driver.has("At once at most"));
  driver.settle();
  EXPECT_EQ(driver.result.next_frame_s, std::numeric_limits<double>::infinity());
}

TEST(PlanView, CancellingStopsAndTheDeploymentDrives) {
  Driver driver(std::string(kLesson8k) + "&minutes=1440&view=plan", 1440, 2200);
  driver.click("Run the traffic");
  for (int i = 0; i < 4; ++i) driver.step();
  EXPECT_NE(driver.find("Done of the hour").value, "100 %");
  driver.click("Cancel the traffic");
  driver.settle();
  EXPECT_EQ(driver.result.next_frame_s, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(driver.has("Done of the hour"));
}

TEST(PlanView, MinutesAreInTheLinkAndUndone) {
  Driver driver(std::string(kLesson8k) + "&view=plan", 1440, 2200);
  const std::string before = driver.query();
  driver.enter("Minutes", "5");
  EXPECT_TRUE(says(driver, "minutes=5")) << driver.query();
  driver.key(ImGuiKey_Z, false, true);
  EXPECT_EQ(driver.query(), before);
}

TEST(PlanView, AcceleratorsStandBesideEachOtherAndAnOfferIsUsed) {
  Driver driver(two("plan"), 1440, 2600);
  driver.click("An accelerator beside it");
  driver.type("h200");
  driver.key(ImGuiKey_Enter);
  EXPECT_TRUE(says(driver, "gpus=h200")) << driver.query();
  EXPECT_NE(driver.find("Cost against headroom").value.find("The cheapest:"), std::string::npos);
  driver.enter("Price of H200", "3.5");
  EXPECT_TRUE(says(driver, "prices=3.5")) << driver.query();
  std::string use;
  for (const Widget& widget : driver.widgets()) {
    if (use.empty() && widget.label.starts_with("Use ")) use = widget.label;
  }
  ASSERT_FALSE(use.empty());
  const std::string before = driver.query();
  driver.click(use);
  EXPECT_NE(driver.query(), before);
  driver.key(ImGuiKey_Z, false, true);
  EXPECT_EQ(driver.query(), before);
}

// Nothing of a view may be cut or need scrolling sideways.
TEST(PlanView, NothingStandsOutsideAtAnySize) {
  for (const char* view : {"services", "plan"}) {
    for (const double width : {1440.0, 1024.0, 700.0, 390.0, -1440.0, -390.0}) {
      // Below 0: text at 200 %.
      const double wide = std::fabs(width);
      const Driver driver(two(view) + "&gpus=h200-sxm" + (width < 0 ? "&text=200" : ""), wide,
                          5200);
      for (const Widget& widget : driver.widgets()) {
        EXPECT_LE(widget.rect.x + widget.rect.w, wide + 0.5) << view << " " << widget.label;
        EXPECT_GE(widget.rect.x, -0.5) << view << " " << widget.label;
      }
    }
  }
}

}  // namespace
}  // namespace kvseats::ui::test
