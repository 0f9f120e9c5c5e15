#include <algorithm>
#include <cmath>
#include <string>

#include "imgui_internal.h"
#include "scenario/check.h"
#include "scenario/codec.h"
#include "ui/app.h"
#include "ui/views.h"

// A pasted log beside the prediction. The text lives here until the panel closes: it goes into no
// query, no file and no message.
namespace kvseats::ui {

using chart::Ink;
using scenario::LogReport;
using scenario::LogRow;
using scenario::LogVerdict;

struct LogPanel {
  std::string text;
  std::string keys;  // beside the log
  LogReport report;
  bool checked = false;
  bool focus = true;  // the box takes the keyboard in the next frame
};

namespace {

constexpr float kPad = 28.0F;

int grow(ImGuiInputTextCallbackData* data) {
  if (data->EventFlag != ImGuiInputTextFlags_CallbackResize) return 0;
  auto* text = static_cast<std::string*>(data->UserData);
  text->resize(static_cast<std::size_t>(data->BufTextLen));
  data->Buf = text->data();
  return 0;
}

// ImGui's own field of many lines; the only one of the interface. Pasting, selecting and undo are
// its own.
void text_box(Ui& ui, LogPanel& panel, const ImRect& rect) {
  Kit& kit = ui.kit;
  const ImGuiID id = Kit::id("log text");
  const Hand hand = kit.item(id, rect, {.passive = true});
  kit.record(id, "Log or command line", Role::kTextField, rect, panel.text.substr(0, 80), hand);
  const ImGuiID input = ImGui::GetCurrentWindow()->GetID("##log");
  ImGuiContext& g = *ImGui::GetCurrentContext();
  if (panel.focus || hand.entered) {
    g.NavActivateId = input;
    g.NavActivateFlags = ImGuiActivateFlags_PreferInput;
    panel.focus = false;
  }
  ImGui::SetCursorScreenPos(rect.Min);
  ImGui::PushFont(kit.skin.fonts.regular, 13.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(10.0F, 8.0F));
  ImGui::PushStyleColor(ImGuiCol_FrameBg, kit.skin(Ink::kField));
  ImGui::InputTextMultiline("##log", panel.text.data(), panel.text.capacity() + 1, rect.GetSize(),
                            ImGuiInputTextFlags_CallbackResize, grow, &panel.text);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::PopFont();
  const bool active = ImGui::GetActiveID() == input;
  if (active && ImGui::IsKeyPressed(ImGuiKey_Tab)) ImGui::ClearActiveID();
  kit.list().AddRect(rect.Min, rect.Max, kit.skin(active ? Ink::kData : Ink::kLine),
                     kit.skin.radius, 0, active ? 2.0F : 1.0F);
  if (panel.text.empty() && !active) {
    kit.text(rect.Min.x + 10.0F, rect.Min.y + 20.0F, 13.0F, Ink::kSoft,
             "vllm serve …, llama-server …, or what they print while they start");
  }
}

// Buttons one after the other, in as many rows as they need.
struct Row {
  float left = 0, right = 0, x = 0, y = 0;
};

bool press(Ui& ui, Row& row, std::string_view words) {
  Kit& kit = ui.kit;
  const float wide = kit.width(words, kit.skin.text_control) + 24.0F;
  if (row.x > row.left && row.x + wide > row.right) {
    row.x = row.left;
    row.y += kit.skin.control + 8.0F;
  }
  const ImRect rect(row.x, row.y, row.x + wide, row.y + kit.skin.control);
  row.x += wide + 8.0F;
  return button(kit, Kit::id(words), rect, words, ButtonLook::kBordered);
}

void check(Ui& ui, LogPanel& panel) {
  const scenario::Decoded beside = scenario::decode(panel.keys, scenario::Strictness::kCommandLine);
  panel.report = check_log(panel.text, beside, ui.store.catalogue());
  panel.checked = true;
}

void close(Ui& ui) {
  ui.view.log.reset();
}

void use(Ui& ui, const std::string& query) {
  ui.store.load_over(query);
  close(ui);
}

// Keys beside the log, as on a command line.
void keys_field(Ui& ui, LogPanel& panel, const ImRect& rect) {
  const FieldResult typed = text_field(ui.kit, Kit::id("log keys"), rect, "Keys beside the log",
                                       panel.keys, panel.keys, {.prefix = "Keys"});
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
  for (const units::Diagnostic& d : panel.report.diagnostics) {
    const Ink ink = d.severity == units::Severity::kError ? Ink::kBad : Ink::kSoft;
    y += kit.paragraph(x, y, width, 13.0F, 20.0F, ink, d.code + ": " + d.text + ". " + d.remedy);
    kit.record(Kit::id(d.code), d.code, Role::kText, {x, y - 20.0F, x + width, y}, d.text, {});
  }
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

void scroll_results(Ui& ui, const LogPanel& panel, const ImRect& area) {
  ImGui::SetCursorScreenPos(area.Min);
  ImGui::BeginChild("log results", area.GetSize(), ImGuiChildFlags_None,
                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float tall = results(ui, panel, at.x, at.y, area.GetWidth() - 16.0F);
  ImGui::SetCursorScreenPos({at.x, at.y + tall});
  ImGui::Dummy({1, 24});
  if (ImGui::GetScrollMaxY() > 0.0F) ui.kit.zone(ZoneKind::kScroll, area);
  ImGui::EndChild();
}

// The height they took.
float buttons(Ui& ui, LogPanel& panel, float x, float y, float width) {
  Row row{.left = x, .right = x + width, .x = x, .y = y};
  if (press(ui, row, "Check")) check(ui, panel);
  const LogReport& report = panel.report;
  const bool usable = panel.checked && report.ok && report.scenario.model.has_value();
  if (usable && press(ui, row, "Use this deployment")) use(ui, report.query);
  if (usable && !report.pool_query.empty() && press(ui, row, "Use it with the log's pool")) {
    use(ui, report.pool_query);
  }
  if (press(ui, row, "Close")) close(ui);
  return row.y + ui.kit.skin.control - y;
}

void draw_log(Ui& ui, float top, float width, float height) {
  const std::shared_ptr<LogPanel> panel = ui.view.log;  // closing it must not end it in here
  Kit& kit = ui.kit;
  const bool wide = width >= 900.0F;
  const float left = wide ? std::floor(width * 0.42F) : width - 2.0F * kPad;
  const float bottom = top + height - 20.0F;
  float y = top + 20.0F;
  y += kit.paragraph(kPad, y, left, 15.0F, 22.0F, Ink::kInk, "Check a log", true);
  y += kit.paragraph(kPad, y, left, 13.0F, 18.0F, Ink::kSoft,
                     "Paste what the engine prints while it starts, or its command line. The text "
                     "stays in this window.") +
       8.0F;
  const float controls = 3.0F * kit.skin.control + 32.0F;
  const float box = wide ? bottom - y - controls : std::min(220.0F, (bottom - y) * 0.4F);
  text_box(ui, *panel, {kPad, y, kPad + left, y + box});
  y += box + 8.0F;
  keys_field(ui, *panel, {kPad, y, kPad + left, y + kit.skin.control});
  y += kit.skin.control + 8.0F;
  y += buttons(ui, *panel, kPad, y, left);
  const ImRect beside(kPad + left + kPad, top + 20.0F, width - 12.0F, bottom);
  const ImRect below(kPad, y + 12.0F, width - 12.0F, bottom);
  if (panel->checked) scroll_results(ui, *panel, wide ? beside : below);
  const bool typing = ImGui::GetIO().WantTextInput || kit.edit.id != 0;
  if (!typing && ImGui::IsKeyPressed(ImGuiKey_Escape)) close(ui);
}

void open_log(Ui& ui, std::string_view text) {
  ui.view.log = std::make_shared<LogPanel>();
  if (text.empty()) return;
  ui.view.log->text = text;
  ui.view.log->focus = false;
  check(ui, *ui.view.log);
}

}  // namespace

LogReader log_reader() {
  return {.open = open_log, .draw = draw_log};
}

}  // namespace kvseats::ui
