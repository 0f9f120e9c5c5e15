#include <algorithm>
#include <array>
#include <cmath>

#include "gfx/imgui_renderer.h"
#include "scenario/allocation_run.h"
#include "ui/panel.h"
#include "ui/views.h"

// The pool under traffic: every block a square, paged beside reserved, played or stepped.
namespace kvseats::ui {

/// The traffic under way and how it is painted.
struct PoolView {
  std::unique_ptr<scenario::AllocationRun> run;
  std::string query;  ///< of the deployment that runs
  bool playing = false;
  int speed = 1;
  double last_s = -1;         ///< of the last frame that played
  std::uint32_t changes = 0;  ///< grows whenever the run went on
  struct Grid {
    gfx::Cells cells;
    std::uint32_t changes = 0;  ///< of the run when it was painted
    bool dark = false;
  };
  std::array<Grid, 2> grids;
};

namespace {

using chart::Ink;
using scenario::Cell;

constexpr std::array<std::string_view, 4> kSpeeds = {"1\xC3\x97", "4\xC3\x97", "16\xC3\x97",
                                                     "64\xC3\x97"};
constexpr std::array<double, 4> kTimes = {1, 4, 16, 64};
constexpr std::uint64_t kWarmUp = 3000000000;  // ns before the first picture: an empty pool is dull
constexpr float kLeastCell = 2.0F;
constexpr float kMostCell = 18.0F;

using Color = std::array<std::uint8_t, 4>;

Color color_of(const chart::Theme& theme, Ink ink, double opacity) {
  const chart::Rgb rgb = theme[ink];
  return {rgb.r, rgb.g, rgb.b, static_cast<std::uint8_t>(opacity * 255.0 + 0.5)};
}

// One colour for each kind of cell; what is held in vain comes striped, so it has two.
struct Palette {
  std::array<Color, scenario::kCellKinds> of;
  Color stripe;
};

Palette palette_of(const chart::Theme& theme) {
  Palette out;
  const auto set = [&](Cell cell, Ink ink, double opacity) {
    out.of[static_cast<std::size_t>(cell)] = color_of(theme, ink, opacity);
  };
  set(Cell::kFree, Ink::kUnused, 0.75);
  set(Cell::kEmpty, Ink::kDataTint, 0.45);
  set(Cell::kShared, Ink::kWeights, 1.0);
  set(Cell::kUsed0, Ink::kData, 1.0);
  set(Cell::kUsed1, Ink::kData, 0.78);
  set(Cell::kUsed2, Ink::kData, 0.58);
  out.stripe = color_of(theme, Ink::kData, 0.5);
  return out;
}

// Squares as large as fit, on half pixels.
float cell_size(std::size_t count, float width, float height) {
  const float area = width * height / static_cast<float>(std::max<std::size_t>(count, 1));
  const float side = std::floor(std::sqrt(area) * 2.0F) / 2.0F;
  return std::clamp(side, kLeastCell, kMostCell);
}

void paint(PoolView::Grid& grid, const std::vector<Cell>& cells, int columns,
           const chart::Theme& theme) {
  const Palette palette = palette_of(theme);
  const auto count = static_cast<int>(cells.size());
  grid.cells.columns = columns;
  grid.cells.rows = (count + columns - 1) / columns;
  grid.cells.colors.assign(
      static_cast<std::size_t>(columns) * static_cast<std::size_t>(grid.cells.rows) * 4, 0);
  std::uint8_t* out = grid.cells.colors.data();
  int diagonal = 0;
  int column = 0;
  int row = 0;
  for (const Cell cell : cells) {
    const bool stripe = cell == Cell::kEmpty && diagonal == 0;
    const Color& color = stripe ? palette.stripe : palette.of[static_cast<std::size_t>(cell)];
    std::copy(color.begin(), color.end(), out);
    out += 4;
    diagonal = diagonal == 3 ? 0 : diagonal + 1;
    if (++column < columns) continue;
    column = 0;
    diagonal = ++row % 4;
  }
  ++grid.cells.revision;
  grid.dark = theme.dark;
}

PoolView& view_of(Ui& ui) {
  if (!ui.view.pool) ui.view.pool = std::make_shared<PoolView>();
  return *ui.view.pool;
}

void restart(Ui& ui, PoolView& view) {
  view.run = std::make_unique<scenario::AllocationRun>(ui.store.scenario(), ui.store.catalogue());
  view.run->advance(kWarmUp);
  view.query = ui.store.answer().report.query;
  ++view.changes;
}

// While a hand drags or types, the traffic of before goes on.
void follow(Ui& ui, PoolView& view) {
  const bool settled = !ui.kit.dragging && ui.kit.edit.id == 0;
  if (!view.run || (settled && view.query != ui.store.answer().report.query)) restart(ui, view);
  const double now = ui.kit.input.now_s;
  if (view.run->done()) view.playing = false;
  if (view.playing && view.last_s >= 0) {
    constexpr double kLongest = 0.1;  // a frame that took longer does not make time jump
    const double passed = std::min(now - view.last_s, kLongest);
    const double ns = passed * 1e9 * kTimes[static_cast<std::size_t>(view.speed)];
    view.run->advance(static_cast<std::uint64_t>(ns));
    ++view.changes;
  }
  view.last_s = view.playing ? now : -1;
}

// Play, step, restart, speed, and the time; the height taken.
float controls(Ui& ui, PoolView& view, float x, float y, float width) {
  Kit& kit = ui.kit;
  ButtonRow row(kit, x, y, width);
  if (row(view.playing ? "Pause" : "Play")) view.playing = !view.playing && !view.run->done();
  if (row("Step")) {
    view.playing = false;
    view.run->step();
    ++view.changes;
  }
  if (row("Restart")) restart(ui, view);
  const float cell = kit.skin.touch ? 48.0F : 44.0F;
  const float wide = cell * static_cast<float>(kSpeeds.size());
  const bool beside = width > 700.0F;
  const float top = beside ? y : y + row.tall() + 8.0F;
  const float left = beside ? x + 280.0F : x;
  const ImRect rect(left, top, left + wide, top + kit.skin.control);
  const int chosen = choice(kit, Kit::id("speed"), rect, "Speed", kSpeeds, view.speed);
  if (chosen >= 0) view.speed = chosen;
  const std::string elapsed = view.run->elapsed();
  kit.text(rect.Max.x + 12.0F, Kit::baseline_in(rect, kit.skin.text_label), kit.skin.text_label,
           Ink::kSoft, elapsed);
  return rect.Max.y - y;
}

// One of the two ways; the height taken.
float side(Ui& ui, PoolView& view, std::size_t i, float x, float y, float width, float height) {
  Kit& kit = ui.kit;
  const scenario::AllocationSide& now = view.run->side(i);
  const float start = y;
  const float size = kit.skin.text_control;
  kit.text(x, y + 14.0F, size, Ink::kInk, now.name, true);
  kit.text_right(x + width, y + 14.0F, size, Ink::kInk, now.counts);
  y += 24.0F;
  PoolView::Grid& grid = view.grids[i];
  const float cell = cell_size(now.cells.size(), width, height);
  const int columns = std::max(1, static_cast<int>(width / cell));
  const bool same = grid.changes == view.changes && grid.cells.columns == columns &&
                    grid.dark == kit.skin.theme->dark;
  if (!same) paint(grid, now.cells, columns, *kit.skin.theme);
  grid.changes = view.changes;
  grid.cells.id = static_cast<std::uint32_t>(i + 1);
  grid.cells.gap = cell >= 4.0F ? 1.0F / cell : 0.0F;
  const ImVec2 end(x + cell * static_cast<float>(columns),
                   y + cell * static_cast<float>(grid.cells.rows));
  kit.list().PushClipRect({x, y}, end, true);
  gfx::add_cells(kit.list(), {x, y}, end, grid.cells);
  kit.list().PopClipRect();
  y = end.y + 8.0F;
  y += kit.paragraph(x, y, width, 13.0F, 18.0F, Ink::kSoft, now.sentence);
  kit.record(Kit::id(now.name), now.name, Role::kText, {x, start, x + width, y},
             now.counts + ". " + now.sentence, {});
  return y - start;
}

// What the colours mean; the height taken.
float legend(Ui& ui, float x, float y, float width) {
  struct Entry {
    Cell cell;
    std::string_view words;
  };
  constexpr std::array kEntries{Entry{Cell::kUsed0, "holds tokens (shades tell requests apart)"},
                                Entry{Cell::kEmpty, "held, still empty"},
                                Entry{Cell::kShared, "shared prefix"}, Entry{Cell::kFree, "free"}};
  Kit& kit = ui.kit;
  const Palette palette = palette_of(*kit.skin.theme);
  const float size = kit.skin.text_label;
  const float start = y;
  float left = x;
  for (const Entry& entry : kEntries) {
    if (entry.cell == Cell::kShared && ui.store.answer().report.shared.prefix == 0) continue;
    const float wide = 16.0F + kit.width(entry.words, size);
    if (left > x && left + wide > x + width) {
      left = x;
      y += 20.0F;
    }
    const Color& c = palette.of[static_cast<std::size_t>(entry.cell)];
    const ImRect box(left, y + 5.0F, left + 10.0F, y + 15.0F);
    kit.list().AddRectFilled(box.Min, box.Max, IM_COL32(c[0], c[1], c[2], c[3]));
    if (entry.cell == Cell::kEmpty) {
      const Color& s = palette.stripe;
      kit.list().AddLine(box.GetBL(), box.GetTR(), IM_COL32(s[0], s[1], s[2], s[3]), 2.0F);
    }
    kit.text(left + 16.0F, y + 14.0F, size, Ink::kSoft, entry.words);
    left += wide + 20.0F;
  }
  return y - start + 20.0F;
}

}  // namespace

float pool_view(Ui& ui, float x, float y, float width) {
  constexpr float kBetween = 28.0F;
  Kit& kit = ui.kit;
  const float start = y;
  PoolView& view = view_of(ui);
  follow(ui, view);
  y += 8.0F;
  if (!view.run->ok()) {
    return y - start + diagnostics_text(kit, view.run->diagnostics(), x, y, width);
  }
  y += controls(ui, view, x, y, width) + 16.0F;
  const bool beside = width >= 640.0F;
  const float each = beside ? std::floor((width - kBetween) / 2.0F) : width;
  const float free = static_cast<float>(kit.input.height) - y - ImGui::GetScrollY() - 130.0F;
  const float room = beside ? std::clamp(free, 240.0F, 480.0F) : 280.0F;
  const float paged = side(ui, view, 0, x, y, each, room);
  const float right = beside ? x + each + kBetween : x;
  const float below = beside ? y : y + paged + 16.0F;
  const float reserved = side(ui, view, 1, right, below, each, room);
  y = std::max(y + paged, below + reserved) + 12.0F;
  y += legend(ui, x, y, width) + 6.0F;
  y += kit.paragraph(x, y, width, 13.0F, 18.0F, Ink::kSoft, view.run->caption());
  kit.record(Kit::id("grid"), "The grid", Role::kText, {x, y - 18.0F, x + width, y},
             view.run->caption(), {});
  if (view.playing) ui.view.animating = true;
  return y - start + 12.0F;
}

}  // namespace kvseats::ui
