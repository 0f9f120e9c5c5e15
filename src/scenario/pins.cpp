#include "scenario/pins.h"

#include <algorithm>

#include "scenario/codec.h"

namespace kvseats::scenario {
namespace {

constexpr std::string_view kPin = "pin";

bool holds(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

std::string pin_text(std::string_view query) {
  return encode(decode(query, Strictness::kLink).scenario);
}

std::vector<std::string> pins(const PageKeys& page) {
  std::vector<std::string> out;
  for (const auto& [key, value] : page) {
    if (key != kPin || out.size() == kMostPins) continue;
    std::string text = pin_text(value);
    if (!holds(out, text)) out.push_back(std::move(text));
  }
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
