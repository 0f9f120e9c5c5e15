#include <algorithm>

#include "engine/engine.h"
#include "scenario/fields.h"
#include "scenario/setters.h"

// Setting and reading by key: fixed rows of the table, then the options of the chosen engine.
namespace kvseats::scenario {
namespace {

using units::Diagnostic;

const engine::OptionSpec* find_option(const Scenario& scenario, std::string_view key) {
  const engine::Profile* profile = engine::find_profile(scenario.engine.value_or("hand"));
  if (profile == nullptr) return nullptr;
  for (const engine::OptionSpec& option : profile->options) {
    if (option.key == key) return &option;
  }
  return nullptr;
}

// Which engine has this option, for the remedy of a key that is out of place.
std::string owner_of(std::string_view key) {
  for (const engine::Profile* profile : engine::profiles()) {
    for (const engine::OptionSpec& option : profile->options) {
      if (option.key == key) return std::string(profile->id);
    }
  }
  return {};
}

// What engines, benchmarks and people call our inputs.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"batch", "users"},
    {"bs", "users"},
    {"concurrency", "users"},
    {"ctx", "context"},
    {"ctxlen", "context"},
    {"dtype", "weights"},
    {"gpus", "tp"},
    {"input", "prompt"},
    {"isl", "prompt"},
    {"maxmodellen", "context"},
    {"ngpu", "tp"},
    {"ngpus", "tp"},
    {"osl", "output"},
    {"quant", "weights"},
    {"quantization", "weights"},
    {"requests", "users"},
    {"seqlen", "context"},
    {"tensorparallelsize", "tp"},
    {"kvcachedtype", "kv"},
    {"vram", "memory"},
    {"length", "context"},
    {"gpumemoryutilization", "util"},
};

std::string nearest_key(std::string_view key) {
  std::string letters = units::lower(key);
  std::erase_if(letters, [](char c) { return c == '-' || c == '_'; });
  for (const auto& [other, ours] : kOtherNames) {
    if (letters == other) return std::string(ours);
  }
  std::string best;
  std::size_t least = 3;
  for (const Field& field : fields()) {
    const std::size_t distance = units::edit_distance(units::lower(key), field.key, 2);
    if (distance < least) {
      least = distance;
      best = std::string(field.key);
    }
  }
  return best;
}

Diagnostic unknown_key(std::string_view key) {
  const std::string name = units::valid_utf8(key.substr(0, 60));
  if (key.empty()) {
    return units::diagnose("E-EMPTY-KEY", "", "A value without a key", "Write key=value.");
  }
  if (const std::string engine = owner_of(key); !engine.empty()) {
    return units::diagnose("E-KEY-ENGINE", name, "\"" + name + "\" belongs to another engine",
                           "Set engine=" + engine + " too, or leave the key out.");
  }
  const std::string near = nearest_key(key);
  return units::diagnose("E-UNKNOWN-KEY", name, "There is no key \"" + name + "\"",
                         near.empty() ? "See: kvseats list keys."
                                      : "Did you mean " + near + "? See: kvseats list keys.");
}

void store_option(Scenario& scenario, std::string_view key, std::string text) {
  for (auto& [name, value] : scenario.options) {
    if (name == key) {
      value = std::move(text);
      return;
    }
  }
  scenario.options.emplace_back(key, std::move(text));
}

setters::Result check_real(const engine::OptionSpec& option, std::string_view text) {
  const auto value = units::parse_decimal(text);
  if (!value) return tl::unexpected(value.error());
  if (*value >= 0 && *value <= static_cast<double>(option.max)) return {};
  return tl::unexpected(
      units::diagnose("E-TOO-LARGE", "", std::string(units::trimmed(text)) + " is out of range",
                      "Use a number from 0 to " + units::plain(option.max) + "."));
}

setters::Result check_number(const engine::OptionSpec& option, std::string_view text) {
  if (option.number == engine::OptionNumber::kReal) return check_real(option, text);
  if (option.number == engine::OptionNumber::kSize) {
    const auto size = units::parse_size(text);
    if (!size) return tl::unexpected(size.error());
    return {};
  }
  const auto value = units::parse_count(text);
  if (!value) return tl::unexpected(value.error());
  return setters::check_range(*value, option.min, option.max, text);
}

setters::Result set_option(Scenario& scenario, const engine::OptionSpec& option,
                           std::string_view text) {
  const std::string body = units::lower(units::trimmed(text));
  if (!option.choices.empty()) {
    auto choice = setters::parse_choice(text, option.choices);
    if (!choice) return tl::unexpected(choice.error());
    store_option(scenario, option.key, std::move(*choice));
    return {};
  }
  if (body == option.fallback) {
    store_option(scenario, option.key, body);
    return {};
  }
  if (auto fine = check_number(option, text); !fine) return fine;
  store_option(scenario, option.key, std::string(units::trimmed(text)));
  return {};
}

setters::Result set_field(Scenario& scenario, const Field& field, std::string_view text) {
  if (units::trimmed(text).empty()) {
    return tl::unexpected(units::diagnose("E-EMPTY", "", "The value is empty",
                                          "Give a value, or leave the key out."));
  }
  // `auto` is a value of its own wherever it is the default: nothing set.
  if (units::lower(units::trimmed(text)) == "auto" && field.fallback == "auto" &&
      field.kind != FieldKind::kChoice) {
    field.clear(scenario);
    return {};
  }
  return field.set(scenario, text);
}

}  // namespace

tl::expected<void, Diagnostic> set_key(Scenario& scenario, std::string_view key,
                                       std::string_view text) {
  setters::Result result;
  if (const Field* field = find_field(key)) {
    result = set_field(scenario, *field, text);
  } else if (const engine::OptionSpec* option = find_option(scenario, key)) {
    result = set_option(scenario, *option, text);
  } else {
    return tl::unexpected(unknown_key(key));
  }
  if (!result) {
    Diagnostic trouble = result.error();
    trouble.where = std::string(key);
    return tl::unexpected(std::move(trouble));
  }
  return {};
}

std::string get_key(const Scenario& scenario, std::string_view key) {
  if (const Field* field = find_field(key)) return field->get(scenario, 0);
  for (const auto& [name, value] : scenario.options) {
    if (name == key) return value;
  }
  return {};
}

void clear_key(Scenario& scenario, std::string_view key) {
  if (const Field* field = find_field(key)) {
    field->clear(scenario);
    return;
  }
  std::erase_if(scenario.options, [key](const auto& option) { return option.first == key; });
}

}  // namespace kvseats::scenario
