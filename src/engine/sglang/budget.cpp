#include "engine/sglang/budget.h"

#include <algorithm>

#include "engine/budget_term.h"
#include "engine/loaded_weights.h"
#include "units/text.h"

namespace kvseats::engine::sglang {
namespace {

using units::Bytes;
using units::grouped;

constexpr const char* kLogs = "estimate from start-up logs of SGLang";

BudgetTerm runtime(const Inputs& in, const Settings& s) {
  if (s.free_before) {
    const Bytes taken = left_after(left_after(s.seen, in.used), *s.free_before);
    return exact_term("runtime", "Context and communication", taken, "total − free before loading",
                      "yours");
  }
  const std::uint64_t gpus = std::uint64_t{in.parallel.tp} * in.parallel.pp;
  const bool many = gpus > 1;
  const std::uint64_t near = std::min<std::uint64_t>(gpus, 8);
  BudgetTerm term;
  term.id = "runtime";
  term.label = "Context and communication";
  term.low = hundredths_gib(many ? 50 : 25);
  term.typical = hundredths_gib(many ? 40 + 20 * near : 50);
  term.high = hundredths_gib(many ? 150 + 25 * near : 110);
  term.formula = many ? "0.4 GiB and 0.2 GiB for each GPU" : "0.25, 0.5 or 1.1 GiB";
  term.source = kLogs;
  return term;
}

BudgetTerm weights(const Inputs& in, const Settings& s) {
  if (s.free_before && s.free_after) {
    return exact_term("weights", "Weights", left_after(*s.free_before, *s.free_after),
                      "free before − free after loading", "yours");
  }
  const Bytes bytes = loaded_weights_on_gpu(in);
  BudgetTerm term;
  term.id = "weights";
  term.label = "Weights";
  term.low = permille(bytes, 995);
  term.typical = permille(bytes, 1015);
  term.high = permille(bytes, 1060);
  term.formula = weights_formula(loaded_weights(in), in.parallel, "1.015");
  term.source = in.weights.basis;
  return term;
}

// The part of the memory free before loading that the fraction leaves alone.
Bytes outside(Bytes before, double fraction) {
  const double share = static_cast<double>(before.raw()) * (1 - fraction);
  return units::bytes(static_cast<std::uint64_t>(std::max(0.0, share)));
}

BudgetTerm reserve(const Settings& s, Bytes most, Bytes before, Bytes least) {
  BudgetTerm term;
  term.id = "reserve";
  term.label = "Left for activations and graphs";
  term.low = outside(least, s.fraction);
  term.typical = outside(before, s.fraction);
  term.high = outside(most, s.fraction);
  term.formula = "(1 − " + units::shortest(s.fraction) + ") × " + grouped(before.raw()) +
                 " B free before loading";
  term.source =
      s.auto_fraction ? "--mem-fraction-static as the engine chooses it" : "--mem-fraction-static";
  return term;
}

Bytes rest(Bytes before, Bytes weights, double fraction) {
  return left_after(left_after(before, weights), outside(before, fraction));
}

}  // namespace

Budget budget_of(const Inputs& in, const Settings& settings) {
  Budget budget;
  const Bytes all = left_after(settings.seen, in.used);
  add_used(in, budget.terms);
  const BudgetTerm load = weights(in, settings);
  if (in.overhead) {
    budget.terms.push_back(load);
    budget.terms.push_back(given_overhead(in));
    budget.before = all;
    budget.after = left_after(all, load.typical);
    budget.typical = left_after(budget.after, *in.overhead);
    budget.low = left_after(left_after(all, load.high), *in.overhead);
    budget.high = left_after(left_after(all, load.low), *in.overhead);
    return budget;
  }
  const BudgetTerm context = runtime(in, settings);
  budget.before = left_after(all, context.typical);
  const Bytes least = left_after(all, context.high);
  const Bytes most = left_after(all, context.low);
  budget.after = left_after(budget.before, load.typical);
  budget.terms.push_back(context);
  budget.terms.push_back(load);
  budget.terms.push_back(reserve(settings, most, budget.before, least));
  budget.typical = rest(budget.before, load.typical, settings.fraction);
  budget.low = rest(least, load.high, settings.fraction);
  budget.high = rest(most, load.low, settings.fraction);
  return budget;
}

}  // namespace kvseats::engine::sglang
