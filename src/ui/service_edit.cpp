#include "ui/service_edit.h"

#include <optional>

#include "units/text.h"

namespace kvseats::ui {

ServiceList service_list(const Ui& ui) {
  ServiceList list;
  for (const auto& typed : ui.store.scenario().services) {
    list.push_back(scenario::service_text(typed.text));
  }
  return list;
}

void push_services(Ui& ui, const ServiceList& list, std::uint32_t gesture, bool tentative) {
  Action action;
  action.gesture = gesture;
  action.tentative = tentative;
  action.edits.push_back({"service", {}});
  for (const scenario::ServiceText& service : list) {
    action.edits.push_back({"service", scenario::joined(service)});
  }
  ui.kit.push(std::move(action));
}

std::string& part_of(scenario::ServiceText& service, ServicePart part) {
  switch (part) {
    case ServicePart::kName:
      return service.name;
    case ServicePart::kPrompt:
      return service.prompt;
    case ServicePart::kOutput:
      return service.output;
    case ServicePart::kUsers:
      break;
  }
  return service.users;
}

void service_field(Ui& ui, ImGuiID id, const ImRect& rect, std::size_t at, ServicePart part,
                   std::string_view label) {
  ServiceList list = service_list(ui);
  if (at >= list.size()) return;
  std::string& value = part_of(list[at], part);
  FieldLook look;
  look.numeric = part == ServicePart::kUsers;
  const FieldResult typed = text_field(ui.kit, id, rect, label, value, value, look);
  if (typed.cancelled) {
    ui.store.forget_trouble();
    Action back;
    back.kind = Action::Kind::kRevert;
    back.gesture = typed.gesture;
    ui.kit.push(std::move(back));
    return;
  }
  if (!typed.touched || !(typed.changed || typed.committed)) return;
  value = std::string(units::trimmed(typed.text));
  push_services(ui, list, typed.gesture, !typed.committed);
}

void add_present_service(Ui& ui, ImGuiID focus) {
  ServiceList list = service_list(ui);
  const auto& report = ui.store.answer().report;
  const std::uint64_t whole = report.per_request.tokens;
  const std::uint64_t output = ui.store.output_share(whole, 0);
  list.push_back({"service-" + units::plain(list.size() + 1), units::plain(whole - output),
                  units::plain(output), units::plain(report.users.asked)});
  ui.kit.focus(focus, true);
  push_services(ui, list, 0, false);
}

void remove_service(Ui& ui, std::size_t at) {
  ServiceList list = service_list(ui);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
  ui.view.service = -1;
  push_services(ui, list, 0, false);
}

}  // namespace kvseats::ui
