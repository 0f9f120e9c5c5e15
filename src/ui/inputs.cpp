#include <algorithm>
#include <cmath>

#include "scenario/fields.h"
#include "ui/views.h"
#include "units/text.h"

namespace kvseats::ui {
namespace {

using chart::Ink;

constexpr float kGap = 8.0F;
constexpr float kSection = 16.0F;

ImRect part(const ImRect& row, int i, int count) {
  const float wide =
      (row.GetWidth() - kGap * static_cast<float>(count - 1)) / static_cast<float>(count);
  const float left = std::round(row.Min.x + (wide + kGap) * static_cast<float>(i));
  const float right = i + 1 == count ? row.Max.x : std::round(left + wide);
  return {left, row.Min.y, right, row.Max.y};
}

/// Places rows below each other.
struct Column {
  Ui& ui;
  float x;
  float y;
  float w;

  ImRect row() {
    const ImRect rect(x, y, x + w, y + ui.kit.skin.control);
    y = rect.Max.y + kGap;
    return rect;
  }
  void head(std::string_view words) {
    ui.kit.text(x, y + 11.0F, ui.kit.skin.text_head, Ink::kSoft, words, true);
    y += 16.0F + kGap;
  }
  void label(float at, std::string_view words) const {
    ui.kit.text(at, y + 12.0F, ui.kit.skin.text_label, Ink::kSoft, words);
  }
  /// Labels of a row of three fields.
  void labels(std::string_view first, std::string_view second, std::string_view third) {
    const std::string_view words[] = {first, second, third};
    const ImRect row(x, y, x + w, y);
    for (int i = 0; i < 3; ++i) label(part(row, i, 3).Min.x, words[i]);
    y += 18.0F;
  }
  void next_section() { y += kSection - kGap; }
};

void model_picker(Ui& ui, const ImRect& rect) {
  const auto& report = ui.store.answer().report;
  const ImGuiID id = Kit::id("model");
  if (!combo(ui.kit, id, rect, "Model", report.model.name, {})) return;
  const std::vector<PickRow> rows = model_rows(ui);
  const int chosen = pick_list(ui.kit, id, rect, "Search models", rows, report.model.slug);
  if (chosen < 0) return;
  Action action;
  action.edits.push_back({"model", rows[static_cast<std::size_t>(chosen)].value});
  ui.kit.push(std::move(action));
}

void gpu_picker(Ui& ui, const ImRect& rect) {
  const auto& report = ui.store.answer().report;
  const ImGuiID id = Kit::id("gpu");
  const std::string seen = units::size_text(report.gpu.seen, ui.store.unit());
  const bool roomy =
      ui.kit.width(report.gpu.name, ui.kit.skin.text_control) + 36.0F <= rect.GetWidth();
  const std::string& name = roomy ? report.gpu.name : report.gpu.short_name;
  if (!combo(ui.kit, id, rect, "Accelerator", name, seen)) return;
  const std::vector<PickRow> rows = device_rows(ui);
  const int chosen = pick_list(ui.kit, id, rect, "Search accelerators", rows, report.gpu.slug);
  if (chosen < 0) return;
  Action action;
  action.edits.push_back({"gpu", rows[static_cast<std::size_t>(chosen)].value});
  ui.kit.push(std::move(action));
}

// Layers, KV heads and head dim of the (first) kind of layer that keeps a cache.
void geometry(Ui& ui, const ImRect& row) {
  const auto& report = ui.store.answer().report;
  const auto& groups = report.model_spec.groups;
  const auto first = std::find_if(groups.begin(), groups.end(), [](const model::LayerGroup& group) {
    return group.kv_heads > 0;
  });
  const std::string layers = units::plain(report.model.layers);
  const std::string heads = first == groups.end() ? "" : units::plain(first->kv_heads);
  const std::string dim = first == groups.end() ? "" : units::plain(first->k_dim);
  key_field(ui, part(row, 0, 3), {.key = "layers", .label = "Layers", .resolved = layers});
  key_field(ui, part(row, 1, 3), {.key = "kvheads", .label = "KV heads", .resolved = heads});
  key_field(ui, part(row, 2, 3), {.key = "headdim", .label = "Head dim", .resolved = dim});
}

void cache_choice(Ui& ui, const ImRect& rect) {
  constexpr std::string_view kWords[] = {"16", "8", "4"};
  constexpr std::string_view kValues[] = {"", "fp8", "nvfp4"};
  const std::string now = scenario::get_key(ui.store.scenario(), "kv");
  int at = -1;
  if (now.empty() || now == "auto" || now == "bf16" || now == "f16" || now == "fp16") at = 0;
  if (now == "fp8" || now == "8" || now == "int8" || now == "fp8_e4m3") at = 1;
  if (now == "nvfp4" || now == "4" || now == "int4") at = 2;
  if (ui.store.scenario().k || ui.store.scenario().v) at = -1;
  const int chosen = choice(ui.kit, Kit::id("kv"), rect, "Cache", kWords, at);
  if (chosen < 0) return;
  Action action;
  action.edits = {{"k", {}}, {"v", {}}, {"kv", std::string(kValues[chosen])}};
  ui.kit.push(std::move(action));
}

void section_model(Ui& ui, Column& column) {
  const auto& report = ui.store.answer().report;
  column.head("MODEL");
  model_picker(ui, column.row());
  column.y += refusal(ui, "model", column.x, column.y - kGap, column.w);
  column.labels("Layers", "KV heads", "Head dim");
  geometry(ui, column.row());
  for (const std::string_view key : {"layers", "kvheads", "headdim"}) {
    column.y += refusal(ui, key, column.x, column.y - kGap, column.w);
  }
  const float half = column.x + (column.w + kGap) / 2.0F;
  column.label(column.x, "Weights");
  column.label(half, "Cache, bits");
  column.y += 18.0F;
  const ImRect row = column.row();
  key_combo(ui, part(row, 0, 2), "weights", "Weights", report.model.weight_format);
  cache_choice(ui, part(row, 1, 2));
  column.next_section();
}

void tp_choice(Ui& ui, const ImRect& rect) {
  constexpr std::string_view kWords[] = {"1", "2", "4", "8"};
  const std::uint64_t tp = ui.store.scenario().tp ? ui.store.scenario().tp->value : 1;
  int at = -1;
  for (int i = 0; i < 4; ++i) {
    if (tp == std::uint64_t{1} << i) at = i;
  }
  const int chosen = choice(ui.kit, Kit::id("tp-choice"), rect, "Tensor parallel", kWords, at);
  if (chosen >= 0) ui.kit.push("tp", chosen == 0 ? std::string() : std::string(kWords[chosen]));
}

void section_accelerator(Ui& ui, Column& column) {
  const auto& report = ui.store.answer().report;
  column.head("ACCELERATOR");
  gpu_picker(ui, column.row());
  const float half = column.x + (column.w + kGap) / 2.0F;
  column.label(column.x, "Tensor parallel");
  column.label(half, "Engine");
  column.y += 18.0F;
  ImRect row = column.row();
  tp_choice(ui, part(row, 0, 2));
  key_combo(ui, part(row, 1, 2), "engine", "Engine", report.engine.name);
  column.label(column.x, "Pipeline stages");
  column.label(half, "Copies");
  column.y += 18.0F;
  row = column.row();
  key_field(ui, part(row, 0, 2), {.key = "pp", .label = "Pipeline stages", .resolved = "1"});
  key_field(ui, part(row, 1, 2), {.key = "dp", .label = "Copies", .resolved = "1"});
  for (const std::string_view key : {"gpu", "tp", "pp", "dp"}) {
    column.y += refusal(ui, key, column.x, column.y - kGap, column.w);
  }
  column.next_section();
}

// A label, the value as a field that can be typed into, and the line.
void slider_row(Ui& ui, Column& column, std::string_view key, std::string_view label,
                std::string_view unit, std::uint64_t value, const chart::Axis& axis) {
  const float high = ui.kit.skin.touch ? 44.0F : 22.0F;
  const std::string words = units::grouped(value) + (unit.empty() ? "" : " ") + std::string(unit);
  ui.kit.text(column.x, Kit::baseline_in({column.x, column.y, column.x, column.y + high}, 12.5F),
              ui.kit.skin.text_label, Ink::kSoft, label);
  const float wide = std::max(110.0F, ui.kit.width(words, ui.kit.skin.text_control) + 20.0F);
  const ImRect field(column.x + column.w - wide, column.y, column.x + column.w + 6.0F,
                     column.y + high);
  const std::string name = std::string(label) + " value";
  const std::string typed = scenario::get_key(ui.store.scenario(), key);
  Kit& kit = ui.kit;
  const bool bad = ui.store.trouble().key == key;
  FieldLook look;
  look.bare = look.right = look.numeric = true;
  look.bad = bad;
  const FieldResult result =
      text_field(kit, Kit::id(name), field, name, bad ? ui.store.trouble().typed : words,
                 typed.empty() ? units::plain(value) : typed, look);
  push_typed(ui, key, result);
  column.y += high;
  const ImRect line(column.x, column.y, column.x + column.w,
                    column.y + (ui.kit.skin.touch ? 44.0F : 20.0F));
  const auto next = slider(kit, Kit::id(key), line, label, axis, static_cast<double>(value), words);
  if (next) kit.push(key, units::plain(static_cast<std::uint64_t>(*next)), kit.gesture);
  column.y = line.Max.y + 6.0F;
  column.y += refusal(ui, key, column.x, column.y - 6.0F, column.w);
}

void section_request(Ui& ui, Column& column) {
  const auto& report = ui.store.answer().report;
  const scenario::Scenario& now = ui.store.scenario();
  column.head("ONE REQUEST");
  const std::uint64_t whole = report.per_request.tokens;
  const std::uint64_t output = now.output   ? now.output->value
                               : now.prompt ? whole - std::min(whole, now.prompt->value)
                                            : whole / 4;
  chart::Axis axis{.title = {}, .scale = chart::ScaleKind::kLog2, .min = 64, .max = 131072};
  axis.max = std::max(axis.max, static_cast<double>(report.model.max_tokens.value_or(0)));
  slider_row(ui, column, "prompt", "Prompt", "tokens", whole - std::min(whole, output), axis);
  slider_row(ui, column, "output", "Output", "tokens", output, axis);
  column.next_section();
}

void section_people(Ui& ui, Column& column) {
  constexpr std::string_view kAlloc[] = {"Paged", "Reserved"};
  const auto& report = ui.store.answer().report;
  column.head("PEOPLE");
  const chart::Axis axis{.title = {}, .scale = chart::ScaleKind::kLog10, .min = 1, .max = 10000};
  slider_row(ui, column, "users", "Requests wanted at once", "", report.users.asked, axis);
  column.label(column.x, "Memory");
  column.y += 18.0F;
  const bool reserved = scenario::get_key(ui.store.scenario(), "alloc") == "reserved";
  const int alloc =
      choice(ui.kit, Kit::id("alloc"), column.row(), "Memory", kAlloc, reserved ? 1 : 0);
  if (alloc >= 0) ui.kit.push("alloc", alloc == 0 ? "" : "reserved");
  const bool given = ui.store.scenario().pool.has_value();
  const std::string size = units::size_text(report.pool.bytes, ui.store.unit());
  key_field(ui, column.row(),
            {.key = "pool",
             .label = "Cache pool of one GPU",
             .prefix = "Pool of one GPU",
             .note = given ? std::string_view(size) : "estimated",
             .resolved = size});
  column.y += refusal(ui, "pool", column.x, column.y - kGap, column.w);
  column.next_section();
}

}  // namespace

float inputs(Ui& ui, float x, float y, float width) {
  Column column{ui, x, y, width};
  column.y += tools(ui, x, column.y, width) + 16.0F;
  section_model(ui, column);
  section_accelerator(ui, column);
  section_request(ui, column);
  section_people(ui, column);
  column.y += services(ui, x, column.y, width);
  const std::string_view words = ui.view.more ? "Fewer settings" : "More settings";
  const float wide = ui.kit.width(words, ui.kit.skin.text_label) + 16.0F;
  const ImRect more(x - 8.0F, column.y, x - 8.0F + wide, column.y + ui.kit.skin.control);
  if (button(ui.kit, Kit::id("more"), more, words, ButtonLook::kPlain)) {
    ui.view.more = !ui.view.more;
  }
  column.y = more.Max.y + kGap;
  if (ui.view.more) column.y += more_settings(ui, x, column.y, width);
  column.y += kGap;
  column.y += view_settings(ui, x, column.y, width) + 12.0F;
  return column.y - y;
}

}  // namespace kvseats::ui
