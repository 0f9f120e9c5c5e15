#include "scenario/fields.h"
#include "ui/views.h"

#include <cmath>

namespace kvseats::ui {
namespace {

using chart::Ink;

constexpr float kGap = 8.0F;

// A choice of an engine's option, or of a field, as its words are few: a row of choices.
void option_choice(Ui& ui, const ImRect& rect, const engine::OptionSpec& option) {
  std::string_view words[6];
  std::size_t count = 0;
  std::string_view rest = option.choices;
  while (!rest.empty() && count < 6) {
    const std::size_t bar = rest.find('|');
    words[count++] = rest.substr(0, bar);
    if (bar == std::string_view::npos) break;
    rest.remove_prefix(bar + 1);
  }
  const std::string now = scenario::get_key(ui.store.scenario(), option.key);
  const std::string_view current = now.empty() ? option.fallback : std::string_view(now);
  int at = -1;
  for (std::size_t i = 0; i < count; ++i) {
    if (words[i] == current) at = static_cast<int>(i);
  }
  const int chosen = choice(ui.kit, Kit::id(option.key), rect, option.label, {words, count}, at);
  if (chosen >= 0) ui.kit.push(option.key, std::string(words[chosen]));
}

// Label left, control right, the line of documentation below.
class Rows {
 public:
  Rows(Ui& ui, float x, float y, float width) : ui_(ui), x_(x), y_(y), width_(width) {}

  ImRect control() const {
    const float left = x_ + std::floor(width_ * 0.5F);
    return {left, y_, x_ + width_, y_ + ui_.kit.skin.control};
  }
  void label(std::string_view words) const {
    const ImRect rect = control();
    ui_.kit.text_cut(x_, Kit::baseline_in(rect, 12.5F), ui_.kit.skin.text_label, Ink::kInk, words,
                     rect.Min.x - x_ - kGap);
  }
  void next(std::string_view key, std::string_view doc) {
    y_ += ui_.kit.skin.control + 2.0F;
    const float refused = refusal(ui_, key, x_, y_, width_);
    y_ +=
        refused > 0.0F ? refused : ui_.kit.paragraph(x_, y_, width_, 12.0F, 16.0F, Ink::kSoft, doc);
    y_ += kGap;
  }
  [[nodiscard]] float y() const { return y_; }

 private:
  Ui& ui_;
  float x_;
  float y_;
  float width_;
};

}  // namespace

float more_settings(Ui& ui, float x, float y, float width) {
  Rows rows(ui, x, y, width);
  for (const scenario::Field& field : scenario::fields()) {
    const bool extra = field.key == "context" || field.key == "tp";
    if ((!field.advanced && !extra) || field.key == "pp") continue;
    rows.label(field.label);
    if (field.kind == scenario::FieldKind::kChoice) {
      const std::string now = scenario::get_key(ui.store.scenario(), field.key);
      key_combo(ui, rows.control(), field.key, field.label,
                now.empty() ? field.fallback : std::string_view(now));
    } else {
      key_field(
          ui, rows.control(),
          {.key = field.key, .label = field.label, .note = field.unit, .resolved = field.fallback});
    }
    rows.next(field.key, field.doc);
  }
  const engine::Profile* profile =
      engine::find_profile(ui.store.scenario().engine.value_or("hand"));
  if (profile == nullptr) return rows.y() - y;
  for (const engine::OptionSpec& option : profile->options) {
    rows.label(option.label);
    if (option.choices.empty()) {
      key_field(ui, rows.control(),
                {.key = option.key, .label = option.label, .resolved = option.fallback});
    } else {
      option_choice(ui, rows.control(), option);
    }
    rows.next(option.key, option.doc);
  }
  return rows.y() - y;
}

}  // namespace kvseats::ui
