#include <algorithm>
#include <tuple>

#include "engine/cost.h"
#include "scenario/answer.h"
#include "scenario/evaluate.h"
#include "scenario/present.h"
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
        engine::taken(rank, answer.load.tokens, answer.load.shared, held_now(answer));
    if (units::checked_mul(used, 10) > units::checked_mul(rank.capacity, 9)) return true;
  }
  return false;
}

std::string_view status_of(const Answer& answer, const Report& report) {
  if (!answer.stop.empty()) return answer.stop;
  if (!report.users.fits) return "queues";
  return is_tight(answer) ? "tight" : "ok";
}

std::string_view certainty_of(const Answer& answer) {
  if (answer.outcome.pool.given) return "given";
  const std::uint64_t users = answer.resolved->users;
  const bool low = answer.low.requests >= users;
  const bool high = answer.high.requests >= users;
  return low == high && answer.resolved->weights.known ? "likely" : "unsure";
}

// What takes most of the memory where nothing is left for a cache.
struct Taker {
  std::string_view binding, subject;
};

Taker taker_of(const Answer& answer) {
  if (answer.outcome.pool.given) return {"cache pool as given", "The pool as given leaves"};
  const auto amount = [&answer](std::string_view id) { return budget_amount(answer.outcome, id); };
  const units::Bytes used = amount("used"), weights = amount("weights");
  const units::Bytes unused = amount("unused"), overhead = amount("overhead");
  if (weights >= std::max({used, unused, overhead})) return {"weights of the model", ""};
  if (used >= std::max(unused, overhead)) {
    return {"memory held by other programs (used)", "Other programs leave"};
  }
  if (overhead >= unused) return {"overhead beside the weights", "The overhead leaves"};
  return {"memory fraction of the engine (util)", "The memory fraction leaves"};
}

std::string binding_of(const Answer& answer) {
  if (answer.stop == "no_room") return std::string(taker_of(answer).binding);
  const bool starts = answer.stop.empty();
  if (starts && answer.now.limited_by == plan::Limit::kEngine)
    return "most sequences of the engine (seqs)";
  if (starts && answer.now.limited_by == plan::Limit::kNothing)
    return "nothing: a request stores nothing";
  const std::uint32_t stages = answer.resolved->inputs.parallel.pp;
  const std::size_t tight =
      engine::tightest(answer.outcome.ranks, answer.load.tokens, answer.load.shared);
  const engine::Rank& rank = answer.outcome.ranks[tight];
  const std::string pool = rank.pool.empty() ? "cache pool" : std::string(rank.pool) + " pool";
  if (stages == 1) return pool + " of one GPU";
  return pool + " of pipeline stage " + grouped(rank.stage + 1u) + " of " + grouped(stages);
}

std::string gpus_text(const Report& report, std::uint64_t count) {
  return (count == 1 ? "one " : grouped(count) + " × ") + report.gpu.short_name;
}

// Whose weights they are: a drafter's lie beside the model's.
std::string owner_of(const Answer& answer, const Report& report) {
  return report.model.name +
         (answer.resolved->drafter.empty() ? "" : " and " + answer.resolved->drafter);
}

std::string no_room_sentence(const Answer& answer, const Report& report) {
  std::string out(taker_of(answer).subject);
  if (out.empty()) out = "The weights of " + owner_of(answer, report) + " leave";
  out += " no room for a cache on " + gpus_text(report, report.gpu.count);
  if (answer.outcome.pool.given) return out + ".";
  out += ". Of " + size_both(report.gpu.seen, SizeUnit::kGb) + " on each GPU";
  std::string_view comma = ": ";
  for (const engine::BudgetTerm& term : answer.outcome.budget) {
    if (term.typical.raw() == 0) continue;
    out += std::string(comma) + term.label + " " + size_both(term.typical, SizeUnit::kGb);
    comma = ", ";
  }
  return out + ".";
}

std::string refuses_sentence(const Answer& answer, const Report& report) {
  if (!report.engine.message.empty()) return report.engine.message;
  // The load would fit: it is the limit that does not.
  const std::uint64_t tokens =
      answer.in_pool.requests == 0 ? report.per_request.tokens : report.context;
  return "Not one request of " + counted(tokens, "token") + " fits: it takes " +
         size_both(answer.outcome.unit_bytes * engine::fullest_at(answer.outcome.ranks, tokens),
                   SizeUnit::kGb) +
         " on each GPU, and the pool has " + size_both(report.pool.bytes, SizeUnit::kGb) + ".";
}

std::string count_sentence(const Report& report) {
  const bool one = report.concurrency.requests == 1u;
  const bool most = !report.model.weights_known && report.verdict.certainty == "unsure";
  std::string out = (most ? "At most " : "") + counted(report.concurrency.requests, "request") +
                    " of " + counted(report.per_request.tokens, "token") +
                    (one ? " fits" : " fit") + " at once on " + gpus_text(report, report.gpu.count);
  if (!report.concurrency.requests && !most) out[0] = 'A';
  if (report.users.fits) return out + ": enough for " + grouped(report.users.asked) + ".";
  return out + "; " + grouped(report.users.asked) + " are wanted, so the rest wait.";
}

// An engine that moves layers to host memory by itself serves longer requests with fewer on the
// GPU: another deployment, which `max_context` is not of.
std::string moves_layers(const Report& report) {
  if (report.max_context.condition.empty() || report.max_context.limited_by != "memory") return "";
  return " It is started " + report.max_context.condition + "; for requests beyond " +
         counted(report.max_context.memory_tokens, "token") + " fewer stay there (for=offload).";
}

std::string idle_sentence(const Report& report) {
  if (report.shared.idle == 0) return "";
  return " " + counted(report.shared.idle, "idle session") + " hold " +
         size_both(report.sharing.idle_bytes, SizeUnit::kGb) + ".";
}

// Why the verdict is unsure, with both counts.
std::string doubt(const Answer& answer, const Report& report) {
  if (!report.model.weights_known) {
    return " The weights of " + owner_of(answer, report) +
           " are not known and count as nothing: fewer fit.";
  }
  return " The pool is an estimate: at its low end " +
         counted(report.concurrency.low_requests, "request") + ", at its high end " +
         counted(report.concurrency.high_requests, "request") + ".";
}

}  // namespace

std::optional<std::size_t> cheapest_lever(const Report& report) {
  std::optional<std::size_t> best;
  const auto rank = [&report](std::size_t i) {
    const Report::Lever& lever = report.levers[i];
    return std::tuple(!lever.reaches_users, lever.price_rank, ~lever.requests.value_or(UINT64_MAX));
  };
  for (std::size_t i = 0; i < report.levers.size(); ++i) {
    if (report.levers[i].price_rank < 0 || !report.levers[i].helps) continue;
    if (!best || rank(i) < rank(*best)) best = i;
  }
  return best;
}

void fill_verdict(const Answer& answer, Report& report) {
  report.verdict.fits = report.users.fits;
  report.verdict.status = status_of(answer, report);
  report.verdict.certainty = certainty_of(answer);
  report.verdict.binding = binding_of(answer);
  if (const auto best = cheapest_lever(report); best && !report.verdict.fits) {
    const Report::Lever& lever = report.levers[*best];
    report.verdict.lever = lever.label + " → " + counted(lever.requests, "request");
  }
  if (answer.stop == "no_room") {
    report.verdict.sentence = no_room_sentence(answer, report);
  } else if (answer.stop == "refuses") {
    report.verdict.sentence = refuses_sentence(answer, report);
  } else {
    report.verdict.sentence = count_sentence(report) + moves_layers(report);
  }
  report.verdict.sentence += idle_sentence(report);
  if (report.verdict.certainty == "unsure") report.verdict.sentence += doubt(answer, report);
}

}  // namespace kvseats::scenario
