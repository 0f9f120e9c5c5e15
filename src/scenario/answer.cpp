#include "scenario/answer.h"

#include <algorithm>

#include "engine/hand/hand.h"
#include "engine/split.h"
#include "plan/gpus.h"
#include "scenario/present.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

using units::Bytes;
using units::kOutOfRange;

// Every stage, every tensor-parallel GPU of it: what the engine takes for one request in all.
Bytes allocated_everywhere(const Answer& answer) {
  const engine::Parallel& p = answer.resolved->inputs.parallel;
  Bytes sum;
  for (const engine::Rank& rank : answer.outcome.ranks) {
    const std::uint64_t cost = rank.cost.at(answer.load.tokens);
    sum += engine::unit_of(answer.outcome, rank) * cost * rank.stages * p.tp;
  }
  return sum;
}

std::string limit_name(plan::Limit limit) {
  switch (limit) {
    case plan::Limit::kMemory:
      return "memory";
    case plan::Limit::kEngine:
      return "engine";
    case plan::Limit::kModel:
      return "model";
    case plan::Limit::kNothing:
      break;
  }
  return "nothing";
}

}  // namespace

Maybe maybe(std::uint64_t n) {
  if (n == kOutOfRange) return std::nullopt;
  return n;
}

Bytes budget_amount(const engine::Outcome& outcome, std::string_view id) {
  Bytes sum;
  for (const engine::BudgetTerm& term : outcome.budget) {
    const bool named = term.id == "used" || term.id == "weights" || term.id == "unused";
    if (id == (named ? std::string_view(term.id) : "overhead")) sum += term.typical;
  }
  return sum;
}

std::uint64_t held_now(const Answer& answer) {
  const Resolved& r = *answer.resolved;
  const std::uint64_t running = std::min(answer.now.requests, r.users);
  return units::ceil_div(running + r.shared.idle, std::uint64_t{r.inputs.parallel.dp});
}

std::uint64_t running_now(const Answer& answer) {
  if (answer.now.per_replica == kOutOfRange) return answer.users_per_copy;
  return std::min(answer.now.per_replica, answer.users_per_copy);
}

std::string free_label(const Answer& answer) {
  const bool capped = answer.now.limited_by == plan::Limit::kEngine;
  if (!capped || answer.users_per_copy < answer.now.per_replica) return "Free in the pool";
  return "Free, but the engine runs at most " + counted(answer.now.per_replica, "sequence");
}

Bytes request_bytes(const Answer& answer, std::uint64_t prompt, std::uint64_t output) {
  return model::bytes_at(answer.parts, answer.resolved->length(prompt, output), prompt);
}

plan::Load load_of(const Resolved& resolved, bool reserved) {
  return {.tokens = reserved ? resolved.context : resolved.length(resolved.prompt, resolved.output),
          .shared = resolved.shared};
}

std::string_view stop_of(const engine::Profile& profile, const engine::Outcome& outcome,
                         std::uint64_t context, std::uint64_t requests) {
  if (outcome.pool.no_room) return "no_room";
  if (outcome.refusal.refused || requests == 0) return "refuses";
  // By hand nothing starts: the load is served whatever its limit.
  const bool by_hand = &profile == &engine::hand_profile();
  return by_hand || engine::requests_at(outcome.ranks, context) != 0 ? "" : "refuses";
}

namespace {

// What pools of those sizes serve: nothing where the engine does not start with them.
plan::Capacity served_with(const Answer& answer, const std::vector<std::uint64_t>& sizes) {
  const Resolved& r = *answer.resolved;
  const engine::Outcome& out = answer.outcome;
  plan::Capacity fit =
      plan::served(*r.profile, out, plan::with_capacity(out.ranks, sizes), r.context, answer.load);
  fit.requests = plan::at_once(fit, r.shared.idle, r.inputs.parallel.dp);
  return fit;
}

}  // namespace

Answer compute(const Resolved& resolved) {
  Answer answer;
  answer.resolved = &resolved;
  const engine::Inputs& in = resolved.inputs;
  answer.outcome = resolved.profile->run(in);
  answer.parts = model::demand(resolved.model, resolved.formats);
  for (model::Component& part : engine::draft_demand(in)) answer.parts.push_back(std::move(part));
  answer.hand = engine::hand_ranks(in);
  answer.hand_stages = engine::hand_stages(in);
  answer.load = load_of(resolved, resolved.alloc == engine::Alloc::kReserved);
  const engine::Outcome& out = answer.outcome;
  const std::uint64_t dp = in.parallel.dp;
  answer.in_pool = plan::capacity(out.ranks, answer.load, out.seq_cap, dp);
  answer.low = served_with(answer, out.low_capacity);
  answer.high = served_with(answer, out.high_capacity);
  answer.gpus_per_copy = std::uint64_t{in.parallel.tp} * in.parallel.pp;
  answer.users_per_copy = units::ceil_div(resolved.users, dp);
  answer.stop = stop_of(*resolved.profile, out, resolved.context, answer.in_pool.held);
  // A smaller pool starts no more than the typical one does.
  (answer.stop.empty() ? answer.now : answer.low) =
      answer.stop.empty() ? answer.in_pool : plan::Capacity{};
  return answer;
}

void fill_identity(const Answer& answer, Report& report) {
  const Resolved& r = *answer.resolved;
  report.model.slug = r.model.slug;
  report.model.name = r.model.name;
  report.model.hf = r.model.hf;
  if (r.model.params.raw() != 0) report.model.params = r.model.params.raw();
  report.model.layers = r.model.layers;
  if (r.model.max_tokens != 0) report.model.max_tokens = r.model.max_tokens;
  report.model.geometry = model::geometry_text(r.model);
  report.model.weight_format = r.weight_format;
  report.model.cache_format = r.cache_format;
  report.model.weights_known = r.weights.known;
  report.model_spec = r.model;
  report.gpu.slug = r.device.slug;
  report.gpu.name = r.device.name;
  report.gpu.short_name = r.device.short_name;
  report.gpu.seen = answer.outcome.seen;
  report.gpu.per_copy = answer.gpus_per_copy;
  report.gpu.count = answer.gpus_per_copy * r.inputs.parallel.dp;
  report.ranks = answer.outcome.ranks;
  report.copies = r.inputs.parallel.dp;
  report.seq_cap = answer.outcome.seq_cap;
  report.unit_bytes = answer.outcome.unit_bytes;
  report.hand_ranks = answer.hand;
  for (engine::Rank& rank : report.hand_ranks) {
    rank.capacity = answer.outcome.pool.bytes.raw();
  }
  report.prompt = r.prompt;
  report.output = r.output;
  report.context = r.context;
  report.shared = r.shared;
  report.reserved = r.alloc == engine::Alloc::kReserved;
}

void fill_bytes(const Answer& answer, Report& report) {
  const Resolved& r = *answer.resolved;
  report.per_token.exact = model::per_token(answer.parts);
  report.per_token.bytes = units::bytes_ceil(1, report.per_token.exact);
  report.per_token.beyond_windows_bytes =
      units::bytes_ceil(1, model::per_token_beyond_windows(answer.parts));
  for (const model::Component& part : answer.parts) {
    report.per_token.components.push_back({.kind = std::string(model::component_name(part.kind)),
                                           .layers = part.layers,
                                           .bytes = units::bytes_ceil(1, model::per_token(part)),
                                           .formula = part.formula});
  }
  report.per_request.tokens = r.length(r.prompt, r.output);
  report.per_request.bytes = request_bytes(answer, r.prompt, r.output);
  report.per_request.allocated_bytes = allocated_everywhere(answer);
  report.per_gpu.token_bytes = units::bytes_ceil(1, engine::token_rate(r.inputs));
  report.per_gpu.request_bytes =
      units::bytes(engine::fullest_at(answer.hand, report.per_request.tokens));
  report.per_gpu.request_allocated_bytes =
      answer.outcome.unit_bytes * engine::fullest_at(answer.outcome.ranks, answer.load.tokens);
}

void fill_engine(const Answer& answer, Report& report) {
  const engine::Outcome& out = answer.outcome;
  report.engine.id = answer.resolved->profile->id;
  report.engine.name = answer.resolved->profile->name;
  report.engine.version = out.version;
  report.engine.rules = out.rules;
  report.engine.util = out.util;
  report.engine.caches = out.caches;
  report.engine.start_lines = out.start_lines;
  report.engine.flags = out.flags;
  report.engine.refused = out.refusal.refused;
  report.engine.message = out.refusal.message;
  if (out.refusal.needed.raw() != 0) {
    report.engine.needed_bytes = maybe(out.refusal.needed.raw());
    report.engine.available_bytes = maybe(out.refusal.available.raw());
    report.engine.estimated_max_tokens = out.refusal.estimated_max_tokens;
  }
  report.engine.max_requests = out.seq_cap;
}

void fill_pool(const Answer& answer, Report& report) {
  const engine::Pool& pool = answer.outcome.pool;
  report.pool.bytes = pool.bytes;
  report.pool.low_bytes = pool.low_bytes;
  report.pool.high_bytes = pool.high_bytes;
  report.pool.blocks = pool.blocks;
  report.pool.block_tokens = pool.block_tokens;
  report.pool.tokens = pool.tokens;
  report.pool.source = pool.given ? "given" : "estimated";
  report.pool_given = pool.given;
  report.budget = answer.outcome.budget;
}

void fill_concurrency(const Answer& answer, Report& report) {
  report.concurrency.ratio = answer.outcome.ratio;
  const std::uint64_t longest = engine::requests_at(answer.outcome.ranks, answer.resolved->context);
  if (!answer.stop.empty()) {
    report.concurrency.worst_requests = report.concurrency.context_requests = 0;
  } else {
    report.concurrency.context_requests = maybe(longest);
    // Without a ratio there is none where nothing is stored, and no request where nothing fits.
    const auto whole = static_cast<std::uint64_t>(answer.outcome.ratio);
    const bool free = answer.outcome.ratio == 0 && longest == kOutOfRange;
    report.concurrency.worst_requests = free ? Maybe() : maybe(whole);
  }
  report.concurrency.requests = maybe(answer.now.requests);
  report.concurrency.pool_requests = maybe(answer.in_pool.requests);
  report.concurrency.per_replica = maybe(answer.now.per_replica);
  report.concurrency.limited_by = limit_name(answer.now.limited_by);
  report.concurrency.low_requests = maybe(answer.low.requests);
  report.concurrency.high_requests = maybe(answer.high.requests);
}

void fill_users(const Answer& answer, Report& report) {
  const Resolved& r = *answer.resolved;
  report.users.asked = r.users;
  report.users.needed_bytes = report.per_request.allocated_bytes * r.users;
  report.users.fits = answer.stop.empty() && answer.now.requests >= r.users;
  if (!answer.stop.empty()) return;
  const auto copies = plan::copies_needed(r.users, r.shared.idle, answer.now);
  if (copies) report.users.gpus_needed = maybe(units::checked_mul(*copies, answer.gpus_per_copy));
}

}  // namespace kvseats::scenario
