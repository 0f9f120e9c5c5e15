#include "plan/roofline.h"

#include <algorithm>
#include <cmath>

#include "units/math.h"

namespace kvseats::plan {
namespace {

// Expected share of the experts that at least one of `tokens` chooses, were all alike likely.
double chosen_by(const Roofline& roof, double tokens) {
  if (roof.chosen >= 1) return 1;
  return 1 - units::exp(tokens * units::log(1 - roof.chosen));
}

double looked_at(const Roofline& roof, std::uint64_t tokens) {
  double flop = 0;
  for (const Look& look : roof.looks) {
    flop += look.flop * static_cast<double>(std::min(tokens, look.window));
  }
  return flop;
}

// The same, summed over all tokens of a prompt: 1 + 2 + … up to the window, then the window each.
double looked_at_in_all(const Roofline& roof, std::uint64_t prompt) {
  double flop = 0;
  for (const Look& look : roof.looks) {
    const double growing = static_cast<double>(std::min(prompt, look.window));
    const double rest = static_cast<double>(prompt) - growing;
    flop += look.flop * (growing * (growing + 1) / 2 + rest * growing);
  }
  return flop;
}

// Requests that a stage has at a time.
std::uint64_t share_of(const Roofline& roof, std::uint64_t running) {
  return units::ceil_div(std::max<std::uint64_t>(running, 1), stage_count(roof));
}

StepParts parts_of(const Roofline& roof, const Stage& stage, std::uint64_t here,
                   std::uint64_t tokens) {
  const double n = static_cast<double>(here);
  StepParts out;
  out.weight_bytes = stage.weights + stage.experts * chosen_by(roof, n * roof.sharing);
  for (const CacheRead& cache : stage.caches) {
    out.cache_bytes += static_cast<double>(cache.cost.at(tokens)) * cache.unit_bytes * n;
  }
  out.flop = n * (roof.flop_per_token + looked_at(roof, tokens)) / roof.gpus;
  return out;
}

double read_time(const Roofline& roof, const StepParts& parts, double share) {
  return (parts.weight_bytes + parts.cache_bytes) / (roof.bandwidth * share);
}

double compute_time(const Roofline& roof, const StepParts& parts, double share) {
  return roof.arithmetic > 0 ? parts.flop / (roof.arithmetic * share) : 0;
}

template <class Holds>
std::uint64_t first_that(std::uint64_t limit, Holds holds) {
  if (!holds(limit)) return 0;
  std::uint64_t low = 1;
  std::uint64_t high = limit;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace

double weight_bytes(const Roofline& roof) {
  double bytes = 0;
  for (const Stage& stage : roof.stages) bytes += stage.stages * (stage.weights + stage.experts);
  return bytes;
}

std::uint64_t stage_count(const Roofline& roof) {
  std::uint64_t count = 0;
  for (const Stage& stage : roof.stages) count += stage.stages;
  return std::max<std::uint64_t>(count, 1);
}

StepParts step_parts(const Roofline& roof, std::uint64_t running, std::uint64_t tokens) {
  StepParts slowest;
  double most = -1;
  for (const Stage& stage : roof.stages) {
    const StepParts parts = parts_of(roof, stage, share_of(roof, running), tokens);
    const double time = std::max(read_time(roof, parts, kReadShare.typical),
                                 compute_time(roof, parts, kComputeShare.typical));
    if (time > most) slowest = parts;
    most = std::max(most, time);
  }
  return slowest;
}

Bound bound_of(const Roofline& roof, const StepParts& parts) {
  if (compute_time(roof, parts, kComputeShare.typical) >
      read_time(roof, parts, kReadShare.typical)) {
    return Bound::kArithmetic;
  }
  return parts.cache_bytes > parts.weight_bytes ? Bound::kCaches : Bound::kWeights;
}

double step_seconds(const Roofline& roof, std::uint64_t running, std::uint64_t tokens,
                    double read_share, double compute_share) {
  double seconds = 0;
  for (const Stage& stage : roof.stages) {
    const StepParts parts = parts_of(roof, stage, share_of(roof, running), tokens);
    seconds += stage.stages * std::max(read_time(roof, parts, read_share),
                                       compute_time(roof, parts, compute_share));
  }
  return seconds;
}

Range decode_rate(const Roofline& roof, std::uint64_t running, std::uint64_t tokens) {
  const auto rate = [&](double Range::*size) {
    return 1 / step_seconds(roof, running, tokens, kReadShare.*size, kComputeShare.*size);
  };
  return {rate(&Range::low), rate(&Range::typical), rate(&Range::high)};
}

Range prompt_time(const Roofline& roof, std::uint64_t prompt) {
  const double flop =
      static_cast<double>(prompt) * roof.flop_per_token + looked_at_in_all(roof, prompt);
  const double bytes = weight_bytes(roof);
  const auto seconds = [&](double Range::*size) {
    const double compute =
        roof.arithmetic > 0 ? flop / (roof.arithmetic * roof.gpus * (kComputeShare.*size)) : 0;
    return std::max(compute, bytes / (roof.bandwidth * (kReadShare.*size)));
  };
  return {seconds(&Range::high), seconds(&Range::typical), seconds(&Range::low)};
}

Range request_time(const Roofline& roof, std::uint64_t running, std::uint64_t prompt,
                   std::uint64_t output) {
  // A prompt's weights are read in a step that decodes for the others anyway: arithmetic alone.
  const double flop =
      static_cast<double>(prompt) * roof.flop_per_token + looked_at_in_all(roof, prompt);
  const double steps =
      static_cast<double>(output) / static_cast<double>(std::max<std::uint64_t>(running, 1));
  const auto seconds = [&](double Range::*size) {
    const double compute =
        roof.arithmetic > 0 ? flop / (roof.arithmetic * roof.gpus * (kComputeShare.*size)) : 0;
    return compute + steps * step_seconds(roof, running, prompt + output / 2, kReadShare.*size,
                                          kComputeShare.*size);
  };
  return {seconds(&Range::high), seconds(&Range::typical), seconds(&Range::low)};
}

std::uint64_t most_at_rate(const Roofline& roof, std::uint64_t tokens, double wanted,
                           std::uint64_t limit, double read_share, double compute_share) {
  const auto too_slow = [&](std::uint64_t running) {
    return step_seconds(roof, running, tokens, read_share, compute_share) * wanted > 1;
  };
  const std::uint64_t first = first_that(limit, too_slow);
  return first == 0 ? limit : first - 1;
}

TakeOver take_over(const Roofline& roof, std::uint64_t tokens, std::uint64_t limit) {
  TakeOver out;
  out.caches = first_that(limit, [&](std::uint64_t running) {
    const StepParts parts = step_parts(roof, running, tokens);
    return parts.cache_bytes > parts.weight_bytes;
  });
  out.arithmetic = first_that(limit, [&](std::uint64_t running) {
    return bound_of(roof, step_parts(roof, running, tokens)) == Bound::kArithmetic;
  });
  return out;
}

}  // namespace kvseats::plan
