// The application as the host sees it: one value in per frame, one value out, nothing else.
//
//   auto app = ui::App::create({.catalogue = bytes, .font_regular = ttf, .font_bold = ttf2},
//                              "model=llama-3.1-8b&gpu=h100-sxm");
//   ImGui::SetCurrentContext(app->context());      // the host feeds io events of this context
//   ui::FrameResult result = app->frame({.width = 1440, .height = 900, .scale = 2});
//   renderer.render(ImGui::GetDrawData());         // of the same context
//   for (const ui::Effect& effect : result.effects) { … }        // the host carries them out
//
// Division of work: App decides, FramePacer decides when, the host obeys. App never opens a
// file, never reads a clock and never calls GL; it owns one ImGui context, so several Apps can
// live in one process (one thread; the caller makes the context current before each use).
//
// Units: lengths are logical pixels (CSS pixels on the web), origin top left; times are seconds.
// Failure: none of these functions fail. A bad query leaves the last good state and shows a
// diagnostic; missing fonts fall back to what ImGui has.
// Cost: `frame` at most 2 ms native at 1440x900 (median, without GL).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct ImGuiContext;

namespace kvseats::ui {

// Checks a pasted engine log against the prediction, in a panel over the surface. A module that
// does not name `log_reader` carries neither the panel nor the readers (the page has a dialog of
// its own).
struct Ui;
struct LogReader {
  // Opens the panel; with a text (a dropped file), checks it at once.
  void (*open)(Ui& ui, std::string_view text) = nullptr;
};
LogReader log_reader();

// Reads the first `most` bytes of a file and how large it is; false if it cannot be read.
using HeadReader = bool (*)(std::string_view path, std::uint64_t most, std::string& bytes,
                            std::uint64_t& size);

// Reads config.json and its relatives, in a panel that takes a path or a pasted text and shows what
// was read. The same for modules that do not name `model_reader`.
struct ModelReader {
  // Opens the panel, with nothing read yet.
  void (*ask)(Ui& ui) = nullptr;
  // Reads one file that is there as a whole.
  void (*open)(Ui& ui, std::string_view name, std::string_view bytes) = nullptr;
  // Reads the files of one model, and what belongs to them (`scenario::attach_paths`); or one log.
  void (*open_paths)(Ui& ui, std::span<const std::string_view> paths) = nullptr;
};
ModelReader model_reader();

// Draws the strip across the top: the answer as a sentence, what opens models and logs, copy,
// theme. The height taken. The same for modules that do not name it.
using StripView = float (*)(Ui& ui, float width);
float strip(Ui& ui, float width);

// Bytes the host brings. They must stay alive as long as the App does.
struct AppResources {
  std::span<const std::byte> catalogue;     // the one data file of models and accelerators
  std::span<const std::byte> font_regular;  // TTF, subset, tabular digits
  std::span<const std::byte> font_bold;     // TTF, the semibold cut
  StripView strip = nullptr;                // null where the page around the surface has one (web)
  // Without functions where the page around the surface reads files itself.
  ModelReader read_model = {};
  LogReader read_log = {};
  HeadReader read_head = nullptr;  // null: files come as bytes only
};

// Something only the host can do, asked for by a frame and carried out after it.
enum class EffectKind : std::uint8_t {
  kSetQuery,  // text: canonical query for the link and the form; name: "" or "drag" while a hand
              // is still dragging (the page then replaces, not adds, its history entry)
  kCopyText,  // text goes to the clipboard
  kSaveFile,  // text is the content, name the suggested file name; a .png without content is the
              // window's own picture (hosts that draw into one)
  kOpenFile,  // ask the person for a file; it comes back through App::open_file
  kOpenUrl,   // text: absolute https URL, opened outside
  kAnnounce,  // text: one sentence for the page's polite live region
};
struct Effect {
  EffectKind kind = EffectKind::kAnnounce;
  std::string text;
  std::string name;
};

// What the host knows at the start of a frame. The App puts size, scale and time into its ImGui
// io itself; events (pointer, keys, text) arrive through io from the host.
struct FrameInput {
  double width = 0;    // logical px of the surface; zero sized surfaces get no frame
  double height = 0;   // logical px
  double scale = 1;    // device px per logical px, any positive number (fonts are made for it)
  bool touch = false;  // the last pointer was a finger: larger targets
  bool dark = false;   // colour theme
  bool reduced_motion = false;  // no transitions, no blinking caret
  bool focused = false;         // the surface has the keyboard focus
  // The host lays a real text field over the one being edited (web). The App then draws the
  // frame of that field but not its text, caret or selection, and takes the text from
  // `edit_text`. False on the desktop: ImGui's own field, fed with text events.
  bool overlay_text = false;
  double now_s = 0;  // never decreases (but may repeat), arbitrary origin
};

// A rectangle in logical px.
struct Rect {
  double x = 0;
  double y = 0;
  double w = 0;
  double h = 0;
  bool operator==(const Rect&) const = default;
};

// The text field that is being edited now, if any.
struct TextEdit {
  bool active = false;
  std::uint32_t id = 0;  // differs from field to field, so that the host notices a change
  Rect rect;             // where the overlay goes; at least 16 px high
  std::string text;      // content at the moment editing began, or after the App changed it
  bool numeric = false;  // a numeric soft keyboard is wanted
  std::string label;     // accessible name
  double font_px = 14;   // size of the text in the field
};

// Places where the host has to decide about an event at once, before the App has seen it.
enum class ZoneKind : std::uint8_t {
  kDrag,    // a drag that starts here belongs to the App (slider, handle, point): no page pan
  kScroll,  // a list: the plain wheel scrolls it while the surface is focused and it can move
  kZoom,    // a chart: Ctrl or Cmd + wheel, and pinch, zoom it
  kMenu,    // the App shows its own context menu here
  kText,    // a text field: a tap here wants the soft keyboard
};
struct Zone {
  ZoneKind kind = ZoneKind::kDrag;
  Rect rect;
  bool can_up = false;    // kScroll only: there is content above
  bool can_down = false;  // kScroll only: there is content below
  bool operator==(const Zone&) const = default;
};

// Keys that the control with keyboard focus uses now; all others stay with the page.
enum KeyUse : std::uint32_t {
  kKeysNone = 0,
  kKeysLeftRight = 1U << 0,
  kKeysUpDown = 1U << 1,
  kKeysActivate = 1U << 2,  // Space, Enter
  kKeysHomeEnd = 1U << 3,
  kKeysPage = 1U << 4,    // PageUp, PageDown
  kKeysEscape = 1U << 5,  // the App closes something; otherwise Escape leaves the surface
  kKeysDelete = 1U << 6,  // Backspace, Delete
  kKeysText = 1U << 7,    // printable characters (type-ahead, ImGui's own field)
  kKeysUndo = 1U << 8,    // Ctrl/Cmd+Z, Ctrl+Y, Ctrl/Cmd+Shift+Z
  kKeysHelp = 1U << 9,    // the character ?
};

struct FrameResult {
  std::vector<Effect> effects;
  // Seconds until the App wants to be drawn again without any event: 0 the next frame,
  // infinity never. Animations and caret blinking ask here; nothing else keeps frames coming.
  double next_frame_s = std::numeric_limits<double>::infinity();
  TextEdit edit;
  std::vector<Zone> zones;         // later ones lie on top of earlier ones
  std::uint32_t keys = kKeysNone;  // KeyUse bits
  // Tab at this moment would go past the last control (Shift+Tab: before the first), so the
  // host must not take the key: focus goes on to the page.
  bool tab_leaves_forward = true;
  bool tab_leaves_backward = true;
  int cursor = 0;  // an ImGuiMouseCursor; -1 hides it
  // Height at which everything would be seen without scrolling, at this width; for pages that
  // make the surface as high as its content (logical px).
  double content_height = 0;
  std::uint32_t paper = 0xFBFAF7;  // colour of the ground, 0xRRGGBB: what the surface is cleared to
};

// How the keyboard focus came in.
enum class FocusFrom : std::uint8_t {
  kPointer,   // a click: no control gets the ring
  kForward,   // Tab from before: the first control
  kBackward,  // Shift+Tab from after: the last control
};

enum class EditEvent : std::uint8_t {
  kChange,  // the person typed; text is the whole content now
  kCommit,  // Enter or Tab
  kCancel,  // Escape: the content from before
  kLeave,   // focus left the field: text stays, and nothing is chosen by it
};

class App {
 public:
  // Never null. An unreadable catalogue gives an App that says so. The new context has
  // ImGuiBackendFlags_RendererHasTextures and keyboard navigation set, no ini file, and is left
  // current; it works without any renderer (tests).
  static std::unique_ptr<App> create(const AppResources& resources, std::string_view query);
  virtual ~App() = default;

  App(const App&) = delete;
  App& operator=(const App&) = delete;

  // The ImGui context of this App. The host makes it current before it feeds events, calls
  // `frame`, or reads draw data.
  virtual ImGuiContext* context() = 0;

  // One frame: NewFrame, views, Render. Call only when the pacer says so.
  virtual FrameResult frame(const FrameInput& input) = 0;

  // Replaces the scenario, as when the link or the form changed. Causes no kSetQuery echo for
  // a query that is canonical already.
  virtual void set_query(std::string_view query) = 0;

  // The state now, canonical; valid also when no frame can be drawn (hidden tab).
  virtual std::string query() const = 0;

  // Text of the overlay field (`FrameInput::overlay_text`); ignored when `id` is not the field
  // being edited.
  virtual void edit_text(std::uint32_t id, EditEvent event, std::string_view text) = 0;

  // A file was dropped on the surface, or picked after kOpenFile. `name` without folders.
  virtual void open_file(std::string_view name, std::span<const std::byte> bytes) = 0;

  // Files were dropped together: the files of one model, or one log. Read through
  // `AppResources::read_head`; without it nothing happens.
  virtual void open_paths(std::span<const std::string_view> paths) = 0;

  // Keyboard focus arrived; on leaving the host clears ImGui's keys and `focused` is false.
  virtual void focus_in(FocusFrom from) = 0;

  // The plain wheel turned over a zoom zone and went to the page: time for a short hint
  // ("Ctrl + wheel zooms").
  virtual void wheel_went_by() = 0;

  // Every control that is visible, for tests and tools: a JSON array of
  // {"id","label","role","rect":[x,y,w,h],"value","enabled","focused"} in drawing order.
  virtual void registry_json(std::string& out) const = 0;

 protected:
  App() = default;
};

}  // namespace kvseats::ui
