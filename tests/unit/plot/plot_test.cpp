#include "plot/plot.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <string>

#include "embedded/fonts.h"

namespace kvseats::plot {
namespace {

// An ImGui context with the fonts of the programs and no renderer.
class Plot : public ::testing::Test {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    io.DisplaySize = {1000, 700};
    fonts_.regular = add(embedded::fonts("inter-regular.otf"));
    fonts_.bold = add(embedded::fonts("inter-semibold.otf"));
    ImGui::GetStyle().FontSizeBase = 14;
    ImGui::NewFrame();
  }
  void TearDown() override { ImGui::DestroyContext(); }

  static ImFont* add(std::string_view bytes) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.SizePixels = -1.0F;
    config.GlyphMinAdvanceX = 1e30F;
    config.GlyphMaxAdvanceX = -1e30F;
    return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<char*>(bytes.data()),
                                                      static_cast<int>(bytes.size()), 0, &config);
  }

  Fonts fonts_;
};

chart::Chart falling() {
  chart::Chart c;
  c.id = "test";
  c.x = {.title = "x", .scale = chart::ScaleKind::kLog2, .min = 1024, .max = 262144};
  c.y = {.title = "y", .scale = chart::ScaleKind::kLog10, .min = 1, .max = 1000};
  c.series.push_back({.id = "now",
                      .label = {.text = "one GPU", .brief = "", .keep = true},
                      .ink = chart::Ink::kData,
                      .points = {{1024, 394}, {8192, 49}, {262144, 1.5}}});
  c.shade = {.cols = 2, .rows = 2, .values = {0.1, 0.5, 0.6, 3.0}, .isos = {}};
  c.handle.shown = true;
  c.handle.at = {8192, 49};
  return c;
}

// The core's table of widths and the font that is drawn are of the same family: what one lays
// out, the other can draw without overlap.
TEST_F(Plot, WidthsAreThoseOfTheBuiltInTable) {
  const chart::Measure drawn = measure(fonts_);
  const chart::Measure table = chart::inter_measure();
  for (const char* words : {"requests at once", "8,192 tokens", "the model's own limit, 128k"}) {
    for (const bool strong : {false, true}) {
      const double a = drawn.width(drawn.self, words, 14, strong);
      const double b = table.width(table.self, words, 14, strong);
      EXPECT_NEAR(a, b, b * 0.02 + 0.5) << words << strong;
    }
  }
}

TEST_F(Plot, TheTenDigitsHaveOneWidth) {
  const chart::Measure drawn = measure(fonts_);
  for (const bool strong : {false, true}) {
    const double zero = drawn.width(drawn.self, "0", 46, strong);
    for (char digit = '1'; digit <= '9'; ++digit) {
      EXPECT_DOUBLE_EQ(drawn.width(drawn.self, std::string(1, digit), 46, strong), zero) << digit;
    }
  }
}

TEST_F(Plot, EverythingIsDrawnInsideThePicture) {
  const chart::Chart c = falling();
  const chart::Layout layout =
      chart::lay_out(c, {.width = 800, .height = 500, .measure = measure(fonts_)});
  const gfx::Field shade = shader_field(c.shade, chart::light_theme(), 1, 1);
  const Look look{.theme = &chart::light_theme(), .fonts = fonts_, .shade = &shade};
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  draw(list, c, layout, {100, 50}, look);
  ASSERT_GT(list.VtxBuffer.Size, 100);
  for (const ImDrawVert& vertex : list.VtxBuffer) {
    EXPECT_GE(vertex.pos.x, 98);
    EXPECT_LE(vertex.pos.x, 902);
    EXPECT_GE(vertex.pos.y, 48);
    EXPECT_LE(vertex.pos.y, 552);
  }
  ImGui::EndFrame();
}

TEST_F(Plot, ThePointerIsTurnedIntoDataAndBack) {
  const chart::Chart c = falling();
  const chart::Layout layout =
      chart::lay_out(c, {.width = 800, .height = 500, .measure = measure(fonts_)});
  const chart::Px px = chart::px_of(layout, {8192, 49});
  const ImVec2 surface(static_cast<float>(px.x) + 100, static_cast<float>(px.y) + 50);
  const chart::Point back = chart::data_at(layout, to_layout(surface, {100, 50}));
  EXPECT_NEAR(back.x, 8192, 1);
  EXPECT_NEAR(back.y, 49, 0.1);
  ImGui::EndFrame();
}

TEST(PlotShading, TheFieldKeepsItsNumbersAndGetsTheThemesRamp) {
  const chart::Chart c = falling();
  const gfx::Field field = shader_field(c.shade, chart::dark_theme(), 3, 9);
  EXPECT_EQ(field.id, 3U);
  EXPECT_EQ(field.revision, 9U);
  EXPECT_EQ(field.width, 2);
  EXPECT_EQ(field.values, (std::vector<float>{0.1F, 0.5F, 0.6F, 3.0F}));
  EXPECT_EQ(field.ramp.size(), chart::kRampSize * 4);
  EXPECT_TRUE(field.drawable());
  EXPECT_FALSE(shader_field({}, chart::dark_theme(), 3, 9).drawable());
}

TEST(PlotColor, OpacityIsClamped) {
  EXPECT_EQ(color(chart::light_theme(), chart::Ink::kInk, 2.0) >> IM_COL32_A_SHIFT, 255U);
  EXPECT_EQ(color(chart::light_theme(), chart::Ink::kInk, -1.0) >> IM_COL32_A_SHIFT, 0U);
}

}  // namespace
}  // namespace kvseats::plot
