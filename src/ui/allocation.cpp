#include <algorithm>

#include "chart/layout.h"
#include "plot/plot.h"
#include "ui/views.h"

namespace kvseats::ui {

using chart::Ink;

float titled_bars(Ui& ui, const chart::BarChart& bars, float x, float y, float width,
                  std::vector<ImRect>* rows) {
  if (bars.bars.empty()) return 0.0F;
  Kit& kit = ui.kit;
  float tall =
      kit.paragraph(x, y, width, kit.skin.text_control, 20.0F, Ink::kInk, bars.title, true) + 8.0F;
  const chart::BarLayout layout = chart::lay_out(bars, {.width = static_cast<double>(width),
                                                        .thickness = 24.0,
                                                        .text_scale = 1.0,
                                                        .measure = plot::measure(kit.skin.fonts)});
  const plot::Look look{.theme = kit.skin.theme, .fonts = kit.skin.fonts};
  plot::draw(kit.list(), layout, {x, y + tall}, look);
  if (rows == nullptr) point_at_parts(ui, bars, layout, {x, y + tall});
  if (rows != nullptr) rows->assign(bars.bars.size(), {x, y + tall, x, y + tall});
  for (const chart::PlacedSegment& part : layout.segments) {
    if (rows == nullptr) break;
    (*rows)[part.bar] = {x, y + tall + static_cast<float>(part.box.top), x + width,
                         y + tall + static_cast<float>(part.box.bottom)};
  }
  tall += static_cast<float>(layout.height) + 8.0F;
  tall += kit.paragraph(x, y + tall, width, 13.0F, 18.0F, Ink::kSoft, bars.summary);
  kit.record(Kit::id(bars.id), bars.title, Role::kText, {x, y, x + width, y + tall}, bars.summary,
             {});
  return tall + 24.0F;
}

namespace {

// The engine's command line and a button that copies it.
float command(Ui& ui, const std::string& line, float x, float y, float width) {
  if (line.empty()) return 0.0F;
  Kit& kit = ui.kit;
  constexpr std::string_view kWords = "Copy command";
  const bool copied = kit.input.now_s < ui.view.command_copied_until_s;
  const float wide = kit.width(kWords, kit.skin.text_control) + 24.0F;
  const float left = x + std::max(0.0F, width - wide);
  const ImRect rect(left, y, x + width, y + kit.skin.control);
  if (button(kit, Kit::id("copy command"), rect, copied ? "Copied" : kWords,
             ButtonLook::kBordered)) {
    kit.effects.push_back({EffectKind::kCopyText, line, {}});
    ui.view.command_copied_until_s = kit.input.now_s + 1.5;
  }
  kit.text(x, Kit::baseline_in(rect, kit.skin.text_control), kit.skin.text_control, Ink::kInk,
           "Started with", true);
  float tall = kit.skin.control + 6.0F;
  tall += kit.paragraph(x, y + tall, width, 13.0F, 20.0F, Ink::kInk, line);
  kit.record(Kit::id("command"), "Started with", Role::kText, {x, y, x + width, y + tall}, line,
             {});
  return tall + 20.0F;
}

// What the engine's log would say.
float log_lines(Ui& ui, const std::vector<std::string>& lines, float x, float y, float width) {
  if (lines.empty()) return 0.0F;
  Kit& kit = ui.kit;
  float tall = kit.paragraph(x, y, width, kit.skin.text_control, 20.0F, Ink::kInk,
                             "What its log would say", true);
  std::string all;
  for (const std::string& line : lines) {
    tall += 4.0F + kit.paragraph(x, y + tall + 4.0F, width, 13.0F, 18.0F, Ink::kSoft, line);
    all += (all.empty() ? "" : "\n") + line;
  }
  kit.record(Kit::id("log"), "What its log would say", Role::kText, {x, y, x + width, y + tall},
             all, {});
  return tall + 20.0F;
}

}  // namespace

float allocation(Ui& ui, float x, float y, float width) {
  const Answer& answer = ui.store.answer();
  const float start = y;
  y += 12.0F;
  y += titled_bars(ui, answer.allocation, x, y, width);
  y += titled_bars(ui, answer.gpus, x, y, width);
  y += command(ui, answer.command, x, y, width);
  y += log_lines(ui, answer.report.engine.start_lines, x, y, width);
  y += hand_step(ui, "gpu", x, y, width);
  return y - start;
}

}  // namespace kvseats::ui
