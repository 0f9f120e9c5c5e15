#include "engine/trtllm/budget.h"

#include "engine/activations.h"
#include "engine/budget_term.h"
#include "engine/loaded_weights.h"
#include "units/text.h"

namespace kvseats::engine::trtllm {
namespace {

using units::Bytes;
using units::grouped;

constexpr const char* kLogs = "estimate from start-up logs of TensorRT-LLM";

BudgetTerm weights(const Inputs& in) {
  const Bytes bytes = loaded_weights_on_gpu(in);
  BudgetTerm term;
  term.id = "weights";
  term.label = "Weights";
  term.low = permille(bytes, 997);
  term.typical = permille(bytes, 1005);
  term.high = permille(bytes, 1040);
  term.formula = weights_formula(loaded_weights(in), in.parallel, "1.005");
  term.source = in.weights.basis;
  return term;
}

BudgetTerm runtime(const Inputs& in) {
  const bool many = in.parallel.tp * in.parallel.pp > 1;
  return {"runtime",
          "Runtime and communication",
          hundredths_gib(many ? 100 : 60),
          hundredths_gib(many ? 200 : 120),
          hundredths_gib(many ? 500 : 300),
          many ? "1, 2 or 5 GiB" : "0.6, 1.2 or 3 GiB",
          kLogs};
}

BudgetTerm activations(const Inputs& in, const Settings& s) {
  const Bytes peak = forward_peak(*in.model, s.step, in.parallel.tp);
  return {"activations",
          "Activations at their peak",
          permille(peak, 500),
          peak,
          permille(peak, 3000),
          grouped(s.step) + " tokens × 3 × (" + grouped(intermediate_width(*in.model)) +
              " ÷ tp + " + grouped(in.model->hidden) + ") × 2 B",
          kLogs};
}

// With the memory free after loading known, what it does not explain is other memory.
BudgetTerm measured(const Settings& s, Bytes all, Bytes weights) {
  const Bytes rest = left_after(left_after(all, weights), *s.free_after);
  return exact_term("overhead", "Activations, graphs, runtime", rest,
                    "total − weights − free after loading", "yours");
}

Bytes share_of(Bytes free, double fraction) {
  return units::bytes(static_cast<std::uint64_t>(static_cast<double>(free.raw()) * fraction));
}

}  // namespace

Budget budget_of(const Inputs& in, const Settings& settings) {
  Budget budget;
  add_used(in, budget.terms);
  BudgetTerm load = weights(in);
  const Bytes all = left_after(settings.seen, in.used);
  if (settings.free_after) load.low = load.high = load.typical;
  budget.terms.push_back(load);
  if (settings.free_after) {
    budget.terms.push_back(measured(settings, all, load.typical));
  } else if (in.overhead) {
    budget.terms.push_back(given_overhead(in));
  } else {
    budget.terms.push_back(runtime(in));
    budget.terms.push_back(activations(in, settings));
  }
  budget.free = settings.free_after.value_or(
      left_after_terms(settings.seen, budget.terms, &BudgetTerm::typical));
  const Bytes least = settings.free_after.value_or(
      left_after_terms(settings.seen, budget.terms, &BudgetTerm::high));
  const Bytes most =
      settings.free_after.value_or(left_after_terms(settings.seen, budget.terms, &BudgetTerm::low));
  budget.typical = share_of(budget.free, settings.fraction);
  budget.low = share_of(least, settings.fraction);
  budget.high = share_of(most, settings.fraction);
  budget.terms.push_back(exact_term(
      "unused", "Outside the memory fraction", left_after(budget.free, budget.typical),
      grouped(budget.free.raw()) + " B free × (1 − " + units::shortest(settings.fraction) + ")",
      "free_gpu_memory_fraction"));
  return budget;
}

}  // namespace kvseats::engine::trtllm
