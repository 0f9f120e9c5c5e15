#include <algorithm>
#include <cmath>
#include <string>

#include "scenario/check.h"
#include "scenario/codec.h"
#include "ui/app.h"
#include "ui/panel.h"
#include "ui/views.h"

// A pasted log beside the prediction. The text lives here until the panel closes: it goes into no
// query, no file and no message.
namespace kvseats::ui {

using chart::Ink;
using scenario::LogReport;
using scenario::LogRow;
using scenario::LogVerdict;

namespace {

struct LogPanel final : Panel {
  TextBox log{.text = {}, .focus = true};
  std::string keys;  // beside the log
  LogReport report;
  bool checked = false;
  void draw(Ui& ui, float top, float width, float height) override;
};

void check(Ui& ui, LogPanel& panel) {
  const scenario::Decoded beside = scenario::decode(panel.keys, scenario::Strictness::kCommandLine);
  panel.report = check_log(panel.log.text, beside, ui.store.catalogue());
  panel.checked = true;
}

void use(Ui& ui, const std::string& query) {
  ui.store.load_over(query);
  close_panel(ui);
}

// Keys beside the log, as on a command line.
void keys_field(Ui& ui, LogPanel& panel, const ImRect& rect) {
  const bool empty = panel.keys.empty();
  const FieldResult typed =
      text_field(ui.kit, Kit::id("log keys"), rect, "Keys beside the log",
                 empty ? "gpu=h100-sxm model=llama-3.1-8b" : std::string_view(panel.keys),
                 panel.keys, {.prefix = "Keys beside it", .quiet = empty});
  if (typed.changed || typed.committed || typed.cancelled) panel.keys = typed.text;
}

Ink ink_of(LogVerdict verdict) {
  switch (verdict) {
    case LogVerdict::kAgrees:
      return Ink::kData;
    case LogVerdict::kDiffers:
      return Ink::kBad;
    case LogVerdict::kNotPredicted:
      break;
  }
  return Ink::kSoft;
}

std::string_view word_of(LogVerdict verdict) {
  switch (verdict) {
    case LogVerdict::kAgrees:
      return "agrees";
    case LogVerdict::kDiffers:
      return "differs";
    case LogVerdict::kNotPredicted:
      break;
  }
  return "not predicted";
}

std::string valued(const std::string& value, const std::string& unit) {
  return value.empty() || unit.empty() ? value : value + " " + unit;
}

// What it is, then printed, predicted and the verdict; the cause below.
float row_of(Ui& ui, const LogRow& row, float x, float y, float width) {
  Kit& kit = ui.kit;
  const float middle = x + width * 0.36F;
  const float third = x + width * 0.60F;
  const float right = x + width;
  const float base = y + 16.0F;
  kit.text_cut(x, base, 13.0F, Ink::kInk, row.label, middle - x - 8.0F);
  kit.text_cut(middle, base, 13.0F, Ink::kInk, valued(row.printed, row.unit), third - middle - 8.0F,
               true);
  kit.text_cut(third, base, 13.0F, Ink::kInk, valued(row.predicted, row.unit),
               right - third - 92.0F);
  kit.text_right(right, base, 13.0F, ink_of(row.verdict), word_of(row.verdict));
  const std::string value =
      row.printed + " / " + row.predicted + " " + std::string(word_of(row.verdict));
  kit.record(Kit::id(row.id + row.printed), row.label, Role::kText, {x, y, right, y + 22.0F}, value,
             {});
  return 24.0F + kit.paragraph(x, y + 22.0F, width, 12.0F, 16.0F, Ink::kSoft, row.cause);
}

float lines_of(Ui& ui, float x, float y, float width, std::string_view title,
               const std::vector<std::string>& lines) {
  if (lines.empty()) return 0.0F;
  const float start = y;
  y += ui.kit.paragraph(x, y, width, 13.0F, 20.0F, Ink::kInk, title, true);
  for (const std::string& line : lines) {
    y += ui.kit.paragraph(x, y, width, 13.0F, 18.0F, Ink::kSoft, line);
  }
  return y - start + 10.0F;
}

std::vector<std::string> missing_lines(const LogReport& report) {
  std::vector<std::string> out;
  for (const scenario::LogMissing& m : report.missing) {
    out.push_back(m.key + ": " + m.why + "; assumed: " + m.assumed);
  }
  return out;
}

std::vector<std::string> taken_lines(const LogReport& report) {
  std::vector<std::string> out;
  for (const scenario::LogTaken& t : report.taken) {
    out.push_back(t.key + " = " + t.text +
                  (t.line == 0 ? "" : "  (line " + std::to_string(t.line) + ": " + t.source + ")"));
  }
  return out;
}

std::string summary(const LogReport& report) {
  if (!report.predicted) return report.engine_name + ": " + report.no_prediction + ".";
  if (report.rows.empty()) return report.engine_name + ": " + report.answer;
  return report.engine_name + " " + report.version + ": " + std::to_string(report.agree) +
         " printed values agree, " + std::to_string(report.differ) + " differ.";
}

float results(Ui& ui, const LogPanel& panel, float x, float y, float width) {
  Kit& kit = ui.kit;
  const float start = y;
  y += diagnostics_text(kit, panel.report.diagnostics, x, y, width);
  if (!panel.report.ok) return y - start;
  const std::string told = summary(panel.report);
  y += kit.paragraph(x, y, width, 15.0F, 24.0F, Ink::kInk, told, true) + 6.0F;
  kit.record(Kit::id("log summary"), "Result", Role::kText, {x, y - 24.0F, x + width, y}, told, {});
  for (const LogRow& row : panel.report.rows) {
    y += row_of(ui, row, x, y, width);
    kit.list().AddRectFilled({x, y - 1.0F}, {x + width, y}, kit.skin(Ink::kGrid));
  }
  y += 12.0F;
  y += lines_of(ui, x, y, width, "It should print", panel.report.expected_lines);
  y += lines_of(ui, x, y, width, "Not in the log", missing_lines(panel.report));
  y += lines_of(ui, x, y, width, "Unknown flags", panel.report.unknown_flags);
  y += lines_of(ui, x, y, width, "Flags whose memory is not counted", panel.report.uncounted_flags);
  y += lines_of(ui, x, y, width, "Taken from the log", taken_lines(panel.report));
  return y - start;
}

// The height they took.
float buttons(Ui& ui, LogPanel& panel, float x, float y, float width) {
  ButtonRow press(ui.kit, x, y, width);
  if (press("Check")) check(ui, panel);
  const LogReport& report = panel.report;
  const bool usable = panel.checked && report.ok && report.scenario.model.has_value();
  if (usable && press("Use this deployment")) use(ui, report.query);
  if (usable && !report.pool_query.empty() && press("Use it with the log's pool")) {
    use(ui, report.pool_query);
  }
  if (press("Close")) close_panel(ui);
  return press.tall();
}

void LogPanel::draw(Ui& ui, float top, float width, float height) {
  Kit& kit = ui.kit;
  const PanelPlaces places = panel_places(top, width, height);
  const float left = places.left;
  float y = top + 20.0F;
  y += kit.paragraph(kPanelPad, y, left, 15.0F, 22.0F, Ink::kInk, "Check a log", true);
  y += kit.paragraph(kPanelPad, y, left, 13.0F, 18.0F, Ink::kSoft,
                     "Paste what the engine prints while it starts, or its command line. The text "
                     "stays in this window.") +
       8.0F;
  const float controls = 3.0F * kit.skin.control + 32.0F;
  const float room = places.bottom - y;
  const float box = places.wide ? room - controls : std::min(220.0F, room * 0.4F);
  text_box(kit, log, {kPanelPad, y, kPanelPad + left, y + box}, "Log or command line",
           "vllm serve …, llama-server …, or what they print while they start");
  y += box + 8.0F;
  keys_field(ui, *this, {kPanelPad, y, kPanelPad + left, y + kit.skin.control});
  y += kit.skin.control + 8.0F;
  y += buttons(ui, *this, kPanelPad, y, left);
  const ImRect below(kPanelPad, y + 12.0F, width - 12.0F, places.bottom);
  if (checked) {
    scroll_part(kit, "log results", places.wide ? places.beside : below,
                [&](float x, float at, float room_x) { return results(ui, *this, x, at, room_x); });
  }
  close_on_escape(ui);
}

void open_log(Ui& ui, std::string_view text) {
  const auto panel = std::make_shared<LogPanel>();
  ui.view.panel = panel;
  if (text.empty()) return;
  panel->log.text = text;
  panel->log.focus = false;
  check(ui, *panel);
}

}  // namespace

LogReader log_reader() {
  return {.open = open_log};
}

}  // namespace kvseats::ui
