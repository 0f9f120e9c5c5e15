#include <algorithm>
#include <cctype>

#include "ui/service_edit.h"
#include "units/text.h"

namespace kvseats::ui {
namespace {

using chart::Ink;

constexpr float kGap = 8.0F;

ImGuiID id_of(std::string_view what, std::size_t at) {
  return Kit::id(std::string(what) + static_cast<char>('0' + at));
}

std::string title_of(const scenario::Report::ServiceAnswer& answer) {
  std::string title = answer.name;
  if (!title.empty()) {
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  }
  return title + " \xC2\xB7 " + units::grouped(answer.tokens);
}

std::string verdict_of(const scenario::Report::ServiceAnswer& answer) {
  if (!answer.requests) return "no limit";
  const std::string fit = units::grouped(*answer.requests) + " fit";
  return answer.fits ? fit : fit + " of " + units::grouped(answer.users);
}

// The closed row; true when it should open or close.
bool service_row(Ui& ui, const ImRect& rect, std::size_t at,
                 const scenario::Report::ServiceAnswer& answer, bool open) {
  Kit& kit = ui.kit;
  const std::string title = title_of(answer);
  const std::string verdict = verdict_of(answer);
  const ImGuiID id = id_of("service", at);
  const Hand hand = kit.item(id, rect);
  kit.record(id, title, Role::kButton, rect, verdict, hand);
  kit.list().AddRectFilled(rect.Min, rect.Max, kit.skin(Ink::kField), kit.skin.radius);
  kit.list().AddRect(rect.Min, rect.Max, kit.skin(hand.hovered || open ? Ink::kSoft : Ink::kLine),
                     kit.skin.radius);
  const float base = Kit::baseline_in(rect, kit.skin.text_control);
  const float right = rect.Max.x - 10.0F;
  const float taken = kit.text_right(right, base, kit.skin.text_label,
                                     answer.fits ? Ink::kSoft : Ink::kBad, verdict);
  const float room = right - taken - 8.0F - rect.Min.x - 10.0F;
  const std::string full = title + " tokens";
  const bool roomy = kit.width(full, kit.skin.text_control) <= room;
  kit.text_cut(rect.Min.x + 10.0F, base, kit.skin.text_control, Ink::kInk, roomy ? full : title,
               room);
  if (hand.ring) kit.ring(rect, kit.skin.radius);
  if (hand.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return hand.clicked;
}

// Name, prompt, output and users of one service; the height taken.
float service_fields(Ui& ui, float x, float y, float width, std::size_t at) {
  constexpr std::string_view kLabels[] = {"Name", "Prompt", "Output", "Users"};
  Kit& kit = ui.kit;
  const std::string name = ui.store.scenario().services[at].value.name;
  const float tall = 18.0F + kit.skin.control + kGap;
  const float half = (width - kGap) / 2.0F;
  for (int i = 0; i < 4; ++i) {
    const float left = i % 2 == 0 ? x : x + half + kGap;
    const float top = y + tall * static_cast<float>(i / 2);
    kit.text(left, top + 12.0F, kit.skin.text_label, Ink::kSoft, kLabels[i]);
    const ImRect rect(left, top + 18.0F, left + half, top + 18.0F + kit.skin.control);
    service_field(ui, id_of(kLabels[i], at), rect, at, static_cast<ServicePart>(i),
                  name + " " + units::lower(kLabels[i]));
  }
  return tall * 2.0F;
}

void service_actions(Ui& ui, float x, float y, std::size_t at) {
  Kit& kit = ui.kit;
  const float tall = kit.skin.control;
  constexpr std::string_view kUse = "Make it the request";
  const float use = kit.width(kUse, kit.skin.text_label) + 16.0F;
  const float remove = kit.width("Remove", kit.skin.text_label) + 16.0F;
  if (button(kit, Kit::id("use service"), {x - 8.0F, y, x - 8.0F + use, y + tall}, kUse,
             ButtonLook::kPlain)) {
    Action action;
    const scenario::Service& service = ui.store.scenario().services[at].value;
    action.edits = {{"context", {}},
                    {"prompt", units::plain(service.prompt)},
                    {"output", units::plain(service.output)},
                    {"users", units::plain(service.users)}};
    kit.push(std::move(action));
  }
  if (button(kit, Kit::id("remove service"), {x - 8.0F + use, y, x - 8.0F + use + remove, y + tall},
             "Remove", ButtonLook::kPlain)) {
    remove_service(ui, at);
  }
}

}  // namespace

float services(Ui& ui, float x, float y, float width) {
  Kit& kit = ui.kit;
  const auto& answers = ui.store.answer().report.services;
  const float start = y;
  kit.text(x, y + 11.0F, kit.skin.text_head, Ink::kSoft, "SERVICES", true);
  const float tall = kit.skin.touch ? 44.0F : 24.0F;
  const float wide = kit.width("Add", kit.skin.text_label) + 16.0F;
  const ImRect add(x + width + 8.0F - std::max(wide, tall), y + 6.0F - tall / 2.0F,
                   x + width + 8.0F, y + 6.0F + tall / 2.0F);
  if (answers.size() < scenario::kMaxServices &&
      button(kit, Kit::id("add service"), add, "Add", ButtonLook::kPlain, "Add a service")) {
    ui.view.service = static_cast<int>(answers.size());
    add_present_service(ui, id_of("Name", answers.size()));
  }
  y += 24.0F;
  if (answers.empty()) {
    y += kit.paragraph(x, y, width, kit.skin.text_label, 18.0F, Ink::kSoft,
                       "Name real workloads to see each as a point on the plot.");
  }
  for (std::size_t i = 0; i < answers.size() && i < ui.store.scenario().services.size(); ++i) {
    const bool open = ui.view.service == static_cast<int>(i);
    if (service_row(ui, {x, y, x + width, y + kit.skin.control}, i, answers[i], open)) {
      ui.view.service = open ? -1 : static_cast<int>(i);
    }
    y += kit.skin.control + kGap;
    if (!open) continue;
    y += service_fields(ui, x, y, width, i) - 4.0F;
    y += refusal(ui, "service", x, y - kGap, width);
    service_actions(ui, x, y, i);
    y += kit.skin.control + kGap;
  }
  return y - start + 4.0F;
}

}  // namespace kvseats::ui
