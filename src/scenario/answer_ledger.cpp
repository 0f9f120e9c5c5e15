#include <algorithm>

#include "scenario/answer.h"
#include "scenario/ledger_rows.h"
#include "scenario/present.h"
#include "units/text.h"

// The derivation of every number of the report, as rows.
namespace kvseats::scenario {
namespace {

using rows::bytes_text;
using rows::derived;
using rows::input;
using rows::row;
using units::grouped;
using units::LedgerRow;
using units::whole_value;

// What a request keeps whatever its length.
void add_states(const Answer& answer, units::Ledger& out) {
  for (std::size_t i = 0; i < answer.parts.size(); ++i) {
    const model::Component& part = answer.parts[i];
    if (part.kind != model::ComponentKind::kState) continue;
    out.push_back(derived("per_request." + units::plain(i) + ".state", "State, whatever the length",
                          (part.fixed * part.layers).raw(), "B", part.formula, {"model.geometry"}));
  }
}

// What one request needs of what it is given, and what it is given beyond that, cause by cause.
void add_waste(const Report& report, units::Ledger& out) {
  units::Bytes needed = report.per_gpu.request_allocated_bytes;
  for (const Report::Waste& cause : report.waste) needed = left_after(needed, cause.bytes);
  const auto add = [&](std::string_view id, std::string_view label, units::Bytes bytes) {
    LedgerRow r = derived("waste." + std::string(id), "of it, " + std::string(label), bytes.raw(),
                          "B", "by the rules of " + report.engine.name, {});
    r.parent = "per_gpu.request_allocated_bytes";
    out.push_back(std::move(r));
  };
  if (!report.waste.empty()) add("needed", "Needed", needed);
  for (const Report::Waste& cause : report.waste) add(cause.id, cause.label, cause.bytes);
}

// "81,920 B × 8,192 tokens + 425,984 B × 1,024 tokens"; what does not grow by the token as it is.
std::string request_formula(const Answer& answer) {
  const Resolved& r = *answer.resolved;
  std::string out;
  for (const model::Component& part : answer.parts) {
    const std::uint64_t length = r.length(r.prompt, r.output);
    const std::uint64_t tokens =
        std::min(part.of_encoder ? model::encoder_tokens(part, r.prompt) : length, part.cap_tokens);
    const units::Ratio each = model::per_token(part);
    if (!out.empty()) out += " + ";
    out += each.num == 0 || part.stride != 1
               ? bytes_text(model::bytes_at(part, part.of_encoder ? r.prompt : length))
               : ratio_text(each) + " B × " + counted(tokens, "token") +
                     (each.den == 1 ? "" : ", rounded up");
  }
  return out;
}

// A division where the GPUs share a token evenly.
std::string gpu_formula(const Answer& answer, const Report& report) {
  const engine::Parallel& p = answer.resolved->inputs.parallel;
  const std::string tp = "tp " + grouped(p.tp);
  const std::string pp = "pp " + grouped(p.pp);
  return report.per_gpu.token_bytes * p.tp * p.pp == report.per_token.bytes
             ? bytes_text(report.per_token.bytes) + " ÷ (" + tp + " × " + pp + ")"
             : "split over " + tp + ", " + pp;
}

// Where a length comes from: given, cut out of the context (share_of_context), or the usual one.
std::string length_source(const Scenario& s, const Count& given) {
  if (given) return "yours";
  return s.context && !s.prompt && !s.output ? "a part of context" : "default";
}

void add_request(const Answer& answer, const Report& report, units::Ledger& out) {
  const Resolved& r = *answer.resolved;
  const bool encoded = r.prompt_is_encoded;
  out.push_back(derived("per_request.tokens", "Tokens of one request", report.per_request.tokens,
                        "tokens",
                        grouped(r.prompt) + (encoded ? " prompt in the encoder; " : " prompt + ") +
                            grouped(r.output) + " output",
                        {"load.prompt", "load.output"}));
  for (const auto& [id, label, value, given] :
       {std::tuple{"load.prompt", "Prompt", r.prompt, &report.scenario.prompt},
        {"load.output", "Output", r.output, &report.scenario.output}}) {
    LedgerRow part =
        input(id, label, value, "tokens", false, length_source(report.scenario, *given));
    if (!encoded || id == std::string_view("load.output")) part.parent = "per_request.tokens";
    out.push_back(std::move(part));
  }
  out.push_back(derived("per_request.bytes", "One request must store",
                        report.per_request.bytes.raw(), "B", request_formula(answer),
                        {"per_token.bytes", "per_request.tokens"}));
  add_states(answer, out);
  out.push_back(derived(
      "per_request.allocated_bytes", "One request is given, on all GPUs",
      report.per_request.allocated_bytes.raw(), "B",
      (report.engine.id == "hand" ? "what it needs" : "by the rules of " + report.engine.name) +
          ", copies included",
      {"per_request.bytes"}));
  out.push_back(derived("per_gpu.token_bytes", "One token on the fullest GPU",
                        report.per_gpu.token_bytes.raw(), "B", gpu_formula(answer, report),
                        {"per_token.bytes"}));
  const units::Bytes request = report.per_gpu.token_bytes * report.per_request.tokens;
  out.push_back(derived("per_gpu.request_allocated_bytes", "One request on the fullest GPU",
                        report.per_gpu.request_allocated_bytes.raw(), "B",
                        request == report.per_gpu.request_allocated_bytes
                            ? bytes_text(report.per_gpu.token_bytes) + " × " +
                                  counted(report.per_request.tokens, "token")
                            : "",
                        {"per_gpu.token_bytes", "per_request.tokens"}));
  add_waste(report, out);
}

const engine::BudgetTerm* term_called(const engine::Outcome& out, std::string_view id) {
  for (const engine::BudgetTerm& term : out.budget) {
    if (term.id == id) return &term;
  }
  return nullptr;
}

// The parts of the bar, which is cut to the memory there is, as the budget has them.
std::vector<Report::MemoryPart> whole_parts(const Answer& answer, const Report& report, bool& cut) {
  std::vector<Report::MemoryPart> parts = report.memory;
  cut = false;
  for (const auto& [id, label] : {std::pair{"used", "Held by other programs"},
                                  {"weights", "Weights"},
                                  {"overhead", "Overhead"}}) {
    const units::Bytes whole = budget_amount(answer.outcome, id);
    const auto part = std::find_if(parts.begin(), parts.end(),
                                   [id = id](const auto& known) { return known.id == id; });
    if (part != parts.end()) {
      // A given pool was measured: the estimate of the overhead is what gives way.
      if (report.pool_given && part->id == "overhead") continue;
      cut = cut || part->bytes != whole;
      part->bytes = whole;
    } else if (whole.raw() != 0) {
      cut = true;
      parts.push_back({.id = id,
                       .label = label,
                       .kind = id,
                       .bytes = whole,
                       .ledger_id = std::string("gpu.") + id});
    }
  }
  return parts;
}

// A line of the engine's budget. Where a given pool leaves more or less than it, its rule is not
// how the value came about.
void take_term(const Answer& answer, const engine::BudgetTerm& term, LedgerRow& p) {
  if (p.value == whole_value(term.typical.raw())) p.formula = term.formula;
  p.source = term.source;
  if (term.low == term.high || answer.outcome.pool.given) return;
  p.low = whole_value(term.low.raw());
  p.high = whole_value(term.high.raw());
}

// What the overhead is made of, where the estimates are all of it.
units::Ledger overhead_terms(const Answer& answer, LedgerRow& overhead) {
  units::Ledger out;
  if (whole_value(budget_amount(answer.outcome, "overhead").raw()) != overhead.value) return out;
  for (const engine::BudgetTerm& term : answer.outcome.budget) {
    if (term.id == "used" || term.id == "weights" || term.id == "unused") continue;
    if (term.typical.raw() == 0) continue;
    LedgerRow r = row("gpu.overhead." + term.id, "of it: " + term.label,
                      whole_value(term.typical.raw()), "B");
    take_term(answer, term, r);
    r.parent = overhead.id;
    overhead.formula += (out.empty() ? "" : " + ") + bytes_text(term.typical);
    overhead.inputs.push_back(r.id);
    out.push_back(std::move(r));
  }
  return out;
}

// The pool less what is in it; nothing where the bar was cut to the memory there is.
std::string free_formula(const Report& report, units::Bytes free) {
  std::string out = bytes_text(report.pool.bytes);
  for (const Report::MemoryPart& part : report.memory) {
    if (part.kind != "cache" && part.kind != "waste") continue;
    out += " − " + bytes_text(part.bytes);
    free = free + part.bytes;
  }
  return free == report.pool.bytes ? out : "";
}

void add_memory(const Answer& answer, const Report& report, units::Ledger& out) {
  const Resolved& r = *answer.resolved;
  LedgerRow seen =
      row("gpu.seen", "Memory one GPU offers the engine", whole_value(report.gpu.seen.raw()), "B");
  seen.source = r.inputs.memory ? "yours" : device::seen_memory_source(r.device);
  out.push_back(std::move(seen));
  bool cut = false;
  for (const Report::MemoryPart& part : whole_parts(answer, report, cut)) {
    LedgerRow p = row(part.ledger_id, part.label, whole_value(part.bytes.raw()), "B");
    if (!cut) p.parent = "gpu.seen";
    p.source = "computed";
    units::Ledger terms;
    if (const engine::BudgetTerm* term = term_called(answer.outcome, part.id)) {
      take_term(answer, *term, p);
    } else if (part.id == "overhead") {
      terms = overhead_terms(answer, p);
    } else if (part.id == "free") {
      p.formula = free_formula(report, part.bytes);
    }
    const std::uint64_t running = running_now(answer);
    const auto each = [&](units::Bytes bytes) {
      p.formula = bytes_text(bytes) + " × " + counted(running, "request");
    };
    if (part.id == "cache" && report.per_gpu.request_bytes * running == part.bytes) {
      each(report.per_gpu.request_bytes);
    }
    for (const Report::Waste& cause : report.waste) {
      if (part.id == "waste." + cause.id && cause.bytes * running == part.bytes) each(cause.bytes);
    }
    out.push_back(std::move(p));
    out.insert(out.end(), terms.begin(), terms.end());
  }
  for (const Report::MemoryPart& part : report.host_memory) {
    LedgerRow p = row(part.ledger_id, part.label, whole_value(part.bytes.raw()), "B");
    p.source = "by the rules of " + report.engine.name;
    out.push_back(std::move(p));
  }
}

std::string pool_formula(const Answer& answer) {
  if (answer.outcome.pool.given) return "";
  std::string out = bytes_text(answer.outcome.seen);
  units::Bytes left = answer.outcome.seen;
  for (const engine::BudgetTerm& term : answer.outcome.budget) {
    out += " − " + term.id + " " + bytes_text(term.typical);
    left = left_after(left, term.typical);
  }
  if (left != answer.outcome.pool.bytes) return "a share of all memory, as if none were in use";
  return answer.outcome.pool.bytes.raw() == 0 ? "max(0 B, " + out + ")" : out;
}

// A division only where every token costs the same: no windows, states or encoders.
std::string pool_tokens_formula(const Answer& answer, const Report& report) {
  if (report.engine.id != "hand") return "as " + report.engine.name + " counts";
  const std::uint64_t each = std::max<std::uint64_t>(1, report.per_gpu.token_bytes.raw());
  if (report.pool.bytes.raw() / each == *report.pool.tokens) {
    return "floor(" + bytes_text(report.pool.bytes) + " ÷ " + grouped(each) + " B)";
  }
  return answer.outcome.ranks.size() > 1 ? "the longest in the tightest stage" : "the longest";
}

void add_pool(const Answer& answer, const Report& report, units::Ledger& out) {
  LedgerRow pool = derived("pool.bytes", "Cache pool of one GPU", report.pool.bytes.raw(), "B",
                           pool_formula(answer), {});
  if (report.pool_given) {
    pool.source = "yours";
  } else {
    pool.inputs = {"gpu.seen"};
    for (const char* id : {"gpu.used", "gpu.weights", "gpu.overhead", "gpu.unused"}) {
      const bool known = std::any_of(out.begin(), out.end(),
                                     [id](const LedgerRow& other) { return other.id == id; });
      if (known) pool.inputs.emplace_back(id);
    }
    pool.low = whole_value(report.pool.low_bytes.raw());
    pool.high = whole_value(report.pool.high_bytes.raw());
  }
  out.push_back(std::move(pool));
  if (report.pool.blocks) {
    out.push_back(derived("pool.blocks", "Blocks of the pool", *report.pool.blocks, "blocks",
                          "of " + counted(report.pool.block_tokens, "token"), {"pool.bytes"}));
  }
  if (report.pool.tokens) {
    out.push_back(derived("pool.tokens", "Tokens the pool holds", *report.pool.tokens, "tokens",
                          pool_tokens_formula(answer, report),
                          {"pool.bytes", "per_gpu.token_bytes"}));
  }
}

std::string requests_formula(const Report& report, std::uint64_t dp) {
  const units::Bytes request = report.per_gpu.request_allocated_bytes;
  std::uint64_t each = request.raw() == 0 ? 0 : report.pool.bytes.raw() / request.raw();
  std::string out = "floor(" + bytes_text(report.pool.bytes) + " ÷ " + bytes_text(request) + ")";
  if (report.seq_cap && *report.seq_cap < each) {
    each = *report.seq_cap;
    out = "min(" + out + ", " + grouped(each) + " sequences)";
  }
  if (units::checked_mul(each, dp) != *report.concurrency.requests) {
    return "as " + report.engine.name + " counts";
  }
  return dp > 1 ? out + " × dp " + grouped(dp) : out;
}

void add_counts(const Answer& answer, const Report& report, units::Ledger& out) {
  const std::uint64_t dp = answer.resolved->inputs.parallel.dp;
  if (report.concurrency.requests) {
    LedgerRow r = derived("concurrency.requests", "Requests at once", *report.concurrency.requests,
                          "requests", requests_formula(report, dp),
                          {"pool.bytes", "per_gpu.request_allocated_bytes"});
    if (!report.pool_given && report.concurrency.low_requests && report.concurrency.high_requests) {
      r.low = whole_value(*report.concurrency.low_requests);
      r.high = whole_value(*report.concurrency.high_requests);
    }
    out.push_back(std::move(r));
  }
  LedgerRow ratio = row("concurrency.ratio", "Pool ÷ longest request",
                        units::real_value(report.concurrency.ratio), "");
  ratio.formula = "at " + counted(report.context, "token");
  ratio.inputs = {"pool.bytes"};
  ratio.source = "computed";
  out.push_back(std::move(ratio));
  if (report.max_context.memory_tokens) {
    const std::string& with = report.max_context.condition;
    const std::string how = "the longest whose cost is within the pool";
    out.push_back(derived("max_context.memory_tokens", "Longest request alone, by memory",
                          *report.max_context.memory_tokens, "tokens",
                          with.empty() ? how : how + ", " + with + ", as now", {"pool.bytes"}));
  }
  if (report.max_context.for_users_tokens) {
    out.push_back(derived("max_context.for_users", "Longest for all wanted at once",
                          *report.max_context.for_users_tokens, "tokens",
                          "the longest at which " + grouped(report.users.asked) + " fit",
                          {"pool.bytes", "users.asked"}));
  }
}

void add_users(const Report& report, units::Ledger& out) {
  const Scenario& s = report.scenario;
  out.push_back(input("users.asked", "Requests wanted at once", report.users.asked, "requests",
                      s.users.has_value(), s.people ? "of the people" : "default"));
  out.push_back(
      derived("users.needed_bytes", "They need", report.users.needed_bytes.raw(), "B",
              grouped(report.users.asked) + " × " + bytes_text(report.per_request.allocated_bytes),
              {"users.asked", "per_request.allocated_bytes"}));
  if (report.users.gpus_needed && report.concurrency.per_replica) {
    std::string how = "as many copies as hold them and idle sessions";
    const std::string each = grouped(*report.concurrency.per_replica);
    const std::string end = each + ") × " + grouped(report.gpu.per_copy);
    if (report.shared.idle == 0) how = "ceil(" + grouped(report.users.asked) + " ÷ " + end;
    out.push_back(derived("users.gpus_needed", "GPUs for them", *report.users.gpus_needed, "GPUs",
                          how, {"users.asked", "concurrency.requests"}));
  }
}

void add_services(const Report& report, units::Ledger& out) {
  for (std::size_t i = 0; i < report.services.size(); ++i) {
    const Report::ServiceAnswer& s = report.services[i];
    out.push_back(derived("services." + units::plain(i) + ".needed_bytes",
                          "Service " + s.name + " needs", s.needed_bytes.raw(), "B",
                          grouped(s.users) + " × " + bytes_text(s.request_bytes),
                          {"per_token.bytes"}));
  }
}

}  // namespace

void fill_ledger(const Answer& answer, Report& report) {
  units::Ledger& out = report.ledger;
  add_model_rows(answer, out);
  add_request(answer, report, out);
  add_memory(answer, report, out);
  add_pool(answer, report, out);
  add_counts(answer, report, out);
  add_users(report, out);
  add_services(report, out);
  out.insert(out.end(), answer.outcome.ledger.begin(), answer.outcome.ledger.end());
}

}  // namespace kvseats::scenario
