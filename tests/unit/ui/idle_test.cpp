#include <gtest/gtest.h>
#include <imgui.h>

#include <limits>

#include "driver.h"

// A tab that nobody touches costs nothing: no view asks for a frame once all has arrived.
namespace kvseats::ui::test {
namespace {

constexpr const char* kPinned = "&pin=model%3Dllama-2-7b&pin=model%3Dqwen3-8b";

constexpr const char* kViews[] = {"tradeoff", "memory",  "levers",   "allocation",
                                  "byhand",   "compare", "services", "plan"};

struct Size {
  double width, height;
};
constexpr Size kSizes[] = {{1440, 900}, {1024, 768}, {390, 844}};

TEST(Idle, NoViewAsksForAFrameOnceAllHasArrived) {
  for (const char* view : kViews) {
    for (const Size size : kSizes) {
      Driver driver(std::string(kLesson8k) + kPinned + "&view=" + view, size.width, size.height);
      EXPECT_LT(driver.settle(), 60) << view;
      EXPECT_EQ(driver.result.next_frame_s, std::numeric_limits<double>::infinity())
          << view << " " << size.width;
      // The pointer comes to rest in the middle, on whatever is there.
      driver.move(size.width * 0.6, size.height * 0.6);
      EXPECT_LT(driver.settle(), 60) << view;
      EXPECT_EQ(driver.result.next_frame_s, std::numeric_limits<double>::infinity())
          << view << " " << size.width;
    }
  }
}

TEST(Idle, ASlideEndsAlsoWhereNobodySeesIt) {
  Driver driver(kLesson8k);
  driver.app->set_query(std::string(kLesson8k) + "&kv=fp8");
  driver.step();
  EXPECT_EQ(driver.result.next_frame_s, 0.0);
  driver.click("By hand", "tab");
  EXPECT_LT(driver.settle(), 60);
  EXPECT_EQ(driver.result.next_frame_s, std::numeric_limits<double>::infinity());
  driver.click("Trade-off", "tab");
  EXPECT_NE(driver.find("Operating point").value.find("8,192"), std::string::npos);
  EXPECT_NE(driver.find("Trade-off plot").value.find("98 requests fit"), std::string::npos);
}

}  // namespace
}  // namespace kvseats::ui::test
