#include <algorithm>
#include <cmath>

#include "scenario/evaluate.h"
#include "ui/views.h"
#include "units/text.h"

namespace kvseats::ui {
namespace {

using chart::Ink;

constexpr float kBetween = 48.0F;

/// The size of one answer and where its unit stands.
struct Shape {
  float size = 46.0F;
  float unit = 18.0F;
  bool below = false;  ///< the unit stands under the figure
  float room = 1e9F;   ///< for the unit under the figure, which wraps
};

float figure_width(const Kit& kit, const scenario::Figure& figure, const Shape& shape) {
  const float value = kit.width(figure.value, shape.size, true);
  const float words = std::min(kit.width(figure.unit_text, shape.unit), shape.room);
  const float both = shape.below ? std::max(value, words) : value + 10.0F + words;
  return std::max(both, kit.width(figure.question, kit.skin.text_label + 0.5F));
}

// A figure of digits slides to its new value; words do not.
std::string sliding(Kit& kit, std::string_view name, const std::string& value) {
  std::uint64_t number = 0;
  for (const char c : value) {
    if (c == ',') continue;
    if (c < '0' || c > '9' || number > 1000000000000ULL) return value;
    number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  if (value.empty()) return value;
  const double shown = kit.slides(Kit::id(name), static_cast<double>(number));
  return units::grouped(static_cast<std::uint64_t>(std::round(std::max(0.0, shown))));
}

float draw_figure(Ui& ui, const scenario::Figure& figure, std::string_view name, float x, float y,
                  const Shape& shape) {
  Kit& kit = ui.kit;
  kit.text(x, y + 13.0F, kit.skin.text_label + 0.5F, Ink::kSoft, figure.question);
  const std::string value = sliding(kit, name, figure.value);
  const float base = y + 20.0F + shape.size * 0.9F;
  const float wide = kit.text(x - shape.size * 0.03F, base, shape.size, Ink::kInk, value, true);
  float bottom = base + 12.0F;
  if (shape.below) {
    bottom = base + 6.0F;
    bottom += kit.paragraph(x, bottom, shape.room, shape.unit, 20.0F, Ink::kSoft, figure.unit_text);
  } else {
    kit.text(x + wide + 10.0F, base, shape.unit, Ink::kSoft, figure.unit_text);
  }
  const ImRect rect(x, y, x + figure_width(kit, figure, shape), bottom);
  kit.record(Kit::id(name), figure.question, Role::kText, rect,
             figure.value + " " + figure.unit_text, {});
  return bottom - y;
}

// The line that names the cheapest change: pointing at it shows its ghost, a press pins that.
void cheapest(Ui& ui, const ImRect& rect, std::string_view words) {
  Kit& kit = ui.kit;
  const scenario::Report& report = ui.store.answer().report;
  const auto best = scenario::cheapest_lever(report);
  if (!best) return;
  const scenario::Report::Lever& lever = report.levers[*best];
  const ImGuiID id = Kit::id("cheapest change");
  const Hand hand = kit.item(id, rect);
  kit.record(id, words, Role::kButton, rect, is_pinned(ui, lever.query) ? "pinned" : "", hand);
  if (hand.hovered || hand.ring) {
    ui.view.lever = lever.id;
    kit.list().AddRectFilled({rect.Min.x, rect.Max.y - 1.0F}, rect.Max,
                             kit.skin(Ink::kPointText, 0.5));
  }
  if (hand.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (hand.ring) kit.ring(rect, kit.skin.radius);
  if (hand.clicked) toggle_pin(ui, lever.query);
}

float draw_notes(Ui& ui, const scenario::Figures& figures, float x, float y, float width,
                 bool right) {
  Kit& kit = ui.kit;
  const float start = y;
  const auto line = [&](std::string_view words, Ink ink, bool strong) {
    if (words.empty()) return;
    const float size = kit.skin.text_label + 0.5F;
    if (right && kit.width(words, size, strong) <= width) {
      kit.text_right(x + width, y + 14.0F, size, ink, words, strong);
      y += 20.0F;
    } else {
      y += kit.paragraph(x, y, width, size, 20.0F, ink, words, strong);
    }
  };
  for (const std::string& note : figures.notes) line(note, Ink::kSoft, false);
  const float above = y;
  line(figures.lever, Ink::kPointText, true);
  if (y > above) cheapest(ui, {x, above, x + width, y}, figures.lever);
  return y - start;
}

}  // namespace

float answers(Ui& ui, float x, float y, float width) {
  Kit& kit = ui.kit;
  const scenario::Figures& figures = ui.store.answer().figures;
  const scenario::Figure* both[] = {&figures.how_many, &figures.how_long};
  float notes_width = kit.width(figures.lever, 13.0F, true);
  for (const std::string& note : figures.notes)
    notes_width = std::max(notes_width, kit.width(note, 13.0F));
  const auto needs = [&](const Shape& shape) {
    return figure_width(kit, *both[0], shape) + kBetween + figure_width(kit, *both[1], shape);
  };
  const auto fits_beside = [&](const Shape& shape) {
    return needs(shape) + kBetween + notes_width <= width;
  };
  const float half = std::round((width - 16.0F) / 2.0F);
  // From the finest arrangement to the most modest: the first that fits.
  struct Try {
    Shape shape;
    bool beside;
  };
  const Shape below{.size = 46.0F, .unit = 15.0F, .below = true};
  const Try tries[] = {
      {{}, true},
      {{.size = 46.0F, .unit = 16.0F}, true},
      {below, true},
      {{}, false},
      {{.size = 46.0F, .unit = 15.0F, .below = true, .room = half}, false},
      {{.size = 34.0F, .unit = 14.0F, .below = true, .room = half}, false},
  };
  const Try* best = &tries[5];
  for (const Try& one : tries) {
    if (one.beside ? !fits_beside(one.shape) : needs(one.shape) > width) continue;
    best = &one;
    break;
  }
  Shape shape = best->shape;
  const bool beside = best->beside;
  const bool halves = !beside && shape.below;
  // Large text on a telephone: not even the figures fit into halves.
  const bool stacked = halves && std::max(figure_width(kit, *both[0], shape),
                                          figure_width(kit, *both[1], shape)) > half;
  if (stacked) shape.room = width;
  // On a narrow surface each answer gets a half.
  const float second = x + (stacked  ? 0.0F
                            : halves ? half + 16.0F
                                     : figure_width(kit, *both[0], shape) + kBetween);
  float tall = draw_figure(ui, *both[0], "how many", x, y, shape);
  const float below_first = stacked ? tall + 12.0F : 0.0F;
  tall = std::max(
      tall, below_first + draw_figure(ui, *both[1], "how long", second, y + below_first, shape));
  if (beside) {
    const float lines = static_cast<float>(figures.notes.size() + (figures.lever.empty() ? 0 : 1));
    const float top = y + std::max(0.0F, tall - 8.0F - 20.0F * lines);
    draw_notes(ui, figures, x + width - notes_width - 1.0F, top, notes_width + 1.0F, true);
  } else {
    tall += 4.0F + draw_notes(ui, figures, x, y + tall + 4.0F, width, false);
  }
  return tall;
}

float notices(Ui& ui, float x, float y, float width) {
  Kit& kit = ui.kit;
  const float start = y;
  const auto line = [&](std::string_view name, const std::string& words, bool error) {
    kit.list().AddCircleFilled({x + 4.0F, y + 9.0F}, 3.5F,
                               kit.skin(error ? Ink::kBad : Ink::kPoint));
    const float tall = kit.paragraph(x + 16.0F, y, width - 16.0F, 13.0F, 18.0F,
                                     error ? Ink::kBad : Ink::kSoft, words);
    kit.record(Kit::id(name), name, Role::kText, {x, y, x + width, y + tall}, words, {});
    y += tall + 4.0F;
  };
  int shown = 0;
  for (const bool errors : {true, false}) {
    for (const units::Diagnostic& diagnostic : ui.store.diagnostics()) {
      const bool error = diagnostic.severity == units::Severity::kError;
      if (error != errors || diagnostic.severity == units::Severity::kNote || shown == 3) continue;
      line(diagnostic.code, diagnostic.text + ". " + diagnostic.remedy, error);
      ++shown;
    }
  }
  return y - start;
}

float memory(Ui& ui, float x, float y, float width) {
  Kit& kit = ui.kit;
  const chart::Measure measure = plot::measure(kit.skin.fonts);
  const chart::BarLayout layout =
      chart::lay_out(ui.store.answer().memory, {.width = static_cast<double>(width),
                                                .thickness = 30.0,
                                                .text_scale = 1.0,
                                                .measure = measure});
  const plot::Look look{.theme = kit.skin.theme, .fonts = kit.skin.fonts};
  plot::draw(kit.list(), layout, {x, y}, look);
  point_at_parts(ui, ui.store.answer().memory, layout, {x, y});
  return static_cast<float>(layout.height);
}

}  // namespace kvseats::ui
