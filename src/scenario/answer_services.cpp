#include <algorithm>

#include "scenario/answer.h"
#include "units/text.h"

// Services: each alone in the deployment, and all of them together.
namespace kvseats::scenario {
namespace {

using units::grouped;
using units::kOutOfRange;

std::uint64_t service_length(const Answer& answer, const Service& service) {
  const std::uint64_t tokens = service.prompt + service.output;
  const Resolved& r = *answer.resolved;
  return r.alloc == engine::Alloc::kReserved ? std::max(tokens, r.context) : tokens;
}

std::string service_sentence(const Report::ServiceAnswer& s, const std::string& gpu,
                             std::uint64_t gpus_now) {
  const std::string who = grouped(s.users) + (s.users == 1 ? " user" : " users");
  if (s.fits) return s.name + ", " + who + ": fits";
  std::string out = s.name + ", " + who + ": ";
  out += s.requests ? grouped(*s.requests) + " fit" : std::string("does not fit");
  if (s.gpus_needed && *s.gpus_needed > gpus_now) {
    out += ", " + grouped(*s.gpus_needed) + " × " + gpu + " needed";
  }
  return out;
}

Report::ServiceAnswer one_service(const Answer& answer, const Service& service) {
  const Resolved& r = *answer.resolved;
  const std::uint64_t length = service_length(answer, service);
  const plan::Capacity fit = plan::capacity(answer.outcome.ranks, {.tokens = length, .prefix = 0},
                                            answer.outcome.seq_cap, r.inputs.parallel.dp);
  Report::ServiceAnswer out;
  out.name = service.name;
  out.tokens = service.prompt + service.output;
  out.users = service.users;
  out.request_bytes = request_bytes(answer.parts, service.prompt, service.output);
  out.needed_bytes = out.request_bytes * service.users;
  out.requests = maybe(fit.requests);
  out.fits = fit.requests >= service.users;
  const auto gpus = plan::gpus_needed(service.users, fit.per_replica, answer.gpus_per_copy);
  if (gpus) out.gpus_needed = maybe(*gpus);
  out.sentence =
      service_sentence(out, r.device.short_name, answer.gpus_per_copy * r.inputs.parallel.dp);
  return out;
}

// Does one copy hold its even share of every service?
bool share_fits(const Answer& answer, const Scenario& scenario, std::uint64_t copies) {
  for (const engine::Rank& rank : answer.outcome.ranks) {
    std::uint64_t sum = 0;
    for (const auto& service : scenario.services) {
      const std::uint64_t users = units::ceil_div(service.value.users, copies);
      const std::uint64_t cost = rank.cost.at(service_length(answer, service.value));
      sum = units::checked_add(sum, units::checked_mul(users, cost));
    }
    if (sum > rank.capacity) return false;
  }
  return true;
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
    Report::ServiceAnswer one = one_service(answer, service.value);
    all.users += one.users;
    all.needed_bytes += one.needed_bytes;
    report.services.push_back(std::move(one));
  }
  all.fits = share_fits(answer, scenario, answer.resolved->inputs.parallel.dp);
  if (const auto copies = fewest_copies(answer, scenario)) {
    all.gpus_needed = maybe(units::checked_mul(*copies, answer.gpus_per_copy));
  }
}

}  // namespace kvseats::scenario
