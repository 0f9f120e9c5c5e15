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

// What a cache of 8 bits would save, where nothing but that is changed.
std::string eight_bit_of(const GpuAnswer& answer) {
  if (answer.eight_bit_gpus == 0) return "";
  return "; with an 8-bit cache (" + std::string(answer.eight_bit) +
         "): " + grouped(answer.eight_bit_gpus) +
         (answer.choice.gpus == 0 ? " GPUs" : " instead of " + grouped(answer.choice.gpus));
}

std::string sentence_of(const GpuAnswer& answer) {
  const plan::Choice& c = answer.choice;
  if (c.obstacle != plan::Obstacle::kNone) {
    return answer.name + answer.formats + ": " + std::string(reason_of(c.obstacle)) +
           ", however split over up to 32 GPUs" + eight_bit_of(answer) + ".";
  }
  std::string out = times(c.gpus, answer.name) + answer.formats;
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
  return out + eight_bit_of(answer) + ".";
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
  return d.where == "tp" || d.where == "pp" || d.where == "dp" || d.where == "dcp" ||
         d.where == "ep";
}

// One refusal that is not about the split holds for every layout.
const units::Diagnostic* refusal_in(const units::Diagnostics& list) {
  for (const units::Diagnostic& d : list) {
    if (d.severity == units::Severity::kError && !is_about_split(d)) return &d;
  }
  return nullptr;
}

plan::Choice choose(const Resolved& resolved, const engine::Inputs& inputs,
                    const plan::Bounds& bounds) {
  const plan::Load load = load_of(resolved, resolved.alloc == engine::Alloc::kReserved);
  return plan::fewest_gpus(*resolved.profile, inputs, load, resolved.users, bounds);
}

// The first 8-bit format that the engine has, if the cache is larger and that saves GPUs.
void try_eight_bits(const Resolved& resolved, const plan::Bounds& bounds, GpuAnswer& answer) {
  const plan::Choice& now = answer.choice;
  if (now.obstacle == plan::Obstacle::kNoRoom) return;
  engine::Inputs inputs = resolved.inputs;
  for (const std::string_view name : {"fp8", "q8_0"}) {
    const model::CacheFormat* format = model::find_cache_format(name);
    if (!is_smaller(*format, *resolved.formats.k)) return;
    inputs.formats = {.k = format, .v = format};
    const plan::Choice with = choose(resolved, inputs, bounds);
    if (refusal_in(with.refusals) != nullptr) continue;
    const bool saves = now.obstacle != plan::Obstacle::kNone || with.gpus < now.gpus;
    if (with.obstacle != plan::Obstacle::kNone || !saves) return;
    answer.eight_bit = name;
    answer.eight_bit_gpus = with.gpus;
    return;
  }
}

// What is chosen from: names of formats are told only where there are several.
std::string formats_text(const Question& question, const GpuAnswer& answer) {
  return (question.weights.empty() ? "" : ", weights " + answer.weights) +
         (question.caches.empty() ? "" : ", cache " + answer.cache);
}

// A format of a list that the engine has not is no answer; anything else refused is a bad input.
bool is_of_list(const Question& question, const units::Diagnostic& d) {
  return d.where == "weights" ? !question.weights.empty()
                              : d.where == "kv" && !question.caches.empty();
}

GpuAnswer answer_one(const Question& question, const Scenario& scenario,
                     const catalogue::Catalogue& catalogue, const plan::Bounds& bounds,
                     Solution& out) {
  GpuAnswer answer;
  Resolved resolved;
  resolve(scenario, catalogue, resolved);
  answer.slug = resolved.device.slug;
  answer.name = resolved.device.short_name;
  answer.weights = resolved.weight_format;
  answer.cache = resolved.cache_format;
  answer.formats = formats_text(question, answer);
  if (resolved.ok) answer.choice = choose(resolved, resolved.inputs, bounds);
  const units::Diagnostics& list = resolved.ok ? answer.choice.refusals : resolved.diagnostics;
  const units::Diagnostic* refusal = refusal_in(list);
  if (refusal != nullptr && is_of_list(question, *refusal)) {
    answer.choice.obstacle = plan::Obstacle::kRules;
    answer.sentence = answer.name + answer.formats + ": " + refusal->text + ".";
    return answer;
  }
  add_new(resolved.diagnostics, out.diagnostics);
  if (refusal != nullptr) {
    add_new({*refusal}, out.diagnostics);
    out.ok = false;
    return answer;
  }
  if (question.caches.empty()) try_eight_bits(resolved, bounds, answer);
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

// The scenario with one of each list put in; false: one of them is unknown.
bool put_in(Scenario& scenario, std::string_view key, const std::string& value, Solution& out) {
  if (value.empty()) return true;
  if (auto set = set_key(scenario, key, value); !set) {
    out.diagnostics.push_back(set.error());
    out.ok = false;
  }
  return out.ok;
}

std::vector<std::string> or_as_given(const std::vector<std::string>& list) {
  return list.empty() ? std::vector<std::string>{""} : list;
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
  add("dcp", p.dcp);
  return out;
}

Scenario with_layout(Scenario scenario, const engine::Parallel& parallel, std::uint64_t groups) {
  set(scenario, "tp", parallel.tp);
  set(scenario, "pp", parallel.pp);
  set(scenario, "dp", parallel.dp * groups);
  set(scenario, "dcp", parallel.dcp);
  set(scenario, "ep", parallel.ep);
  return scenario;
}

plan::Bounds bounds_of(const Question& question, Scenario& scenario) {
  plan::Bounds bounds = question.bounds;
  if (scenario.dcp) bounds.dcp = static_cast<std::uint32_t>(scenario.dcp->value);
  // It is tried with layouts that it divides, whether or not the given one is among them.
  scenario.dcp.reset();
  return bounds;
}

std::vector<std::string> candidates(const Question& question, Solution& out) {
  std::vector<std::string> gpus = question.gpus;
  if (gpus.empty()) gpus.push_back(question.decoded.scenario.gpu.value_or(""));
  const std::size_t formats =
      or_as_given(question.weights).size() * or_as_given(question.caches).size();
  if (gpus.size() * formats > kMostCandidates) {
    out.diagnostics.push_back(
        units::diagnose("E-TOO-MANY", "gpu",
                        "More than 100 accelerators, times the formats asked for, are too many",
                        "Name those you can rent."));
    out.ok = false;
    gpus.clear();
  }
  return gpus;
}

void solve_gpus(const Question& question, const catalogue::Catalogue& catalogue, Solution& out) {
  Scenario base = question.decoded.scenario;
  plan::Bounds bounds = question.bounds;
  // A measured pool belongs to the layout and the accelerator it was measured on.
  bounds.layout_fixed = base.pool.has_value();
  if (!bounds.layout_fixed) {
    note_layout(base, out);
    bounds = bounds_of(question, base);
  }
  const std::vector<std::string> gpus = candidates(question, out);
  for (const std::string& weights : or_as_given(question.weights)) {
    for (const std::string& cache : or_as_given(question.caches)) {
      for (const std::string& gpu : gpus) {
        Scenario scenario = base;
        if (!put_in(scenario, "gpu", gpu, out) || !put_in(scenario, "weights", weights, out) ||
            !put_in(scenario, "kv", cache, out)) {
          return;
        }
        out.gpus.push_back(answer_one(question, scenario, catalogue, bounds, out));
        if (!out.ok) return;
      }
    }
  }
  std::stable_sort(out.gpus.begin(), out.gpus.end(), before);
  if (out.gpus.empty()) return;
  out.sentence = out.gpus.front().sentence;
  if (out.gpus.front().query.empty()) return;
  out.report = evaluate(decode(out.gpus.front().query, Strictness::kCommandLine), catalogue);
}

}  // namespace kvseats::scenario
