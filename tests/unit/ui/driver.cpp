#include "driver.h"

#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <nlohmann/json.hpp>

#include "embedded/catalogue.h"
#include "embedded/fonts.h"

namespace kvseats::ui::test {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

// What a renderer would do with ImGui's textures, without pixels.
void accept_textures() {
  ImDrawData* data = ImGui::GetDrawData();
  if (data == nullptr || data->Textures == nullptr) return;
  for (ImTextureData* texture : *data->Textures) {
    if (texture->Status == ImTextureStatus_WantCreate) texture->SetTexID(ImTextureID{1});
    if (texture->Status == ImTextureStatus_WantDestroy) texture->SetTexID(ImTextureID_Invalid);
    texture->SetStatus(texture->Status == ImTextureStatus_WantDestroy ? ImTextureStatus_Destroyed
                                                                      : ImTextureStatus_OK);
  }
}

// The registry is our own JSON, one array of flat objects.
std::vector<Widget> parsed(const std::string& text) {
  std::vector<Widget> out;
  for (const auto& row : nlohmann::json::parse(text)) {
    Widget widget;
    widget.label = row["label"];
    widget.role = row["role"];
    widget.value = row["value"];
    widget.focused = row["focused"];
    const auto& rect = row["rect"];
    widget.rect = {rect[0], rect[1], rect[2], rect[3]};
    out.push_back(std::move(widget));
  }
  return out;
}

}  // namespace

AppResources resources() {
  AppResources out;
  for (const char* name : {"catalogue.txt", "catalogue.json"}) {
    if (out.catalogue.empty()) out.catalogue = bytes_of(embedded::catalogue(name));
  }
  out.font_regular = bytes_of(embedded::fonts("inter-regular.otf"));
  out.font_bold = bytes_of(embedded::fonts("inter-semibold.otf"));
  out.read_model = model_reader();
  out.read_log = log_reader();
  return out;
}

Driver::Driver(std::string_view query, double width, double height)
    : app(App::create(resources(), query)) {
  input.width = width;
  input.height = height;
  input.focused = true;
  settle();
}

const FrameResult& Driver::step() {
  input.now_s += 0.016;
  ImGui::SetCurrentContext(app->context());
  result = app->frame(input);
  accept_textures();
  for (const Effect& effect : result.effects) {
    if (effect.kind == EffectKind::kAnnounce) announced.push_back(effect.text);
    if (effect.kind == EffectKind::kCopyText) copied = effect.text;
    if (effect.kind == EffectKind::kSaveFile) {
      saved = effect.text;
      saved_name = effect.name;
    }
    if (effect.kind != EffectKind::kSetQuery) continue;
    told = effect.text;
    told_how = effect.name;
    ++tellings;
  }
  return result;
}

int Driver::settle() {
  int frames = 0;
  for (int quiet = 0; quiet < 3 && frames < 60; ++frames) {
    step();
    quiet = result.next_frame_s == 0.0 ? 0 : quiet + 1;
  }
  return frames;
}

std::vector<Widget> Driver::widgets() const {
  std::string text;
  app->registry_json(text);
  return parsed(text);
}

Widget Driver::find(std::string_view label, std::string_view role) const {
  for (Widget& widget : widgets()) {
    if (widget.label == label && (role.empty() || widget.role == role)) return widget;
  }
  ADD_FAILURE() << "no widget \"" << label << "\" " << role;
  return {};
}

bool Driver::has(std::string_view label) const {
  for (const Widget& widget : widgets()) {
    if (widget.label == label) return true;
  }
  return false;
}

void Driver::move(double x, double y) {
  ImGui::SetCurrentContext(app->context());
  ImGui::GetIO().AddMousePosEvent(static_cast<float>(x), static_cast<float>(y));
  step();
}

void Driver::press() {
  ImGui::SetCurrentContext(app->context());
  ImGui::GetIO().AddMouseButtonEvent(0, true);
  step();
}

void Driver::release() {
  ImGui::SetCurrentContext(app->context());
  ImGui::GetIO().AddMouseButtonEvent(0, false);
  step();
  settle();
}

void Driver::click_at(double x, double y) {
  move(x, y);
  press();
  step();
  release();
}

void Driver::click(std::string_view label, std::string_view role) {
  const Widget widget = find(label, role);
  click_at(widget.center_x(), widget.center_y());
}

void Driver::key(int imgui_key, bool shift, bool ctrl) {
  ImGui::SetCurrentContext(app->context());
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Shift, shift);
  io.AddKeyEvent(ImGuiMod_Ctrl, ctrl);
  io.AddKeyEvent(static_cast<ImGuiKey>(imgui_key), true);
  step();
  io.AddKeyEvent(static_cast<ImGuiKey>(imgui_key), false);
  io.AddKeyEvent(ImGuiMod_Shift, false);
  io.AddKeyEvent(ImGuiMod_Ctrl, false);
  settle();
}

void Driver::type(std::string_view text) {
  ImGui::SetCurrentContext(app->context());
  ImGui::GetIO().AddInputCharactersUTF8(std::string(text).c_str());
  settle();
}

void Driver::enter(std::string_view label, std::string_view text) {
  click(label, "textbox");
  type(text);
  key(ImGuiKey_Enter);
}

bool says(const Driver& driver, std::string_view part) {
  return driver.query().find(part) != std::string::npos;
}

void hover(Driver& driver, std::string_view label) {
  const Widget widget = driver.find(label);
  driver.move(widget.center_x(), widget.center_y());
  driver.settle();
}

}  // namespace kvseats::ui::test
