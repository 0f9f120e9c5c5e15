#include "scenario/solve.h"

#include <algorithm>

#include "scenario/evaluate.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

using units::grouped;

std::string tokens_or(const Maybe& n) {
  return n ? grouped(*n) + " tokens" : std::string("any length");
}

std::string context_sentence(const Report& r) {
  std::string out = "One request alone: " + tokens_or(r.max_context.memory_tokens) + " by memory";
  if (r.max_context.limited_by == "model") {
    out += "; the model's own limit is " + tokens_or(r.max_context.tokens);
  }
  return out + ". " + grouped(r.max_context.for_users) +
         (r.max_context.for_users == 1 ? " request" : " requests") +
         " at once: " + tokens_or(r.max_context.for_users_tokens) + " each.";
}

std::string users_sentence(const Report& r) {
  const std::string count =
      r.concurrency.requests ? grouped(*r.concurrency.requests) : std::string("any number of");
  return "At " + grouped(r.per_request.tokens) + " tokens each, " + count +
         (r.concurrency.requests.value_or(0) == 1 ? " request runs" : " requests run") +
         " at once; limited by " + r.verdict.binding + ".";
}

std::string lever_sentence(const Solution& s) {
  const Report& r = s.report;
  if (r.users.fits) return "All " + grouped(r.users.asked) + " fit already.";
  if (!s.lever) {
    return "No single change reaches " + grouped(r.users.asked) + " at once; see for=gpus.";
  }
  const Report::Lever& lever = r.levers[*s.lever];
  return lever.label + ": " +
         (lever.requests ? grouped(*lever.requests) : std::string("any number")) + " at once; " +
         lever.price + ".";
}

// The cheapest that reaches the users; of equals the one that gives most.
std::optional<std::size_t> cheapest_lever(const Report& r) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < r.levers.size(); ++i) {
    const Report::Lever& lever = r.levers[i];
    if (!lever.reaches_users || lever.price_rank < 0) continue;
    if (!best || lever.price_rank < r.levers[*best].price_rank ||
        (lever.price_rank == r.levers[*best].price_rank && lever.times > r.levers[*best].times)) {
      best = i;
    }
  }
  return best;
}

void solve_forward(const Question& question, const catalogue::Catalogue& catalogue, Solution& out) {
  out.report = evaluate(question.decoded.scenario, catalogue);
  out.ok = out.report.ok;
  if (!out.ok) return;
  if (out.target == "context") out.sentence = context_sentence(out.report);
  if (out.target == "users") out.sentence = users_sentence(out.report);
  if (out.target != "lever") return;
  out.lever = cheapest_lever(out.report);
  out.sentence = lever_sentence(out);
}

}  // namespace

void add_new(const units::Diagnostics& from, units::Diagnostics& to) {
  for (const units::Diagnostic& trouble : from) {
    const bool known = std::any_of(to.begin(), to.end(), [&trouble](const units::Diagnostic& d) {
      return d.code == trouble.code && d.text == trouble.text;
    });
    if (!known) to.push_back(trouble);
  }
}

Solution solve(const Question& question, const catalogue::Catalogue& catalogue) {
  Solution out;
  out.target = question.target;
  out.diagnostics = question.decoded.diagnostics;
  out.ok = !has_error(out.diagnostics);
  if (!out.ok) return out;
  if (out.target == "gpus") {
    solve_gpus(question, catalogue, out);
  } else if (out.target == "offload") {
    solve_offload(question, catalogue, out);
  } else if (out.target == "context" || out.target == "users" || out.target == "lever") {
    solve_forward(question, catalogue, out);
  } else {
    out.ok = false;
    out.diagnostics.push_back(units::diagnose(
        "E-SOLVE", "for", "There is nothing to solve for called \"" + question.target + "\"",
        "Use for=context, users, gpus, lever or offload."));
  }
  add_new(out.report.diagnostics, out.diagnostics);
  return out;
}

}  // namespace kvseats::scenario
