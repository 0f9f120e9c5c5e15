#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "engine/engine.h"
#include "scenario/scenario.h"
#include "units/diagnostic.h"

/// The one field table: every input once. URL, command line, element attributes, ImGui form and
/// HTML form are generated from it. Adding an input is adding a row.
namespace kvseats::scenario {

/// How a face should let a person edit the field.
enum class FieldKind {
  kModel,     ///< choice among the catalogue's models, with search
  kGpu,       ///< choice among the catalogue's accelerators
  kCount,     ///< whole number, `min` … `max`; `tokens` unit accepts 8k
  kSize,      ///< bytes, with units
  kFraction,  ///< 0 … 1, 90%
  kReal,      ///< decimal
  kChoice,    ///< one of `choices` (`a|b|c`)
  kText,      ///< free text in its own grammar (`shape`, `version`, `service`, `pool`)
};

struct Field {
  std::string_view key;    ///< `kvheads`
  std::string_view label;  ///< "KV heads"
  std::string_view unit;   ///< "tokens", "B", "GPUs", "" …
  FieldKind kind = FieldKind::kText;
  std::string_view section;   ///< `model`, `accelerator`, `request`, `people`, `engine`, `more`
  std::string_view choices;   ///< for kChoice; formats are filled in by `choices_of`
  std::string_view fallback;  ///< the contract's default as text; `auto` where it is resolved later
  std::uint64_t min = 0;      ///< for kCount (and kSize, in bytes)
  std::uint64_t max = UINT64_MAX - 1;
  bool repeatable = false;
  bool advanced = false;
  std::string_view doc;  ///< one line, no full stop
  /// The text now set; empty: not set (auto or default). `index` for repeatable fields.
  std::string (*get)(const Scenario&, std::size_t index) = nullptr;
  /// How many values are set (0 or 1; more for repeatable fields).
  std::size_t (*count)(const Scenario&) = nullptr;
  /// Sets (appends, if repeatable) from text. On failure the scenario is unchanged.
  tl::expected<void, units::Diagnostic> (*set)(Scenario&, std::string_view text) = nullptr;
  void (*clear)(Scenario&) = nullptr;
};

/// All fixed rows, in the order of the contract.
[[nodiscard]] std::span<const Field> fields();

/// By key, or nullptr.
[[nodiscard]] const Field* find_field(std::string_view key);

/// The choices of a field as (value, label) pairs; formats and engines come from their rooms.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> choices_of(const Field& field);

/// Sets one key, fixed or engine option. The engine options are those of the scenario's engine
/// *now*, so `engine` must be set before its options (the codec does that).
[[nodiscard]] tl::expected<void, units::Diagnostic> set_key(Scenario& scenario,
                                                            std::string_view key,
                                                            std::string_view text);

/// The text of one key: what was typed; empty if not set.
[[nodiscard]] std::string get_key(const Scenario& scenario, std::string_view key);
void clear_key(Scenario& scenario, std::string_view key);

}  // namespace kvseats::scenario
