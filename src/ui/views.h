#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "chart/layout.h"
#include "gfx/shade.h"
#include "ui/app.h"
#include "ui/controls.h"
#include "ui/kit.h"
#include "ui/plots.h"
#include "ui/store.h"
#include "ui/zoom.h"

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
  chart::Chart from;    ///< where the curves slide from
  chart::Chart target;  ///< and to
  chart::Chart shown;
  chart::Layout layout;
  gfx::Field shade;
  std::uint32_t revision = 0;  ///< of the answer in `shown`
  double start_s = -1.0;       ///< of the slide
  double target_x = 0.0;       ///< the operating point of the newest answer
  std::string lever;           ///< whose ghost is forward in `shown`
  float width = 0;
  float height = 0;
  bool dark = false;
  bool touch = false;
  bool sliding = false;
  bool dragged = false;             ///< a hand holds the point or the plane
  bool held = false;                ///< it did when the chart was made
  bool panning = false;             ///< a hand holds the paper
  bool let_go = false;              ///< it did until this frame: the release is no click on a place
  std::uint32_t click_gesture = 0;  ///< of the press that moved the point last
  double zoomed_s = -1;             ///< the last turn of the wheel, and the undo step it belongs to
  std::uint32_t zoom_gesture = 0;
};

/// What lies over the surface (panel.h).
struct Panel;
/// The traffic under way (pool_view.cpp).
struct PoolView;
/// Services and the plan, made when a hand rests (traffic_state.h).
struct TrafficState;

/// What a part of a bar is made of, beside it until the pointer leaves.
struct Tip {
  ImRect anchor;
  std::string title, value, formula, source;  ///< no title: none
};

/// What is open, hovered or under way; nothing of it changes a number.
struct ViewState {
  Form form = Form::kWide;
  bool more = false;  ///< "More settings" is open
  int service = -1;   ///< the service being edited
  PlotState plot;
  StillPlot compared;
  std::string lever;         ///< id of the lever that is pointed at in this frame
  std::string lever_shown;   ///< and in the one before: what the plot brings forward
  std::string ghost;         ///< query of another deployment that is pointed at in this frame
  std::string ghost_shown;   ///< and in the one before
  std::string ledger;        ///< id of the row whose part, or of whose part the row, is pointed at
  std::string ledger_shown;  ///< the same in the frame before
  std::string wanted_row;    ///< the row that a press on a part asked for
  std::string scrolled_to;   ///< and that it came into view
  int bar_part = 0;          ///< of a bar with the keyboard
  Tip tip;
  Theme theme = Theme::kAuto;
  std::shared_ptr<Panel> panel;           ///< over all else; null: none is open
  std::shared_ptr<PoolView> pool;         ///< null until its tab was open
  std::shared_ptr<TrafficState> traffic;  ///< the same for Services and Plan
  bool animating = false;                 ///< something plays: the next frame is wanted at once
  std::string focus_key;                  ///< the field of this key takes the keyboard when drawn
  double copied_until_s = 0;              ///< the strip's button says so until then
  double command_copied_until_s = 0;      ///< and the button of the command line
  std::string taken;                      ///< the button that was pressed to copy or save
  double taken_until_s = 0;               ///< and how long it says so
  float panel_height = 0;                 ///< of the last frame, for the web page
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
/// Presets, undo, redo.
float tools(Ui& ui, float x, float y, float width);
/// Units, size of the text, reset, and what the keys do.
float view_settings(Ui& ui, float x, float y, float width);
/// Opens the panel that says what keys and gestures do.
void show_shortcuts(Ui& ui);
/// How much larger everything is by the page key `text`: 1, 1.25, 1.5, 2.
[[nodiscard]] float text_factor(std::string_view page_value);
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
/// A line through the pointer and what it means there; `area` of the plot.
void crosshair(Ui& ui, ImVec2 origin, const ImRect& area);
/// The same with what is said about the point below it, and the levers to point at and to pin;
/// `height` of all.
float frontier(Ui& ui, float x, float y, float width, float height);
/// Rows of a list of all models, and of all accelerators, that the filter leaves.
[[nodiscard]] std::vector<PickRow> model_rows(const Ui& ui);
[[nodiscard]] std::vector<PickRow> device_rows(const Ui& ui);
/// The plot's zoom about the operating point (`factor` below 1: closer), and setting it.
[[nodiscard]] Zoom zoom_about_point(const Ui& ui, const Axes& whole, double factor);
void set_zoom(Ui& ui, const Zoom& zoom, std::uint32_t gesture);
/// Pointing at a part of a bar, or walking to it with the arrows, says what it is made of; a press
/// goes to its row of the ledger.
void point_at_parts(Ui& ui, const chart::BarChart& bars, const chart::BarLayout& layout,
                    ImVec2 origin);
/// A row of the ledger marks its part of the bars, and is marked by it.
void link_row(Ui& ui, std::string_view id, const ImRect& rect);
/// The tip of this frame, over everything that was drawn before; between `left` and `right`.
void draw_tip(Ui& ui, float left, float right);
/// Pins the deployment of the canonical `query` to the plot, or takes it off; at most four.
void toggle_pin(Ui& ui, std::string_view query);
[[nodiscard]] bool is_pinned(const Ui& ui, std::string_view query);
/// What the engine allocates: a request by hand beside it, every kind of GPU, host memory, the
/// command line and the log, and the arithmetic of one GPU.
float allocation(Ui& ui, float x, float y, float width);
/// A title, the bars, and what they say in one sentence; nothing for a chart without bars. `rows`:
/// where each bar came to lie.
float titled_bars(Ui& ui, const chart::BarChart& bars, float x, float y, float width,
                  std::vector<ImRect>* rows = nullptr);
/// The pool under traffic, block by block: paged beside reserved.
float pool_view(Ui& ui, float x, float y, float width);
/// What one more change would give, with a button for each, and what gave what there is.
float levers(Ui& ui, float x, float y, float width);
/// Scenarios and models beside each other; pins and takes away.
float compare(Ui& ui, float x, float y, float width);
/// A table of the services, who asks, how long their requests are, how many fit.
float services_view(Ui& ui, float x, float y, float width);
/// Bills, an hour of traffic, and what there is to rent.
float plan_view(Ui& ui, float x, float y, float width);
/// The ledger as arithmetic, with buttons that copy it.
float by_hand(Ui& ui, float x, float y, float width);
/// One step of it, by its id (scenario/byhand.h); all of them if that is empty.
float hand_step(Ui& ui, std::string_view id, float x, float y, float width);
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
