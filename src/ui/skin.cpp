#include "ui/skin.h"

namespace kvseats::ui {
namespace {

using chart::Ink;

ImVec4 tone(const Skin& skin, Ink ink, double opacity = 1.0) {
  return ImGui::ColorConvertU32ToFloat4(skin(ink, opacity));
}

void apply_colors(const Skin& skin, ImGuiStyle& style) {
  const ImVec4 clear(0, 0, 0, 0);
  for (ImVec4& color : style.Colors) color = clear;
  style.Colors[ImGuiCol_Text] = tone(skin, Ink::kInk);
  style.Colors[ImGuiCol_TextDisabled] = tone(skin, Ink::kSoft);
  style.Colors[ImGuiCol_WindowBg] = tone(skin, Ink::kGround);
  style.Colors[ImGuiCol_PopupBg] = tone(skin, Ink::kField);
  style.Colors[ImGuiCol_Border] = tone(skin, Ink::kLine);
  style.Colors[ImGuiCol_ScrollbarGrab] = tone(skin, Ink::kSoft, 0.35);
  style.Colors[ImGuiCol_ScrollbarGrabHovered] = tone(skin, Ink::kSoft, 0.6);
  style.Colors[ImGuiCol_ScrollbarGrabActive] = tone(skin, Ink::kSoft, 0.85);
  style.Colors[ImGuiCol_TextSelectedBg] = tone(skin, Ink::kData, 0.3);
  style.Colors[ImGuiCol_InputTextCursor] = tone(skin, Ink::kInk);
}

}  // namespace

Skin make_skin(bool dark, bool touch, plot::Fonts fonts) {
  Skin skin;
  skin.theme = dark ? &chart::dark_theme() : &chart::light_theme();
  skin.fonts = fonts;
  skin.touch = touch;
  skin.control = touch ? 44.0F : 30.0F;
  return skin;
}

void apply(const Skin& skin) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  style.FontSizeBase = skin.text_control;
  style.WindowPadding = {0, 0};
  style.FramePadding = {0, 0};
  style.ItemSpacing = {0, 0};
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.PopupRounding = skin.radius;
  style.ScrollbarSize = 10;
  style.ScrollbarRounding = 5;
  style.WindowMinSize = {1, 1};
  apply_colors(skin, style);
}

}  // namespace kvseats::ui
