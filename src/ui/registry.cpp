#include "ui/registry.h"

#include "units/json_writer.h"

namespace kvseats::ui {

std::string_view role_name(Role role) {
  switch (role) {
    case Role::kButton:
      return "button";
    case Role::kTextField:
      return "textbox";
    case Role::kCombo:
      return "combobox";
    case Role::kOption:
      return "option";
    case Role::kRadio:
      return "radio";
    case Role::kSlider:
      return "slider";
    case Role::kTab:
      return "tab";
    case Role::kHandle:
      return "handle";
    case Role::kText:
      return "text";
  }
  return "";
}

const Entry* Registry::find(std::string_view label) const {
  for (const Entry& entry : entries_) {
    if (entry.label == label) return &entry;
  }
  return nullptr;
}

void Registry::json(std::string& out, double scale) const {
  units::JsonWriter writer(0);
  writer.open_array();
  for (const Entry& entry : entries_) {
    writer.open_object();
    writer.field("id", std::uint64_t{entry.id});
    writer.field("label", std::string_view(entry.label));
    writer.field("role", role_name(entry.role));
    writer.key("rect").open_array();
    for (const double side : {entry.rect.x, entry.rect.y, entry.rect.w, entry.rect.h}) {
      writer.value(side * scale);
    }
    writer.close_array();
    writer.field("value", std::string_view(entry.value));
    writer.field("enabled", entry.enabled).field("focused", entry.focused);
    writer.close_object();
  }
  writer.close_array();
  out = writer.take();
}

}  // namespace kvseats::ui
