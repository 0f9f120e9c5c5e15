#include <cfloat>
#include <cmath>

#include "ui/kit.h"

namespace kvseats::ui {
namespace {

constexpr float kCapHeight = 0.727F;  // of Inter, in em

ImFont* cut_of(const Skin& skin, bool strong) {
  ImFont* font = strong ? skin.fonts.bold : skin.fonts.regular;
  return font != nullptr ? font : ImGui::GetFont();
}

// ImGui breaks lines behind punctuation too: "1,024" must stay whole.
const char* break_at_space(const char* from, const char* stop, const char* end) {
  if (stop >= end || *stop == ' ' || *stop == '\n') return stop;
  for (const char* at = stop; at > from; --at) {
    if (at[-1] == ' ' || at[-1] == '\n') return at;
  }
  return stop;
}

}  // namespace

float Kit::width(std::string_view words, float size, bool strong) const {
  return cut_of(skin, strong)
      ->CalcTextSizeA(size, FLT_MAX, 0.0F, words.data(), words.data() + words.size())
      .x;
}

float Kit::text(float x, float baseline, float size, chart::Ink ink, std::string_view words,
                bool strong) const {
  ImFont* font = cut_of(skin, strong);
  const float ascent = font->GetFontBaked(size)->Ascent;
  const ImVec2 place(std::round(x), std::round(baseline) - ascent);
  list().AddText(font, size, place, skin(ink), words.data(), words.data() + words.size());
  return width(words, size, strong);
}

float Kit::text_right(float x, float baseline, float size, chart::Ink ink, std::string_view words,
                      bool strong) const {
  const float extent = width(words, size, strong);
  text(x - extent, baseline, size, ink, words, strong);
  return extent;
}

float Kit::text_cut(float x, float baseline, float size, chart::Ink ink, std::string_view words,
                    float room, bool strong) const {
  if (words.empty()) return 0.0F;
  if (width(words, size, strong) <= room) return text(x, baseline, size, ink, words, strong);
  constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
  const float left = room - width(kEllipsis, size, strong);
  if (left <= 0.0F) return 0.0F;
  const char* rest = words.data();
  cut_of(skin, strong)
      ->CalcTextSizeA(size, left, 0.0F, words.data(), words.data() + words.size(), &rest);
  std::string_view kept = words.substr(0, static_cast<std::size_t>(rest - words.data()));
  while (!kept.empty() && kept.back() == ' ') kept.remove_suffix(1);
  const float taken = text(x, baseline, size, ink, kept, strong);
  return taken + text(x + taken, baseline, size, ink, kEllipsis, strong);
}

float Kit::paragraph(float x, float top, float room, float size, float leading, chart::Ink ink,
                     std::string_view words, bool strong) const {
  ImFont* font = cut_of(skin, strong);
  const char* at = words.data();
  const char* end = at + words.size();
  float y = top;
  while (at < end) {
    const char* stop = break_at_space(at, font->CalcWordWrapPosition(size, at, end, room), end);
    if (stop == at) ++stop;
    const std::string_view line(at, static_cast<std::size_t>(stop - at));
    text(x, y + (leading + size * kCapHeight) / 2.0F, size, ink, line, strong);
    y += leading;
    at = stop;
    while (at < end && (*at == ' ' || *at == '\n')) ++at;
  }
  return y - top;
}

float Kit::baseline_in(const ImRect& rect, float size) {
  return std::round((rect.Min.y + rect.Max.y + size * kCapHeight) / 2.0F);
}

void Kit::ring(const ImRect& rect, float radius) const {
  ImRect around = rect;
  around.Expand(2.0F);
  list().AddRect(around.Min, around.Max, skin(chart::Ink::kData), radius + 2.0F, 0, 2.0F);
}

}  // namespace kvseats::ui
