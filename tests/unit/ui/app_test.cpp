#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <span>

#include "driver.h"

namespace kvseats::ui::test {
namespace {

constexpr const char* kLesson =
    "model=llama-3-8b&gpu=h100-sxm&pool=53GB&service=chat:1000+500x100&"
    "service=documents:12000+1000x100";

// lesson.txt: a 53 GB pool holds 49 requests of 8,192 tokens of Llama 3 8B.
TEST(App, ShowsBothAnswersOfTheLesson) {
  const Driver driver(kLesson);
  EXPECT_NE(driver.find("How many at once?").value.find("49"), std::string::npos);
}

TEST(App, IdleWantsNoFrame) {
  Driver driver(kLesson);
  for (int i = 0; i < 20; ++i) {
    driver.step();
    EXPECT_TRUE(std::isinf(driver.result.next_frame_s));
    EXPECT_TRUE(driver.result.effects.empty());
  }
}

TEST(App, TellsTheHostNothingAboutAQueryItWasGiven) {
  Driver driver(kLesson);
  EXPECT_EQ(driver.tellings, 0);
  driver.app->set_query(driver.query());
  driver.settle();
  EXPECT_EQ(driver.tellings, 0);
}

// Llama 3 8B with 32 KV heads: 2 x 32 x 32 x 128 x 2 B = 524,288 B a token (as Llama 2 7B).
TEST(App, EditedKvHeadsReachQueryAndLedger) {
  Driver driver(kLesson);
  driver.enter("KV heads", "32");
  EXPECT_TRUE(says(driver, "kvheads=32")) << driver.query();
  EXPECT_EQ(driver.told, driver.query());
  driver.click("By hand");
  bool found = false;
  for (const Widget& widget : driver.widgets()) {
    found = found || widget.value.find("524,288 B") != std::string::npos;
  }
  EXPECT_TRUE(found);
}

// lesson.txt: Llama 2 7B fits 12 requests of 8,192 tokens in 53 GB, Llama 3 8B 49.
TEST(App, ScenariosArePinnedComparedAndExchanged) {
  Driver driver(std::string(kLesson) + "&view=compare", 1440, 2400);
  driver.click("Pin this scenario");
  EXPECT_TRUE(says(driver, "&pin=model=llama-3-8b%26gpu=h100-sxm%26pool=53GB")) << driver.query();
  EXPECT_EQ(driver.told, driver.query()) << "pins are in the link";
  driver.app->set_query(driver.query() + "&models=llama-2-7b");
  driver.settle();
  EXPECT_EQ(driver.find("Requests at once", "text").value, "49 | 12");
  EXPECT_FALSE(driver.has("Pin this scenario")) << "it is pinned";
  driver.enter("KV heads", "32");
  EXPECT_EQ(driver.find("Requests at once", "text").value, "12 | 49 | 12");
  driver.click("Use Llama 3 8B, 32 × 8 KV heads × 128");
  EXPECT_FALSE(says(driver, "kvheads=32&")) << driver.query();
  EXPECT_TRUE(says(driver, "kvheads=32%26")) << "they change places" << driver.query();
}

TEST(App, PinsAreUndone) {
  Driver driver(std::string(kLesson) + "&view=compare", 1440, 2400);
  const std::string before = driver.query();
  driver.click("Pin this scenario");
  ASSERT_NE(driver.query(), before);
  driver.settle();
  EXPECT_FALSE(driver.has("Pin this scenario")) << "the button says that it is pinned";
  driver.click("Unpin this scenario");
  EXPECT_EQ(driver.query(), before);
  driver.settle();
  driver.click("Pin this scenario");
  driver.key(ImGuiKey_Z, false, true);
  EXPECT_EQ(driver.query(), before);
  driver.key(ImGuiKey_Y, false, true);
  EXPECT_NE(driver.query(), before);
}

TEST(App, ModelsOfTheComparisonAreUndone) {
  Driver driver(std::string(kLesson) + "&view=compare", 1440, 2400);
  const std::string before = driver.query();
  driver.click("A model beside it");
  driver.type("llama 2 7b");
  driver.key(ImGuiKey_Enter);
  EXPECT_TRUE(says(driver, "models=llama-2-7b")) << driver.query();
  driver.key(ImGuiKey_Z, false, true);
  EXPECT_EQ(driver.query(), before);
  driver.key(ImGuiKey_Y, false, true);
  EXPECT_EQ(driver.find("Requests at once", "text").value, "49 | 12");
}

// Weights of Llama 3 8B: 16,060,522,496 B, the published checkpoint's size.
TEST(App, PlotsAreSavedAsPictureAndData) {
  AppResources with = resources();
  with.strip = strip;
  Driver driver(kLesson);
  driver.app = App::create(with, kLesson);
  driver.settle();
  driver.click("Save");
  driver.click("Save SVG");
  EXPECT_EQ(driver.saved_name, "kv-seats-tradeoff.svg");
  EXPECT_NE(driver.saved.find("<svg"), std::string::npos);
  EXPECT_NE(driver.saved.find("pool=53GB"), std::string::npos) << "the link is in the caption";
  driver.click("Which plot Memory");
  driver.click("Save CSV");
  EXPECT_EQ(driver.saved_name, "kv-seats-memory.csv");
  EXPECT_NE(driver.saved.find("Memory of one GPU,Weights,16060522496,"), std::string::npos)
      << driver.saved;
  for (const char* plot : {"Lengths", "Overflow", "Bills", "Rent"}) {
    driver.click("Of services and plan " + std::string(plot));
    driver.click("Save SVG");
    EXPECT_NE(driver.saved.find("<svg"), std::string::npos) << plot;
  }
  EXPECT_EQ(driver.saved_name, "kv-seats-pareto.svg");
  driver.click("Save CSV");
  EXPECT_NE(driver.saved.find(" × H100"), std::string::npos) << driver.saved;
  driver.click("Save all as Markdown");
  EXPECT_NE(driver.saved.find("| Per token | 131,072 B = 128 KiB |"), std::string::npos);
  driver.click("Close");
  EXPECT_TRUE(driver.has("Operating point"));
}

// 53e9 B hold 49 requests of 8,192 tokens of 131,072 B each; the buttons copy what the core writes.
TEST(App, ByHandIsArithmeticInThreeNotations) {
  Driver driver(kLesson, 1440, 3200);
  driver.click("By hand");
  EXPECT_EQ(driver.find("Requests at once").value,
            "floor(53,000,000,000 B ÷ 1,073,741,824 B) = 49 requests");
  const std::pair<const char*, const char*> kCopied[] = {
      {"Copy as text", "\nOne request\n"},
      {"Copy as Markdown", "### One request"},
      {"Copy as LaTeX", "\\paragraph{One request}"}};
  for (const auto& [label, part] : kCopied) {
    driver.click(label);
    EXPECT_NE(driver.copied.find(part), std::string::npos) << label << driver.copied;
  }
  EXPECT_TRUE(std::isfinite(driver.result.next_frame_s)) << "says Copied for a while";
}

// 53e9 B ÷ (16 tokens × 131,072 B) = 25,272 blocks, which vLLM prints as 404,352 tokens.
TEST(App, TheMemoryTabShowsWhatTheEngineAllocates) {
  Driver driver("model=llama-3-8b&pool=53GB&engine=vllm&prompt=6144&output=2048");
  driver.click("Memory", "tab");
  const Widget command = driver.find("Started with");
  EXPECT_NE(command.value.find("--kv-cache-memory-bytes 53000000000"), std::string::npos);
  const Widget log = driver.find("What its log would say");
  EXPECT_NE(log.value.find("GPU KV cache size: 404,352 tokens"), std::string::npos);
  driver.click("Copy command");
  EXPECT_EQ(driver.copied, command.value);
  EXPECT_TRUE(says(driver, "view=memory")) << driver.query();
}

// By hand there is no command and no log, but the same arithmetic: 55,194,830,439 B less 51 x 1
// GiB.
TEST(App, TheMemoryTabWorksOneGpuOut) {
  for (const char* query : {"model=llama-3-8b&gpu=h100-sxm", "model=llama-3-8b&engine=vllm"}) {
    Driver driver(query, 1440, 1600);
    driver.click("Memory", "tab");
    EXPECT_TRUE(driver.has("Cache in use")) << query;
    EXPECT_NE(driver.find("Cache in use", "text").value.find("1,073,741,824 B × 5"),
              std::string::npos);
    EXPECT_FALSE(driver.has("Requests at once")) << "the other steps are in By hand";
  }
  Driver driver("model=llama-3-8b&gpu=h100-sxm&view=memory", 1440, 1600);
  EXPECT_EQ(driver.find("Free in the pool", "text").value,
            "55,194,830,439 B − 54,760,833,024 B = 433,997,415 B (413.9 MiB)");
}

// 53e9 B in requests of 1 GiB: 49; half of that each in 8 bits: 98.
TEST(App, ALeverIsOnePressAndOneStepBack) {
  Driver driver("model=llama-3-8b&pool=53GB&prompt=6144&output=2048&users=98", 1440, 1600);
  driver.click("Levers", "tab");
  EXPECT_NE(driver.find("What one more change would give").value.find("8-bit cache"),
            std::string::npos);
  EXPECT_NE(
      driver.find("From a cache without savings to this deployment").value.find("12 requests"),
      std::string::npos);
  driver.click("Use 8-bit cache");
  EXPECT_TRUE(says(driver, "kv=fp8")) << driver.query();
  EXPECT_TRUE(says(driver, "view=levers")) << driver.query();
  driver.settle();
  EXPECT_FALSE(driver.has("Use 8-bit cache"));
  // What is drawn is of the new deployment: 98 of 98 fit, half of that before the last saving.
  EXPECT_EQ(driver.find("What one more change would give").value.find("8-bit cache"),
            std::string::npos);
  EXPECT_NE(driver.find("From a cache without savings to this deployment").value.find("98"),
            std::string::npos);
  driver.key(ImGuiKey_Z, false, true);
  EXPECT_FALSE(says(driver, "kv=fp8")) << driver.query();
}

TEST(App, ByHandTheMemoryTabSaysWhyItIsEmpty) {
  Driver driver("model=llama-3-8b&pool=53GB");
  driver.click("Memory", "tab");
  EXPECT_FALSE(driver.has("Started with"));
}

TEST(App, ARefusedTextChangesNothingAndSaysWhy) {
  Driver driver(kLesson);
  const std::string before = driver.query();
  driver.enter("KV heads", "many");
  EXPECT_EQ(driver.query(), before);
  EXPECT_EQ(driver.find("KV heads").value, "many");
  driver.click("KV heads", "textbox");
  driver.key(ImGuiKey_Escape);
  EXPECT_EQ(driver.find("KV heads").value, "8");
}

TEST(App, ALinkWithAnUnknownModelShowsTheDefaultAndSaysSo) {
  const Driver driver("model=nosuch&gpu=h100-sxm&pool=53GB");
  EXPECT_TRUE(driver.has("How many at once?"));
  EXPECT_TRUE(driver.has("E-UNKNOWN-MODEL"));
  EXPECT_TRUE(says(driver, "pool=53GB"));
  EXPECT_FALSE(says(driver, "nosuch"));
}

TEST(App, EscapeTakesBackWhatWasTyped) {
  Driver driver(kLesson);
  const std::string before = driver.query();
  driver.click("KV heads", "textbox");
  driver.type("16");
  EXPECT_TRUE(says(driver, "kvheads=16"));
  driver.key(ImGuiKey_Escape);
  EXPECT_EQ(driver.query(), before);
}

TEST(App, LookingIntoAFieldSetsNothing) {
  Driver driver(kLesson);
  const std::string before = driver.query();
  for (const char* label : {"KV heads", "Prompt value", "Cache pool of one GPU"}) {
    driver.click(label, "textbox");
    driver.key(ImGuiKey_Enter);
  }
  EXPECT_EQ(driver.query(), before);
}

TEST(App, AServiceIsAddedEditedAndRemoved) {
  Driver driver(kLesson, 1440, 1400);
  driver.click("Add a service");
  driver.type("service-3");  // its name is being edited at once
  driver.key(ImGuiKey_Enter);
  EXPECT_TRUE(says(driver, "service-3")) << driver.query();
  driver.enter("service-3 users", "7");
  EXPECT_TRUE(says(driver, "x7")) << driver.query();
  driver.click("Remove");
  EXPECT_FALSE(says(driver, "service-3")) << driver.query();
}

TEST(App, MoreSettingsOpensAllAdvancedFields) {
  Driver driver(kLesson, 1440, 4000);
  EXPECT_FALSE(driver.has("Sliding window"));
  driver.click("More settings");
  EXPECT_TRUE(driver.has("Sliding window"));
  driver.enter("Longest request", "16k");
  EXPECT_TRUE(says(driver, "context=16k")) << driver.query();
}

TEST(App, TheModelIsFoundByTypingAndChosenByEnter) {
  Driver driver(kLesson);
  driver.click("Model");
  driver.type("llama 2 7b");
  driver.key(ImGuiKey_Enter);
  EXPECT_TRUE(says(driver, "model=llama-2-7b")) << driver.query();
  EXPECT_FALSE(driver.has("Search models"));
}

TEST(App, TheModelIsChosenFromTheListByPointer) {
  Driver driver(kLesson);
  driver.click("Model");
  driver.type("llama 2 7b");
  driver.click("Llama 2 7B", "option");
  EXPECT_TRUE(says(driver, "model=llama-2-7b")) << driver.query();
}

TEST(App, EscapeClosesTheListAndKeepsTheModel) {
  Driver driver(kLesson);
  driver.click("Model");
  EXPECT_TRUE(driver.has("Search models"));
  driver.key(ImGuiKey_Escape);
  EXPECT_FALSE(driver.has("Search models"));
  EXPECT_TRUE(says(driver, "model=llama-3-8b"));
}

TEST(App, DraggingTheOperatingPointMovesTheContext) {
  Driver driver(kLesson);
  const Widget point = driver.find("Operating point");
  EXPECT_EQ(point.value, "8,192 tokens");
  driver.move(point.center_x(), point.center_y());
  driver.press();
  driver.step();
  driver.move(point.center_x() + 40, point.center_y());
  driver.move(point.center_x() + 90, point.center_y());
  EXPECT_EQ(driver.told_how, "drag");
  driver.release();
  const Widget now = driver.find("Operating point");
  EXPECT_NE(now.value, point.value);
  EXPECT_GT(now.center_x(), point.center_x() + 60);
  EXPECT_NE(driver.query(), kLesson);
}

TEST(App, TheEndOfADragIsToldAsFinal) {
  Driver driver(kLesson);
  const Widget point = driver.find("Operating point");
  driver.move(point.center_x(), point.center_y());
  driver.press();
  driver.move(point.center_x() + 90, point.center_y());
  driver.step();
  EXPECT_EQ(driver.told_how, "drag");
  const int before = static_cast<int>(driver.announced.size());
  driver.release();
  EXPECT_EQ(driver.told_how, "");
  EXPECT_EQ(driver.told, driver.query());
  EXPECT_EQ(static_cast<int>(driver.announced.size()), before + 1);
}

TEST(App, OneDragIsOneStepOfUndo) {
  Driver driver(kLesson);
  const std::string before = driver.query();
  const Widget point = driver.find("Operating point");
  driver.move(point.center_x(), point.center_y());
  driver.press();
  for (int i = 1; i < 10; ++i) driver.move(point.center_x() + 12 * i, point.center_y());
  driver.release();
  const std::string after = driver.query();
  EXPECT_NE(after, before);
  driver.key(ImGuiKey_Z, false, true);
  EXPECT_EQ(driver.query(), before);
  driver.key(ImGuiKey_Y, false, true);
  EXPECT_EQ(driver.query(), after);
}

TEST(App, AClickOnThePlotMovesThePointThere) {
  Driver driver(kLesson);
  const Widget plot = driver.find("Trade-off plot");
  driver.click_at(plot.rect.x + plot.rect.w * 0.75, plot.center_y());
  EXPECT_NEAR(driver.find("Operating point").center_x(), plot.rect.x + plot.rect.w * 0.75, 8.0);
}

TEST(App, OnACanvasThatALongTableMadeTallThePlotStaysInProportion) {
  Driver driver(kLesson, 1440, 3000);
  const Widget plot = driver.find("Trade-off plot");
  EXPECT_LE(plot.rect.h, plot.rect.w * 0.7);
  EXPECT_LT(driver.result.content_height, 1400);
}

TEST(App, ArrowsMoveThePointToTheNextLikedLength) {
  Driver driver(kLesson);
  const Widget point = driver.find("Operating point");
  driver.click_at(point.center_x(), point.center_y());
  driver.key(ImGuiKey_RightArrow);
  EXPECT_EQ(driver.find("Operating point").value, "12,288 tokens");
  driver.key(ImGuiKey_RightArrow);
  // The documents service of 13,000 tokens.
  EXPECT_EQ(driver.find("Operating point").value, "13,000 tokens");
  driver.key(ImGuiKey_RightArrow);
  EXPECT_EQ(driver.find("Operating point").value, "16,384 tokens");
  for (int i = 0; i < 3; ++i) driver.key(ImGuiKey_LeftArrow);
  EXPECT_EQ(driver.find("Operating point").value, "8,192 tokens");
}

TEST(App, TabWalksAllControlsAndLeavesAtTheEnds) {
  Driver driver(kLesson);
  driver.app->focus_in(FocusFrom::kForward);
  driver.settle();
  int stops = 1;
  while (!driver.result.tab_leaves_forward && stops < 200) {
    driver.key(ImGuiKey_Tab);
    ++stops;
  }
  EXPECT_GT(stops, 15);
  EXPECT_LT(stops, 60);
  int back = 1;
  while (!driver.result.tab_leaves_backward && back < 200) {
    driver.key(ImGuiKey_Tab, true);
    ++back;
  }
  EXPECT_EQ(back, stops);
}

TEST(App, EveryControlLiesInsideTheSurfaceAndIsLargeEnough) {
  for (const auto& [width, height] : {std::pair{1440.0, 900.0}, {1024.0, 768.0}, {390.0, 844.0}}) {
    Driver driver(kLesson, width, height);
    for (const Widget& widget : driver.widgets()) {
      EXPECT_GE(widget.rect.x, 0) << widget.label << " at " << width;
      EXPECT_LE(widget.rect.x + widget.rect.w, width) << widget.label << " at " << width;
      if (widget.role == "text") continue;
      EXPECT_GE(std::min(widget.rect.w, widget.rect.h), 20) << widget.label << " at " << width;
    }
  }
}

TEST(App, OverlayTextIsTakenFromThePage) {
  Driver driver(kLesson);
  driver.input.overlay_text = true;
  driver.settle();
  driver.click("KV heads", "textbox");
  ASSERT_TRUE(driver.result.edit.active);
  EXPECT_TRUE(driver.result.edit.numeric);
  EXPECT_EQ(driver.result.edit.label, "KV heads");
  const std::uint32_t id = driver.result.edit.id;
  driver.app->edit_text(id, EditEvent::kChange, "16");
  driver.settle();
  EXPECT_TRUE(says(driver, "kvheads=16"));
  EXPECT_EQ(driver.told_how, "drag");
  driver.app->edit_text(id, EditEvent::kCommit, "32");
  driver.settle();
  EXPECT_TRUE(says(driver, "kvheads=32"));
  EXPECT_FALSE(driver.result.edit.active);
}

TEST(App, TwoAppsKeepApart) {
  Driver one(kLesson);
  Driver two("model=llama-2-7b&gpu=h100-sxm&pool=53GB");
  one.enter("KV heads", "16");
  two.settle();
  EXPECT_TRUE(says(one, "kvheads=16"));
  EXPECT_FALSE(says(two, "kvheads"));
}

TEST(App, ReducedMotionSettlesAtOnce) {
  Driver driver(kLesson);
  driver.input.reduced_motion = true;
  driver.settle();
  driver.click("Cache 8");
  EXPECT_TRUE(std::isinf(driver.result.next_frame_s));
}

// Budget of issue 2: a frame of the whole interface at 1440 x 900 takes at most 2 ms (median,
// without GL). Printed always; failing only far beyond, because test machines are busy.
TEST(App, AFrameTakesLittleTime) {
  Driver driver(kLesson);
  std::vector<double> ms;
  for (int i = 0; i < 200; ++i) {
    const auto start = std::chrono::steady_clock::now();
    driver.app->frame(driver.input);
    ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                     .count());
  }
  std::sort(ms.begin(), ms.end());
  std::printf("frame at 1440x900: median %.3f ms, p99 %.3f ms\n", ms[100], ms[198]);
  EXPECT_LT(ms[100], 8.0);
}

TEST(App, AFrameWhileDraggingTakesLittleTime) {
  Driver driver(kLesson);
  const Widget point = driver.find("Operating point");
  driver.move(point.center_x(), point.center_y());
  driver.press();
  std::vector<double> ms;
  for (int i = 0; i < 200; ++i) {
    const auto start = std::chrono::steady_clock::now();
    driver.move(point.center_x() + i, point.center_y());
    ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                     .count());
  }
  std::sort(ms.begin(), ms.end());
  std::printf("frame while dragging: median %.3f ms, p99 %.3f ms\n", ms[100], ms[198]);
  EXPECT_LT(ms[100], 16.0);
}

constexpr std::string_view kLog =
    "vLLM API server version 0.11.0\nvllm serve meta-llama/Meta-Llama-3-8B --max-model-len 8192\n"
    "Available KV cache memory: 49.36 GiB\nGPU KV cache size: 404,352 tokens\n"
    "Maximum concurrency for 8,192 tokens per request: 49.36x\n";

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

TEST(Log, ADroppedLogIsCheckedAndItsPoolTaken) {
  Driver driver(kLesson);
  driver.app->open_file("server.log", bytes_of(kLog));
  driver.settle();
  EXPECT_NE(driver.find("Result").value.find("2 printed values agree"), std::string::npos)
      << driver.find("Result").value;
  EXPECT_NE(driver.find("Cache size in tokens").value.find("agrees"), std::string::npos);
  driver.click("Use it with the log's pool");
  EXPECT_TRUE(says(driver, "pool=404352tok")) << driver.query();
  EXPECT_TRUE(says(driver, "engine=vllm"));
  EXPECT_FALSE(driver.has("Log or command line"));
}

TEST(Log, TheTextGoesIntoNoQueryAndNoMessage) {
  Driver driver(kLesson);
  const std::string before = driver.query();
  driver.app->open_file("server.log", bytes_of("GPU KV cache size: 1,024 tokens --secret\n"));
  driver.settle();
  driver.click("Close");
  EXPECT_EQ(driver.query(), before);
  for (const std::string& told : driver.announced) {
    EXPECT_EQ(told.find("secret"), std::string::npos);
  }
}

TEST(Log, ATextThatIsNoLogSaysWhatToPaste) {
  Driver driver(kLesson);
  driver.app->open_file("notes.log", bytes_of("hello"));
  driver.settle();
  EXPECT_TRUE(driver.has("E-LOG"));
  EXPECT_FALSE(driver.has("Use this deployment"));
  driver.key(ImGuiKey_Escape);
  EXPECT_TRUE(driver.has("How many at once?"));
}

TEST(Log, IsTypedIntoTheBox) {
  AppResources with = resources();
  with.strip = strip;
  Driver driver(kLesson);
  driver.app = App::create(with, kLesson);
  driver.settle();
  driver.click("Check a log");
  driver.type("llama-server -m Qwen3-8B-Q4_K_M.gguf -c 32768 -np 4");
  driver.settle();
  driver.enter("Keys beside the log", "gpu=rtx-4090");
  driver.click("Check");
  EXPECT_NE(driver.find("Result").value.find("llama.cpp"), std::string::npos);
  driver.click("Use this deployment");
  EXPECT_TRUE(says(driver, "nctx=32768")) << driver.query();
  EXPECT_TRUE(says(driver, "gpu=rtx-4090")) << driver.query();
}

TEST(Log, IdleWithThePanelOpenWantsNoFrame) {
  Driver driver(kLesson);
  driver.app->open_file("server.log", bytes_of(kLog));
  driver.settle();
  for (int i = 0; i < 5; ++i) {
    driver.step();
    EXPECT_TRUE(std::isinf(driver.result.next_frame_s));
  }
}

}  // namespace
}  // namespace kvseats::ui::test
