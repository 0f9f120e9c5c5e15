#include <algorithm>

#include "scenario/answer.h"
#include "scenario/present.h"
#include "units/text.h"

// Services: each alone in the deployment, and all of them together.
namespace kvseats::scenario {
namespace {

using units::grouped;
using units::kOutOfRange;

bool does_start(const engine::Outcome& out) {
  return !out.pool.no_room && !out.refusal.refused;
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
  const plan::Capacity fit = plan::capacity(answer.outcome.ranks, {.tokens = length, .prefix = 0},
                                            answer.outcome.seq_cap, r.inputs.parallel.dp);
  Report::ServiceAnswer out;
  out.name = service.name;
  out.tokens = r.length(service.prompt, service.output);
  out.users = service.users;
  out.request_bytes = request_bytes(answer, service.prompt, service.output);
  out.needed_bytes = out.request_bytes * service.users;
  const bool starts = does_start(answer.outcome);
  out.requests = starts ? maybe(fit.requests) : 0;
  out.fits = starts && fit.requests >= service.users;
  const auto gpus = plan::gpus_needed(service.users, fit.per_replica, answer.gpus_per_copy);
  if (gpus && starts) out.gpus_needed = maybe(*gpus);
  out.sentence = service_sentence(out, report);
  return out;
}

// Does one copy hold its even share of every service?
bool share_fits(const Answer& answer, const Scenario& scenario, std::uint64_t copies) {
  const engine::Outcome& out = answer.outcome;
  if (!does_start(out)) return false;
  for (const engine::Rank& rank : out.ranks) {
    // Cells that all requests share are counted in tokens: their cost is the whole server's.
    const bool shared = rank.shared_cells != 0;
    std::uint64_t sum = 0;
    std::uint64_t running = 0;
    for (const auto& service : scenario.services) {
      const std::uint64_t users = units::ceil_div(service.value.users, copies);
      const std::uint64_t length = service_length(answer, service.value);
      const std::uint64_t cost = shared ? length : rank.cost.at(length);
      sum = units::checked_add(sum, units::checked_mul(users, cost));
      running = units::checked_add(running, users);
    }
    if (sum > (shared ? rank.shared_cells : rank.capacity)) return false;
    if (running > std::min(rank.slots, out.seq_cap.value_or(UINT64_MAX))) return false;
  }
  return true;
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

// More copies never need more each, so bisection finds the fewest; one user of each is the least.
std::optional<std::uint64_t> fewest_copies(const Answer& answer, const Scenario& scenario) {
  std::uint64_t high = 1;
  for (const auto& service : scenario.services) high = std::max(high, service.value.users);
  if (!share_fits(answer, scenario, high)) return std::nullopt;
  std::uint64_t low = 1;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (share_fits(answer, scenario, middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
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
  all.fits = share_fits(answer, scenario, answer.resolved->inputs.parallel.dp);
  if (const auto copies = fewest_copies(answer, scenario)) {
    all.gpus_needed = maybe(units::checked_mul(*copies, answer.gpus_per_copy));
  }
  all.sentence = together_sentence(all, report);
  warn_of_names(scenario, report);
}

}  // namespace kvseats::scenario
