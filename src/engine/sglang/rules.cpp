#include "engine/sglang/rules.h"

#include <algorithm>
#include <array>

#include "units/text.h"

namespace kvseats::engine::sglang {
namespace {

constexpr std::array kRuleSets = {
    RuleSet{"sglang-0.5.13", "SGLang 0.5.13 and later", "0.5.13"},
    RuleSet{"sglang-0.5.9", "SGLang 0.5.9 to 0.5.12", "0.5.9"},
    RuleSet{"sglang-0.5", "SGLang 0.5.0 to 0.5.8", "0.5.0"},
    RuleSet{"sglang-0.4", "SGLang up to 0.4", "0.1.0"},
};

// Newest first, in step with kRuleSets.
constexpr std::array kRules = {
    Rules{.id = "sglang-0.5.13", .first = {0, 5, 13}},
    Rules{.id = "sglang-0.5.9", .first = {0, 5, 9}, .pads_states = false},
    Rules{.id = "sglang-0.5", .first = {0, 5, 0}, .weighs_windows = false, .pads_states = false},
    Rules{.id = "sglang-0.4",
          .first = {0, 0, 0},
          .window_pool = false,
          .weighs_windows = false,
          .sized_fraction = false,
          .pads_states = false},
};

// Newest release of each month (sgl-project/sglang releases page), oldest first.
constexpr std::array kReleases = {
    Release{202401, {0, 1, 0}},  Release{202407, {0, 2, 7}},  Release{202409, {0, 3, 2}},
    Release{202412, {0, 4, 1}},  Release{202502, {0, 4, 3}},  Release{202503, {0, 4, 4}},
    Release{202504, {0, 4, 6}},  Release{202506, {0, 4, 8}},  Release{202507, {0, 4, 9}},
    Release{202508, {0, 5, 1}},  Release{202509, {0, 5, 3}},  Release{202510, {0, 5, 4}},
    Release{202511, {0, 5, 5}},  Release{202512, {0, 5, 7}},  Release{202601, {0, 5, 8}},
    Release{202602, {0, 5, 9}},  Release{202604, {0, 5, 10}}, Release{202605, {0, 5, 12}},
    Release{202606, {0, 5, 13}}, Release{202607, {0, 5, 15}}, Release{202608, {0, 5, 17}},
    Release{202609, {0, 5, 19}},
};

// Families with a window pool, and since when.
struct Listed {
  std::string_view family;  // as the catalogue names it, or its beginning
  Version first;
};
constexpr std::array kWindowPools = {
    Listed{"llama4", {0, 5, 0}},   Listed{"gptoss", {0, 5, 0}},  Listed{"mimo", {0, 5, 8}},
    Listed{"step", {0, 5, 8}},     Listed{"gemma4", {0, 5, 10}}, Listed{"deepseekv4", {0, 5, 10}},
    Listed{"inkling", {0, 5, 15}}, Listed{"laguna", {0, 5, 15}},
};

}  // namespace

Chosen choose_rules(std::string_view version) {
  Chosen chosen;
  chosen.version = choose_version(version, kReleases, "SGLang", "0.5.13", chosen.diagnostics);
  chosen.rules = std::find_if(kRules.begin(), kRules.end() - 1,
                              [&](const Rules& r) { return chosen.version >= r.first; });
  return chosen;
}

std::span<const RuleSet> rule_sets() {
  return kRuleSets;
}

bool has_window_pool(const Chosen& chosen, std::string_view family) {
  if (!chosen.rules->window_pool) return false;
  if (family.empty()) return true;
  // "Gemma 4" of the catalogue, `gemma4_text` of a config.json: letters and digits alone.
  std::string plain = units::lower(family);
  std::erase_if(plain, [](char c) { return c == ' ' || c == '-' || c == '_'; });
  return std::any_of(kWindowPools.begin(), kWindowPools.end(), [&](const Listed& listed) {
    return plain.starts_with(listed.family) && chosen.version >= listed.first;
  });
}

}  // namespace kvseats::engine::sglang
