#include "engine/vllm/budget.h"

#include <algorithm>
#include <cmath>

#include "engine/activations.h"
#include "engine/budget_term.h"
#include "engine/loaded_weights.h"
#include "engine/split.h"
#include "units/text.h"

namespace kvseats::engine::vllm {
namespace {

using units::Bytes;
using units::checked_mul;
using units::grouped;

// Bytes per logit of the profile run's sampler, and the spread of the forward pass in percent.
constexpr std::uint64_t kLogitLow = 15;
constexpr std::uint64_t kLogitOld = 39;
constexpr std::uint64_t kLogitNew = 17;
constexpr std::uint64_t kLogitHigh = 52;
constexpr std::uint64_t kForwardLow = 80;
constexpr std::uint64_t kForwardHigh = 140;

Bytes percent(Bytes amount, std::uint64_t share) {
  return units::bytes(units::mul_div_floor(amount.raw(), share, 100));
}

Bytes sampler_peak(const Inputs& in, const Settings& s, std::uint64_t per_logit) {
  return units::bytes(units::checked_mul(units::checked_mul(s.seqs, in.model->vocab), per_logit));
}

BudgetTerm activations(const Inputs& in, const Settings& s) {
  const std::uint64_t logit = s.version < Version{0, 19, 0} ? kLogitOld : kLogitNew;
  const Bytes forward = forward_peak(*in.model, s.batched, in.parallel.tp);
  const Bytes sampler = sampler_peak(in, s, logit);
  BudgetTerm term;
  term.id = "activations";
  term.label = "Activations at their peak";
  term.low = std::max(percent(forward, kForwardLow), sampler_peak(in, s, kLogitLow));
  term.typical = std::max(forward, sampler);
  term.high = std::max(percent(forward, kForwardHigh), sampler_peak(in, s, kLogitHigh));
  term.formula = sampler > forward ? grouped(s.seqs) + " sequences × " + grouped(in.model->vocab) +
                                         " logits × " + grouped(logit) + " B"
                                   : grouped(s.batched) + " tokens × 3 × (" +
                                         grouped(intermediate_width(*in.model)) + " ÷ tp + " +
                                         grouped(in.model->hidden) + ") × 2 B";
  term.source = "estimate from start-up logs of vLLM";
  return term;
}

BudgetTerm graphs() {
  return {"graphs",
          "CUDA graphs",
          {},
          hundredths_gib(60),
          hundredths_gib(250),
          "0, 0.6 or 2.5 GiB",
          "estimate from start-up logs of vLLM"};
}

BudgetTerm runtime(const Inputs& in) {
  const bool many = in.parallel.tp * in.parallel.pp > 1;
  BudgetTerm term;
  term.id = "runtime";
  term.label = "Runtime and communication";
  term.low = hundredths_gib(many ? 20 : 2);
  term.typical = hundredths_gib(many ? 55 : 14);
  term.high = hundredths_gib(many ? 160 : 40);
  term.formula = many ? "0.2, 0.55 or 1.6 GiB" : "0.02, 0.14 or 0.4 GiB";
  term.source = "estimate from start-up logs of vLLM";
  return term;
}

// The kernels that take mxfp4 experts on Ampere and Hopper (Marlin) want widths in multiples of 128
// and hidden sizes of 256 (vllm/model_executor/layers/quantization/mxfp4.py): gpt-oss 120B, 60.8
// GiB as published, prints 65.97.
Bytes expert_padding(const Inputs& in) {
  model::Weights packed = in.weights;
  std::erase_if(packed.rows, [](const model::WeightRow& row) {
    return !row.routed_experts || row.format != "mxfp4";
  });
  const std::uint64_t shards = in.parallel.ep > 1 ? 1 : in.parallel.tp;
  const std::uint64_t width = units::ceil_div(in.model->moe.expert_width, shards);
  const std::uint64_t plain = checked_mul(width, in.model->hidden);
  if (packed.rows.empty() || plain == 0) return {};
  const std::uint64_t full =
      checked_mul(units::round_up(width, 128), units::round_up(in.model->hidden, 256));
  const Bytes bytes = weight_bytes_on_gpu(packed, in.parallel);
  return units::bytes(units::mul_div_floor(bytes.raw(), full - plain, plain));
}

// What the loader holds beyond the tensors, seen in prints: up to 1 % (buffers, dequantised ends).
BudgetTerm weights(const Inputs& in) {
  const Bytes bytes = loaded_weights_on_gpu(in);
  const Bytes padding = expert_padding(in);
  BudgetTerm term;
  term.id = "weights";
  term.label = "Weights";
  term.low = permille(bytes, 997);
  term.typical = bytes + padding;
  term.high = units::bytes(units::mul_div_floor(term.typical.raw(), 101, 100));
  term.formula = weights_formula(loaded_weights(in), in.parallel);
  if (padding.raw() != 0) term.formula += " + " + grouped(padding.raw()) + " B padding";
  term.source = in.weights.basis;
  return term;
}

Bytes usable_bytes(const Settings& s) {
  return units::bytes(
      static_cast<std::uint64_t>(std::ceil(static_cast<double>(s.seen.raw()) * s.util)));
}

Bytes pool_after(const Budget& budget, Bytes BudgetTerm::*amount) {
  Bytes left = budget.usable;
  for (const BudgetTerm& term : budget.terms) {
    if (term.id != "used" && term.id != "unused") left = left_after(left, term.*amount);
  }
  return left;
}

}  // namespace

Budget budget_of(const Inputs& in, const Settings& settings) {
  Budget budget;
  budget.usable = usable_bytes(settings);
  add_used(in, budget.terms);
  budget.terms.push_back(weights(in));
  if (in.overhead) {
    budget.terms.push_back(given_overhead(in));
  } else {
    budget.terms.push_back(activations(in, settings));
    if (settings.graphs) budget.terms.push_back(graphs());
    budget.terms.push_back(runtime(in));
  }
  const Bytes outside = left_after(left_after(settings.seen, in.used), budget.usable);
  budget.terms.push_back(exact_term("unused", "Outside the memory fraction", outside,
                                    share_left(settings.seen, "ceil(", settings.util, in.used),
                                    "--gpu-memory-utilization"));
  budget.typical = pool_after(budget, &BudgetTerm::typical);
  budget.low = pool_after(budget, &BudgetTerm::high);
  budget.high = pool_after(budget, &BudgetTerm::low);
  budget.no_room = budget.typical.raw() == 0;
  budget.occupied = in.used + budget.usable > settings.seen;
  return budget;
}

}  // namespace kvseats::engine::vllm
