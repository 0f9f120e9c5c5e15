#include "ui/model_read.h"

#include <algorithm>
#include <cmath>

#include "model/weights.h"
#include "scenario/fields.h"
#include "ui/panel.h"
#include "ui/views.h"
#include "units/text.h"

namespace kvseats::ui {
namespace {

using chart::Ink;

/// How a kind of layer is coloured; its label says it too.
struct KindLook {
  Ink fill = Ink::kData;
  Ink border = Ink::kData;
};

KindLook look_of(const model::LayerGroup& group) {
  switch (group.kind) {
    case model::CacheKind::kWindow:
    case model::CacheKind::kChunked:
      return {Ink::kDataTint, Ink::kData};
    case model::CacheKind::kLatent:
    case model::CacheKind::kCompressed:
      return {Ink::kPoint, Ink::kPoint};
    case model::CacheKind::kCross:
      return {Ink::kWeights, Ink::kWeights};
    case model::CacheKind::kShared:
      return {Ink::kGround, Ink::kWeights};
    case model::CacheKind::kNone:
      if (group.state.kind == model::StateKind::kNone) return {Ink::kGround, Ink::kWeights};
      return {Ink::kUnused, Ink::kWeights};
    case model::CacheKind::kFull:
      break;
  }
  return {};
}

void draw_cell(const Kit& kit, const ImRect& cell, KindLook look) {
  const float radius = std::min(3.0F, cell.GetWidth() / 4.0F);
  kit.list().AddRectFilled(cell.Min, cell.Max, kit.skin(look.fill), radius);
  if (look.border == look.fill) return;
  const float edge = 1.5F;
  if (cell.GetWidth() >= 7.0F) {
    kit.list().AddRect(cell.Min, cell.Max, kit.skin(look.border), radius, 0, edge);
    return;
  }
  kit.list().AddRectFilled(cell.Min, {cell.Max.x, cell.Min.y + edge}, kit.skin(look.border));
  kit.list().AddRectFilled({cell.Min.x, cell.Max.y - edge}, cell.Max, kit.skin(look.border));
}

/// The layers in their order, one cell each.
float layer_strip(const Kit& kit, const ModelRead& read, float x, float y, float width) {
  if (read.order.size() < 2) return 0.0F;
  constexpr float kTall = 16.0F;
  const auto& groups = read.attached.draft.model.groups;
  const float step = width / static_cast<float>(read.order.size());
  const float gap = step >= 5.0F ? 1.0F : 0.0F;
  for (std::size_t i = 0; i < read.order.size(); ++i) {
    if (read.order[i] >= groups.size()) continue;
    const float left = x + step * static_cast<float>(i);
    draw_cell(kit, {left, y, left + step - gap, y + kTall}, look_of(groups[read.order[i]]));
  }
  return kTall + 10.0F;
}

std::string sizes_of(const model::LayerGroup& g) {
  std::string out = units::grouped(g.layers) + (g.layers == 1 ? " layer" : " layers");
  if (g.kv_heads > 0)
    out += ", " + units::grouped(g.kv_heads) + (g.kv_heads == 1 ? " KV head" : " KV heads");
  if (g.k_dim > 0) out += " × " + units::grouped(g.k_dim);
  if (g.v_dim > 0 && g.v_dim != g.k_dim) out += " and " + units::grouped(g.v_dim);
  if (g.window > 0) out += ", window " + units::grouped(g.window);
  return out;
}

std::string bytes_of(const scenario::ShownGroup& shown) {
  std::string out;
  if (shown.token_bytes.raw() > 0) {
    out += units::grouped(shown.token_bytes.raw()) + " B a token in bf16";
  }
  if (shown.request_bytes.raw() > 0) {
    out += (out.empty() ? "" : ", ") + units::grouped(shown.request_bytes.raw()) + " B a request";
  }
  return out.empty() ? "keeps nothing" : out;
}

float layer_group(Ui& ui, const ModelRead& read, std::size_t index, float x, float y, float width) {
  Kit& kit = ui.kit;
  const model::LayerGroup& group = read.attached.draft.model.groups[index];
  const scenario::ShownGroup& shown = read.groups[index];
  draw_cell(kit, {x, y + 4.0F, x + 12.0F, y + 16.0F}, look_of(group));
  const float left = x + 20.0F;
  const float room = width - 20.0F;
  const std::string words = sizes_of(group) + "; " + bytes_of(shown);
  float tall = kit.paragraph(left, y, room, 13.0F, 20.0F, Ink::kInk, shown.label, true);
  tall += kit.paragraph(left, y + tall, room, 13.0F, 18.0F, Ink::kSoft, words);
  kit.record(Kit::id("group" + units::plain(index)), shown.label, Role::kText,
             {x, y, x + width, y + tall}, words, {});
  return tall + 6.0F;
}

enum class Source : std::uint8_t { kFound, kDerived, kMissing };

/// A mark before what the file does not say: filled, worked out; hollow, not there.
void draw_mark(const Kit& kit, float x, float y, Source source) {
  if (source == Source::kFound) return;
  const ImVec2 corners[] = {{x, y - 4.0F}, {x + 4.0F, y}, {x, y + 4.0F}, {x - 4.0F, y}};
  if (source == Source::kDerived) {
    kit.list().AddConvexPolyFilled(corners, 4, kit.skin(Ink::kPoint));
  } else {
    kit.list().AddPolyline(corners, 4, kit.skin(Ink::kPointText), ImDrawFlags_Closed, 1.5F);
  }
}

void go_to_field(Ui& ui, std::string_view key) {
  const scenario::Field* field = scenario::find_field(key);
  if (field != nullptr && field->advanced) ui.view.more = true;
  ui.view.focus_key = key;
  close_panel(ui);
}

/// The name; where a field holds the fact, it leads there.
float fact_name(Ui& ui, const import::Fact& fact, float x, float y, float room) {
  Kit& kit = ui.kit;
  const std::string_view key = scenario::field_of_fact(fact.name);
  if (key.empty()) return kit.paragraph(x, y, room, 13.0F, 20.0F, Ink::kInk, fact.name);
  const float wide = std::min(room, kit.width(fact.name, 13.0F));
  const ImRect rect(x - 4.0F, y - 2.0F, x + wide + 4.0F, y + 22.0F);
  const ImGuiID id = Kit::id("edit " + fact.name);
  const Hand hand = kit.item(id, rect);
  kit.record(id, "Change " + fact.name + " in the form", Role::kButton, rect, key, hand);
  const float base = y + 15.0F;
  kit.text_cut(x, base, 13.0F, Ink::kInk, fact.name, room);
  kit.list().AddRectFilled({x, base + 2.0F}, {x + wide, base + 3.0F},
                           kit.skin(hand.hovered ? Ink::kInk : Ink::kSoft));
  if (hand.ring) kit.ring(rect, kit.skin.radius);
  if (hand.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (hand.clicked) go_to_field(ui, key);
  return 20.0F;
}

/// What it is, its value, and how it came about.
float fact_row(Ui& ui, const import::Fact& fact, Source source, float x, float y, float width) {
  Kit& kit = ui.kit;
  const std::string& how = source == Source::kFound || fact.how.empty() ? fact.path : fact.how;
  draw_mark(kit, x + 5.0F, y + 10.0F, source);
  const float left = x + 18.0F;
  const bool narrow = width < 480.0F;
  const float middle = narrow ? left : x + std::floor(width * 0.3F);
  const float third = narrow ? left : x + std::floor(width * 0.56F);
  const float right = x + width;
  float tall = fact_name(ui, fact, left, y, (narrow ? right : middle) - left - 12.0F);
  float value = narrow ? tall : 0.0F;
  value += kit.paragraph(middle, y + value, (narrow ? right : third) - middle - 12.0F, 13.0F, 20.0F,
                         Ink::kInk, fact.value, true);
  float from = narrow ? value : 0.0F;
  from +=
      kit.paragraph(third, y + from, right - third, 12.5F, narrow ? 17.0F : 20.0F, Ink::kSoft, how);
  tall = std::max({tall, value, from});
  kit.record(Kit::id("fact " + fact.name + fact.path), fact.name, Role::kText,
             {x, y, right, y + tall}, fact.value + (how.empty() ? "" : " (" + how + ")"), {});
  return tall + 4.0F;
}

float facts(Ui& ui, std::string_view title, const std::vector<import::Fact>& list, Source source,
            float x, float y, float width) {
  if (list.empty()) return 0.0F;
  Kit& kit = ui.kit;
  const float start = y;
  const std::string words = std::string(title) + " (" + units::grouped(list.size()) + ")";
  y += kit.paragraph(x, y, width, 13.0F, 22.0F, Ink::kInk, words, true);
  for (const import::Fact& fact : list) {
    kit.list().AddRectFilled({x, y}, {x + width, y + 1.0F}, kit.skin(Ink::kGrid));
    y += 4.0F;
    y += fact_row(ui, fact, source, x, y, width);
  }
  return y - start + 12.0F;
}

/// One paragraph that is also said under `label`.
float said(Kit& kit, std::string_view label, const std::string& words, float x, float y,
           float width) {
  if (words.empty()) return 0.0F;
  const float tall = kit.paragraph(x, y, width, 13.0F, 20.0F, Ink::kInk, words);
  kit.record(Kit::id(label), label, Role::kText, {x, y, x + width, y + tall}, words, {});
  return tall;
}

std::string headline(const ModelRead& read) {
  const import::Draft& draft = read.attached.draft;
  std::string out = draft.model.name.empty() ? "A model without a name" : draft.model.name;
  if (draft.model.groups.empty()) out = "Weights for the model at hand";
  out += " from " + read.files;
  return draft.architecture.empty() ? out : out + ", " + draft.architecture;
}

float refused(Kit& kit, const ModelRead& read, float x, float y, float width) {
  const float start = y;
  y += kit.paragraph(x, y, width, 15.0F, 24.0F, Ink::kInk, read.files + " was not used", true) +
       6.0F;
  y += diagnostics_text(kit, read.attached.diagnostics, x, y, width) + 6.0F;
  y += said(kit, "File", "The model that was there before is still there.", x, y, width);
  return y - start;
}

}  // namespace

ModelRead model_read(std::string files, scenario::Attached attached) {
  ModelRead out;
  out.files = std::move(files);
  out.attached = std::move(attached);
  if (!out.attached.ok) return out;
  const model::Model& model = out.attached.draft.model;
  out.groups = scenario::shown_groups(model);
  out.order = model::layer_groups(model);
  const model::Weights weights = model::weights(model, nullptr);
  if (weights.known) {
    out.weights = units::size_both(weights.total, units::SizeUnit::kGb) + ", " + weights.basis;
  }
  return out;
}

float what_was_read(Ui& ui, const ModelRead& read, float x, float y, float width) {
  Kit& kit = ui.kit;
  if (!read.used) return refused(kit, read, x, y, width);
  const import::Draft& draft = read.attached.draft;
  const float start = y;
  y += kit.paragraph(x, y, width, 15.0F, 24.0F, Ink::kInk, "What was read", true);
  y += said(kit, "From", headline(read), x, y, width);
  if (!draft.model.groups.empty()) {
    y += said(kit, "Geometry", model::geometry_text(draft.model), x, y, width) + 8.0F;
    y += layer_strip(kit, read, x, y, width);
  }
  for (std::size_t i = 0; i < read.groups.size(); ++i) y += layer_group(ui, read, i, x, y, width);
  if (!read.weights.empty())
    y += said(kit, "Weights read", "Weights: " + read.weights, x, y, width);
  y += 12.0F;
  y += facts(ui, "Worked out", draft.derived, Source::kDerived, x, y, width);
  y += facts(ui, "Not in the file", draft.missing, Source::kMissing, x, y, width);
  y += facts(ui, "Read from the file", draft.found, Source::kFound, x, y, width);
  y += diagnostics_text(kit, read.attached.diagnostics, x, y, width);
  return y - start;
}

}  // namespace kvseats::ui
