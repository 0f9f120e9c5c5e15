// CPU time of one frame of the interface, without GL: standing still, and with another scenario in
// every frame, as while something is dragged.
#include <benchmark/benchmark.h>
#include <imgui.h>

#include <array>

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

void frame(benchmark::State& state, double width, double height, bool changing) {
  static constexpr std::array<const char*, 2> kQueries = {
      "model=llama-3.1-8b&gpu=h100-sxm&prompt=6144", "model=llama-3.1-8b&gpu=h100-sxm&prompt=6200"};
  const auto app = ui::App::create({.catalogue = bytes_of(embedded::catalogue("catalogue.txt")),
                                    .font_regular = bytes_of(embedded::fonts("inter-regular.otf")),
                                    .font_bold = bytes_of(embedded::fonts("inter-semibold.otf"))},
                                   kQueries[0]);
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
    if (changing) app->set_query(kQueries[++count % kQueries.size()]);
    step();
  }
}

BENCHMARK_CAPTURE(frame, 1440x900, 1440, 900, false)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(frame, 1440x900_changing, 1440, 900, true)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(frame, 390x844, 390, 844, false)->Unit(benchmark::kMicrosecond);

}  // namespace
