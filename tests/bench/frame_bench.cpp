// CPU time of one frame of the interface, without GL: standing still, and with another scenario in
// every frame, as while something is dragged.
#include <benchmark/benchmark.h>
#include <imgui.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include "embedded/catalogue.h"
#include "embedded/fonts.h"
#include "ui/app.h"

namespace {

using namespace kvseats;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

// What a renderer does with ImGui's textures, without pixels.
void accept_textures() {
  ImDrawData* data = ImGui::GetDrawData();
  if (data == nullptr || data->Textures == nullptr) return;
  for (ImTextureData* texture : *data->Textures) {
    const bool ends = texture->Status == ImTextureStatus_WantDestroy;
    if (texture->Status == ImTextureStatus_WantCreate) texture->SetTexID(ImTextureID{1});
    if (ends) texture->SetTexID(ImTextureID_Invalid);
    texture->SetStatus(ends ? ImTextureStatus_Destroyed : ImTextureStatus_OK);
  }
}

std::unique_ptr<ui::App> app_of(const char* query) {
  return ui::App::create({.catalogue = bytes_of(embedded::catalogue("catalogue.txt")),
                          .font_regular = bytes_of(embedded::fonts("inter-regular.otf")),
                          .font_bold = bytes_of(embedded::fonts("inter-semibold.otf"))},
                         query);
}

using Queries = std::array<const char*, 2>;

constexpr Queries kPlain = {"model=llama-3.1-8b&gpu=h100-sxm&prompt=6144",
                            "model=llama-3.1-8b&gpu=h100-sxm&prompt=6200"};

// Two ghosts of levers and four pins.
#define KVSEATS_PINS                                                           \
  "&pin=model%3Dllama-2-7b&pin=model%3Dllama-3.1-8b%26gpu%3Dh100-sxm%26tp%3D4" \
  "&pin=model%3Dllama-3.1-70b%26gpu%3Dh200%26tp%3D8&pin=model%3Dqwen3-8b"
constexpr Queries kPinned = {"model=llama-3.1-8b&gpu=h100-sxm&prompt=6144" KVSEATS_PINS,
                             "model=llama-3.1-8b&gpu=h100-sxm&prompt=6200" KVSEATS_PINS};

// The views with plots and tables of their own, standing still.
#define KVSEATS_MIX                                                              \
  "model=llama-3-8b&gpu=h100-sxm&pool=53GB&service=mixed:500-2000%2B100-900x100" \
  "&service=documents:12000%2B1000x100"
constexpr Queries kServices = {KVSEATS_MIX "&view=services", KVSEATS_MIX "&view=services"};
constexpr Queries kPlan = {KVSEATS_MIX "&view=plan", KVSEATS_MIX "&view=plan"};

void frame(benchmark::State& state, double width, double height, bool changing,
           const Queries& queries) {
  const auto app = app_of(queries[0]);
  ui::FrameInput input{.width = width, .height = height, .focused = true};
  std::size_t count = 0;
  const auto step = [&] {
    input.now_s += 0.016;
    ImGui::SetCurrentContext(app->context());
    benchmark::DoNotOptimize(app->frame(input));
    accept_textures();
  };
  for (int i = 0; i < 60; ++i) step();  // fonts are rasterised, what slides has arrived
  for (auto _ : state) {
    if (changing) app->set_query(queries[++count % queries.size()]);
    step();
  }
}

// The middle of the control of this name; none: far out.
ImVec2 place_of(ui::App& app, std::string_view label) {
  std::string json;
  app.registry_json(json);
  const std::size_t at = json.find("\"label\":\"" + std::string(label) + "\"");
  double x = 0;
  double y = 0;
  double w = 0;
  double h = 0;
  const std::size_t rect = json.find("\"rect\":[", at);
  if (at == std::string::npos || rect == std::string::npos) return {-1, -1};
  if (std::sscanf(json.c_str() + rect, "\"rect\":[%lf,%lf,%lf,%lf", &x, &y, &w, &h) != 4) {
    return {-1, -1};
  }
  return {static_cast<float>(x + w / 2), static_cast<float>(y + h / 2)};
}

// Presses the control of this name, as a hand does.
template <class Step>
void press(ui::App& app, std::string_view label, const Step& step) {
  const ImVec2 at = place_of(app, label);
  ImGui::SetCurrentContext(app.context());
  ImGuiIO& io = ImGui::GetIO();
  io.AddMousePosEvent(at.x, at.y);
  step();
  for (const bool down : {true, false}) {
    io.AddMouseButtonEvent(0, down);
    step();
  }
}

// 25,272 blocks twice, played at sixteen times the speed.
void frame_playing(benchmark::State& state, double width, double height) {
  const auto app = app_of(
      "model=llama-3-8b&gpu=h100-sxm&pool=53GB&prompt=6144&output=2048&users=100&view=allocation");
  ui::FrameInput input{.width = width, .height = height, .focused = true};
  const auto step = [&] {
    input.now_s += 0.016;
    ImGui::SetCurrentContext(app->context());
    const ui::FrameResult result = app->frame(input);
    accept_textures();
    return result.next_frame_s;
  };
  for (int i = 0; i < 60; ++i) step();
  press(*app, "Speed 16\xC3\x97", step);
  press(*app, "Play", step);
  if (step() != 0.0) state.SkipWithError("it does not play");
  for (auto _ : state) step();
}

// The operating point under a hand, with two ghosts of levers and four pins around it.
void frame_dragging(benchmark::State& state, double width, double height) {
  const auto app = app_of(kPinned[0]);
  ui::FrameInput input{.width = width, .height = height, .focused = true};
  const auto step = [&] {
    input.now_s += 0.016;
    ImGui::SetCurrentContext(app->context());
    benchmark::DoNotOptimize(app->frame(input));
    accept_textures();
  };
  for (int i = 0; i < 60; ++i) step();
  const ImVec2 at = place_of(*app, "Operating point");
  ImGui::SetCurrentContext(app->context());
  ImGuiIO& io = ImGui::GetIO();
  io.AddMousePosEvent(at.x, at.y);
  step();
  io.AddMouseButtonEvent(0, true);
  step();
  const std::string before = app->query();
  int count = 0;
  const auto drag = [&] {
    ImGui::SetCurrentContext(app->context());
    const int phase = ++count % 200;  // there and back
    io.AddMousePosEvent(at.x + 10.0F + static_cast<float>(phase < 100 ? phase : 200 - phase), at.y);
    step();
  };
  drag();
  if (app->query() == before) state.SkipWithError("nothing is dragged");
  for (auto _ : state) drag();
}

BENCHMARK_CAPTURE(frame, 1440x900, 1440, 900, false, kPlain)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(frame, 1440x900_changing, 1440, 900, true, kPlain)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(frame, 1440x900_pins, 1440, 900, true, kPinned)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(frame, 1440x900_services, 1440, 900, false, kServices)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(frame, 1440x900_plan, 1440, 900, false, kPlan)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(frame, 390x844, 390, 844, false, kPlain)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(frame_dragging, 1440x900_six_ghosts, 1440, 900)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(frame_playing, 1440x900, 1440, 900)->Unit(benchmark::kMicrosecond);

}  // namespace
