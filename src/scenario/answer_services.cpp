#include <algorithm>

#include "plan/mix.h"
#include "scenario/answer.h"
#include "scenario/present.h"
#include "units/text.h"

// Services: each alone in the deployment, and all of them together.
namespace kvseats::scenario {
namespace {

using units::grouped;
using units::kOutOfRange;

// The engine comes up, though not one request of the load may fit.
bool does_start(const Answer& answer) {
  const Resolved& r = *answer.resolved;
  return stop_of(*r.profile, answer.outcome, r.context, 1).empty();
}

std::uint64_t service_length(const Answer& answer, const Service& service) {
  const Resolved& r = *answer.resolved;
  const std::uint64_t tokens = r.length(service.prompt, service.output);
  return r.alloc == engine::Alloc::kReserved ? std::max(tokens, r.context) : tokens;
}

std::string service_sentence(const Report::ServiceAnswer& s, const Report& report) {
  std::string out = s.name + ", " + counted(s.users, "user") + ": ";
  if (s.fits) return out + "fits";
  const std::uint64_t count = s.requests.value_or(0);
  out +=
      count == 0 ? std::string("does not fit") : grouped(count) + (count == 1 ? " fits" : " fit");
  if (s.gpus_needed && *s.gpus_needed > report.gpu.count) {
    out += ", " + gpus_needed_text(report, *s.gpus_needed);
  }
  return out;
}

Report::ServiceAnswer one_service(const Answer& answer, const Service& service,
                                  const Report& report) {
  const Resolved& r = *answer.resolved;
  const std::uint64_t length = service_length(answer, service);
  const plan::Capacity fit = plan::capacity(answer.outcome.ranks, {.tokens = length, .shared = {}},
                                            answer.outcome.seq_cap, r.inputs.parallel.dp);
  Report::ServiceAnswer out;
  out.name = service.name;
  out.tokens = r.length(service.prompt, service.output);
  out.users = service.users;
  out.request_bytes = request_bytes(answer, service.prompt, service.output);
  out.needed_bytes = out.request_bytes * service.users;
  const bool starts = does_start(answer);
  out.requests = starts ? maybe(fit.requests) : 0;
  out.fits = starts && fit.requests >= service.users;
  const auto copies = plan::copies_needed(service.users, 0, fit);
  if (copies && starts) out.gpus_needed = maybe(units::checked_mul(*copies, answer.gpus_per_copy));
  out.sentence = service_sentence(out, report);
  return out;
}

std::vector<plan::Demand> demands_of(const Answer& answer, const Scenario& scenario) {
  std::vector<plan::Demand> out;
  for (const auto& service : scenario.services) {
    out.push_back({.load = {.tokens = service_length(answer, service.value), .shared = {}},
                   .users = service.value.users});
  }
  return out;
}

void warn_of_names(const Scenario& scenario, Report& report) {
  for (std::size_t i = 1; i < scenario.services.size(); ++i) {
    for (std::size_t before = 0; before < i; ++before) {
      const std::string& name = scenario.services[i].value.name;
      if (scenario.services[before].value.name != name) continue;
      report.diagnostics.push_back(units::diagnose("W-SERVICE-NAME", "service",
                                                   "Two services are called \"" + name + "\"",
                                                   "Both are counted; give one another name."));
      return;
    }
  }
}

std::string together_sentence(const Report::ServiceAnswer& all, const Report& report) {
  if (all.fits) return "all fit together";
  std::string out = "they do not fit together";
  if (all.gpus_needed) out += ", " + gpus_needed_text(report, *all.gpus_needed);
  return out;
}

}  // namespace

void fill_services(const Answer& answer, const Scenario& scenario, Report& report) {
  if (scenario.services.empty()) return;
  Report::ServiceAnswer& all = report.services_together;
  all.name = "together";
  for (const auto& service : scenario.services) {
    Report::ServiceAnswer one = one_service(answer, service.value, report);
    all.users += one.users;
    all.needed_bytes += one.needed_bytes;
    report.services.push_back(std::move(one));
  }
  if (does_start(answer)) {
    const engine::Outcome& out = answer.outcome;
    const std::vector<plan::Demand> demands = demands_of(answer, scenario);
    all.fits = plan::used_by(out.ranks, out.seq_cap, demands, answer.resolved->inputs.parallel.dp)
                   .has_value();
    if (const auto copies = plan::fewest_copies(out.ranks, out.seq_cap, demands)) {
      all.gpus_needed = maybe(units::checked_mul(*copies, answer.gpus_per_copy));
    }
  }
  all.sentence = together_sentence(all, report);
  if (answer.load.shared != engine::Sharing()) {
    report.diagnostics.push_back(
        units::diagnose("W-LEFT-OUT", "service",
                        "Whether services fit leaves out what requests share and idle sessions",
                        "Give lengths and users as one load to count them."));
  }
  warn_of_names(scenario, report);
}

}  // namespace kvseats::scenario
