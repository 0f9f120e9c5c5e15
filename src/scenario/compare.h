#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/catalogue.h"
#include "chart/chart.h"
#include "scenario/report.h"
#include "units/text.h"

/// Several scenarios beside each other: what they differ in, their bytes per token, their curves.
///
/// Each is evaluated once; all that is shown comes from the reports. Which ones, a link says by its
/// page keys: `pin` (scenarios put aside, pins.h) and `models` (the scenario that is set, with
/// another model in it).
namespace kvseats::scenario {

/// More curves than this cannot be told apart, more columns not be read.
inline constexpr std::size_t kMostCompared = 12;

struct Compared {
  std::string name;       ///< what tells it from the others: "Llama 2 7B, q8_0"
  std::string query;      ///< canonical
  std::string kind;       ///< of the model's cache: "GQA", "MLA", "GQA + windows", "GQA + states"
  bool current = false;   ///< the one that is set
  bool by_model = false;  ///< it is the current one with another model
  Report report;
};

/// One line of the table: an input or an answer of every scenario.
struct ComparedRow {
  std::string id;                   ///< `model`, `cache`, `requests` …
  std::string label;                ///< "Requests at once"
  std::vector<std::string> values;  ///< in the order of `Comparison::scenarios`; "–": no answer
  bool differs = false;
  bool input = false;  ///< set by the person, not computed
};

struct Comparison {
  std::vector<Compared> scenarios;  ///< those that have an answer, the current one first
  std::vector<ComparedRow> rows;
  chart::BarChart tokens;          ///< bytes of one more token, most first, by kind of layer
  chart::Chart curves;             ///< requests at once against context
  std::string sentence;            ///< what the comparison comes to
  units::Diagnostics diagnostics;  ///< of those that have no answer, and `E-TOO-MANY`
};

/// `queries`: the current one first; those that say the same are one. `models`: slugs, names or
/// ids.
[[nodiscard]] Comparison compare(std::span<const std::string> queries,
                                 std::span<const std::string> models,
                                 const catalogue::Catalogue& catalogue, units::SizeUnit unit);

/// What a link compares: itself, its pins and its models.
[[nodiscard]] Comparison compare_link(std::string_view link, const catalogue::Catalogue& catalogue,
                                      units::SizeUnit unit);

/// The rows as a table: what, then a column for each scenario. `all`: also what is alike.
/// The same deployment with another model, which is meant as it is: its geometry, weights and
/// drafter are its own.
[[nodiscard]] std::string query_with_model(const Scenario& scenario, const std::string& slug);

/// The same with half of the prompt shared by all requests, as a system prompt or a document is;
/// empty where some of it is shared already, or there is no half.
[[nodiscard]] std::string query_with_prefix(const Report& report);

[[nodiscard]] chart::TextTable compared_table(const Comparison& comparison, bool all);

/// "GQA", "MQA", "MHA", "MLA", "windows", "states", joined by +: how a model keeps its cache.
[[nodiscard]] std::string cache_kind(const model::Model& model);

[[nodiscard]] std::string to_json(const Comparison& comparison, int indent = 2);
[[nodiscard]] std::string to_text(const Comparison& comparison);
[[nodiscard]] std::string to_markdown(const Comparison& comparison);
[[nodiscard]] std::string to_csv(const Comparison& comparison,
                                 const catalogue::Catalogue& catalogue);

}  // namespace kvseats::scenario
