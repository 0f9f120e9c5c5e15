#include <algorithm>
#include <string>

#include "scenario/attach_paths.h"
#include "scenario/codec.h"
#include "scenario/evaluate.h"
#include "ui/app.h"
#include "ui/model_read.h"
#include "ui/panel.h"
#include "ui/views.h"

// A model file by path, by paste or dropped, and what was read of it.
namespace kvseats::ui {
namespace {

using chart::Ink;

struct ModelPanel final : Panel {
  std::string path;
  TextBox config;
  ModelRead read;
  bool has_read = false;  // there is something to show
  bool asking = true;     // on a narrow surface: ask, or show
  std::string before;     // the query to take it back to
  void draw(Ui& ui, float top, float width, float height) override;
};

// In the place of the one that is open.
std::shared_ptr<ModelPanel> open_panel(Ui& ui) {
  auto panel = std::make_shared<ModelPanel>();
  ui.view.panel = panel;
  return panel;
}

// A model that leaves nothing to answer is not taken: the last good state stays.
bool answers_with(Ui& ui, const scenario::Scenario& next, units::Diagnostics& why) {
  scenario::Report report = scenario::evaluate(next, ui.store.catalogue());
  if (report.ok) return true;
  why = std::move(report.diagnostics);
  return false;
}

void tell(Ui& ui, const ModelRead& read) {
  std::string words;
  if (read.used) {
    words = "The model was read from " + read.files + ".";
  } else {
    words = read.files + " was not used.";
    for (const units::Diagnostic& why : read.attached.diagnostics) words += " " + why.text + ".";
  }
  ui.kit.effects.push_back({EffectKind::kAnnounce, std::move(words), {}});
}

// `next` is the scenario with the model in it.
void take(Ui& ui, std::string files, const scenario::Scenario& next, scenario::Attached attached) {
  const bool used = attached.ok && answers_with(ui, next, attached.diagnostics);
  const auto panel = open_panel(ui);
  panel->before = ui.store.query();
  panel->read = model_read(std::move(files), std::move(attached));
  panel->read.used = used;
  panel->has_read = true;
  panel->asking = false;
  if (used) ui.store.load_over(scenario::encode(next));
  tell(ui, panel->read);
}

void ask(Ui& ui) {
  open_panel(ui);
}

// `from` names it for people.
void open_text(Ui& ui, std::string_view name, std::string_view bytes, std::string_view from) {
  scenario::Scenario next = ui.store.scenario();
  scenario::Attached attached = scenario::attach_model(next, bytes, name);
  take(ui, std::string(from), next, std::move(attached));
}

void open_bytes(Ui& ui, std::string_view name, std::string_view bytes) {
  open_text(ui, name, bytes, name);
}

bool head_of(const void* self, std::string_view path, std::uint64_t most, std::string& bytes,
             std::uint64_t& size) {
  return (*static_cast<const HeadReader*>(self))(path, most, bytes, size);
}

std::string names_of(std::span<const std::string_view> paths) {
  constexpr std::size_t kMostNames = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(paths.size(), kMostNames); ++i) {
    out += i == 0 ? "" : ", ";
    out += paths[i].substr(paths[i].find_last_of("/\\") + 1);
  }
  const std::size_t more = paths.size() - std::min(paths.size(), kMostNames);
  return more == 0 ? out : out + " and " + std::to_string(more) + " more";
}

// False: it is none, or it cannot be read.
bool open_log(Ui& ui, std::string_view path) {
  constexpr std::uint64_t kMost = std::uint64_t{16} << 20;  // its reader refuses a longer one
  std::string text;
  std::uint64_t size = 0;
  const bool log = path.ends_with(".log") && ui.read_log.open != nullptr;
  if (!log || !ui.read_head(path, kMost, text, size)) return false;
  ui.read_log.open(ui, text);
  return true;
}

void open_paths(Ui& ui, std::span<const std::string_view> paths) {
  if (ui.read_head == nullptr || paths.empty() || open_log(ui, paths[0])) return;
  scenario::Scenario next = ui.store.scenario();
  scenario::Attached attached =
      scenario::attach_paths(next, paths, {.head = head_of, .self = &ui.read_head});
  take(ui, names_of(paths), next, std::move(attached));
}

// --- What is drawn --------------------------------------------------------------------------

// A path, and a button that opens it; Enter does too.
float path_row(Ui& ui, ModelPanel& panel, float x, float y, float width) {
  Kit& kit = ui.kit;
  if (ui.read_head == nullptr) return 0.0F;
  const float wide = kit.width("Open", kit.skin.text_control) + 24.0F;
  const ImRect rect(x, y, x + width - wide - 8.0F, y + kit.skin.control);
  const bool empty = panel.path.empty();
  const FieldResult typed =
      text_field(kit, Kit::id("model path"), rect, "Path of a model file",
                 empty ? "…/config.json or …/model.gguf" : std::string_view(panel.path), panel.path,
                 {.prefix = "Path", .quiet = empty});
  if (typed.changed || typed.committed || typed.cancelled) panel.path = typed.text;
  const bool entered = typed.committed && (ImGui::IsKeyPressed(ImGuiKey_Enter) ||
                                           ImGui::IsKeyPressed(ImGuiKey_KeypadEnter));
  const ImRect open(x + width - wide, y, x + width, y + kit.skin.control);
  const bool pressed = button(kit, Kit::id("open path"), open, "Open", ButtonLook::kBordered);
  if ((pressed || entered) && !panel.path.empty()) {
    const std::string path = panel.path;  // the panel is another one afterwards
    const std::string_view paths[] = {path};
    open_paths(ui, paths);
  }
  return kit.skin.control + 12.0F;
}

void buttons(Ui& ui, ModelPanel& panel, ButtonRow& press) {
  if (panel.has_read && panel.read.used) {
    if (press("Use it")) close_panel(ui);
    if (press("Take it back")) {
      ui.store.load_over(panel.before);
      close_panel(ui);
    }
  } else if (press("Close")) {
    close_panel(ui);
  }
}

// The part that asks, as high as the room down to `bottom`.
void questions(Ui& ui, ModelPanel& panel, float x, float y, float width, float bottom) {
  Kit& kit = ui.kit;
  y += kit.paragraph(x, y, width, 15.0F, 22.0F, Ink::kInk, "Open a model", true);
  y += kit.paragraph(x, y, width, 13.0F, 18.0F, Ink::kSoft,
                     "Drop its config.json, GGUF or safetensors anywhere on this window, the files "
                     "of one model together. Or give a path, or paste the text of its "
                     "config.json. Nothing leaves this machine.") +
       10.0F;
  y += path_row(ui, panel, x, y, width);
  const float controls = 2.0F * kit.skin.control + 24.0F;
  const float box = std::max(60.0F, bottom - y - controls);
  text_box(kit, panel.config, {x, y, x + width, y + box}, "Text of config.json",
           "{ \"num_hidden_layers\": 32, \"num_key_value_heads\": 8, … }");
  y += box + 8.0F;
  ButtonRow press(kit, x, y, width);
  if (press("Read it")) {
    const std::string text = panel.config.text;
    panel.config.focus = text.empty();
    if (!text.empty()) open_text(ui, "config.json", text, "the pasted text");
  }
  buttons(ui, panel, press);
}

void ModelPanel::draw(Ui& ui, float top, float width, float height) {
  Kit& kit = ui.kit;
  const PanelPlaces places = panel_places(top, width, height);
  const auto shown = [&](float x, float y, float room) {
    return what_was_read(ui, read, x, y, room);
  };
  if (places.wide || asking) {
    questions(ui, *this, kPanelPad, top + 20.0F, places.left, places.bottom);
    if (places.wide && has_read) scroll_part(kit, "what was read", places.beside, shown);
  } else {
    const float y = places.bottom - 2.0F * kit.skin.control - 8.0F;
    const ImRect above(kPanelPad, top + 20.0F, width - 12.0F, y - 12.0F);
    scroll_part(kit, "what was read", above, shown);
    ButtonRow press(kit, kPanelPad, y, places.left);
    buttons(ui, *this, press);
    if (press("Read another")) asking = true;
  }
  close_on_escape(ui);
}

}  // namespace

ModelReader model_reader() {
  return {.ask = ask, .open = open_bytes, .open_paths = open_paths};
}

}  // namespace kvseats::ui
