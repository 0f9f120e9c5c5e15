#include "scenario/pins.h"

#include <algorithm>

#include "scenario/codec.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

constexpr std::string_view kPin = "pin";

bool holds(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// Something stands there, but no key of a scenario.
bool says_nothing(std::string_view query) {
  return !query.empty() && pin_text(query).empty();
}

// All of them, canonical and once, as far as they say something.
std::vector<std::string> readable(const PageKeys& page) {
  std::vector<std::string> out;
  for (const auto& [key, value] : page) {
    if (key != kPin || says_nothing(value)) continue;
    std::string text = pin_text(value);
    if (!holds(out, text)) out.push_back(std::move(text));
  }
  return out;
}

}  // namespace

std::string_view page_value(const PageKeys& page, std::string_view key) {
  for (const auto& [name, value] : page) {
    if (name == key) return value;
  }
  return {};
}

void set_page_value(PageKeys& page, std::string_view key, std::string_view text) {
  const std::pair<std::string, std::string> same{key, text};
  if (std::find(page.begin(), page.end(), same) != page.end()) return;
  std::erase_if(page, [key](const auto& pair) { return pair.first == key; });
  if (!text.empty()) page.emplace_back(key, text);
}

std::string pin_text(std::string_view query) {
  return encode(decode(query, Strictness::kLink).scenario);
}

units::Diagnostics pin_troubles(const PageKeys& page) {
  units::Diagnostics out;
  for (const auto& [key, value] : page) {
    if (key != kPin || !says_nothing(value)) continue;
    out.push_back(units::diagnose(
        "W-PIN", "pin",
        "Nothing of the pin \"" + units::valid_utf8(value.substr(0, 60)) + "\" can be read",
        "It is left out; pin that scenario again."));
  }
  const std::size_t count = readable(page).size();
  if (count > kMostPins) {
    out.push_back(units::diagnose("W-PINS", "pin",
                                  "Of " + units::grouped(count) + " pins the first " +
                                      units::grouped(kMostPins) + " are kept",
                                  "Unpin one to make room."));
  }
  return out;
}

std::vector<std::string> pins(const PageKeys& page) {
  std::vector<std::string> out = readable(page);
  if (out.size() > kMostPins) out.resize(kMostPins);
  return out;
}

void set_pins(PageKeys& page, const std::vector<std::string>& pins) {
  std::erase_if(page, [](const auto& pair) { return pair.first == kPin; });
  for (const std::string& pin : pins) page.emplace_back(kPin, pin);
}

bool add_pin(PageKeys& page, std::string_view query) {
  std::vector<std::string> all = pins(page);
  std::string text = pin_text(query);
  if (all.size() == kMostPins || holds(all, text)) return false;
  all.push_back(std::move(text));
  set_pins(page, all);
  return true;
}

bool remove_pin(PageKeys& page, std::string_view query) {
  std::vector<std::string> all = pins(page);
  if (std::erase(all, pin_text(query)) == 0) return false;
  set_pins(page, all);
  return true;
}

std::string with_model_named(std::string_view models, const std::string& model, bool more) {
  std::vector<std::string> list = split_list(models);
  std::erase_if(list, [&](const std::string& known) { return known.empty() || known == model; });
  if (more) list.push_back(model);
  std::string out;
  for (const std::string& known : list) out += (out.empty() ? "" : ",") + known;
  return out;
}

}  // namespace kvseats::scenario
