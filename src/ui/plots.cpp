#include "ui/plots.h"

#include <algorithm>
#include <cmath>

#include "plot/plot.h"
#include "ui/views.h"

namespace kvseats::ui {
namespace {

using chart::Ink;

constexpr float kNarrowest = 110.0F;  // px of a column that can still be read

void set(const Kit& kit, StillPlot& plot, const chart::Chart& chart, std::uint32_t revision,
         float width) {
  const bool dark = kit.skin.theme->dark;
  if (plot.revision == revision && plot.width == width && plot.dark == dark) return;
  const double height = std::clamp(static_cast<double>(width) * 0.5, 240.0, 420.0);
  plot.layout = chart::lay_out(chart, {.width = static_cast<double>(width),
                                       .height = height,
                                       .measure = plot::measure(kit.skin.fonts)});
  plot.revision = revision;
  plot.width = width;
  plot.dark = dark;
}

float row_as_columns(Ui& ui, const std::vector<std::string>& cells, float x, float y, float width,
                     bool head) {
  const float wide = width / static_cast<float>(cells.size());
  float tall = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const float left = x + wide * static_cast<float>(i);
    const bool soft = head || i == 0;
    tall = std::max(tall, ui.kit.paragraph(left, y, wide - 12.0F, ui.kit.skin.text_label + 0.5F,
                                           18.0F, soft ? Ink::kSoft : Ink::kInk, cells[i]));
  }
  return tall;
}

// "Column: value" one below the other, under the row's own name.
float row_as_block(Ui& ui, const chart::TextTable& table, const std::vector<std::string>& cells,
                   float x, float y, float width) {
  const float size = ui.kit.skin.text_label + 0.5F;
  const float half = std::round(width * 0.55F);
  const float start = y;
  y += ui.kit.paragraph(x, y, width, size, 18.0F, Ink::kInk, cells[0], true) + 2.0F;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    const float name =
        ui.kit.paragraph(x, y, half - 12.0F, size, 18.0F, Ink::kSoft, table.columns[i]);
    y += std::max(name,
                  ui.kit.paragraph(x + half, y, width - half, size, 18.0F, Ink::kInk, cells[i])) +
         2.0F;
  }
  return y - start;
}

std::string joined(const std::vector<std::string>& cells) {
  std::string out;
  for (const std::string& cell : cells) out += (out.empty() ? "" : " | ") + cell;
  return out;
}

}  // namespace

float still_plot(Ui& ui, StillPlot& plot, const chart::Chart& chart, std::uint32_t revision,
                 float x, float y, float width) {
  Kit& kit = ui.kit;
  const float start = y;
  y += kit.paragraph(x, y, width, kit.skin.text_control, 20.0F, Ink::kInk, chart.title, true);
  if (!chart.series.empty() || !chart.marks.empty()) {
    y += 8.0F;
    set(kit, plot, chart, revision, std::floor(width));
    const plot::Look look{.theme = kit.skin.theme, .fonts = kit.skin.fonts};
    plot::draw(kit.list(), chart, plot.layout, {std::floor(x), std::floor(y)}, look);
    y += static_cast<float>(plot.layout.height) + 4.0F;
  }
  y += kit.paragraph(x, y, width, 13.0F, 18.0F, Ink::kSoft, chart.summary);
  kit.record(Kit::id(chart.title), chart.title, Role::kText, {x, start, x + width, y},
             chart.summary, {});
  return y - start + 24.0F;
}

float text_table(Ui& ui, std::string_view title, const chart::TextTable& table, float x, float y,
                 float width) {
  if (table.rows.empty()) return 0.0F;
  Kit& kit = ui.kit;
  const float start = y;
  y += kit.paragraph(x, y, width, kit.skin.text_control, 20.0F, Ink::kInk, title, true) + 6.0F;
  const bool roomy = width / static_cast<float>(table.columns.size()) >= kNarrowest;
  if (roomy) y += row_as_columns(ui, table.columns, x, y, width, true) + 4.0F;
  for (const std::vector<std::string>& row : table.rows) {
    kit.list().AddRectFilled({x, y}, {x + width, y + 1.0F}, kit.skin(Ink::kGrid));
    y += 5.0F;
    const float tall = roomy ? row_as_columns(ui, row, x, y, width, false)
                             : row_as_block(ui, table, row, x, y, width);
    kit.record(Kit::id(std::string(title) + row[0]), row[0], Role::kText,
               {x, y, x + width, y + tall}, joined(row), {});
    y += tall + 5.0F;
  }
  return y - start + 24.0F;
}

float said(Ui& ui, std::string_view name, std::string_view words, float x, float y, float width,
           Ink ink) {
  if (words.empty()) return 0.0F;
  const float tall = ui.kit.paragraph(x, y, width, ui.kit.skin.text_control, 20.0F, ink, words);
  ui.kit.record(Kit::id(name), name, Role::kText, {x, y, x + width, y + tall}, words, {});
  return tall + 8.0F;
}

}  // namespace kvseats::ui
