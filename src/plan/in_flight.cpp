#include "plan/in_flight.h"

#include <algorithm>

namespace kvseats::plan {
namespace {

constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 21;
constexpr std::size_t kMostPairs = std::size_t{1} << 24;

using traffic::Lengths;

// How often each length occurs, as whole weights: `weights[i]` for length `i × step`.
struct Weights {
  std::uint64_t step = 1;
  std::vector<std::int64_t> weights;

  Weights(const Lengths& prompt, const Lengths& output) {
    const std::uint64_t longest = units::checked_add(prompt.longest(), output.longest());
    step = std::max<std::uint64_t>(1, units::ceil_div(longest, kMostSteps));
    weights.assign(at(longest) + 2, 0);
  }
  [[nodiscard]] std::size_t at(std::uint64_t tokens) const {
    return static_cast<std::size_t>(units::ceil_div(tokens, step));
  }
};

// Pairs of atoms are few enough to be looked at one by one; lists of many lengths are gathered.
const Lengths& within_bounds(const Lengths& lengths, std::size_t others, Lengths& room) {
  if (lengths.atoms().size() <= kMostPairs / others) return lengths;
  room = traffic::gathered(lengths);
  return room;
}

Weights running_lengths(const Lengths& prompt, const Lengths& output) {
  Weights out(prompt, output);
  for (const traffic::Atom& p : prompt.atoms()) {
    // One more of every length from here on, and none of them after the answer's end.
    const std::size_t begin = out.at(p.tokens);
    for (const traffic::Atom& o : output.atoms()) {
      const std::size_t end = out.at(p.tokens + o.tokens) + 1;
      const auto both = static_cast<std::int64_t>(p.weight * o.weight);
      out.weights[begin] += both;
      out.weights[end] -= both;
    }
  }
  std::int64_t now = 0;
  for (std::int64_t& weight : out.weights) weight = now += weight;
  return out;
}

std::uint64_t units_at(const engine::Rank& rank, std::uint64_t tokens, std::uint64_t prefix) {
  if (rank.shared_cells != 0) return units::saturating_sub(tokens, prefix);
  return rank.cost.at(tokens, prefix);
}

void normalise(CostLaw& law) {
  double sum = 0;
  for (const CostAtom& atom : law) sum += atom.probability;
  for (CostAtom& atom : law) atom.probability /= sum;
}

}  // namespace

CostLaw running_law(const engine::Rank& rank, const Lengths& prompt, const Lengths& output,
                    std::uint64_t prefix) {
  Lengths fewer;
  Lengths fewest;
  const Lengths& p = within_bounds(prompt, 64, fewer);
  const Weights lengths = running_lengths(p, within_bounds(output, p.atoms().size(), fewest));
  CostLaw law;
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < lengths.weights.size(); ++i) {
    if (lengths.weights[i] == 0) continue;
    const std::uint64_t tokens = i * lengths.step;
    if (law.empty() || tokens >= next) {
      const std::uint64_t units = units_at(rank, tokens, std::min(prefix, tokens));
      if (law.empty() || law.back().units != units) law.push_back({.units = units});
      next = rank.shared_cells != 0 ? tokens + 1 : rank.cost.next_growth(tokens);
    }
    law.back().probability += static_cast<double>(lengths.weights[i]);
  }
  normalise(law);
  return law;
}

std::uint64_t final_length(const Lengths& prompt, const Lengths& output, std::uint64_t percent) {
  Lengths fewer;
  Lengths fewest;
  const Lengths& p = within_bounds(prompt, 64, fewer);
  const Lengths& o = within_bounds(output, p.atoms().size(), fewest);
  Weights lengths(p, o);
  for (const traffic::Atom& a : p.atoms()) {
    for (const traffic::Atom& b : o.atoms()) {
      lengths.weights[lengths.at(a.tokens + b.tokens)] +=
          static_cast<std::int64_t>(a.weight * b.weight);
    }
  }
  const std::uint64_t rank = units::mul_div_ceil(p.total() * o.total(), percent, 100);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < lengths.weights.size(); ++i) {
    sum += static_cast<std::uint64_t>(lengths.weights[i]);
    if (sum >= rank) return i * lengths.step;
  }
  return units::checked_add(p.longest(), o.longest());
}

double mean_units(const CostLaw& law) {
  double sum = 0;
  for (const CostAtom& atom : law) sum += static_cast<double>(atom.units) * atom.probability;
  return sum;
}

}  // namespace kvseats::plan
