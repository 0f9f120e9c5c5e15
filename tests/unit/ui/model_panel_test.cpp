#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <initializer_list>
#include <map>
#include <span>

#include "driver.h"
#include "embedded/test_data.h"

namespace kvseats::ui::test {
namespace {

constexpr const char* kLesson =
    "model=llama-3-8b&gpu=h100-sxm&pool=53GB&service=chat:1000+500x100&"
    "service=documents:12000+1000x100";

// config.json of a model with Llama 2 7B's geometry: 524,288 B a token, 12 requests at 8,192.
constexpr const char* kConfig =
    R"({"model_type":"llama","num_hidden_layers":32,"num_attention_heads":32,"hidden_size":4096,)"
    R"("vocab_size":32000,"intermediate_size":11008,"max_position_embeddings":4096,)"
    R"("torch_dtype":"float16"})";

// The table of tensors beside it: 13,476,831,232 B of weights (as Llama 2 7B's in half precision).
constexpr const char* kIndex =
    R"({"metadata":{"total_size":13476831232},"weight_map":{"a":"model-00001-of-00001.safetensors"}})";

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

// Files of no disk.
const std::map<std::string_view, std::string_view>& shelf() {
  static const std::map<std::string_view, std::string_view> files{
      {"/models/mine/config.json", kConfig},
      {"/models/mine/model.safetensors.index.json", kIndex},
      {"/models/notes.txt", "hello"},
      {"/logs/server.log", "vllm serve meta-llama/Meta-Llama-3-8B --max-model-len 8192\n"},
  };
  return files;
}

bool read_shelf(std::string_view path, std::uint64_t most, std::string& bytes,
                std::uint64_t& size) {
  const auto file = shelf().find(path);
  if (file == shelf().end()) return false;
  size = file->second.size();
  bytes = file->second.substr(0, static_cast<std::size_t>(most));
  return true;
}

/// A window: with the strip, and with files that can be read by path.
Driver window(double width = 1440, double height = 900) {
  Driver driver(kLesson, width, height);
  AppResources with = resources();
  with.strip = strip;
  with.read_head = read_shelf;
  driver.app = App::create(with, kLesson);
  driver.settle();
  return driver;
}

void drop(Driver& driver, std::initializer_list<std::string_view> paths) {
  driver.app->open_paths(std::span<const std::string_view>(paths.begin(), paths.size()));
  driver.settle();
}

TEST(ModelPanel, ADroppedConfigBecomesTheModel) {
  Driver driver(kLesson);
  const std::string before = driver.query();
  driver.app->open_file("config.json", bytes_of(kConfig));
  driver.settle();
  EXPECT_TRUE(says(driver, "shape=full:32x32x128")) << driver.query();
  EXPECT_EQ(driver.told, driver.query());
  driver.click("Use it");
  EXPECT_EQ(driver.find("How many at once?").value.substr(0, 3), "12 ");
  driver.key(ImGuiKey_Z, false, true);
  EXPECT_EQ(driver.query(), before);
}

TEST(ModelPanel, SaysWhatWasReadWorkedOutAndNotFound) {
  Driver driver(kLesson);
  driver.app->open_file("config.json", bytes_of(kConfig));
  driver.settle();
  EXPECT_EQ(driver.find("From").value, "config from config.json, llama");
  EXPECT_EQ(driver.find("Geometry").value, "32 × 32 KV heads × 128");
  const std::string group = driver.find("Full attention").value;
  EXPECT_EQ(group, "32 layers, 32 KV heads × 128; 524,288 B a token in bf16");
  EXPECT_EQ(driver.find("layers").value, "32 (num_hidden_layers)");
  EXPECT_EQ(driver.find("head dim").value, "128 (no head_dim key: hidden size / attention heads)");
}

// Qwen3-Next's pattern: one layer of full attention behind three with a recurrent state.
TEST(ModelPanel, EveryKindOfLayerHasItsLabel) {
  Driver driver(kLesson);
  driver.app->open_file("config.json", bytes_of(embedded::test_data("gated_delta.json")));
  driver.settle();
  EXPECT_NE(driver.find("Full attention").value.find("12 layers"), std::string::npos);
  EXPECT_NE(driver.find("Recurrent state (gated-delta)").value.find("36 layers"),
            std::string::npos);
}

TEST(ModelPanel, AFactLeadsToItsField) {
  Driver driver(kLesson);
  driver.app->open_file("config.json", bytes_of(kConfig));
  driver.settle();
  driver.click("Change KV heads in the form");
  EXPECT_FALSE(driver.has("Geometry"));
  EXPECT_TRUE(driver.find("KV heads", "textbox").focused);
  driver.type("8");
  driver.key(ImGuiKey_Enter);
  EXPECT_TRUE(says(driver, "kvheads=8")) << driver.query();
}

TEST(ModelPanel, AFactOfAnAdvancedFieldOpensMoreSettings) {
  Driver driver(kLesson);
  driver.app->open_file("config.json", bytes_of(kConfig));
  driver.settle();
  driver.click("Change longest text in the form");
  driver.settle();
  EXPECT_TRUE(driver.has("Fewer settings"));
  bool focused = false;
  for (const Widget& widget : driver.widgets())
    focused |= widget.focused && widget.role == "textbox";
  EXPECT_TRUE(focused);
}

TEST(ModelPanel, TakingItBackRestoresTheModelBefore) {
  Driver driver(kLesson);
  const std::string before = driver.query();
  driver.app->open_file("config.json", bytes_of(kConfig));
  driver.settle();
  driver.click("Take it back");
  EXPECT_EQ(driver.query(), before);
  EXPECT_EQ(driver.told, before);
  EXPECT_TRUE(driver.has("How many at once?"));
}

TEST(ModelPanel, AFileThatIsNoModelChangesNothingAndSaysWhy) {
  Driver driver(kLesson);
  const std::string before = driver.query();
  driver.app->open_file("notes.txt", bytes_of("hello"));
  driver.settle();
  EXPECT_EQ(driver.query(), before);
  EXPECT_TRUE(driver.has("E-NOT-A-MODEL"));
  EXPECT_FALSE(driver.has("Take it back"));
  ASSERT_FALSE(driver.announced.empty());
  EXPECT_NE(driver.announced.back().find("notes.txt was not used"), std::string::npos);
  driver.click("Close");
  EXPECT_TRUE(driver.has("How many at once?"));
}

TEST(ModelPanel, FilesDroppedTogetherAreOneModel) {
  Driver driver = window();
  drop(driver, {"/models/mine/config.json", "/models/mine/model.safetensors.index.json"});
  EXPECT_NE(driver.find("From").value.find("config.json, model.safetensors.index.json"),
            std::string::npos);
  EXPECT_NE(driver.find("Weights read").value.find("13.48 GB"), std::string::npos)
      << driver.find("Weights read").value;
  EXPECT_FALSE(driver.has("N-READ-BESIDE"));
}

TEST(ModelPanel, WhatBelongsToAFileIsReadBesideIt) {
  Driver driver = window();
  drop(driver, {"/models/mine/config.json"});
  EXPECT_NE(driver.find("N-READ-BESIDE").value.find("model.safetensors.index.json"),
            std::string::npos);
}

TEST(ModelPanel, ADroppedLogByPathIsChecked) {
  Driver driver = window();
  drop(driver, {"/logs/server.log"});
  EXPECT_NE(driver.find("Result").value.find("vLLM"), std::string::npos);
}

TEST(ModelPanel, AModelIsOpenedByItsPath) {
  Driver driver = window();
  driver.click("Open a model");
  driver.enter("Path of a model file", "/models/mine/config.json");
  EXPECT_TRUE(says(driver, "shape=full:32x32x128")) << driver.query();
  EXPECT_TRUE(driver.has("Take it back"));
}

TEST(ModelPanel, APathThatIsNotThereSaysSo) {
  Driver driver = window();
  const std::string before = driver.query();
  driver.click("Open a model");
  driver.click("Path of a model file", "textbox");
  driver.type("/nowhere/config.json");
  driver.click("Open");
  EXPECT_TRUE(driver.has("E-FILE"));
  EXPECT_EQ(driver.query(), before);
}

TEST(ModelPanel, AConfigIsPastedIntoTheBox) {
  Driver driver = window();
  driver.click("Open a model");
  driver.click("Text of config.json", "textbox");
  driver.type(kConfig);
  driver.click("Read it");
  EXPECT_TRUE(says(driver, "shape=full:32x32x128")) << driver.query();
  EXPECT_NE(driver.find("From").value.find("the pasted text"), std::string::npos);
}

TEST(ModelPanel, OnANarrowWindowItShowsWhatWasReadAndAsksAgainOnRequest) {
  Driver driver = window(390, 844);
  drop(driver, {"/models/mine/config.json"});
  EXPECT_TRUE(driver.has("Geometry"));
  EXPECT_FALSE(driver.has("Text of config.json"));
  driver.click("Read another");
  EXPECT_TRUE(driver.has("Text of config.json"));
}

TEST(ModelPanel, EscapeClosesIt) {
  Driver driver = window();
  driver.click("Open a model");
  driver.key(ImGuiKey_Escape);
  EXPECT_TRUE(driver.has("How many at once?"));
}

TEST(ModelPanel, IdleWithThePanelOpenWantsNoFrame) {
  Driver driver = window();
  drop(driver, {"/models/mine/config.json"});
  for (int i = 0; i < 5; ++i) {
    driver.step();
    EXPECT_TRUE(std::isinf(driver.result.next_frame_s));
  }
}

TEST(ModelPanel, EveryControlLiesInsideTheWindow) {
  for (const double width : {390.0, 700.0, 1024.0, 1440.0}) {
    Driver driver = window(width, 844);
    for (const Widget& widget : driver.widgets()) {
      EXPECT_GE(widget.rect.x, 0.0) << widget.label << " at " << width;
    }
    drop(driver, {"/models/mine/config.json"});
    for (const Widget& widget : driver.widgets()) {
      EXPECT_GE(widget.rect.x, 0.0) << widget.label << " at " << width;
      EXPECT_LE(widget.rect.x + widget.rect.w, width) << widget.label << " at " << width;
    }
  }
}

}  // namespace
}  // namespace kvseats::ui::test
