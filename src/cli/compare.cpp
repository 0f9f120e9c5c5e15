#include "scenario/compare.h"

#include "cli/options.h"
#include "scenario/codec.h"
#include "units/text.h"

// compare: scenarios beside each other, each one quoted word; a bare KEY=VALUE holds for all of
// them.
namespace kvseats::cli {
namespace {

// `context=32k` beside models or quoted scenarios is no scenario of its own.
bool holds_for_all(std::string_view word) {
  return word.find_first_of(" &") == std::string_view::npos && !word.starts_with("model=");
}

}  // namespace

Result run_compare(const Options& options, const catalogue::Catalogue& catalogue) {
  constexpr std::string_view kModels = "models=";
  std::vector<std::string> queries;
  std::vector<std::string> models;
  units::Diagnostics wrong;
  std::string shared;
  for (const std::string_view word : options.words) {
    if (holds_for_all(word) && !word.starts_with(kModels)) shared += " " + std::string(word);
  }
  for (const std::string_view word : options.words) {
    if (word.starts_with(kModels)) {
      models = scenario::split_list(word.substr(kModels.size()));
      continue;
    }
    if (holds_for_all(word)) continue;
    const scenario::Decoded decoded = decode_line(std::string(word) + shared);
    for (const units::Diagnostic& why : decoded.diagnostics) wrong.push_back(why);
    queries.push_back(scenario::encode(decoded.scenario));
  }
  if (units::has_error(wrong)) return refuse(wrong, options.format);
  if (queries.size() + models.size() < 2 && (queries.empty() || models.empty())) {
    return refuse({units::diagnose("E-ARGUMENTS", "compare", "Two scenarios are needed",
                                   "kvseats compare 'model=a gpu=b' 'model=c gpu=b', or "
                                   "models=a,b,c.")},
                  options.format);
  }
  // Models alone are compared among themselves: the first of them is the one that is set.
  if (queries.empty()) {
    const scenario::Decoded first = decode_line("model=" + models.front() + shared);
    if (units::has_error(first.diagnostics)) return refuse(first.diagnostics, options.format);
    queries.push_back(scenario::encode(first.scenario));
    models.erase(models.begin());
  }
  const scenario::Comparison comparison =
      scenario::compare(queries, models, catalogue, units::SizeUnit::kGib);
  Result result;
  result.err = lines_of(comparison.diagnostics);
  result.status = comparison.scenarios.empty() ? 2 : 0;
  result.out = in_format(options.format, comparison, comparison, catalogue);
  return result;
}

}  // namespace kvseats::cli
