#include "scenario/fields.h"
#include "scenario/present.h"
#include "units/json_writer.h"

// The field table for faces that are not written in C++.
namespace kvseats::scenario {
namespace {

std::string_view kind_name(FieldKind kind) {
  switch (kind) {
    case FieldKind::kModel:
      return "model";
    case FieldKind::kGpu:
      return "gpu";
    case FieldKind::kCount:
      return "count";
    case FieldKind::kSize:
      return "size";
    case FieldKind::kFraction:
      return "fraction";
    case FieldKind::kReal:
      return "real";
    case FieldKind::kChoice:
      return "choice";
    case FieldKind::kText:
      break;
  }
  return "text";
}

void write_choices(units::JsonWriter& w,
                   const std::vector<std::pair<std::string, std::string>>& choices) {
  w.key("choices").open_array();
  for (const auto& [value, label] : choices) {
    w.open_object().field("value", value).field("label", label).close_object();
  }
  w.close_array();
}

void write_field(units::JsonWriter& w, const Field& field, const Scenario& scenario) {
  w.open_object();
  w.field("key", field.key).field("label", field.label).field("unit", field.unit);
  w.field("kind", kind_name(field.kind)).field("section", field.section);
  w.field("default", field.fallback).field("doc", field.doc);
  w.field("repeatable", field.repeatable).field("advanced", field.advanced);
  if (field.kind == FieldKind::kCount) w.field("min", field.min).field("max", field.max);
  if (field.kind == FieldKind::kChoice) write_choices(w, choices_of(field));
  w.key("values").open_array();
  for (std::size_t i = 0; i < field.count(scenario); ++i) w.value(field.get(scenario, i));
  w.close_array().close_object();
}

std::vector<std::pair<std::string, std::string>> split(std::string_view choices) {
  std::vector<std::pair<std::string, std::string>> out;
  while (!choices.empty()) {
    const std::size_t bar = choices.find('|');
    out.emplace_back(choices.substr(0, bar), choices.substr(0, bar));
    if (bar == std::string_view::npos) break;
    choices.remove_prefix(bar + 1);
  }
  return out;
}

std::string_view option_kind(const engine::OptionSpec& option) {
  if (!option.choices.empty()) return "choice";
  switch (option.number) {
    case engine::OptionNumber::kReal:
      return kind_name(FieldKind::kReal);
    case engine::OptionNumber::kSize:
      return kind_name(FieldKind::kSize);
    case engine::OptionNumber::kCount:
      break;
  }
  return kind_name(FieldKind::kCount);
}

void write_option(units::JsonWriter& w, const engine::OptionSpec& option,
                  const Scenario& scenario) {
  w.open_object();
  w.field("key", option.key).field("label", option.label).field("unit", "");
  w.field("kind", option_kind(option)).field("section", "engine");
  w.field("default", option.fallback).field("doc", option.doc);
  w.field("repeatable", false).field("advanced", true);
  if (!option.choices.empty()) {
    write_choices(w, split(option.choices));
  } else if (option.number == engine::OptionNumber::kCount) {
    w.field("min", option.min).field("max", option.max);
  }
  const std::string value = get_key(scenario, option.key);
  w.key("values").open_array();
  if (!value.empty()) w.value(value);
  w.close_array().close_object();
}

}  // namespace

std::string fields_json(const Scenario& scenario) {
  units::JsonWriter w;
  w.open_array();
  for (const Field& field : fields()) write_field(w, field, scenario);
  const engine::Profile* profile = engine::find_profile(scenario.engine.value_or("hand"));
  if (profile != nullptr) {
    for (const engine::OptionSpec& option : profile->options) write_option(w, option, scenario);
  }
  w.close_array();
  return w.take();
}

}  // namespace kvseats::scenario
