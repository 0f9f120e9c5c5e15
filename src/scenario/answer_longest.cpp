#include <algorithm>

#include "scenario/answer.h"

// The longest request, alone and for all wanted at once. The compiled costs give a length; the
// engine is then asked for a server started for it, because what is left for the cache (steps,
// batches) and what an encoder keeps may follow the context.
namespace kvseats::scenario {
namespace {

using plan::kLongest;

// A number of requests at once, and how the limit follows their length.
struct Wanted {
  std::uint64_t requests = 1;
  engine::Sharing shared;
  std::uint64_t least_context = 0;
  units::Bytes in_host{};         // weights there; a server that moves more of them is another one
  std::uint64_t layers_here = 0;  // on the device that limits, which tells it where weights are not
                                  // known
};

units::Bytes weights_in_host(const engine::Outcome& out) {
  for (const engine::BudgetTerm& term : out.host) {
    if (term.id == "weights") return term.typical;
  }
  return {};
}

// Only where an engine moves layers by itself.
std::uint64_t layers_here(const engine::Outcome& out) {
  std::uint64_t layers = 0;
  if (out.longest_with.empty()) return layers;
  for (const engine::CacheRow& row : out.caches) layers += row.layers;
  return layers;
}

// The deployment for requests of `tokens`, prompt and output in proportion.
engine::Inputs inputs_at(const Resolved& r, std::uint64_t tokens, const Wanted& wanted) {
  engine::Inputs in = r.inputs;
  const std::uint64_t load = r.prompt + r.output;
  // As `context` alone is divided (resolve_lengths), if that is what happened.
  in.output = r.output == load / 4 ? tokens / 4 : units::mul_div_floor(tokens, r.output, load);
  in.output = std::min(in.output, units::saturating_sub(tokens, wanted.shared.first()));
  if (in.prompt_is_encoded) in.output = tokens;
  if (!in.prompt_is_encoded) in.prompt = tokens - in.output;
  in.context = std::max(tokens, wanted.least_context);
  return in;
}

bool serves(const Resolved& r, const engine::Outcome& out, std::uint64_t tokens,
            const Wanted& wanted) {
  if (units::has_error(out.diagnostics) || weights_in_host(out) > wanted.in_host) return false;
  if (!r.weights.known && layers_here(out) < wanted.layers_here) return false;
  const std::uint64_t context = std::max(tokens, wanted.least_context);
  const bool reserved = r.alloc == engine::Alloc::kReserved;
  const plan::Load load = {.tokens = reserved ? context : tokens, .shared = wanted.shared};
  const plan::Capacity fit = plan::capacity(out.ranks, load, out.seq_cap, r.inputs.parallel.dp);
  return fit.requests >= wanted.requests && stop_of(*r.profile, out, context, fit.requests).empty();
}

bool serves_at(const Resolved& r, std::uint64_t tokens, const Wanted& wanted) {
  return serves(r, r.profile->run(inputs_at(r, tokens, wanted)), tokens, wanted);
}

// Whether a server of another length divides the same memory at the same cost.
bool is_alike(const engine::Outcome& a, const engine::Outcome& b) {
  return std::equal(a.ranks.begin(), a.ranks.end(), b.ranks.begin(), b.ranks.end(),
                    [](const engine::Rank& x, const engine::Rank& y) {
                      return x.cost == y.cost && x.capacity == y.capacity;
                    });
}

// The longest that is served: true up to some length and false after, as costs never fall.
std::uint64_t search(const Resolved& r, std::uint64_t low, std::uint64_t high,
                     const Wanted& wanted) {
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2 + 1;
    if (serves_at(r, middle, wanted)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

std::uint64_t longest(const Answer& answer, Wanted wanted) {
  const Resolved& r = *answer.resolved;
  wanted.in_host = weights_in_host(answer.outcome);
  wanted.layers_here = layers_here(answer.outcome);
  const std::uint64_t guess = plan::longest_for(answer.outcome.ranks, wanted.requests,
                                                r.inputs.parallel.dp, wanted.shared, kLongest);
  std::uint64_t low = std::max({guess, wanted.shared.first(), std::uint64_t{1}});
  const engine::Outcome out = r.profile->run(inputs_at(r, low, wanted));
  if (!serves(r, out, low, wanted)) return low > guess ? 0 : search(r, 0, low - 1, wanted);
  if (low == kLongest || (low == guess && is_alike(out, answer.outcome))) return low;
  // It may be too short as well: double until it is not.
  for (std::uint64_t step = 1; low < kLongest; step *= 2) {
    const std::uint64_t next = std::min(kLongest, low + step);
    if (!serves_at(r, next, wanted)) return search(r, low, next - 1, wanted);
    low = next;
  }
  return low;
}

void fill_alone(const Answer& answer, Report& report) {
  const std::uint64_t own = answer.resolved->model.max_tokens;
  const std::uint64_t tokens = longest(answer, {});
  const bool limited = tokens != kLongest;
  if (limited) report.max_context.memory_tokens = tokens;
  report.max_context.tokens = report.max_context.memory_tokens;
  report.max_context.limited_by = "memory";
  for (const engine::Rank& rank : answer.outcome.ranks) {
    if (tokens == rank.cost.bounds().longest) report.max_context.limited_by = "engine";
  }
  if (own != 0 && (!limited || own < tokens)) {
    report.max_context.tokens = own;
    report.max_context.limited_by = "model";
  }
}

// Slots and reservations shrink with the limit; cells that several requests share keep it.
std::uint64_t longest_for_all(const Answer& answer) {
  const Resolved& r = *answer.resolved;
  if (answer.outcome.seq_cap && *answer.outcome.seq_cap < answer.users_per_copy) return 0;
  Wanted wanted = {.requests = r.users, .shared = r.shared};
  const bool shares = answer.outcome.ranks.front().shared_cells != 0;
  if (shares && answer.users_per_copy > 1) wanted.least_context = r.context;
  return longest(answer, wanted);
}

}  // namespace

void fill_context(const Answer& answer, Report& report) {
  fill_alone(answer, report);
  report.max_context.condition = answer.outcome.longest_with;
  report.max_context.for_users = answer.resolved->users;
  const std::uint64_t tokens = longest_for_all(answer);
  if (tokens == kLongest) return;
  // Shorter than what all have in common is none at all.
  report.max_context.for_users_tokens = tokens < answer.resolved->shared.first() ? 0 : tokens;
}

}  // namespace kvseats::scenario
