#include "scenario/solve.h"

#include <algorithm>

#include "scenario/evaluate.h"
#include "scenario/present.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

using units::grouped;

std::string context_sentence(const Report& r) {
  std::string out =
      "One request alone: " + counted(r.max_context.memory_tokens, "token") + " by memory";
  if (r.max_context.limited_by == "model") {
    out += "; the model's own limit is " + counted(r.max_context.tokens, "token");
  }
  out += ". " + counted(r.max_context.for_users, "request") + " at once: ";
  if (r.max_context.for_users_tokens == 0u) return out + "at no length.";
  return out + counted(r.max_context.for_users_tokens, "token") + " each.";
}

std::string users_sentence(const Report& r) {
  const bool one = r.concurrency.requests == 1u;
  return "At " + counted(r.per_request.tokens, "token") + " each, " +
         counted(r.concurrency.requests, "request") + (one ? " runs" : " run") +
         " at once; limited by " + r.verdict.binding + ".";
}

std::string lever_sentence(const Solution& s) {
  const Report& r = s.report;
  if (r.users.fits) return "All " + grouped(r.users.asked) + " fit already.";
  if (!s.lever) {
    return "No single change reaches " + grouped(r.users.asked) + " at once; see for=gpus.";
  }
  const Report::Lever& lever = r.levers[*s.lever];
  return lever.label + ": " + counted(lever.requests, "request") + " at once; " + lever.price + ".";
}

void solve_forward(const Question& question, const catalogue::Catalogue& catalogue, Solution& out) {
  out.report = evaluate(question.decoded.scenario, catalogue);
  out.ok = out.report.ok;
  if (!out.ok) return;
  if (out.target == "context") out.sentence = context_sentence(out.report);
  if (out.target == "users") out.sentence = users_sentence(out.report);
  if (out.target != "lever") return;
  const auto best = cheapest_lever(out.report);
  if (best && out.report.levers[*best].reaches_users) out.lever = best;
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
  } else if (out.target == "pareto") {
    solve_pareto(question, catalogue, out);
  } else if (out.target == "offload") {
    solve_offload(question, catalogue, out);
  } else if (out.target == "context" || out.target == "users" || out.target == "lever") {
    solve_forward(question, catalogue, out);
  } else {
    out.ok = false;
    out.diagnostics.push_back(units::diagnose(
        "E-SOLVE", "for", "There is nothing to solve for called \"" + question.target + "\"",
        "Use for=context, users, gpus, pareto, lever or offload."));
  }
  add_new(out.report.diagnostics, out.diagnostics);
  return out;
}

}  // namespace kvseats::scenario
