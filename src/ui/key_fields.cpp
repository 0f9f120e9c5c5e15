#include "scenario/fields.h"
#include "ui/views.h"
#include "units/text.h"

namespace kvseats::ui {

using chart::Ink;

void key_field(Ui& ui, const ImRect& rect, const KeyField& field) {
  Kit& kit = ui.kit;
  const scenario::Field* row = scenario::find_field(field.key);
  const std::string typed = scenario::get_key(ui.store.scenario(), field.key);
  const Trouble& trouble = ui.store.trouble();
  const bool bad = trouble.key == field.key;
  const std::string_view shown = bad             ? std::string_view(trouble.typed)
                                 : typed.empty() ? field.resolved
                                                 : std::string_view(typed);
  const std::string_view content = bad || !typed.empty() ? shown : field.resolved;
  FieldLook look{.prefix = field.prefix, .note = field.note};
  look.numeric = row != nullptr && row->kind == scenario::FieldKind::kCount;
  look.quiet = typed.empty() && !bad && !field.bare;
  look.bad = bad;
  look.bare = field.bare;
  look.right = field.right;
  const ImGuiID id = Kit::id(field.key);
  if (ui.view.focus_key == field.key) {
    kit.focus(id, true);
    ui.view.focus_key.clear();
  }
  const FieldResult result = text_field(kit, id, rect, field.label, shown, content, look);
  push_typed(ui, field.key, result);
}

void push_typed(Ui& ui, std::string_view key, const FieldResult& result) {
  Action action;
  action.gesture = result.gesture;
  if (result.cancelled) {
    ui.store.forget_trouble();
    action.kind = Action::Kind::kRevert;
    ui.kit.push(std::move(action));
    return;
  }
  // Looking into a field is not typing: a default stays a default.
  if (!result.touched || !(result.changed || result.committed)) return;
  const std::string text(units::trimmed(result.text));
  if (text.empty() && !result.committed) return;
  action.edits.push_back({key, text});
  action.tentative = !result.committed;
  ui.kit.push(std::move(action));
}

float refusal(Ui& ui, std::string_view key, float x, float y, float width) {
  const Trouble& trouble = ui.store.trouble();
  if (trouble.key != key) return 0.0F;
  const std::string words = trouble.why.text + ". " + trouble.why.remedy;
  return 4.0F + ui.kit.paragraph(x, y + 4.0F, width, 12.5F, 16.0F, Ink::kBad, words);
}

void key_combo(Ui& ui, const ImRect& rect, std::string_view key, std::string_view label,
               std::string_view shown) {
  Kit& kit = ui.kit;
  const ImGuiID id = Kit::id(key);
  if (!combo(kit, id, rect, label, shown, {})) return;
  const scenario::Field* row = scenario::find_field(key);
  if (row == nullptr) return;
  std::vector<PickRow> rows;
  for (auto& [value, words] : scenario::choices_of(*row)) rows.push_back({value, words, {}});
  const std::string now = scenario::get_key(ui.store.scenario(), key);
  const std::string_view current = now.empty() ? row->fallback : std::string_view(now);
  const int chosen = pick_list(kit, id, rect, {}, rows, current);
  if (chosen < 0) return;
  const std::string& value = rows[static_cast<std::size_t>(chosen)].value;
  kit.push(key, value == row->fallback ? std::string() : value);
}

void set_tokens(Ui& ui, std::uint64_t tokens, std::uint32_t gesture) {
  const scenario::Scenario& now = ui.store.scenario();
  const std::uint64_t before = ui.store.answer().report.per_request.tokens;
  if (tokens == 0 || tokens == before || before == 0) return;
  const std::string text = units::plain(tokens);
  Action action;
  action.gesture = gesture;
  // A limit given alone carries the length; otherwise prompt and output do.
  if (now.context && !now.prompt && !now.output) {
    action.edits.push_back({"context", text});
  } else {
    const std::uint64_t part = ui.store.output_share(tokens, gesture);
    if (now.context && now.context->value < tokens) action.edits.push_back({"context", text});
    action.edits.push_back({"prompt", units::plain(tokens - part)});
    action.edits.push_back({"output", units::plain(part)});
  }
  ui.kit.push(std::move(action));
}

}  // namespace kvseats::ui
