#include "scenario/solve.h"

#include "scenario/evaluate.h"
#include "scenario/present.h"
#include "units/json_writer.h"
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

void write(units::JsonWriter& w, std::string_view name, const Maybe& value) {
  w.key(name);
  if (value) {
    w.value(*value);
  } else {
    w.null();
  }
}

void write_answer(units::JsonWriter& w, const Solution& s) {
  const Report& r = s.report;
  w.field("query", r.query).field("sentence", s.sentence);
  if (s.target == "context") {
    w.key("context").open_object();
    write(w, "tokens", r.max_context.tokens);
    w.field("limited_by", r.max_context.limited_by);
    write(w, "memory_tokens", r.max_context.memory_tokens);
    w.key("for_users").open_object().field("users", r.max_context.for_users);
    write(w, "tokens", r.max_context.for_users_tokens);
    w.close_object().close_object();
    return;
  }
  w.key("users").open_object().field("tokens", r.per_request.tokens);
  write(w, "requests", r.concurrency.requests);
  write(w, "per_replica", r.concurrency.per_replica);
  w.field("limited_by", r.concurrency.limited_by).field("binding", r.verdict.binding);
  w.close_object();
}

}  // namespace

Solution solve(std::string_view target, const Decoded& decoded,
               const catalogue::Catalogue& catalogue) {
  Solution out;
  out.target = std::string(target);
  if (target != "context" && target != "users") {
    out.ok = false;
    out.diagnostics.push_back(units::diagnose(
        "E-SOLVE", "for",
        "There is nothing to solve for called \"" + units::valid_utf8(target.substr(0, 40)) + "\"",
        "Use for=context or for=users."));
    return out;
  }
  out.report = evaluate(decoded, catalogue);
  out.ok = out.report.ok;
  out.diagnostics = out.report.diagnostics;
  if (!out.ok) return out;
  out.sentence = target == "context" ? context_sentence(out.report) : users_sentence(out.report);
  return out;
}

std::string to_json(const Solution& solution, int indent) {
  units::JsonWriter w(indent);
  w.open_object().field("schema", std::uint64_t{1}).field("for", solution.target);
  if (solution.ok) write_answer(w, solution);
  w.key("diagnostics").raw(to_json(solution.diagnostics, 0));
  w.close_object();
  return w.take();
}

}  // namespace kvseats::scenario
