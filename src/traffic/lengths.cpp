#include "traffic/lengths.h"

#include <algorithm>

#include "units/math.h"
#include "units/whole.h"

namespace kvseats::traffic {
namespace {

constexpr std::uint64_t kSlices = 1000;
constexpr std::uint64_t kMostInRange = 4096;

std::uint64_t rounded(double x) {
  if (!(x < static_cast<double>(kMostTokens))) return kMostTokens;
  return static_cast<std::uint64_t>(x + 0.5);
}

std::vector<Atom> merged(std::vector<Atom> atoms) {
  std::stable_sort(atoms.begin(), atoms.end(),
                   [](const Atom& a, const Atom& b) { return a.tokens < b.tokens; });
  std::vector<Atom> out;
  for (const Atom& atom : atoms) {
    if (atom.weight == 0) continue;
    if (!out.empty() && out.back().tokens == atom.tokens) {
      out.back().weight += atom.weight;
    } else {
      out.push_back(atom);
    }
  }
  return out;
}

}  // namespace

Lengths::Lengths(std::vector<Atom> sorted) : atoms_(std::move(sorted)) {
  std::uint64_t sum = 0;
  up_to_.reserve(atoms_.size());
  for (const Atom& atom : atoms_) up_to_.push_back(sum += atom.weight);
}

Lengths Lengths::fixed(std::uint64_t tokens) {
  return Lengths({{.tokens = tokens, .weight = 1}});
}

Lengths Lengths::between(std::uint64_t low, std::uint64_t high) {
  const std::uint64_t steps = std::min(high - low, kMostInRange - 1);
  std::vector<Atom> atoms;
  for (std::uint64_t i = 0; i <= steps; ++i) {
    const std::uint64_t add = steps == 0 ? 0 : units::mul_div_floor(high - low, i, steps);
    atoms.push_back({.tokens = low + add, .weight = 1});
  }
  // Rounding down is undone from the other end, so that the mean is that of the range.
  for (std::size_t i = atoms.size() - atoms.size() / 2; i < atoms.size(); ++i) {
    atoms[i].tokens = high - (atoms[atoms.size() - 1 - i].tokens - low);
  }
  return Lengths(std::move(atoms));
}

Lengths Lengths::lognormal(std::uint64_t p50, std::uint64_t high, std::uint64_t percent) {
  const double mu = units::log(static_cast<double>(p50));
  const double sigma = (units::log(static_cast<double>(high)) - mu) /
                       normal_quantile(static_cast<double>(percent) / 100);
  std::vector<Atom> atoms;
  for (std::uint64_t k = 1; k <= kSlices; ++k) {
    const double u = k == kSlices ? 0.9995 : static_cast<double>(k) / kSlices;
    atoms.push_back({.tokens = rounded(units::exp(mu + sigma * normal_quantile(u))), .weight = 1});
  }
  return of(std::move(atoms));
}

Lengths Lengths::of(std::vector<Atom> atoms) {
  atoms = merged(std::move(atoms));
  return atoms.empty() ? Lengths() : Lengths(std::move(atoms));
}

std::uint64_t Lengths::sum() const {
  std::uint64_t sum = 0;
  for (const Atom& atom : atoms_) sum += atom.tokens * atom.weight;  // at most 2^62
  return sum;
}

double Lengths::mean() const {
  return static_cast<double>(sum()) / static_cast<double>(total());
}

std::uint64_t Lengths::mean_up() const {
  return units::ceil_div(sum(), total());
}

std::uint64_t Lengths::quantile(std::uint64_t num, std::uint64_t den) const {
  const std::uint64_t rank = std::max<std::uint64_t>(1, units::mul_div_ceil(total(), num, den));
  const auto at = std::lower_bound(up_to_.begin(), up_to_.end(), rank);
  return atoms_[static_cast<std::size_t>(at - up_to_.begin())].tokens;
}

std::uint64_t Lengths::sample(Random& random) const {
  if (atoms_.size() == 1) return atoms_[0].tokens;
  const std::uint64_t drawn = random.below(total());
  const auto at = std::upper_bound(up_to_.begin(), up_to_.end(), drawn);
  return atoms_[static_cast<std::size_t>(at - up_to_.begin())].tokens;
}

std::vector<Bar> Lengths::histogram(std::size_t bars) const {
  const std::uint64_t span = longest() - shortest() + 1;
  const std::uint64_t count = std::min<std::uint64_t>(std::max<std::size_t>(bars, 1), span);
  const std::uint64_t width = units::ceil_div(span, count);
  std::vector<Bar> out;
  for (std::uint64_t from = shortest(); from <= longest(); from += width) {
    out.push_back({.from = from, .to = from + width - 1, .count = 0});
  }
  for (const Atom& atom : atoms_) {
    out[static_cast<std::size_t>((atom.tokens - shortest()) / width)].count += atom.weight;
  }
  return out;
}

Lengths gathered(const Lengths& lengths) {
  if (lengths.atoms().size() <= kMostBins) return lengths;
  std::vector<Atom> bins;
  std::size_t at = 0;
  std::uint64_t left = lengths.atoms()[0].weight;
  std::uint64_t done = 0;
  for (std::uint64_t i = 1; i <= kMostBins; ++i) {
    const std::uint64_t end = lengths.total() * i / kMostBins;
    const std::uint64_t weight = end - done;
    std::uint64_t sum = 0;
    while (done < end) {
      const std::uint64_t take = std::min(left, end - done);
      sum += lengths.atoms()[at].tokens * take;
      done += take;
      left -= take;
      if (left == 0 && ++at < lengths.atoms().size()) left = lengths.atoms()[at].weight;
    }
    bins.push_back({.tokens = (sum + weight / 2) / weight, .weight = weight});
  }
  return Lengths::of(std::move(bins));
}

}  // namespace kvseats::traffic
