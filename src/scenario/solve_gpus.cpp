#include <algorithm>

#include "scenario/answer.h"
#include "scenario/evaluate.h"
#include "scenario/fields.h"
#include "scenario/present.h"
#include "scenario/resolve.h"
#include "scenario/solve.h"
#include "units/text.h"

// Fewest GPUs: each accelerator resolved as in `evaluate`, searched by room `plan`, and the best
// one evaluated as a scenario of its own.
namespace kvseats::scenario {
namespace {

using units::grouped;

// As many as an answer can show; each costs some hundred small evaluations.
constexpr std::size_t kMostCandidates = 100;

std::string_view reason_of(plan::Obstacle obstacle) {
  switch (obstacle) {
    case plan::Obstacle::kNoRoom:
      return "weights and overhead leave no room for a cache";
    case plan::Obstacle::kRefuses:
      return "the engine would not start for one such request";
    case plan::Obstacle::kNotOne:
      return "not one such request fits";
    case plan::Obstacle::kRules:
      return "the engine allows no such split";
    case plan::Obstacle::kNone:
      break;
  }
  return "";
}

std::string times(std::uint64_t n, std::string_view name) {
  return grouped(n) + " × " + std::string(name);
}

std::string binding_of(const plan::Choice& c) {
  if (c.requests == units::kOutOfRange) return "nothing: a request stores nothing";
  if (c.slots_end) return "the engine's most sequences (seqs)";
  return c.pool.empty() ? "cache pool" : std::string(c.pool) + " pool";
}

// "64 at once (59 to 66, as the pool is an estimate)", and what it takes at the low end.
std::string counts_of(const plan::Choice& c) {
  std::string out = grouped(c.requests) + " at once";
  if (c.low_requests == c.high_requests) return out;
  return out + " (" + grouped(c.low_requests) + " to " +
         counted(maybe(c.high_requests), "request") + ", as the pool is an estimate)";
}

std::string low_end_of(const plan::Choice& c) {
  if (c.low_requests == c.high_requests || c.holds_low) return "";
  if (c.low_gpus == 0) return "; too few at its low end, whatever the layout";
  const std::string layout = layout_text(c.low_group.parallel);
  return "; too few at its low end, where " + grouped(c.low_gpus) +
         (layout.empty() ? "" : " (" + layout + ")") + " are enough";
}

// Why it is not the fewest of all.
std::string odd_of(const plan::Choice& c) {
  if (c.odd_gpus == 0) return "";
  return "; " + grouped(c.odd_gpus) + " would do as " + layout_text(c.odd_group.parallel) +
         ", more stages or less equal ones than people run";
}

std::string sentence_of(const GpuAnswer& answer) {
  const plan::Choice& c = answer.choice;
  if (c.obstacle != plan::Obstacle::kNone) {
    return answer.name + ": " + std::string(reason_of(c.obstacle)) +
           ", however split over up to 32 GPUs.";
  }
  std::string out = times(c.gpus, answer.name);
  const std::string layout = layout_text(c.group.parallel);
  if (!layout.empty()) out += ", " + layout;
  if (c.groups > 1) {
    out += ", " + grouped(c.groups) + (c.group.parallel.dp > 1 ? " such groups" : " copies");
  }
  if (c.requests == units::kOutOfRange)
    return out + ": memory sets no limit, a request stores nothing.";
  out += ": " + counts_of(c);
  if (c.rented != c.gpus) out += "; rented as " + grouped(c.rented);
  out += low_end_of(c) + odd_of(c);
  out += c.slots_end ? "; slots end before the memory, seqs allows more"
                     : "; limited by the " + answer.limited_by;
  return out + ".";
}

void set(Scenario& scenario, std::string_view key, std::uint64_t n) {
  if (n == 1) {
    clear_key(scenario, key);
  } else {
    // Keys and values are ours: a failure would be a bug that the tests show.
    (void)set_key(scenario, key, units::plain(n));
  }
}

bool is_about_split(const units::Diagnostic& d) {
  return d.where == "tp" || d.where == "pp" || d.where == "dp" || d.where == "ep";
}

GpuAnswer answer_one(const Scenario& scenario, const catalogue::Catalogue& catalogue,
                     const plan::Bounds& bounds, Solution& out) {
  GpuAnswer answer;
  Resolved resolved;
  resolve(scenario, catalogue, resolved);
  answer.slug = resolved.device.slug;
  answer.name = resolved.device.short_name;
  add_new(resolved.diagnostics, out.diagnostics);
  if (!resolved.ok) {
    out.ok = false;
    return answer;
  }
  const plan::Load load = load_of(resolved, resolved.alloc == engine::Alloc::kReserved);
  answer.choice =
      plan::fewest_gpus(*resolved.profile, resolved.inputs, load, resolved.users, bounds);
  // A refusal that is not about the split holds for every layout: it is the input that is bad.
  for (const units::Diagnostic& d : answer.choice.refusals) {
    if (d.severity != units::Severity::kError || is_about_split(d)) continue;
    out.diagnostics.push_back(d);
    out.ok = false;
    return answer;
  }
  answer.limited_by = binding_of(answer.choice);
  answer.sentence = sentence_of(answer);
  if (answer.choice.obstacle == plan::Obstacle::kNone) {
    answer.query =
        encode(with_layout(scenario, answer.choice.group.parallel, answer.choice.groups));
  }
  return answer;
}

bool before(const GpuAnswer& a, const GpuAnswer& b) {
  const auto key = [](const GpuAnswer& g) {
    return std::pair(g.choice.obstacle != plan::Obstacle::kNone, g.choice.gpus);
  };
  return key(a) < key(b);
}

// The layout is what is searched for: a given one is no condition, and that is said.
void note_layout(const Scenario& scenario, Solution& out) {
  std::string given;
  for (const char* key : {"tp", "pp", "dp", "ep"}) {
    const std::string text = get_key(scenario, key);
    if (text.empty() || text == "1") continue;
    given += (given.empty() ? "" : ", ") + std::string(key) + " = " + text;
  }
  if (given.empty()) return;
  out.diagnostics.push_back(
      units::diagnose("N-LAYOUT", given.substr(0, 2), given + " is not kept: for=gpus looks for it",
                      "for=users answers for a given layout; with pool= it is kept."));
}

}  // namespace

std::string layout_text(const engine::Parallel& p) {
  std::string out;
  const auto add = [&out](std::string_view key, std::uint32_t n) {
    if (n == 1) return;
    out += (out.empty() ? "" : ", ") + std::string(key) + " " + grouped(n);
  };
  add("tp", p.tp);
  add("pp", p.pp);
  if (p.ep > 1) {
    add("dp", p.dp);
    add("ep", p.ep);
  }
  return out;
}

Scenario with_layout(Scenario scenario, const engine::Parallel& parallel, std::uint64_t groups) {
  set(scenario, "tp", parallel.tp);
  set(scenario, "pp", parallel.pp);
  set(scenario, "dp", parallel.dp * groups);
  set(scenario, "ep", parallel.ep);
  return scenario;
}

std::vector<std::string> candidates(const Question& question, Solution& out) {
  std::vector<std::string> gpus = question.gpus;
  if (gpus.empty()) gpus.push_back(question.decoded.scenario.gpu.value_or(""));
  if (gpus.size() > kMostCandidates) {
    out.diagnostics.push_back(units::diagnose("E-TOO-MANY", "gpu",
                                              "More than 100 accelerators are too many",
                                              "Name those you can rent."));
    out.ok = false;
    gpus.clear();
  }
  return gpus;
}

void solve_gpus(const Question& question, const catalogue::Catalogue& catalogue, Solution& out) {
  plan::Bounds bounds = question.bounds;
  // A measured pool belongs to the layout and the accelerator it was measured on.
  bounds.layout_fixed = question.decoded.scenario.pool.has_value();
  if (!bounds.layout_fixed) note_layout(question.decoded.scenario, out);
  for (const std::string& gpu : candidates(question, out)) {
    Scenario scenario = question.decoded.scenario;
    if (!gpu.empty()) {
      if (auto set = set_key(scenario, "gpu", gpu); !set) {
        out.diagnostics.push_back(set.error());
        out.ok = false;
        return;
      }
    }
    out.gpus.push_back(answer_one(scenario, catalogue, bounds, out));
    if (!out.ok) return;
  }
  std::stable_sort(out.gpus.begin(), out.gpus.end(), before);
  if (out.gpus.empty()) return;
  out.sentence = out.gpus.front().sentence;
  if (out.gpus.front().query.empty()) return;
  out.report = evaluate(decode(out.gpus.front().query, Strictness::kCommandLine), catalogue);
}

}  // namespace kvseats::scenario
