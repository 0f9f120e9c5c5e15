#include "ui/app.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <new>

#include "ui/panel.h"
#include "ui/views.h"

namespace kvseats::ui {
namespace {

using chart::Ink;

constexpr float kNarrowBelow = 700.0F;

// ImGui wants to own or keep the bytes; it keeps ours.
ImFont* add_font(std::span<const std::byte> bytes) {
  if (bytes.empty()) return nullptr;
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.SizePixels = -1.0F;  // negative: sizes are em, as in CSS, not ascent + descent
  // ImGui scales these limits by size / SizePixels, so with a negative size they change places.
  config.GlyphMinAdvanceX = 1e30F;
  config.GlyphMaxAdvanceX = -1e30F;
  config.Flags |= ImFontFlags_NoLoadError;
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<std::byte*>(bytes.data()),
                                                    static_cast<int>(bytes.size()), 0.0F, &config);
}

constexpr ImGuiWindowFlags kBare = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus;
constexpr ImGuiWindowFlags kScrolls = ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;

class TheApp final : public App {
 public:
  TheApp(const AppResources& resources, std::string_view query)
      : ui_(resources.catalogue), strip_(resources.strip) {
    ui_.read_log = resources.read_log;
    ui_.read_model = resources.read_model;
    ui_.read_head = resources.read_head;
    // Out of memory ends here as it does for all else: ImGui's own allocator would go on with a
    // null pointer, and what lies at address 0 of wasm can be written to.
    ImGui::SetAllocatorFunctions([](std::size_t size, void*) { return ::operator new(size); },
                                 [](void* memory, void*) { ::operator delete(memory); });
    context_ = ImGui::CreateContext();
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    io.ConfigInputTextCursorBlink = false;
    fonts_.regular = add_font(resources.font_regular);
    fonts_.bold = add_font(resources.font_bold);
    if (fonts_.bold == nullptr) fonts_.bold = fonts_.regular;
    ui_.store.load(query);
    told_ = ui_.store.query();
    announced_ = scenario::plain_text(ui_.store.answer().sentence);
  }
  ~TheApp() override { ImGui::DestroyContext(context_); }

  ImGuiContext* context() override { return context_; }
  FrameResult frame(const FrameInput& input) override;
  void set_query(std::string_view query) override {
    ui_.store.load(query);
    told_ = ui_.store.query();
    told_live_ = false;
  }
  std::string query() const override { return ui_.store.query(); }
  void edit_text(std::uint32_t id, EditEvent event, std::string_view text) override {
    ui_.kit.overlay_text(id, event, text);
  }
  void open_file(std::string_view name, std::span<const std::byte> bytes) override;
  void open_paths(std::span<const std::string_view> paths) override;
  void focus_in(FocusFrom from) override { ui_.kit.enter(from); }
  void wheel_went_by() override {}
  void registry_json(std::string& out) const override {
    ui_.kit.registry.json(out, static_cast<double>(larger_));
  }

 private:
  void start_imgui(const FrameInput& input);
  void draw(const FrameInput& input);
  void draw_wide(float top, float width, float height);
  void draw_narrow(float top, float width, float height);
  float main_column(float x, float y, float width);
  void shortcuts();
  void set_text_size(FrameInput& input);
  void scale_pointer();
  void enlarge(FrameResult& result) const;
  void carry_out();
  double next_frame(double now_s) const;

  Ui ui_;
  StripView strip_ = nullptr;
  ImGuiContext* context_ = nullptr;
  plot::Fonts fonts_;
  std::string told_;        // the query that the host knows
  std::string announced_;   // the sentence that was said last
  bool told_live_ = false;  // and that it was told in the middle of a drag
  double last_s_ = 0;
  float larger_ = 1.0F;             // by the chosen size of the text
  std::uint32_t scaled_event_ = 0;  // the newest event whose place was scaled
  bool touch_ = false;              // measures for fingers
  bool acted_ = false;              // something changed in this frame: show it in the next
  float content_height_ = 0;
};

// A child window that scrolls; `draw` is given the corner and width and returns the height.
template <class Draw>
float scrolling(Kit& kit, const char* name, const ImRect& area, const Draw& draw) {
  ImGui::SetCursorScreenPos(area.Min);
  ImGui::BeginChild(name, area.GetSize(), ImGuiChildFlags_None, kScrolls);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float tall = draw(at.x, at.y);
  ImGui::SetCursorScreenPos({at.x, at.y + tall});
  ImGui::Dummy({1, 0});
  if (ImGui::GetScrollMaxY() > 0.0F) kit.zone(ZoneKind::kScroll, area);
  ImGui::EndChild();
  return tall;
}

void TheApp::start_imgui(const FrameInput& input) {
  ImGuiIO& io = ImGui::GetIO();
  scale_pointer();
  io.DisplaySize = {static_cast<float>(input.width), static_cast<float>(input.height)};
  const auto scale = static_cast<float>(input.scale);
  io.DisplayFramebufferScale = {scale, scale};
  // ImGui counts key repeats in this; it must be positive even if no time has passed.
  io.DeltaTime = static_cast<float>(std::clamp(input.now_s - last_s_, 1e-4, 0.1));
  last_s_ = input.now_s;
  // Measures change between two presses only, or the first tap would miss what it was meant for.
  const bool narrow = input.width < static_cast<double>(kNarrowBelow);
  if (!io.MouseDown[0]) touch_ = input.touch || narrow;
  const Skin skin = make_skin(input.dark, touch_, fonts_);
  apply(skin);
  ImGui::NewFrame();
  // The cut that is not ImGui's current font does not hear of a new density by itself.
  for (ImFont* font : {fonts_.regular, fonts_.bold}) {
    if (font != nullptr) font->CurrentRasterizerDensity = scale;
  }
  ui_.kit.begin(input, skin);
}

FrameResult TheApp::frame(const FrameInput& given) {
  ImGui::SetCurrentContext(context_);
  FrameInput input = given;
  if (ui_.view.theme != Theme::kAuto) input.dark = ui_.view.theme == Theme::kDark;
  set_text_size(input);
  start_imgui(input);
  acted_ = false;
  ui_.view.lever_shown = std::move(ui_.view.lever);
  ui_.view.lever.clear();
  ui_.view.ghost_shown = std::move(ui_.view.ghost);
  ui_.view.ghost.clear();
  ui_.view.animating = false;
  ui_.view.ledger_shown = std::move(ui_.view.ledger);
  ui_.view.ledger.clear();
  shortcuts();
  draw(input);
  carry_out();
  FrameResult result;
  ui_.kit.end(result);
  result.cursor = ImGui::GetMouseCursor();
  ImGui::Render();
  const chart::Rgb paper = (*ui_.kit.skin.theme)[Ink::kGround];
  result.paper = std::uint32_t{paper.r} << 16U | std::uint32_t{paper.g} << 8U | paper.b;
  result.content_height = static_cast<double>(content_height_);
  result.next_frame_s = next_frame(input.now_s);
  enlarge(result);
  return result;
}

// Larger text is a larger everything: the surface is laid out smaller and drawn denser.
void TheApp::set_text_size(FrameInput& input) {
  const float before = larger_;
  larger_ = text_factor(ui_.store.page("text"));
  const auto factor = static_cast<double>(larger_);
  input.width /= factor;
  input.height /= factor;
  input.scale *= factor;
  ImGuiIO& io = ImGui::GetIO();
  if (before == larger_ || !ImGui::IsMousePosValid(&io.MousePos)) return;
  // The pointer has not moved, but what it is over has.
  io.MousePos = {io.MousePos.x * before / larger_, io.MousePos.y * before / larger_};
}

// Places of the pointer come in pixels of the surface; each waiting event is scaled once.
void TheApp::scale_pointer() {
  for (ImGuiInputEvent& event : ImGui::GetCurrentContext()->InputEventsQueue) {
    if (event.EventId <= scaled_event_) continue;
    scaled_event_ = event.EventId;
    if (event.Type != ImGuiInputEventType_MousePos) continue;
    if (event.MousePos.PosX == -FLT_MAX) continue;
    event.MousePos.PosX /= larger_;
    event.MousePos.PosY /= larger_;
  }
}

void TheApp::enlarge(FrameResult& result) const {
  const auto factor = static_cast<double>(larger_);
  const auto grow = [factor](Rect& rect) {
    rect = {rect.x * factor, rect.y * factor, rect.w * factor, rect.h * factor};
  };
  for (Zone& zone : result.zones) grow(zone.rect);
  grow(result.edit.rect);
  result.edit.font_px *= factor;
  result.content_height *= factor;
}

double TheApp::next_frame(double now_s) const {
  // A ghost comes or goes, a row and its part are marked or not any more.
  const bool turned = ui_.view.lever != ui_.view.lever_shown ||
                      ui_.view.ledger != ui_.view.ledger_shown ||
                      ui_.view.ghost != ui_.view.ghost_shown;
  if (acted_ || turned || ui_.view.animating || ui_.kit.slides.moving() || ui_.view.plot.sliding)
    return 0.0;
  double next = std::numeric_limits<double>::infinity();
  for (const double until :
       {ui_.view.copied_until_s, ui_.view.command_copied_until_s, ui_.view.taken_until_s}) {
    if (until > now_s) next = std::min(next, until - now_s);
  }
  return next;
}

void TheApp::shortcuts() {
  const ImGuiIO& io = ImGui::GetIO();
  if (ui_.kit.edit.id == 0 && ui_.kit.pick.id == 0 && !ui_.view.panel && ui_.kit.input.focused) {
    for (const ImWchar c : io.InputQueueCharacters) {
      if (c == '?') show_shortcuts(ui_);
    }
  }
  if (ui_.kit.edit.id != 0 || ui_.view.panel || !(io.KeyCtrl || io.KeySuper)) return;
  const bool z = ImGui::IsKeyPressed(ImGuiKey_Z);
  Action action;
  if (z && !io.KeyShift) {
    action.kind = Action::Kind::kUndo;
  } else if ((z && io.KeyShift) || ImGui::IsKeyPressed(ImGuiKey_Y)) {
    action.kind = Action::Kind::kRedo;
  } else {
    return;
  }
  ui_.kit.push(std::move(action));
}

void TheApp::carry_out() {
  Kit& kit = ui_.kit;
  const bool by_hand = kit.dragging || kit.edit.id != 0;
  bool live = by_hand && told_live_;
  for (const Action& action : kit.actions) {
    ui_.store.apply(action);
    live = by_hand && action.gesture != 0;
    acted_ = true;
  }
  kit.actions.clear();
  std::string now = ui_.store.query();
  // The end of a drag is told once more, as final.
  if (now == told_ && (live || !told_live_)) return;
  told_ = now;
  told_live_ = live;
  kit.effects.push_back({EffectKind::kSetQuery, std::move(now), live ? "drag" : ""});
  if (live) return;
  std::string sentence = scenario::plain_text(ui_.store.answer().sentence);
  if (sentence == announced_) return;  // a pin or a zoom
  announced_ = std::move(sentence);
  kit.effects.push_back({EffectKind::kAnnounce, announced_, {}});
}

void TheApp::draw(const FrameInput& input) {
  const auto width = static_cast<float>(input.width);
  const auto height = static_cast<float>(input.height);
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({width, height});
  ImGui::Begin("app", nullptr, kBare);
  if (!ui_.store.broken().empty()) {
    ui_.kit.paragraph(28, 28, width - 56, 15, 22, Ink::kBad, ui_.store.broken());
  } else if (!ui_.store.answer().report.ok) {
    notices(ui_, 28, 28, width - 56);
  } else {
    float top = 0.0F;
    if (strip_ != nullptr) top = strip_(ui_, width);
    if (const std::shared_ptr<Panel> open = ui_.view.panel) {
      open->draw(ui_, top, width, height - top);
      ImGui::End();
      return;
    }
    ui_.view.form = width < kNarrowBelow ? Form::kNarrow : Form::kWide;
    if (ui_.view.form == Form::kWide) {
      draw_wide(top, width, height - top);
    } else {
      draw_narrow(top, width, height - top);
    }
  }
  ImGui::End();
}

float TheApp::main_column(float x, float y, float width) {
  const bool wide = ui_.view.form == Form::kWide;
  const float start = y;
  y += wide ? 22.0F : 16.0F;
  y += answers(ui_, x, y, width) + (wide ? 16.0F : 12.0F);
  const float warned = notices(ui_, x, y, width);
  y += warned + (warned > 0.0F ? 12.0F : 0.0F);
  y += memory(ui_, x, y, width) + 12.0F;
  y += tabs(ui_, x, y, width) + 8.0F;
  draw_tip(ui_, x, x + width);
  return y - start;
}

void TheApp::draw_wide(float top, float width, float height) {
  const float panel = width < 1200.0F ? 288.0F : 312.0F;
  const chart::Theme& theme = *ui_.kit.skin.theme;
  ImDrawList& list = ui_.kit.list();
  list.AddRectFilled({0, top}, {panel, top + height}, plot::color(theme, Ink::kPanel));
  list.AddRectFilled({panel - 1.0F, top}, {panel, top + height}, plot::color(theme, Ink::kLine));
  const float left =
      scrolling(ui_.kit, "inputs", {0, top, panel - 1.0F, top + height}, [&](float x, float y) {
        return 20.0F + inputs(ui_, x + 20.0F, y + 20.0F, panel - 41.0F) + 4.0F;
      });
  const float right =
      scrolling(ui_.kit, "main", {panel, top, width, top + height},
                [&](float x, float y) { return main_column(x + 28.0F, y, width - panel - 56.0F); });
  content_height_ = top + std::max(left, right);
}

void TheApp::draw_narrow(float top, float width, float height) {
  content_height_ =
      top + scrolling(ui_.kit, "all", {0, top, width, top + height}, [&](float x, float y) {
        const float pad = 16.0F;
        const float answered = main_column(x + pad, y, width - 2.0F * pad);
        const float asked = inputs(ui_, x + pad, y + answered + 12.0F, width - 2.0F * pad);
        return answered + 12.0F + asked + 24.0F;
      });
}

void TheApp::open_file(std::string_view name, std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const bool log = name.ends_with(".log");
  if (log && ui_.read_log.open != nullptr) return ui_.read_log.open(ui_, text);
  if (ui_.read_model.open != nullptr) ui_.read_model.open(ui_, name, text);
}

void TheApp::open_paths(std::span<const std::string_view> paths) {
  if (ui_.read_model.open_paths != nullptr) ui_.read_model.open_paths(ui_, paths);
}

}  // namespace

std::unique_ptr<App> App::create(const AppResources& resources, std::string_view query) {
  return std::make_unique<TheApp>(resources, query);
}

}  // namespace kvseats::ui
