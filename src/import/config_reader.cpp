#include "import/config_reader.h"

#include <algorithm>

#include "units/text.h"

namespace kvseats::import {
namespace {

// Names that wrappers use for the language model's own object, most common first.
// transformers *_config classes; llm_cfg: VILA; thinker_config: Qwen-Omni.
constexpr std::string_view kInner[] = {
    "text_config", "llm_config",     "language_config", "language_model_config",
    "llm_cfg",     "thinker_config", "text_cfg",        "decoder"};

bool describes_a_model(Json object) {
  for (const std::string_view key :
       {"num_hidden_layers", "num_layers", "n_layer", "n_layers", "layer_types", "hidden_size",
        "num_attention_heads", "max_position_embeddings"}) {
    if (object.get(key).has_value()) return true;
  }
  return false;
}

/// "MiniCPM3ForCausalLM" → "minicpm3", for files without model_type.
std::string type_of_class(std::string_view name) {
  const std::size_t suffix = std::min(name.find("For"), name.find("LMHead"));
  return units::lower(name.substr(0, suffix));
}

Json language_model(Json root) {
  Json at = root;
  for (int depth = 0; depth < 3; ++depth) {
    Json inner;
    for (const std::string_view key : kInner) {
      const Json candidate = at.get(key);
      if (!candidate.is_object()) continue;
      const bool wraps = candidate.get("text_config").is_object();
      if (!wraps && !describes_a_model(candidate)) continue;
      inner = candidate;
      break;
    }
    if (!inner.exists()) return at;
    at = inner;
  }
  return at;
}

}  // namespace

Config::Config(Json whole_file, Draft& out)
    : draft(out), root(whole_file), text(language_model(whole_file)) {
  model_type = text.get("model_type").text();
  if (model_type.empty()) model_type = root.get("model_type").text();
  if (model_type.empty()) model_type = type_of_class(root.get("architectures").first().text());
  draft.architecture = model_type;
}

Json Config::first(Keys keys) const {
  for (std::string_view key = keys.next(); !key.empty(); key = keys.next()) {
    const Json value = text.get(key);
    if (value.has_value()) return value;
  }
  return {};
}

Json Config::anywhere(Keys keys) const {
  const Json value = first(keys);
  if (value.exists()) return value;
  for (std::string_view key = keys.next(); !key.empty(); key = keys.next()) {
    const Json outer = root.get(key);
    if (outer.has_value()) return outer;
  }
  return {};
}

std::uint64_t Config::whole(std::string_view name, Keys keys, std::uint64_t most) {
  for (std::string_view key = keys.next(); !key.empty(); key = keys.next()) {
    const Json value = text.get(key);
    if (!value.has_value() || (value.is_array() && value.first().is_number())) continue;
    const std::optional<std::uint64_t> n = value.whole();
    if (n && *n <= most) {
      if (*n > 0) found(name, value);
      return *n;
    }
    bad_value(name, value, "a whole number up to " + std::to_string(most));
    return 0;
  }
  return 0;
}

void Config::bad_value(std::string_view name, Json value, const std::string& wanted) {
  fail("E-BAD-VALUE", value.path(), std::string(name) + " cannot be " + value.shown(),
       "Correct it to " + wanted + ".");
}

bool Config::truth(std::string_view key, bool fallback) const {
  const Json value = text.get(key);
  const bool is_one = value.truth(true) == value.truth(false);
  if (value.has_value() && !is_one) {
    units::Diagnostic trouble = units::diagnose(
        "W-BAD-VALUE", value.path(),
        std::string(key) + " is " + value.shown() + ", which is neither true nor false",
        std::string("Correct it; ") + (fallback ? "true" : "false") + " was taken.");
    const auto& told = draft.diagnostics;
    if (std::find(told.begin(), told.end(), trouble) == told.end()) {
      draft.diagnostics.push_back(std::move(trouble));
    }
  }
  return value.truth(fallback);
}

void Config::found(std::string_view name, Json value) {
  value.mark_read();
  draft.found.push_back(
      {.name = std::string(name), .path = value.path(), .value = value.shown(), .how = ""});
}

void Config::derived(std::string_view name, std::uint64_t value, std::string_view how) {
  derived(name, std::to_string(value), how);
}

void Config::derived(std::string_view name, std::string value, std::string_view how) {
  draft.derived.push_back(
      {.name = std::string(name), .path = "", .value = std::move(value), .how = std::string(how)});
}

void Config::missing(std::string_view name, std::string_view remedy) {
  draft.missing.push_back(
      {.name = std::string(name), .path = "", .value = "", .how = std::string(remedy)});
}

void Config::fail(std::string code, std::string where, std::string what, std::string remedy) {
  errors.push_back(
      units::diagnose(std::move(code), std::move(where), std::move(what), std::move(remedy)));
}

void Config::note(std::string code, std::string where, std::string what, std::string remedy) {
  draft.diagnostics.push_back(
      units::diagnose(std::move(code), std::move(where), std::move(what), std::move(remedy)));
}

std::string Config::absent_path(std::string_view key) const {
  const std::string outer = text.path();
  return outer.empty() ? std::string(key) : outer + "." + std::string(key);
}

}  // namespace kvseats::import
