#include <algorithm>
#include <cmath>

#include "chart/layout.h"
#include "ui/views.h"

// Parts of bars and the rows of the ledger they come from: pointing at one shows the other.
namespace kvseats::ui {
namespace {

using chart::Ink;

ImRect box_of(const chart::PlacedSegment& part, ImVec2 origin) {
  return {origin.x + static_cast<float>(part.box.left), origin.y + static_cast<float>(part.box.top),
          origin.x + static_cast<float>(part.box.right),
          origin.y + static_cast<float>(part.box.bottom)};
}

// The part under the pointer, or with the keyboard the one that the arrows chose; -1: none.
int part_at(Ui& ui, const chart::BarLayout& layout, ImVec2 origin, const Hand& hand) {
  const auto count = static_cast<int>(layout.segments.size());
  if (hand.hovered) {
    for (int i = 0; i < count; ++i) {
      const ImRect box = box_of(layout.segments[static_cast<std::size_t>(i)], origin);
      if (box.Contains(ImGui::GetIO().MousePos)) return i;
    }
    return -1;
  }
  if (!hand.ring) return -1;
  int& at = ui.view.bar_part;
  if (ui.kit.key(ImGuiKey_RightArrow)) ++at;
  if (ui.kit.key(ImGuiKey_LeftArrow)) --at;
  at = std::clamp(at, 0, count - 1);
  return at;
}

void offer_tip(Ui& ui, const chart::Segment& segment, const ImRect& box,
               const units::LedgerRow* row) {
  Tip& tip = ui.view.tip;
  tip.anchor = box;
  tip.title = segment.name;
  tip.value = row != nullptr ? scenario::ledger_text(*row, ui.store.unit()) : segment.value;
  tip.formula = row != nullptr ? row->formula : std::string();
  tip.source = row != nullptr && row->source != "computed" ? row->source : std::string();
}

}  // namespace

void point_at_parts(Ui& ui, const chart::BarChart& bars, const chart::BarLayout& layout,
                    ImVec2 origin) {
  if (layout.segments.empty()) return;
  Kit& kit = ui.kit;
  ImRect all = box_of(layout.segments.front(), origin);
  for (const chart::PlacedSegment& part : layout.segments) all.Add(box_of(part, origin));
  const ImGuiID id = Kit::id("parts of " + bars.id);
  const Hand hand = kit.item(id, all, {.keys = kKeysLeftRight | kKeysActivate});
  const scenario::Report& report = ui.store.answer().report;
  const int now = part_at(ui, layout, origin, hand);
  std::string said;
  for (std::size_t i = 0; i < layout.segments.size(); ++i) {
    const chart::PlacedSegment& part = layout.segments[i];
    const chart::Segment& segment = bars.bars[part.bar].segments[part.segment];
    const units::LedgerRow* row = scenario::ledger_of(report, segment.id);
    const ImRect box = box_of(part, origin);
    const bool here = static_cast<int>(i) == now;
    const bool linked =
        row != nullptr && !ui.view.ledger_shown.empty() && row->id == ui.view.ledger_shown;
    if (here || linked) {
      kit.list().AddRect(box.Min, box.Max, kit.skin(Ink::kPoint), 2.0F, 0, 2.0F);
    }
    if (!here) continue;
    said = segment.name + ": " + segment.value;
    offer_tip(ui, segment, box, row);
    if (row == nullptr) continue;
    ui.view.ledger = row->id;
    if (hand.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!hand.clicked) continue;
    ui.view.wanted_row = row->id;
    ui.store.set_page("view", "byhand");
    return;  // the report's charts were made anew
  }
  kit.record(id, bars.title + ", parts", Role::kButton, all, said, hand);
  if (hand.ring) kit.ring(all, 2.0F);
}

void link_row(Ui& ui, std::string_view id, const ImRect& rect) {
  Kit& kit = ui.kit;
  const bool hovered = ImGui::IsMouseHoveringRect(rect.Min, rect.Max);
  if (hovered) ui.view.ledger = id;
  if (hovered || ui.view.ledger_shown == id || ui.view.wanted_row == id) {
    kit.list().AddRectFilled({rect.Min.x - 8.0F, rect.Min.y}, {rect.Min.x - 5.0F, rect.Max.y},
                             kit.skin(Ink::kPoint));
  }
  if (ui.view.wanted_row != id || ui.view.scrolled_to == id) return;
  ui.view.scrolled_to = id;
  ImGui::ScrollToRect(ImGui::GetCurrentWindow(), rect, ImGuiScrollFlags_KeepVisibleCenterY);
}

void draw_tip(Ui& ui, float left, float right) {
  const Tip tip = std::move(ui.view.tip);
  ui.view.tip = {};
  if (tip.title.empty()) return;
  constexpr float kPad = 10.0F;
  Kit& kit = ui.kit;
  const float size = kit.skin.text_label + 0.5F;
  const float room = std::min(right - left, 420.0F) - 2.0F * kPad;
  const float widest = std::max({kit.width(tip.title, size, true), kit.width(tip.value, size),
                                 kit.width(tip.formula, size), kit.width(tip.source, 12.0F)});
  const float wide = std::min(room, std::ceil(widest) + 2.0F);
  const float x = std::clamp(tip.anchor.Min.x, left, right - wide - 2.0F * kPad);
  const float y = tip.anchor.Max.y + 6.0F;
  const auto write = [&](float top, bool measure) {
    // Text that is only measured is drawn under the box.
    const auto line = [&](std::string_view words, float text, Ink ink, bool strong) {
      if (words.empty()) return;
      const float tall = kit.paragraph(x + kPad, top, wide + 1.0F, text, 18.0F, ink, words, strong);
      top += tall;
    };
    line(tip.title, size, Ink::kInk, true);
    line(tip.value, size, Ink::kInk, false);
    line(tip.formula, size, Ink::kInk, false);
    line(tip.source, 12.0F, Ink::kSoft, false);
    return measure ? top : 0.0F;
  };
  ImDrawList& list = kit.list();
  list.PushClipRect({0, 0}, {0, 0});
  const float bottom = write(y + 6.0F, true) + 6.0F;
  list.PopClipRect();
  const ImRect box(x, y, x + wide + 2.0F * kPad, bottom);
  list.AddRectFilled(box.Min, box.Max, kit.skin(Ink::kField), kit.skin.radius);
  list.AddRect(box.Min, box.Max, kit.skin(Ink::kLine), kit.skin.radius);
  write(y + 6.0F, false);
  kit.record(Kit::id("tip"), "Where it comes from", Role::kText, box,
             tip.title + ": " + tip.value + (tip.formula.empty() ? "" : "; " + tip.formula), {});
}

}  // namespace kvseats::ui
