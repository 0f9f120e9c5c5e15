#include "engine/budget_term.h"

#include "units/text.h"

namespace kvseats::engine {

using units::Bytes;
using units::grouped;

BudgetTerm exact_term(std::string id, std::string label, Bytes bytes, std::string formula,
                      std::string source) {
  return {std::move(id),      std::move(label), bytes, bytes, bytes,
          std::move(formula), std::move(source)};
}

void add_used(const Inputs& in, std::vector<BudgetTerm>& terms) {
  if (in.used.raw() == 0) return;
  terms.push_back(exact_term("used", "Held by other programs", in.used, "", "yours"));
}

BudgetTerm given_overhead(const Inputs& in) {
  return exact_term("overhead", "Activations, graphs, runtime", *in.overhead, "", "yours");
}

std::string weights_formula(const model::Weights& weights, const Parallel& p,
                            std::string_view factor) {
  Bytes experts, rest;
  for (const model::WeightRow& row : weights.rows) {
    (row.routed_experts && p.ep > 1 ? experts : rest) += row.bytes;
  }
  const std::string stages = " × pp " + grouped(p.pp) + ")";
  std::string out = grouped(rest.raw()) + " B ÷ (tp " + grouped(p.tp) + stages;
  if (experts.raw() != 0) {
    const std::string first =
        "experts " + grouped(experts.raw()) + " B ÷ (ep " + grouped(p.ep) + stages;
    out = rest.raw() == 0 ? first : first + " + " + out;
    if (rest.raw() != 0 && !factor.empty()) out = "(" + out + ")";
  }
  return factor.empty() ? out : out + " × " + std::string(factor);
}

std::string share_left(Bytes seen, std::string_view rounding, double share, Bytes used) {
  const std::string all = grouped(seen.raw()) + " B";
  const std::string left =
      all + " − " + std::string(rounding) + units::shortest(share) + " × " + all + ")";
  return used.raw() == 0 ? left : left + " − used " + grouped(used.raw()) + " B";
}

Bytes hundredths_gib(std::uint64_t n) {
  return units::bytes(n * 1073741824 / 100);
}

Bytes permille(Bytes amount, std::uint64_t share) {
  return units::bytes(units::mul_div_floor(amount.raw(), share, 1000));
}

Bytes left_after_terms(Bytes seen, const std::vector<BudgetTerm>& terms,
                       Bytes BudgetTerm::*amount) {
  for (const BudgetTerm& term : terms) seen = left_after(seen, term.*amount);
  return seen;
}

}  // namespace kvseats::engine
