#pragma once

#include <cstdint>
#include <vector>

#include "engine/cost.h"
#include "traffic/lengths.h"

/// What one running request holds at a random time, as a distribution over pool units.
///
/// A request runs one step for its prompt and one for each output token. Seen at a random time, it
/// is an answer of length o with a probability proportional to (o + 1) × P(o), since long answers
/// run longer, and all of its steps are equally likely. Together: P(j tokens so far) = P(output ≥
/// j) ÷ (E(output) + 1), j = 0, 1, 2, …: the age of a renewal process (William Feller, "An
/// Introduction to Probability Theory and Its Applications" II, 2nd ed., section XI.4). The prompt
/// is independent of that and there from the first step. A prompt that takes several steps leaves
/// less time to the answer, so that this errs on the side of more tokens.
///
/// Weights are whole numbers throughout; one division at the end.
namespace kvseats::plan {

struct CostAtom {
  std::uint64_t units = 0;
  double probability = 0;
};

/// Ascending in units, probabilities adding up to 1.
using CostLaw = std::vector<CostAtom>;

/// The law of one rank for requests with this prompt and output that share `prefix` tokens (their
/// own part only; the prefix itself is held once). Reaches to lengths of 2^21 tokens exactly;
/// longer ones are rounded up to multiples that make no more steps than that. Where all outputs are
/// 0 it is the law of the prompts. Costs out of range come out as `kOutOfRange` units.
[[nodiscard]] CostLaw running_law(const engine::Rank& rank, const traffic::Lengths& prompt,
                                  const traffic::Lengths& output, std::uint64_t prefix = 0);

/// The least length that `percent` of the requests do not exceed at their end: prompt + output,
/// independent of one another.
[[nodiscard]] std::uint64_t final_length(const traffic::Lengths& prompt,
                                         const traffic::Lengths& output, std::uint64_t percent);

/// E(units).
[[nodiscard]] double mean_units(const CostLaw& law);

}  // namespace kvseats::plan
