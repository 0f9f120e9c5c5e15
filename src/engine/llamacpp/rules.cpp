#include "engine/llamacpp/rules.h"

#include <algorithm>
#include <array>
#include <optional>

#include "units/text.h"

namespace kvseats::engine::llamacpp {
namespace {

// Newest first.
constexpr std::array kRules = {
    Rules{.id = "llamacpp-k-only", .build = 7830, .day = 20260125},
    Rules{.id = "llamacpp-pad256", .build = 6970, .day = 20251107, .latent = Latent::kKAndV},
    Rules{.id = "llamacpp-unpadded",
          .build = 6868,
          .day = 20251028,
          .padding = Padding::kNone,
          .latent = Latent::kKAndV},
    Rules{.id = "llamacpp-streams",
          .build = 5913,
          .day = 20250716,
          .padding = Padding::kByFlash,
          .latent = Latent::kKAndV},
    Rules{.id = "llamacpp-iswa",
          .build = 5552,
          .day = 20250531,
          .streams = false,
          .padding = Padding::kByFlash,
          .latent = Latent::kKAndV},
    Rules{.id = "llamacpp-iswa-batch",
          .build = 5432,
          .day = 20250520,
          .by_batch = true,
          .streams = false,
          .padding = Padding::kByFlash,
          .latent = Latent::kKAndV},
    Rules{.id = "llamacpp-mla",
          .build = 5140,
          .day = 20250415,
          .windows = false,
          .streams = false,
          .padding = Padding::kByFlash,
          .latent = Latent::kKAndV},
    Rules{.id = "llamacpp-full",
          .windows = false,
          .streams = false,
          .padding = Padding::kByFlash,
          .latent = Latent::kHeads},
};

constexpr std::array kRuleSets = {
    RuleSet{"llamacpp-k-only", "b7830 and later (January 2026)", "b7830"},
    RuleSet{"llamacpp-pad256", "b6970 to b7829 (from November 2025)", "b6970"},
    RuleSet{"llamacpp-unpadded", "b6868 to b6969 (ten days of October 2025)", "b6868"},
    RuleSet{"llamacpp-streams", "b5913 to b6867 (from July 2025)", "b5913"},
    RuleSet{"llamacpp-iswa", "b5552 to b5912 (June 2025)", "b5552"},
    RuleSet{"llamacpp-iswa-batch", "b5432 to b5551 (ten days of May 2025)", "b5432"},
    RuleSet{"llamacpp-mla", "b5140 to b5431 (from April 2025)", "b5140"},
    RuleSet{"llamacpp-full", "before b5140 (April 2025)", "b1"},
};

// The newest build whose log or source was compared (ollama/ollama pull request 18199).
constexpr std::uint32_t kNewestBuild = 10760;
constexpr std::uint32_t kNewestDay = 20260902;

struct BuildDay {
  std::uint32_t build;
  std::uint32_t day;
};

// Builds named in issues of ggml-org/llama.cpp on that day, oldest first; the rules' own builds are
// thresholds too.
constexpr std::array kDays = {
    BuildDay{1, 20230301},    BuildDay{4000, 20241031},  BuildDay{5140, 20250415},
    BuildDay{5432, 20250520}, BuildDay{5552, 20250531},  BuildDay{5913, 20250716},
    BuildDay{6325, 20250830}, BuildDay{6868, 20251028},  BuildDay{6924, 20251102},
    BuildDay{6970, 20251107}, BuildDay{7079, 20251116},  BuildDay{7394, 20251214},
    BuildDay{7830, 20260125}, BuildDay{8227, 20260309},  BuildDay{9265, 20260525},
    BuildDay{9637, 20260616}, BuildDay{10587, 20260822}, BuildDay{10760, 20260902},
};

struct Release {
  std::uint32_t major, minor, day;
};
// First day of each minor release of ollama (ollama/ollama releases page), oldest first.
constexpr std::array kOllama = {
    Release{0, 1, 20230926},  Release{0, 2, 20240708},  Release{0, 3, 20240725},
    Release{0, 4, 20241106},  Release{0, 5, 20241206},  Release{0, 6, 20250311},
    Release{0, 7, 20250513},  Release{0, 8, 20250528},  Release{0, 9, 20250529},
    Release{0, 10, 20250718}, Release{0, 11, 20250805}, Release{0, 12, 20250918},
    Release{0, 13, 20251118}, Release{0, 14, 20260110}, Release{0, 15, 20260201},
};
// LM Studio (its changelog): 0.3 through 2025, 0.4 from January 2026.
constexpr std::array kLmStudio = {Release{0, 2, 20240101}, Release{0, 3, 20250801},
                                  Release{0, 4, 20260128}};

std::optional<std::uint32_t> digits(std::string_view text) {
  if (text.empty() || text.size() > 8) return std::nullopt;
  std::uint32_t n = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    n = n * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return n;
}

// `2025-11` is its thirtieth day, `2025-11-07` that day.
std::optional<std::uint32_t> parse_day(std::string_view text) {
  const bool shaped = (text.size() == 7 || (text.size() == 10 && text[7] == '-')) && text[4] == '-';
  if (!shaped) return std::nullopt;
  const auto year = digits(text.substr(0, 4));
  const auto month = digits(text.substr(5, 2));
  const auto day = text.size() == 10 ? digits(text.substr(8)) : std::optional<std::uint32_t>(30);
  if (!year || !month || !day || *month == 0 || *month > 12) return std::nullopt;
  return *year * 10000 + *month * 100 + *day;
}

std::uint32_t day_of_build(std::uint32_t build) {
  std::uint32_t day = kDays.front().day;
  for (const BuildDay& known : kDays) {
    if (known.build <= build) day = known.day;
  }
  return day;
}

std::optional<std::uint32_t> parse_release(std::string_view text, std::span<const Release> list) {
  if (!text.empty() && text.front() == 'v') text.remove_prefix(1);
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto major = digits(text.substr(0, dot));
  const auto minor = digits(text.substr(dot + 1, text.find('.', dot + 1) - dot - 1));
  if (!major || !minor) return std::nullopt;
  std::uint32_t day = list.front().day;
  for (const Release& known : list) {
    const bool reached = *major > known.major || (*major == known.major && *minor >= known.minor);
    if (reached) day = known.day;
  }
  return day;
}

const Rules& rules_on(std::uint32_t day, bool whole_month) {
  return *std::find_if(kRules.begin(), kRules.end() - 1, [&](const Rules& r) {
    const bool skipped = whole_month && r.padding == Padding::kNone;
    return day >= r.day && !skipped;
  });
}

const Rules& rules_of_build(std::uint32_t build) {
  return *std::find_if(kRules.begin(), kRules.end() - 1,
                       [build](const Rules& r) { return build >= r.build; });
}

void warn_if_newer(Chosen& chosen, bool newer) {
  if (!newer) return;
  chosen.diagnostics.push_back(units::diagnose(
      "W-VERSION-NEWER", "version",
      chosen.text + " is newer than the newest build of llama.cpp known here, b" +
          units::plain(kNewestBuild),
      "The rules of b" + units::plain(kNewestBuild) + " are used; compare with the log."));
}

// ollama and LM Studio write 0.12.3; llama.cpp's own builds have no dots.
std::optional<std::uint32_t> release_day(std::string_view text, Program program) {
  if (program == Program::kOllama) return parse_release(text, kOllama);
  if (program == Program::kLmStudio) return parse_release(text, kLmStudio);
  return std::nullopt;
}

}  // namespace

Chosen choose_rules(std::string_view version, Program program) {
  const std::string text = units::lower(units::trimmed(version));
  Chosen chosen{.rules = &kRules.front(),
                .day = kNewestDay,
                .text = "b" + units::plain(kNewestBuild),
                .diagnostics = {}};
  if (text.empty() || text == "auto") return chosen;
  const std::string_view number = text.front() == 'b' ? std::string_view(text).substr(1) : text;
  if (const auto day = parse_day(text)) {
    chosen.rules = &rules_on(*day, text.size() == 7);
    chosen.day = *day;
    chosen.text = text;
    warn_if_newer(chosen, *day / 100 > kNewestDay / 100);
  } else if (const auto build = digits(number)) {
    chosen.rules = &rules_of_build(*build);
    chosen.day = day_of_build(*build);
    chosen.text = "b" + units::plain(*build);
    warn_if_newer(chosen, *build > kNewestBuild);
  } else if (const auto released = release_day(text, program)) {
    chosen.rules = &rules_on(*released, true);
    chosen.day = *released;
    chosen.text = text;
  } else {
    chosen.diagnostics.push_back(units::diagnose(
        "E-VERSION", "version", "\"" + std::string(version) + "\" is not a version of llama.cpp",
        "Write it as a build b6990, as a month 2025-11, or leave it out for the newest."));
  }
  return chosen;
}

std::span<const RuleSet> rule_sets() {
  return kRuleSets;
}

bool starts_four_slots(std::uint32_t day, Program program) {
  if (program == Program::kOllama) return false;
  return day >= (program == Program::kLmStudio ? 20260128u : 20251102u);
}

bool flash_by_default(std::uint32_t day) {
  return day >= 20250830u;
}

bool asks_for_full_windows(std::uint32_t day, Program program) {
  return program == Program::kLmStudio && day <= 20250831u;
}

}  // namespace kvseats::engine::llamacpp
