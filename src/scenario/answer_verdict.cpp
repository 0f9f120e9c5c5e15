#include <algorithm>

#include "engine/cost.h"
#include "scenario/answer.h"
#include "units/text.h"

// The verdict: does it fit, how sure is that, what binds, and which lever moves it.
namespace kvseats::scenario {
namespace {

using units::grouped;
using units::size_both;
using units::SizeUnit;

// Under 10 % of the pool left once all wanted requests run.
bool is_tight(const Answer& answer) {
  const engine::Outcome& out = answer.outcome;
  for (const engine::Rank& rank : out.ranks) {
    const std::uint64_t used =
        engine::taken(rank, answer.load.tokens, answer.load.prefix, answer.users_per_copy);
    if (units::checked_mul(used, 10) > units::checked_mul(rank.capacity, 9)) return true;
  }
  return false;
}

std::string status_of(const Answer& answer, const Report& report) {
  if (answer.outcome.pool.no_room) return "no_room";
  const bool none_of_context = report.concurrency.worst_requests.value_or(1) == 0;
  if (report.engine.refused || (none_of_context && report.engine.id != "hand")) return "refuses";
  if (answer.now.requests == 0) return "refuses";
  if (!report.users.fits) return "queues";
  return is_tight(answer) ? "tight" : "ok";
}

std::string certainty_of(const Answer& answer) {
  if (answer.outcome.pool.given) return "given";
  const std::uint64_t users = answer.resolved->users;
  const bool low = answer.low.requests >= users;
  const bool high = answer.high.requests >= users;
  return low == high ? "likely" : "unsure";
}

std::string binding_of(const Answer& answer, const Report& report) {
  if (report.verdict.status == "no_room") return "weights of the model";
  if (answer.now.limited_by == plan::Limit::kEngine) return "most sequences of the engine (seqs)";
  if (answer.now.limited_by == plan::Limit::kNothing) return "nothing: a request stores nothing";
  const std::uint32_t stages = answer.resolved->inputs.parallel.pp;
  const std::size_t tight =
      engine::tightest(answer.outcome.ranks, answer.load.tokens, answer.load.prefix);
  const engine::Rank& rank = answer.outcome.ranks[tight];
  const std::string pool = rank.pool.empty() ? "cache pool" : std::string(rank.pool) + " pool";
  if (stages == 1) return pool + " of one GPU";
  return pool + " of pipeline stage " + grouped(rank.stage + 1u) + " of " + grouped(stages);
}

// The cheapest change that reaches the wanted requests, else the cheapest that brings more.
const Report::Lever* best_lever(const Report& report) {
  const Report::Lever* best = nullptr;
  for (const Report::Lever& lever : report.levers) {
    if (lever.price_rank < 0 || lever.times <= 1) continue;
    if (best == nullptr) {
      best = &lever;
    } else if (lever.reaches_users != best->reaches_users) {
      if (lever.reaches_users) best = &lever;
    } else if (lever.price_rank < best->price_rank) {
      best = &lever;
    }
  }
  return best;
}

std::string gpus_text(const Report& report, std::uint64_t count) {
  return (count == 1 ? "one " : grouped(count) + " × ") + report.gpu.short_name;
}

std::string no_room_sentence(const Answer& answer, const Report& report) {
  std::string out = "The weights of " + report.model.name + " leave no room for a cache on " +
                    gpus_text(report, report.gpu.count);
  for (const engine::BudgetTerm& term : answer.outcome.budget) {
    if (term.id == "weights") {
      out += ": they take " + size_both(term.typical, SizeUnit::kGb) + " of " +
             size_both(report.gpu.seen, SizeUnit::kGb) + " on each GPU";
    }
  }
  return out + ".";
}

std::string refuses_sentence(const Report& report) {
  if (!report.engine.message.empty()) return report.engine.message;
  return "Not one request of " + grouped(report.per_request.tokens) + " tokens fits: it takes " +
         size_both(report.per_gpu.request_allocated_bytes, SizeUnit::kGb) +
         " on each GPU, and the pool has " + size_both(report.pool.bytes, SizeUnit::kGb) + ".";
}

std::string count_sentence(const Report& report) {
  const std::string requests = report.concurrency.requests ? grouped(*report.concurrency.requests)
                                                           : std::string("any number");
  const bool one = report.concurrency.requests.value_or(2) == 1;
  std::string out = requests + (one ? " request of " : " requests of ") +
                    grouped(report.per_request.tokens) + " tokens " + (one ? "fits" : "fit") +
                    " at once on " + gpus_text(report, report.gpu.count);
  if (report.users.fits) return out + ": enough for " + grouped(report.users.asked) + ".";
  return out + "; " + grouped(report.users.asked) + " are wanted, so the rest wait.";
}

}  // namespace

void fill_verdict(const Answer& answer, Report& report) {
  report.verdict.fits = report.users.fits && !report.engine.refused;
  report.verdict.status = status_of(answer, report);
  if (report.verdict.status == "no_room" || report.verdict.status == "refuses") {
    report.verdict.fits = false;
  }
  report.verdict.certainty = certainty_of(answer);
  report.verdict.binding = binding_of(answer, report);
  if (const Report::Lever* lever = best_lever(report); lever != nullptr && !report.verdict.fits) {
    report.verdict.lever =
        lever->label + " → " +
        (lever->requests ? grouped(*lever->requests) : std::string("any number")) + " requests";
  }
  if (report.verdict.status == "no_room") {
    report.verdict.sentence = no_room_sentence(answer, report);
  } else if (report.verdict.status == "refuses") {
    report.verdict.sentence = refuses_sentence(report);
  } else {
    report.verdict.sentence = count_sentence(report);
  }
}

}  // namespace kvseats::scenario
