#include "scenario/evaluate.h"

#include <algorithm>

#include "scenario/answer.h"
#include "scenario/fields.h"
#include "scenario/resolve.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

using units::diagnose;
using units::grouped;

void warn_of_own_limit(const Answer& answer, const catalogue::Catalogue& catalogue,
                       Report& report) {
  const Resolved& r = *answer.resolved;
  const std::uint64_t own = r.model.max_tokens;
  if (own == 0 || r.context <= own) return;
  std::string remedy = "Shorten the request, or choose a model made for it.";
  for (const model::Model& other : catalogue.models) {
    if (other.max_tokens >= r.context && other.groups == r.model.groups &&
        other.params == r.model.params) {
      remedy = other.name + " has the same cache and goes up to " + grouped(other.max_tokens) +
               " tokens.";
      break;
    }
  }
  report.diagnostics.push_back(diagnose("W-BEYOND-MODEL-LIMIT", "context",
                                        grouped(r.context) + " tokens are beyond " + r.model.name +
                                            "'s own limit of " + grouped(own) +
                                            "; the memory arithmetic holds all the same",
                                        std::move(remedy)));
}

void warn_of_range(Report& report) {
  const bool fine = report.per_request.bytes.exact_in_json() &&
                    report.users.needed_bytes.exact_in_json() &&
                    report.per_request.allocated_bytes.exact_in_json();
  if (fine) return;
  report.diagnostics.push_back(
      diagnose("E-RANGE", "", "A number is beyond 9,007,199,254,740,991 and shown as none",
               "Use smaller lengths or counts."));
  // The others stand: the answer is used.
  report.diagnostics.back().severity = units::Severity::kWarning;
}

void warn_of_weights(const Answer& answer, Report& report) {
  const Resolved& r = *answer.resolved;
  if (r.weights.known || answer.outcome.pool.given) return;
  const bool own = model::weights(r.model, nullptr).known;
  report.diagnostics.push_back(
      diagnose("W-WEIGHTS", own ? "drafter" : "params",
               "How many parameters " + (own ? r.drafter : r.model.name) +
                   " has is not known: its weights count as nothing, and less fits than shown",
               own ? "Name a drafter of the catalogue that has them, or give pool=."
                   : "Give params=, as params=7e9, or pool=."));
}

// What makes an old link keep its answer: everything that was resolved and may change later.
std::string pinned(const Answer& answer, const Report& report,
                   const catalogue::Catalogue& catalogue) {
  Scenario s = report.scenario;
  s.engine = std::string(answer.resolved->profile->id);
  s.version = answer.outcome.version;
  if (answer.outcome.util && !s.util) {
    s.util = Typed<double>{*answer.outcome.util, units::shortest(*answer.outcome.util)};
  }
  return encode(s) + "&catalogue=" + catalogue.date;
}

void fill(const Answer& answer, const Scenario& scenario, const catalogue::Catalogue& catalogue,
          Report& report) {
  fill_identity(answer, report);
  fill_engine(answer, report);
  fill_bytes(answer, report);
  fill_pool(answer, report);
  fill_concurrency(answer, report);
  fill_context(answer, report);
  fill_users(answer, report);
  fill_services(answer, scenario, report);
  fill_memory(answer, report);
  fill_waste(answer, report);
  fill_gpus(answer, report);
  fill_levers(answer, scenario, report);
  fill_sharing(answer, report);
  fill_verdict(answer, report);
  fill_ledger(answer, report);
  add_sharing(report, report.ledger);
  report.pinned_query = pinned(answer, report, catalogue);
  warn_of_weights(answer, report);
  warn_of_own_limit(answer, catalogue, report);
  warn_of_range(report);
}

}  // namespace

Report evaluate(const Scenario& scenario, const catalogue::Catalogue& catalogue) {
  Report report;
  report.scenario = scenario;
  report.query = encode(scenario);
  report.catalogue_date = catalogue.date;
  Resolved resolved;
  resolve(scenario, catalogue, resolved);
  report.diagnostics = resolved.diagnostics;
  if (!resolved.ok) {
    report.ok = false;
    return report;
  }
  const Answer answer = compute(resolved);
  report.diagnostics.insert(report.diagnostics.end(), answer.outcome.diagnostics.begin(),
                            answer.outcome.diagnostics.end());
  if (units::has_error(answer.outcome.diagnostics)) {
    report.ok = false;
    return report;
  }
  fill(answer, scenario, catalogue, report);
  return report;
}

Report evaluate(const Decoded& decoded, const catalogue::Catalogue& catalogue) {
  if (units::has_error(decoded.diagnostics)) {
    Report report;
    report.ok = false;
    report.scenario = decoded.scenario;
    report.diagnostics = decoded.diagnostics;
    return report;
  }
  Report report = evaluate(decoded.scenario, catalogue);
  report.diagnostics.insert(report.diagnostics.begin(), decoded.diagnostics.begin(),
                            decoded.diagnostics.end());
  return report;
}

Maybe requests_at(const Report& report, std::uint64_t tokens) {
  const plan::Load load = {.tokens = report.reserved ? std::max(tokens, report.context) : tokens,
                           .shared = report.shared};
  return maybe(plan::capacity(report.ranks, load, report.seq_cap, report.copies).requests);
}

}  // namespace kvseats::scenario
