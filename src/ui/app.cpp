// Stand-in until the real interface is there: one slider, one field, one list, one shaded area,
// enough to try both hosts. It knows nothing of the scenario.
#include "ui/app.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "gfx/imgui_renderer.h"

namespace kvseats::ui {

namespace {

constexpr int kControls = 4;

class TrialApp final : public App {
 public:
  TrialApp(const AppResources& resources, std::string_view query) : query_(query) {
    context_ = ImGui::CreateContext();
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    add_font(resources.font_regular);
    fill_field();
  }
  ~TrialApp() override { ImGui::DestroyContext(context_); }

  ImGuiContext* context() override { return context_; }
  FrameResult frame(const FrameInput& input) override;
  void set_query(std::string_view query) override { query_ = query; }
  std::string query() const override { return query_; }
  void edit_text(std::uint32_t id, EditEvent event, std::string_view text) override {
    if (id != 1 || !editing_) return;
    if (event != EditEvent::kCancel) text_ = text;
    if (event != EditEvent::kChange) editing_ = false;
  }
  void open_file(std::string_view name, std::span<const std::byte> bytes) override {
    file_ = std::string(name) + " " + std::to_string(bytes.size());
  }
  void focus_in(FocusFrom from) override { focus_ = from == FocusFrom::kBackward ? 3 : 0; }
  void wheel_went_by() override { hint_ = true; }
  void registry_json(std::string& out) const override;

 private:
  struct Control {
    const char* id = "";
    const char* role = "";
    Rect rect;
    std::string value;
  };
  void add_font(std::span<const std::byte> bytes);
  void fill_field();
  void note(int index, const char* id, const char* role, std::string value);
  void controls(const FrameInput& input, FrameResult& result);
  void text_field(const FrameInput& input, FrameResult& result);
  void list(FrameResult& result);
  void shaded(FrameResult& result);

  ImGuiContext* context_ = nullptr;
  std::string query_;
  std::string text_ = "8192";
  std::string file_;
  gfx::Field field_;
  std::array<Control, kControls> controls_;
  float value_ = 40;
  int focus_ = -1;
  int focused_ = -1;
  int clicks_ = 0;
  double last_s_ = 0;
  bool editing_ = false;
  bool hint_ = false;
};

Rect item_rect() {
  const ImVec2 min = ImGui::GetItemRectMin();
  const ImVec2 size = ImGui::GetItemRectSize();
  return {min.x, min.y, size.x, size.y};
}

void TrialApp::add_font(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  void* data = const_cast<std::byte*>(bytes.data());
  ImGui::GetIO().Fonts->AddFontFromMemoryTTF(data, static_cast<int>(bytes.size()), 15, &config);
}

void TrialApp::fill_field() {
  field_ = {.id = 1, .revision = 1, .width = 32, .height = 24, .values = {}, .ramp = {}};
  for (int y = 0; y < field_.height; ++y) {
    for (int x = 0; x < field_.width; ++x) {
      field_.values.push_back(static_cast<float>(x * y) / 180.0F);
    }
  }
  for (int i = 0; i < 256; ++i) {
    const bool above = i * 10 >= 6 * 256;
    const auto strength = static_cast<std::uint8_t>(above ? 30 : i);
    field_.ramp.insert(field_.ramp.end(), {static_cast<std::uint8_t>(above ? 91 : 42), 111,
                                           static_cast<std::uint8_t>(187), strength});
  }
}

void TrialApp::note(int index, const char* id, const char* role, std::string value) {
  if (focus_ == index + 1) focus_ = -1;
  if (ImGui::IsItemFocused()) focused_ = index;
  controls_[static_cast<std::size_t>(index)] = {id, role, item_rect(), std::move(value)};
}

void TrialApp::text_field(const FrameInput& input, FrameResult& result) {
  if (!input.overlay_text) {
    std::array<char, 64> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%s", text_.c_str());
    if (ImGui::InputText("context", buffer.data(), buffer.size())) text_ = buffer.data();
    if (ImGui::IsItemActive()) result.keys |= kKeysText | kKeysLeftRight | kKeysDelete;
  } else {
    if (ImGui::Button(editing_ ? "###field" : (text_ + "###field").c_str(), {200, 30})) {
      editing_ = true;
    }
    if (editing_) {
      result.edit = {.active = true,
                     .id = 1,
                     .rect = item_rect(),
                     .text = text_,
                     .numeric = true,
                     .label = "Context in tokens"};
    }
  }
  result.zones.push_back({.kind = ZoneKind::kText, .rect = item_rect()});
  note(1, "context", "textbox", text_);
}

void TrialApp::list(FrameResult& result) {
  if (focus_ == 3) ImGui::SetNextWindowFocus();
  ImGui::BeginChild("list", {200, 120}, ImGuiChildFlags_Borders);
  for (int i = 0; i < 30; ++i) ImGui::Text("row %d", i);
  const float at = ImGui::GetScrollY();
  const float most = ImGui::GetScrollMaxY();
  ImGui::EndChild();
  result.zones.push_back(
      {.kind = ZoneKind::kScroll, .rect = item_rect(), .can_up = at > 0, .can_down = at < most});
  note(2, "list", "list", std::to_string(at));
}

void TrialApp::shaded(FrameResult& result) {
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 max{min.x + 400, min.y + 240};
  ImGui::InvisibleButton("chart", {400, 240});
  ImGui::GetWindowDrawList()->AddRectFilled(min, max, IM_COL32(255, 255, 255, 255));
  gfx::add_shade(*ImGui::GetWindowDrawList(), min, max, field_);
  ImGui::GetWindowDrawList()->AddLine(min, max, IM_COL32(184, 55, 27, 255), 2);
  if (ImGui::IsItemHovered() && ImGui::GetIO().KeyCtrl && ImGui::GetIO().MouseWheel != 0) {
    value_ = std::clamp(value_ + ImGui::GetIO().MouseWheel, 0.0F, 100.0F);
  }
  result.zones.push_back({.kind = ZoneKind::kZoom, .rect = item_rect()});
  note(3, "chart", "img", "");
  if (hint_) ImGui::TextUnformatted("Ctrl + wheel zooms");
}

void TrialApp::controls(const FrameInput& input, FrameResult& result) {
  if (focus_ == 0) ImGui::SetKeyboardFocusHere();
  if (ImGui::SliderFloat("users", &value_, 0, 100, "%.0f")) {
    result.effects.push_back({EffectKind::kSetQuery,
                              "users=" + std::to_string(static_cast<int>(value_)),
                              ImGui::IsMouseDown(0) ? "drag" : ""});
  }
  if (ImGui::IsItemFocused()) result.keys |= kKeysLeftRight | kKeysActivate;
  result.zones.push_back({.kind = ZoneKind::kDrag, .rect = item_rect()});
  note(0, "users", "slider", std::to_string(static_cast<int>(value_)));
  text_field(input, result);
  ImGui::Text("query %s", query_.c_str());
  ImGui::Text("file %s", file_.c_str());
  if (ImGui::Button("Copy")) {
    ++clicks_;
    result.effects.push_back({EffectKind::kCopyText, query_, ""});
    result.effects.push_back({EffectKind::kAnnounce, "Copied", ""});
  }
  ImGui::SameLine();
  ImGui::Text("%d", clicks_);
  list(result);
  shaded(result);
}

FrameResult TrialApp::frame(const FrameInput& input) {
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(input.width), static_cast<float>(input.height)};
  io.DisplayFramebufferScale = {static_cast<float>(input.scale), static_cast<float>(input.scale)};
  io.DeltaTime = static_cast<float>(std::clamp(input.now_s - last_s_, 1e-4, 0.1));
  last_s_ = input.now_s;
  focused_ = -1;
  FrameResult result;
  result.paper = input.dark ? 0x13161B : 0xFBFAF7;
  if (input.dark) {
    ImGui::StyleColorsDark();
  } else {
    ImGui::StyleColorsLight();
  }
  ImGui::NewFrame();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(io.DisplaySize);
  ImGui::Begin("all", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground);
  controls(input, result);
  ImGui::End();
  ImGui::Render();
  focus_ = -1;
  result.tab_leaves_forward = focused_ < 0 || focused_ == kControls - 1;
  result.tab_leaves_backward = focused_ <= 0;
  result.cursor = ImGui::GetMouseCursor();
  return result;
}

void TrialApp::registry_json(std::string& out) const {
  out = "[";
  for (const Control& c : controls_) {
    std::array<char, 256> row{};
    const int index = static_cast<int>(&c - controls_.data());
    std::snprintf(row.data(), row.size(),
                  "%s{\"id\":\"%s\",\"label\":\"%s\",\"role\":\"%s\",\"rect\":[%g,%g,%g,%g],"
                  "\"value\":\"%s\",\"enabled\":true,\"focused\":%s}",
                  index > 0 ? "," : "", c.id, c.id, c.role, c.rect.x, c.rect.y, c.rect.w, c.rect.h,
                  c.value.c_str(), index == focused_ ? "true" : "false");
    out += row.data();
  }
  out += "]";
}

}  // namespace

std::unique_ptr<App> App::create(const AppResources& resources, std::string_view query) {
  return std::make_unique<TrialApp>(resources, query);
}

}  // namespace kvseats::ui
