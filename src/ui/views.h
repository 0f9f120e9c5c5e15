#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "chart/layout.h"
#include "gfx/shade.h"
#include "ui/app.h"
#include "ui/controls.h"
#include "ui/kit.h"
#include "ui/store.h"

/// The views: free functions that draw a part of the report and push actions.
///
/// Each takes the left upper corner and the width it may use (or a rectangle), and returns the
/// height it took, so that the same views stand side by side on a wide surface and one below the
/// other on a narrow one. No view computes a number of the domain: what it shows is in the report.
namespace kvseats::ui {

/// How much room there is.
enum class Form : std::uint8_t {
  kWide,    ///< inputs left, answers right
  kNarrow,  ///< one column
};

/// What the person chose in the strip; the surroundings decide until then.
enum class Theme : std::uint8_t { kAuto, kLight, kDark };

/// The plot as it was drawn last, and the slide of its curves to a new place.
struct PlotState {
  chart::Chart from;  ///< where the curves slide from
  chart::Chart shown;
  chart::Layout layout;
  gfx::Field shade;
  std::uint32_t revision = 0;  ///< of the answer in `shown`
  double start_s = -1.0;       ///< of the slide
  double target_x = 0.0;       ///< the operating point of the newest answer
  float width = 0;
  float height = 0;
  bool dark = false;
  bool touch = false;
  bool sliding = false;
  bool dragged = false;  ///< a hand holds the point or the plane
  bool held = false;     ///< it did when the chart was made
};

/// The curves of a comparison as they were set last.
struct ComparedPlot {
  chart::Layout layout;
  std::uint32_t revision = 0;
  float width = 0;
  bool dark = false;
};

/// What lies over the surface (panel.h).
struct Panel;

/// What is open, hovered or under way; nothing of it changes a number.
struct ViewState {
  Form form = Form::kWide;
  bool more = false;  ///< "More settings" is open
  int service = -1;   ///< the service being edited
  PlotState plot;
  ComparedPlot compared;
  Theme theme = Theme::kAuto;
  std::shared_ptr<Panel> panel;       ///< over all else; null: none is open
  std::string focus_key;              ///< the field of this key takes the keyboard when drawn
  double copied_until_s = 0;          ///< the strip's button says so until then
  double command_copied_until_s = 0;  ///< and the button of the command line
  std::string taken;                  ///< the button that was pressed to copy or save
  double taken_until_s = 0;           ///< and how long it says so
  float panel_height = 0;             ///< of the last frame, for the web page
};

struct Ui {
  Kit kit;
  Store store;
  ViewState view;
  LogReader read_log;      ///< without functions: the surroundings read logs
  ModelReader read_model;  ///< and model files
  HeadReader read_head = nullptr;
  explicit Ui(std::span<const std::byte> catalogue) : store(catalogue) {}
};

/// All inputs.
float inputs(Ui& ui, float x, float y, float width);
/// Both answers and the notes beside or below them.
float answers(Ui& ui, float x, float y, float width);
/// What the person should know about the input: warnings and notes.
float notices(Ui& ui, float x, float y, float width);
/// The memory of one GPU as a bar.
float memory(Ui& ui, float x, float y, float width);
/// The row of tabs; draws the one that is chosen below it.
float tabs(Ui& ui, float x, float y, float width);
/// Context against requests; `height` of the picture.
float tradeoff(Ui& ui, float x, float y, float width, float height);
/// What the engine allocates: a request by hand beside it, every kind of GPU, host memory, the
/// command line and the log.
float allocation(Ui& ui, float x, float y, float width);
/// A title, the bars, and what they say in one sentence; nothing for a chart without bars.
float titled_bars(Ui& ui, const chart::BarChart& bars, float x, float y, float width);
/// What one more change would give, with a button for each, and what gave what there is.
float levers(Ui& ui, float x, float y, float width);
/// Scenarios and models beside each other; pins and takes away.
float compare(Ui& ui, float x, float y, float width);
/// The ledger as arithmetic, with buttons that copy it.
float by_hand(Ui& ui, float x, float y, float width);
/// The services: rows that open to be edited.
float services(Ui& ui, float x, float y, float width);
/// All advanced fields and the engine's own options.
float more_settings(Ui& ui, float x, float y, float width);

/// A field of the table under its key.
struct KeyField {
  std::string_view key;
  std::string_view label;          ///< its accessible name
  std::string_view prefix = {};    ///< inside, left
  std::string_view note = {};      ///< inside, right
  std::string_view resolved = {};  ///< shown while nothing is typed
  bool bare = false;
  bool right = false;
};
void key_field(Ui& ui, const ImRect& rect, const KeyField& field);
/// What typing into a field of `key` asks for, as an action: live, final, or taken back.
void push_typed(Ui& ui, std::string_view key, const FieldResult& result);
/// A field of kind choice as a combo over all its formats or words.
void key_combo(Ui& ui, const ImRect& rect, std::string_view key, std::string_view label,
               std::string_view shown);
/// Why the last text of this field was refused, below it; the height taken (0: it was not).
float refusal(Ui& ui, std::string_view key, float x, float y, float width);

/// Sets the length of a request, its prompt and output in the proportion they have.
void set_tokens(Ui& ui, std::uint64_t tokens, std::uint32_t gesture);

}  // namespace kvseats::ui
