#include "gfx/cells.h"
#include "gfx/imgui_renderer.h"

#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "embedded/shaders.h"
#include "gfx/program.h"
#include "unit/gfx/recorder.h"

namespace kvseats::gfx {
namespace {

constexpr Rgba kPaper{1, 1, 1, 1};

Field small_field(std::uint32_t id) {
  Field field{.id = id, .revision = 1, .width = 2, .height = 2, .values = {0, 1, 1, 2}, .ramp = {}};
  field.ramp.assign(8, 255);
  return field;
}

// ImGui needs a font, these tests do not: every glyph of this one is blank.
bool blank_glyph(ImFontAtlas*, ImFontConfig*, ImFontBaked*, void*, ImWchar code, ImFontGlyph* glyph,
                 float* advance) {
  if (glyph != nullptr) {
    glyph->Codepoint = code;
    glyph->AdvanceX = 5;
  }
  if (advance != nullptr) *advance = 5;
  return true;
}

void add_blank_font(ImFontLoader& loader) {
  loader.Name = "blank";
  loader.FontBakedLoadGlyph = blank_glyph;
  ImFontConfig config;
  config.FontLoader = &loader;
  config.SizePixels = 13;
  ImGui::GetIO().Fonts->AddFont(&config);
}

// An ImGui context with a renderer on a recorded GL.
class Renderer : public testing::Test {
 protected:
  Renderer() : imgui_(ImGui::CreateContext()), renderer_(context_) {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {200, 100};
    io.DisplayFramebufferScale = {2, 2};
    add_blank_font(loader_);
    renderer_.attach();
  }
  ~Renderer() override {
    renderer_.detach();
    ImGui::DestroyContext(imgui_);
  }

  // A frame with a rectangle, `fields` shaded one after the other, and another rectangle.
  void frame(const std::vector<const Field*>& fields = {}, ImVec2 clip = {200, 100},
             bool kept = false) {
    ImGui::NewFrame();
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.PushClipRect({0, 0}, clip);
    list.AddRectFilled({0, 0}, {50, 50}, IM_COL32_WHITE);
    for (const Field* field : fields) add_shade(list, {10, 10}, {60, 60}, *field);
    list.AddRectFilled({50, 50}, {60, 60}, IM_COL32_BLACK);
    list.PopClipRect();
    ImGui::Render();
    recorder_.clear();
    renderer_.render(*ImGui::GetDrawData(), kPaper, kept);
  }

  Recorder recorder_;
  Context context_{recorder_.gl(), Dialect::kCore330};
  ImFontLoader loader_;
  ImGuiContext* imgui_;
  ImGuiRenderer renderer_;
};

// One quad, whatever the number of squares; their colours go up when they change.
TEST_F(Renderer, DrawsCellsFromOneTexture) {
  Cells cells{.id = 1, .revision = 1, .columns = 200, .rows = 150, .colors = {}, .gap = 0.25F};
  cells.colors.assign(200 * 150 * 4, 255);
  const auto show = [&] {
    ImGui::NewFrame();
    add_cells(*ImGui::GetBackgroundDrawList(), {10, 10}, {60, 60}, cells);
    ImGui::Render();
    recorder_.clear();
    renderer_.render(*ImGui::GetDrawData(), kPaper);
  };
  frame();  // the atlas is there
  show();
  EXPECT_EQ(recorder_.count("DrawArrays"), 1);
  EXPECT_EQ(recorder_.count("TexImage2D"), 1);
  show();
  EXPECT_EQ(recorder_.count("TexImage2D"), 0);
  ++cells.revision;
  show();
  EXPECT_EQ(recorder_.count("TexImage2D"), 1);
  cells.colors.pop_back();
  show();
  EXPECT_EQ(recorder_.count("DrawArrays"), 0);
}

TEST_F(Renderer, DrawsInDevicePixels) {
  frame();
  EXPECT_EQ(recorder_.last("Viewport"), (std::vector<long long>{0, 0, 400, 200}));
  EXPECT_EQ(recorder_.last("Scissor"), (std::vector<long long>{0, 0, 400, 200}));
  EXPECT_GE(recorder_.count("DrawElements"), 1);
  EXPECT_EQ(renderer_.error(), "");
}

TEST_F(Renderer, MakesTexturesOnRequestAndOnlyOnce) {
  frame();
  EXPECT_EQ(recorder_.count("TexImage2D"), 1);
  frame();
  EXPECT_EQ(recorder_.count("TexImage2D"), 0);
  EXPECT_EQ(recorder_.count("CreateProgram"), 0);
  EXPECT_EQ(recorder_.count("GenBuffers"), 0);
}

TEST_F(Renderer, TellsImGuiTheLargestTexture) {
  EXPECT_EQ(ImGui::GetPlatformIO().Renderer_TextureMaxWidth, 4096);
}

TEST_F(Renderer, APassKeepsItsPlaceInTheOrder) {
  const Field field = small_field(1);
  frame({&field});
  EXPECT_EQ(recorder_.order({"DrawElements", "DrawArrays"}),
            (std::vector<std::string>{"DrawElements", "DrawArrays", "DrawElements"}));
}

TEST_F(Renderer, AfterAPassTheStateIsTheInterfacesAgain) {
  const Field field = small_field(1);
  frame({&field});
  const auto after = recorder_.order({"DrawArrays", "UseProgram", "BindVertexArray",
                                      "ActiveTexture", "BindBuffer", "DrawElements"});
  const auto pass = std::find(after.begin(), after.end(), "DrawArrays");
  const std::vector<std::string> restored(pass + 1, after.end() - 1);
  for (const char* call : {"UseProgram", "ActiveTexture", "BindVertexArray", "BindBuffer"}) {
    EXPECT_NE(std::find(restored.begin(), restored.end(), call), restored.end()) << call;
  }
  EXPECT_EQ(recorder_.last("ActiveTexture").front(), static_cast<long long>(gl::kTexture0));
}

TEST_F(Renderer, AFieldIsUploadedWhenItChangesAndNotOtherwise) {
  Field field = small_field(1);
  frame({&field});
  EXPECT_EQ(recorder_.count("TexImage2D"), 3);  // atlas, logarithms, ramp
  frame({&field});
  EXPECT_EQ(recorder_.count("TexImage2D"), 0);
  field.revision = 2;
  frame({&field});
  EXPECT_EQ(recorder_.count("TexImage2D"), 2);
}

TEST_F(Renderer, AFieldThatIsNotShownIsForgotten) {
  const Field field = small_field(1);
  frame({&field});
  frame();
  EXPECT_EQ(recorder_.count("DeleteTextures"), 2);
}

TEST_F(Renderer, TwoFieldsDoNotMix) {
  const Field one = small_field(1);
  const Field two = small_field(2);
  frame({&one, &two});
  EXPECT_EQ(recorder_.count("DrawArrays"), 2);
  frame({&one, &two});
  EXPECT_EQ(recorder_.count("TexImage2D"), 0);
}

TEST_F(Renderer, AFieldThatDoesNotAddUpIsLeftOut) {
  Field field = small_field(1);
  field.values.pop_back();
  frame({&field});
  EXPECT_EQ(recorder_.count("DrawArrays"), 0);
  EXPECT_GE(recorder_.count("DrawElements"), 1);
}

TEST_F(Renderer, WhatIsClippedAwayIsNotDrawn) {
  const Field field = small_field(1);
  frame({&field}, {0, 0});
  EXPECT_EQ(recorder_.count("DrawArrays"), 0);
  EXPECT_EQ(recorder_.count("DrawElements"), 0);
}

TEST_F(Renderer, NothingIsCalledWhileTheContextIsLost) {
  frame();
  context_.lose();
  frame();
  EXPECT_TRUE(recorder_.calls.empty());
}

TEST_F(Renderer, EverythingIsMadeAnewAfterALossAndNothingOldIsDeleted) {
  const Field field = small_field(1);
  frame({&field});
  context_.lose();
  frame({&field});
  recorder_.clear();
  context_.restore();
  renderer_.attach();
  EXPECT_EQ(recorder_.count("DeleteTextures"), 0);
  EXPECT_EQ(recorder_.count("CreateProgram"), 2) << "interface and shading are begun at once";
  frame({&field});
  EXPECT_EQ(recorder_.count("TexImage2D"), 3);
  EXPECT_EQ(recorder_.count("CreateProgram"), 0);
  EXPECT_EQ(recorder_.count("GenBuffers"), 1);
  EXPECT_EQ(recorder_.count("DeleteTextures") + recorder_.count("DeleteProgram"), 0);
  EXPECT_EQ(recorder_.count("DrawArrays"), 1);
  EXPECT_GE(recorder_.count("DrawElements"), 2);
}

TEST_F(Renderer, APictureThatIsStillShownIsNotDrawnAgain) {
  Field field = small_field(1);
  const auto draws = [&](ImVec2 clip) {
    frame({&field}, clip, true);
    EXPECT_EQ(recorder_.calls.empty(), renderer_.draw_calls() == 0);
    return renderer_.draw_calls() > 0;
  };
  frame();  // the atlas is there
  EXPECT_TRUE(draws({200, 100}));
  EXPECT_FALSE(draws({200, 100}));
  EXPECT_TRUE(draws({150, 100})) << "another clip";
  ++field.revision;
  EXPECT_TRUE(draws({150, 100})) << "another shading";
  EXPECT_FALSE(draws({150, 100}));
  frame({&field}, {150, 100}, false);
  EXPECT_GT(renderer_.draw_calls(), 0) << "a surface that does not keep it";
  EXPECT_TRUE(draws({150, 100})) << "what such a surface shows is not known";
  context_.lose();
  context_.restore();
  renderer_.attach();
  EXPECT_TRUE(draws({150, 100})) << "a context that came back is blank";
}

// A question makes the caller wait until the driver has compiled.
TEST_F(Renderer, NothingIsAskedOfACompilerBeforeItsProgramIsUsed) {
  context_.lose();
  context_.restore();
  recorder_.clear();
  renderer_.attach();
  EXPECT_EQ(recorder_.count("LinkProgram"), 2);
  EXPECT_EQ(recorder_.count("GetShaderiv") + recorder_.count("GetProgramiv"), 0);
  frame();
  EXPECT_EQ(recorder_.count("GetProgramiv"), 1) << "the shading is not in use yet";
  EXPECT_EQ(recorder_.count("GetShaderiv"), 0) << "only when a link failed";
}

TEST_F(Renderer, LosingItTwiceIsNoWorse) {
  frame();
  for (int i = 0; i < 2; ++i) {
    context_.lose();
    context_.restore();
    renderer_.attach();
    frame();
    EXPECT_EQ(recorder_.count("TexImage2D"), 1);
  }
}

TEST_F(Renderer, AShaderThatFailsIsNamedWithItsLine) {
  recorder_.fail_shaders = true;
  frame();
  EXPECT_EQ(renderer_.error(), "ui.vert: 0:3: trouble");
  EXPECT_EQ(recorder_.count("DrawElements"), 0);
  frame();
  EXPECT_EQ(recorder_.count("CompileShader"), 0) << "tried once in a context";
}

TEST(ShaderHeader, FitsTheDialectAndCountsLinesFromTheBody) {
  EXPECT_EQ(shader_header(Dialect::kCore330, "#define A 1\n"),
            "#version 330 core\n#define A 1\n#line 1\n");
  EXPECT_TRUE(shader_header(Dialect::kEs300, "").starts_with("#version 300 es\n"));
}

TEST(ShaderBodies, AreEmbeddedWithoutAnyHeader) {
  for (const char* file : {"ui.vert", "ui.frag", "shade.vert", "shade.frag"}) {
    const std::string_view body = embedded::shaders(file);
    EXPECT_FALSE(body.empty()) << file;
    EXPECT_EQ(body.find("#version"), std::string_view::npos) << file;
    EXPECT_EQ(body.find("precision "), std::string_view::npos) << file;
  }
}

TEST(ShadeLogarithms, AreFiniteWhateverTheValues) {
  Field field = small_field(1);
  using Limits = std::numeric_limits<float>;
  field.values = {0, -3, Limits::quiet_NaN(), Limits::infinity()};
  EXPECT_EQ(shade_logarithms(field), (std::vector<float>{-7, -7, -7, 5}));
  field.values = {1, 2, 0.5F, 4};
  EXPECT_EQ(shade_logarithms(field), (std::vector<float>{0, 1, -1, 2}));
}

}  // namespace
}  // namespace kvseats::gfx
