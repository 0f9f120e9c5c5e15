#include <algorithm>
#include <cctype>

#include "ui/views.h"
#include "units/text.h"

namespace kvseats::ui {
namespace {

using chart::Ink;

constexpr float kGap = 8.0F;

// Services are one repeatable key: all are set again with one of them changed.
using List = std::vector<scenario::Service>;

List list_of(const Ui& ui) {
  List list;
  for (const auto& typed : ui.store.scenario().services) list.push_back(typed.value);
  return list;
}

std::string text_of(const scenario::Service& service) {
  return service.name + ':' + units::plain(service.prompt) + '+' + units::plain(service.output) +
         'x' + units::plain(service.users);
}

void push_all(Ui& ui, const List& list, std::uint32_t gesture, bool tentative) {
  Action action;
  action.gesture = gesture;
  action.tentative = tentative;
  action.edits.push_back({"service", {}});
  for (const scenario::Service& service : list)
    action.edits.push_back({"service", text_of(service)});
  ui.kit.push(std::move(action));
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
bool service_row(Ui& ui, const ImRect& rect, const scenario::Report::ServiceAnswer& answer,
                 bool open) {
  Kit& kit = ui.kit;
  const std::string title = title_of(answer);
  const std::string verdict = verdict_of(answer);
  const ImGuiID id = Kit::id(answer.name);
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

struct NumberField {
  std::string_view label;
  std::uint64_t scenario::Service::*member;
};

// Name, prompt, output and users of one service.
void service_fields(Ui& ui, float x, float y, float width, std::size_t at) {
  constexpr NumberField kNumbers[] = {{"Prompt", &scenario::Service::prompt},
                                      {"Output", &scenario::Service::output},
                                      {"Users", &scenario::Service::users}};
  Kit& kit = ui.kit;
  List list = list_of(ui);
  scenario::Service& service = list[at];
  const float tall = kit.skin.control;
  const float cell = (width - kGap * 2.0F) / 3.0F;
  for (int i = 0; i < 3; ++i) {
    const NumberField& number = kNumbers[i];
    const float left = x + (cell + kGap) * static_cast<float>(i);
    const std::string shown = units::plain(service.*number.member);
    FieldLook look{.prefix = number.label};
    look.numeric = true;
    const std::string label = service.name + " " + units::lower(number.label);
    const FieldResult typed = text_field(kit, Kit::id(label), {left, y, left + cell, y + tall},
                                         label, shown, shown, look);
    if (typed.cancelled) {
      Action back;
      back.kind = Action::Kind::kRevert;
      back.gesture = typed.gesture;
      kit.push(std::move(back));
    }
    if (!typed.touched || !(typed.changed || typed.committed)) continue;
    if (const auto value = units::parse_count(typed.text)) {
      service.*number.member = *value;
      push_all(ui, list, typed.gesture, !typed.committed);
    }
  }
}

void service_actions(Ui& ui, float x, float y, std::size_t at) {
  Kit& kit = ui.kit;
  const float tall = kit.skin.control;
  List list = list_of(ui);
  constexpr std::string_view kUse = "Make it the request";
  const float use = kit.width(kUse, kit.skin.text_label) + 16.0F;
  const float remove = kit.width("Remove", kit.skin.text_label) + 16.0F;
  if (button(kit, Kit::id("use service"), {x - 8.0F, y, x - 8.0F + use, y + tall}, kUse,
             ButtonLook::kPlain)) {
    Action action;
    action.edits = {{"context", {}},
                    {"prompt", units::plain(list[at].prompt)},
                    {"output", units::plain(list[at].output)},
                    {"users", units::plain(list[at].users)}};
    kit.push(std::move(action));
  }
  if (button(kit, Kit::id("remove service"), {x - 8.0F + use, y, x - 8.0F + use + remove, y + tall},
             "Remove", ButtonLook::kPlain)) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
    ui.view.service = -1;
    push_all(ui, list, 0, false);
  }
}

void add_service(Ui& ui) {
  List list = list_of(ui);
  const auto& report = ui.store.answer().report;
  const std::uint64_t whole = report.per_request.tokens;
  const std::uint64_t output = ui.store.output_share(whole, 0);
  std::string name = "service " + units::plain(list.size() + 1);
  name[7] = '-';
  list.push_back({name, whole - output, output, report.users.asked});
  ui.view.service = static_cast<int>(list.size()) - 1;
  push_all(ui, list, 0, false);
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
    add_service(ui);
  }
  y += 24.0F;
  if (answers.empty()) {
    y += kit.paragraph(x, y, width, kit.skin.text_label, 18.0F, Ink::kSoft,
                       "Name real workloads to see each as a point on the plot.");
  }
  for (std::size_t i = 0; i < answers.size() && i < ui.store.scenario().services.size(); ++i) {
    const bool open = ui.view.service == static_cast<int>(i);
    if (service_row(ui, {x, y, x + width, y + kit.skin.control}, answers[i], open)) {
      ui.view.service = open ? -1 : static_cast<int>(i);
    }
    y += kit.skin.control + kGap;
    if (!open) continue;
    service_fields(ui, x, y, width, i);
    y += kit.skin.control + 4.0F;
    service_actions(ui, x, y, i);
    y += kit.skin.control + kGap;
  }
  return y - start + 4.0F;
}

}  // namespace kvseats::ui
