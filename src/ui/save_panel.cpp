#include <array>
#include <cmath>

#include "chart/describe.h"
#include "chart/svg.h"
#include "scenario/compare.h"
#include "ui/panel.h"
#include "ui/traffic_state.h"
#include "ui/views.h"

// What can be taken along from the window: any plot as a picture or as data, all of it as text. On
// a page its own dialog does that.
namespace kvseats::ui {
namespace {

using chart::Ink;

constexpr std::array<std::string_view, 5> kPlots = {"Trade-off", "Memory", "Levers", "Next",
                                                    "Compared"};
constexpr std::array<std::string_view, 5> kMorePlots = {"Lengths", "Overflow", "Traffic", "Bills",
                                                        "Rent"};
constexpr std::array<std::string_view, 10> kNames = {"tradeoff", "memory",  "levers",   "next",
                                                     "compare",  "lengths", "overflow", "running",
                                                     "bills",    "pareto"};
constexpr std::array<std::string_view, 3> kSizes = {"960 × 600", "1280 × 720", "1600 × 1000"};
constexpr std::array<std::array<double, 2>, 3> kPixels = {{{960, 600}, {1280, 720}, {1600, 1000}}};

struct File {
  std::string svg, csv;
};

template <class AnyChart>
File file_of(const Ui& ui, AnyChart chart, int size) {
  const scenario::Report& report = ui.store.answer().report;
  if (chart.caption.empty()) chart.caption = scenario::plain_text(ui.store.answer().sentence);
  chart.caption += " #" + report.pinned_query;
  const auto& pixels = kPixels[static_cast<std::size_t>(size)];
  const bool dark = ui.kit.skin.theme->dark;
  chart::SvgOptions options;
  options.width = pixels[0];
  options.height = pixels[1];
  options.theme = dark ? chart::SvgTheme::kDark : chart::SvgTheme::kLight;
  options.ground = true;
  options.caption = true;
  options.scalable = false;
  return {chart::to_svg(chart, options), chart::to_csv(chart::points_table(chart))};
}

// Of services and of the plan, as their views show them.
File plan_file(Ui& ui, int plot, int size) {
  TrafficState& state = traffic_now(ui);
  chart_service(ui, state);
  if (plot == 5) return file_of(ui, state.prompts, size);
  if (plot == 6) return file_of(ui, state.overflow, size);
  if (plot == 7) return file_of(ui, state.running, size);
  if (plot == 8) {
    follow_bills(ui, state);
    return file_of(ui, state.bills, size);
  }
  follow_offers(ui, state);
  return file_of(ui, state.pareto, size);
}

File file_of(Ui& ui, int plot, int size) {
  if (plot >= 5) return plan_file(ui, plot, size);
  const scenario::Report& report = ui.store.answer().report;
  const units::SizeUnit unit = ui.store.unit();
  const catalogue::Catalogue& catalogue = ui.store.catalogue();
  if (plot == 0) return file_of(ui, scenario::tradeoff_chart(report, unit), size);
  if (plot == 1) return file_of(ui, scenario::memory_bar(report, unit), size);
  if (plot == 2) return file_of(ui, scenario::waterfall_bars(report, catalogue), size);
  if (plot == 3) return file_of(ui, scenario::lever_bars(report), size);
  return file_of(ui, scenario::compare_link(ui.store.query(), catalogue, unit).curves, size);
}

class SavePanel final : public Panel {
 public:
  void draw(Ui& ui, float top, float width, float height) override {
    (void)height;
    Kit& kit = ui.kit;
    const float x = kPanelPad;
    const float wide = std::min(width - 2.0F * kPanelPad, 640.0F);
    float y = top + 28.0F;
    y += kit.paragraph(x, y, wide, 20.0F, 28.0F, Ink::kInk, "Take it along", true) + 12.0F;
    y += choices(kit, "Which plot", kPlots, plot_, x, y, wide);
    int more = plot_ - 5;
    y += choices(kit, "Of services and plan", kMorePlots, more, x, y - 4.0F, wide) - 4.0F;
    if (more >= 0) plot_ = more + 5;
    y += choices(kit, "Size of the picture", kSizes, size_, x, y, std::min(wide, 400.0F));
    ButtonRow row(kit, x, y + 8.0F, wide);
    if (row("Save SVG")) save(ui, ".svg", file_of(ui, plot_, size_).svg);
    if (row("Save CSV")) save(ui, ".csv", file_of(ui, plot_, size_).csv);
    const bool all = row("Save all as Markdown");
    const bool picture = row("Save the window as PNG");
    const bool back = row("Close");
    y += row.tall() + 20.0F;
    kit.paragraph(x, y, wide, 13.0F, 18.0F, Ink::kSoft,
                  saved_.empty() ? "Files come into the folder that the program was started in."
                                 : "Saved: " + saved_);
    if (all) {
      saved_ = "kv-seats.md";
      kit.effects.push_back(
          {EffectKind::kSaveFile, scenario::to_markdown(ui.store.answer().report), saved_});
    }
    // Without content: the host takes what it draws next, which is no longer this panel.
    if (picture) kit.effects.push_back({EffectKind::kSaveFile, {}, "kv-seats.png"});
    if (back || picture) {
      close_panel(ui);
      return;
    }
    close_on_escape(ui);
  }

 private:
  template <std::size_t kCount>
  static float choices(Kit& kit, std::string_view label,
                       const std::array<std::string_view, kCount>& words, int& at, float x, float y,
                       float wide) {
    const float above = kit.paragraph(x, y, wide, 13.0F, 20.0F, Ink::kSoft, label);
    const ImRect rect(x, y + above, x + wide, y + above + kit.skin.control);
    const int chosen = choice(kit, Kit::id(label), rect, label, words, at);
    if (chosen >= 0) at = chosen;
    return above + kit.skin.control + 12.0F;
  }

  void save(Ui& ui, const char* suffix, std::string text) {
    saved_ = "kv-seats-" + std::string(kNames[static_cast<std::size_t>(plot_)]) + suffix;
    ui.kit.effects.push_back({EffectKind::kSaveFile, std::move(text), saved_});
  }

  int plot_ = 0;
  int size_ = 0;
  std::string saved_;
};

}  // namespace

void open_save_panel(Ui& ui) {
  ui.view.panel = std::make_shared<SavePanel>();
}

}  // namespace kvseats::ui
