#include "scenario/solve.h"

#include <algorithm>

#include "scenario/evaluate.h"
#include "scenario/fields.h"
#include "scenario/present.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

using units::grouped;

// Why memory ends no length: nothing of the request grows with it.
std::string nothing_grows(const Report& r) {
  bool windows = false;
  bool states = false;
  for (const model::LayerGroup& group : r.model_spec.groups) {
    windows = windows || group.kind == model::CacheKind::kWindow ||
              group.kind == model::CacheKind::kChunked;
    states = states || group.state.kind != model::StateKind::kNone;
  }
  const char* what = windows && states ? "its windows are full and its states"
                     : windows         ? "its windows are full and"
                     : states          ? "its states"
                                       : "its layers";
  return std::string(" by memory, as ") + what + " do not grow";
}

std::string context_sentence(const Report& r) {
  const bool endless = !r.max_context.memory_tokens;
  std::string out = "One request alone: " + counted(r.max_context.memory_tokens, "token") +
                    (endless ? nothing_grows(r) : std::string(" by memory"));
  if (!r.max_context.condition.empty()) out += " " + r.max_context.condition + ", as now";
  if (r.max_context.limited_by == "model") {
    out += "; the model's own limit is " + counted(r.max_context.tokens, "token");
  }
  out += ". " + counted(r.max_context.for_users, "request") + " at once: ";
  if (r.max_context.for_users_tokens == 0u) {
    return out + "at no length; limited by " + r.verdict.binding + ".";
  }
  out += counted(r.max_context.for_users_tokens, "token") + " each";
  if (!r.max_context.for_users_tokens) return out + ".";
  return out + "; limited by " + r.verdict.binding + ".";
}

// Where an engine moves layers for a longer request by itself: what is left for the longest.
std::string moved_sentence(const Report& r, const catalogue::Catalogue& catalogue) {
  if (r.max_context.condition.empty() || r.max_context.limited_by != "memory") return "";
  if (!r.model.max_tokens) return "";
  Scenario longest = r.scenario;
  for (const char* key : {"prompt", "output", "service"}) clear_key(longest, key);
  if (!set_key(longest, "context", units::plain(*r.model.max_tokens))) return "";
  const Report there = evaluate(longest, catalogue);
  if (!there.ok || there.concurrency.requests.value_or(1) == 0) return "";
  return " One of " + counted(r.model.max_tokens, "token") + ", the model's own limit, starts " +
         there.max_context.condition + " (for=offload).";
}

std::string users_sentence(const Report& r) {
  const bool one = r.concurrency.requests == 1u;
  return "At " + counted(r.per_request.tokens, "token") + " each, " +
         counted(r.concurrency.requests, "request") + (one ? " runs" : " run") +
         " at once; limited by " + r.verdict.binding + ".";
}

// Somebody said how many: as requests, as people, or as services.
bool asks_for_users(const Scenario& s) {
  return s.users || s.people || s.rate || !s.services.empty();
}

std::string lever_sentence(const Solution& s) {
  const Report& r = s.report;
  const bool asked = asks_for_users(r.scenario);
  if (asked && r.users.fits) return "All " + grouped(r.users.asked) + " fit already.";
  if (!s.lever && !asked) return "No single change lets more requests run at once.";
  if (!s.lever) {
    return "No single change reaches " + grouped(r.users.asked) + " at once; see for=gpus.";
  }
  const Report::Lever& lever = r.levers[*s.lever];
  const std::string instead =
      asked ? "" : " instead of " + counted(r.concurrency.requests, "request");
  return lever.label + ": " + counted(lever.requests, "request") + " at once" + instead + "; " +
         lever.price + (asked ? "." : ". Give users= for the change that is enough.");
}

// The cheapest that brings more, whether or not it reaches a number that nobody asked for.
std::optional<std::size_t> cheapest_at_all(const Report& r) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < r.levers.size(); ++i) {
    const Report::Lever& lever = r.levers[i];
    if (lever.price_rank < 0 || !lever.helps) continue;
    if (!best || lever.price_rank < r.levers[*best].price_rank) best = i;
  }
  return best;
}

void solve_forward(const Question& question, const catalogue::Catalogue& catalogue, Solution& out) {
  out.report = evaluate(question.decoded.scenario, catalogue);
  out.ok = out.report.ok;
  if (!out.ok) return;
  if (out.target == "context") {
    out.sentence = context_sentence(out.report) + moved_sentence(out.report, catalogue);
  }
  if (out.target == "users") out.sentence = users_sentence(out.report);
  if (out.target != "lever") return;
  const auto best = cheapest_lever(out.report);
  if (!asks_for_users(out.report.scenario)) {
    out.lever = cheapest_at_all(out.report);
  } else if (best && out.report.levers[*best].reaches_users) {
    out.lever = best;
  }
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
