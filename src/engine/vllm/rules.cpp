#include "engine/vllm/rules.h"

#include <algorithm>
#include <array>

#include "units/text.h"

namespace kvseats::engine::vllm {
namespace {

constexpr std::array kRuleSets = {
    RuleSet{"vllm-v1-inflight", "vLLM 0.24 and later", "0.24.0"},
    RuleSet{"vllm-v1-concurrency", "vLLM 0.21 to 0.23", "0.21.0"},
    RuleSet{"vllm-v1-hybrid", "vLLM 0.9.2 to 0.20, hybrid cache manager", "0.9.2"},
    RuleSet{"vllm-v1", "vLLM 0.8 to 0.9.1, before the hybrid cache manager", "0.8.0"},
    RuleSet{"vllm-v0", "vLLM V0 (up to 0.7)", "0.1.0"},
};

// Newest first, in step with kRuleSets.
constexpr std::array kRules = {
    Rules{.id = "vllm-v1-inflight",
          .first = {0, 24, 0},
          .groups = true,
          .tokens_by_ratio = true,
          .charges_graphs = true,
          .in_flight = true},
    Rules{.id = "vllm-v1-concurrency",
          .first = {0, 21, 0},
          .groups = true,
          .tokens_by_ratio = true,
          .charges_graphs = true},
    Rules{.id = "vllm-v1-hybrid", .first = {0, 9, 2}, .groups = true},
    Rules{.id = "vllm-v1", .first = {0, 8, 0}},
    Rules{.id = "vllm-v0", .first = {0, 0, 0}, .blocks_only = true},
};

// Newest release of each month (vllm-project/vllm releases page), oldest first.
constexpr std::array kReleases = {
    Release{202306, {0, 1, 0}},  Release{202309, {0, 2, 0}},  Release{202405, {0, 4, 3}},
    Release{202406, {0, 5, 0}},  Release{202409, {0, 6, 2}},  Release{202411, {0, 6, 4}},
    Release{202412, {0, 6, 6}},  Release{202501, {0, 7, 0}},  Release{202502, {0, 7, 3}},
    Release{202503, {0, 8, 2}},  Release{202504, {0, 8, 5}},  Release{202505, {0, 9, 0}},
    Release{202506, {0, 9, 1}},  Release{202507, {0, 10, 0}}, Release{202508, {0, 10, 1}},
    Release{202509, {0, 10, 2}}, Release{202510, {0, 11, 0}}, Release{202511, {0, 11, 2}},
    Release{202512, {0, 13, 0}}, Release{202601, {0, 15, 0}}, Release{202602, {0, 16, 0}},
    Release{202603, {0, 18, 0}}, Release{202604, {0, 20, 0}}, Release{202605, {0, 21, 0}},
    Release{202606, {0, 23, 0}}, Release{202607, {0, 26, 0}}, Release{202608, {0, 28, 0}},
    Release{202609, {0, 29, 0}},
};

const Rules& rules_for(Version version, bool old_engine) {
  if (old_engine) return kRules.back();
  return *std::find_if(kRules.begin(), kRules.end() - 1,
                       [version](const Rules& r) { return version >= r.first; });
}

}  // namespace

Chosen choose_rules(std::string_view version) {
  std::string text = units::lower(units::trimmed(version));
  Chosen chosen;
  const bool old_engine = text == "v0" || text.ends_with("-v0");
  if (text == "v0") text = "0.7.3";
  if (text.ends_with("-v0")) text.resize(text.size() - 3);
  chosen.version = choose_version(text, kReleases, "vLLM", "0.11.2", chosen.diagnostics);
  chosen.rules = &rules_for(chosen.version, old_engine);
  chosen.text = to_text(chosen.version) + (old_engine ? "-v0" : "");
  return chosen;
}

std::span<const RuleSet> rule_sets() {
  return kRuleSets;
}

std::uint32_t bucket_percent(Version version) {
  if (version < Version{0, 10, 2}) return 100;
  return version < Version{0, 18, 0} ? 125 : 150;
}

bool checks_by_groups(Version version) {
  return version >= Version{0, 14, 0};
}

double default_util(Version version) {
  return version < Version{0, 21, 0} ? 0.90 : 0.92;
}

bool caches_states(Version version) {
  return version >= Version{0, 17, 0};
}

}  // namespace kvseats::engine::vllm
