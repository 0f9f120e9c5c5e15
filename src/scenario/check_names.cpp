#include "scenario/check_names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "model/weights.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// What torch and llama.cpp call number formats.
constexpr std::array kCacheTypes = {
    Pair{"float8_e4m3fn", "fp8"}, Pair{"float8_e4m3fnuz", "fp8"}, Pair{"float8_e5m2", "fp8_e5m2"},
    Pair{"bfloat16", "bf16"},     Pair{"float16", "f16"},         Pair{"float32", "f32"},
};
constexpr std::array kSwitches = {
    Pair{"true", "on"},   Pair{"1", "on"},  Pair{"enabled", "on"},
    Pair{"false", "off"}, Pair{"0", "off"}, Pair{"disabled", "off"},
};

template <class Table>
std::string look_up(const Table& table, std::string_view text, std::string_view otherwise) {
  for (const Pair& pair : table) {
    if (pair.first == text) return std::string(pair.second);
  }
  return std::string(otherwise);
}

// "Q4_K - Medium" → "q4_k_m"; "IQ4_XS - 4.25 bpw" → "iq4_xs"; "all F32" → "f32".
std::string weight_id(std::string_view text) {
  std::string name = units::lower(text);
  if (name.starts_with("all ")) name.erase(0, 4);
  if (name.starts_with("mostly ")) name.erase(0, 7);
  const std::size_t dash = name.find(" - ");
  const std::string size = dash == std::string::npos ? "" : name.substr(dash + 3);
  name = name.substr(0, name.find(' '));
  if (size.starts_with("small")) name += "_s";
  if (size.starts_with("medium")) name += "_m";
  if (size.starts_with("large")) name += "_l";
  const model::WeightFormat* format = model::find_weight_format(name);
  return format == nullptr ? std::string() : std::string(format->id);
}

void strip(std::string& name, std::string_view suffix) {
  if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
}

// "-00001-of-00003" at the end of a file's name.
void strip_shard(std::string& name) {
  const std::size_t of = name.rfind("-of-");
  if (of == std::string::npos || of < 6 || name.size() - of > 10) return;
  const std::size_t dash = name.rfind('-', of - 1);
  if (dash != std::string::npos && of - dash <= 7) name.resize(dash);
}

std::string last_part(std::string_view path) {
  while (!path.empty() && (path.back() == '/' || path.back() == '\\')) path.remove_suffix(1);
  const std::size_t cut = path.find_last_of("/\\");
  std::string name(cut == std::string_view::npos ? path : path.substr(cut + 1));
  strip(name, ".gguf");
  strip_shard(name);
  return name;
}

// .../models--meta-llama--Llama-3.1-8B-Instruct/snapshots/… → meta-llama/Llama-3.1-8B-Instruct
std::string cached_id(std::string_view path) {
  const std::size_t at = path.find("models--");
  if (at == std::string_view::npos) return {};
  std::string_view part = path.substr(at + 8);
  part = part.substr(0, part.find_first_of("/\\"));
  const std::size_t cut = part.find("--");
  if (cut == std::string_view::npos) return {};
  return std::string(part.substr(0, cut)) + "/" + std::string(part.substr(cut + 2));
}

}  // namespace

std::vector<std::string> model_names(std::string_view text) {
  constexpr std::size_t kLongestName = 200;
  std::vector<std::string> names;
  if (text.size() > 4096) return names;
  // A repository's quantisation follows a colon: org/name-GGUF:Q4_K_M.
  const bool is_id = std::count(text.begin(), text.end(), '/') <= 1 && !text.starts_with("/") &&
                     !text.starts_with(".") && text.find('\\') == std::string_view::npos;
  if (is_id) names.emplace_back(text);
  if (std::string id = cached_id(text); !id.empty()) names.push_back(std::move(id));
  if (std::string name = last_part(text); !name.empty()) names.push_back(std::move(name));
  std::erase_if(names, [](const std::string& n) { return n.size() > kLongestName; });
  return names;
}

std::string decimal_text(const logs::Number& number) {
  std::string digits = units::plain(number.digits);
  const auto places = static_cast<std::size_t>(number.decimals);
  while (digits.size() <= places) digits.insert(digits.begin(), '0');
  if (places != 0) digits.insert(digits.size() - places, ".");
  return digits;
}

std::string key_text(const logs::Fact& fact, const std::string& text,
                     const std::optional<logs::Number>& number) {
  if (fact.name == "version_v0") return text + "-v0";
  if (fact.name == "build") return number ? "b" + decimal_text(*number) : std::string();
  if (fact.key == "unified" || fact.key == "fa") return look_up(kSwitches, text, "");
  if (fact.key == "k" || fact.key == "v" || fact.key == "kv") {
    return look_up(kCacheTypes, text, text);
  }
  if (fact.key == "weights") return weight_id(text);
  if (!number || number->negative) return fact.unit.empty() ? text : std::string();
  // One decimal of a GiB is too coarse to be a card's memory.
  if (fact.key == "memory") return number->decimals < 2 ? "" : decimal_text(*number) + "GiB";
  if (fact.unit == "GiB") return decimal_text(*number) + "GiB";
  return decimal_text(*number);
}

}  // namespace kvseats::scenario
