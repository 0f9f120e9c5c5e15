#include <cmath>

#include "plot/plot.h"

namespace kvseats::plot {
namespace {

ImFont* cut(const Fonts& fonts, bool strong) {
  ImFont* font = strong ? fonts.bold : fonts.regular;
  return font != nullptr ? font : ImGui::GetFont();
}

double width_of(const void* self, std::string_view text, double size, bool strong) {
  ImFont* font = cut(*static_cast<const Fonts*>(self), strong);
  constexpr float kEndless = 1e30F;
  const ImVec2 extent = font->CalcTextSizeA(static_cast<float>(size), kEndless, 0.0F, text.data(),
                                            text.data() + text.size());
  return static_cast<double>(extent.x);
}

}  // namespace

chart::Measure measure(const Fonts& fonts) {
  return {.width = width_of, .self = &fonts};
}

ImU32 color(const chart::Theme& theme, chart::Ink ink, double opacity) {
  const chart::Rgb rgb = theme[ink];
  const double alpha = opacity < 0.0 ? 0.0 : opacity > 1.0 ? 1.0 : opacity;
  return IM_COL32(rgb.r, rgb.g, rgb.b, static_cast<int>(alpha * 255.0 + 0.5));
}

void draw_text(ImDrawList& list, const Look& look, const chart::Text& text, ImVec2 origin,
               bool halo) {
  if (text.text.empty()) return;
  ImFont* font = cut(look.fonts, text.strong);
  const auto size = static_cast<float>(text.size);
  const float ascent = font->GetFontBaked(size)->Ascent;
  const ImVec2 place(std::round(origin.x + static_cast<float>(text.at.x)),
                     std::round(origin.y + static_cast<float>(text.at.y)) - ascent);
  const char* begin = text.text.data();
  const char* end = begin + text.text.size();
  if (halo) {
    constexpr ImVec2 kAround[] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    const ImU32 paper = color(*look.theme, chart::Ink::kGround, 0.55);
    for (const ImVec2& by : kAround) {
      list.AddText(font, size, {place.x + by.x, place.y + by.y}, paper, begin, end);
    }
  }
  list.AddText(font, size, place, color(*look.theme, chart::text_ink(text.ink)), begin, end);
}

}  // namespace kvseats::plot
