#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/cost.h"
#include "traffic/lengths.h"
#include "units/whole.h"

/// What a simulation is given: who asks for what, how fast one step is, and what it runs on.
///
/// All times are nanoseconds in 64 bits (584 years).
namespace kvseats::traffic {

/// One kind of requests. Any of the three ways to arrive, or several.
struct Stream {
  Lengths prompt, output;      ///< tokens; independent of one another
  std::uint64_t gap_ns = 0;    ///< mean gap between sessions that begin (Poisson); 0: none
  std::uint64_t people = 0;    ///< ask, read the answer, think, ask again, for ever
  std::uint64_t at_start = 0;  ///< waiting when time begins
  std::uint64_t think_ns = 0;  ///< mean time between an answer and the next request (exponential)
  std::uint64_t turns = 1;     ///< requests of one session; each brings the history along
};

/// How long one step of the engine takes: a constant (the weights are read once), time per prompt
/// token computed in it, and time per pool unit held (the caches are read once).
///
///     ns = step_ns + prompt tokens × prefill_ps ÷ 1000 + units held × unit_ns       (at least 1)
///
/// The roofline of decoding is that sum: Samuel Williams, Andrew Waterman, David Patterson,
/// "Roofline", CACM 52 (2009); Reiner Pope et al., "Efficiently Scaling Transformer Inference",
/// 2022 (arXiv:2211.05102), section 2.
struct Pace {
  std::uint64_t step_ns = 0;
  std::uint64_t prefill_ps = 0;  ///< picoseconds per prompt token
  units::Ratio unit_ns{.num = 0, .den = 1};
};

struct Experiment {
  std::vector<engine::Rank> ranks;       ///< the compiled cost of one copy; not empty
  std::optional<std::uint64_t> seq_cap;  ///< most requests at once
  bool reserved = false;                ///< each takes what `longest` costs, for as long as it runs
  std::uint64_t longest = kMostTokens;  ///< limit of prompt + output
  std::uint64_t prefix = 0;             ///< first tokens of every prompt at least that long
  std::uint64_t batched = 8192;         ///< tokens computed in one step, at least 1
  Pace pace;
  std::vector<Stream> streams;
  std::uint64_t seed = 1;
  std::uint64_t horizon_ns = 3600000000000;  ///< time that is simulated
  std::uint64_t sample_ns = 10000000000;     ///< between two samples, at least 1

  // For the waste: what the same requests must store, in bytes, and what a pool unit is.
  std::vector<engine::Rank> need;  ///< empty: no waste is counted
  units::Bytes unit_bytes = units::bytes(1);
};

/// The state at one time. Units and bytes are of the stage shown (`Simulation::shown()`).
struct Sample {
  std::uint64_t time_ns = 0;
  std::uint64_t running = 0, waiting = 0;
  std::uint64_t held = 0;          ///< pool units, the shared prefix included
  std::uint64_t held_bytes = 0;    ///< of all its pools
  std::uint64_t needed_bytes = 0;  ///< what the running requests must store; 0 without `need`
  std::uint64_t preemptions = 0;   ///< so far
  friend bool operator==(const Sample&, const Sample&) = default;
};

/// Counts over the whole run. Nobody is lost: arrived = finished + refused + running + waiting.
struct Totals {
  std::uint64_t arrived = 0;
  std::uint64_t finished = 0;
  std::uint64_t refused = 0;      ///< longer than `longest`, or than the whole pool
  std::uint64_t preemptions = 0;  ///< times a request lost its cache and had to wait again
  std::uint64_t recomputed = 0;   ///< tokens computed once more for that
  std::uint64_t prefilled = 0;    ///< prompt tokens computed, those included
  std::uint64_t shared = 0;       ///< prompt tokens not computed: the prefix was there
  std::uint64_t generated = 0;
  std::uint64_t steps = 0;
  std::uint64_t peak_running = 0, peak_waiting = 0;
  std::uint64_t queued = 0;   ///< requests that waited at all before they first ran
  std::uint64_t wait_ns = 0;  ///< time until a request first ran, summed
  std::uint64_t longest_wait_ns = 0;
  std::uint64_t stay_ns = 0;  ///< from arrival to the last token, summed over the finished
  double running_ns = 0;      ///< integral of running requests over time
  double held_ns = 0;         ///< integral of the units held over time
  friend bool operator==(const Totals&, const Totals&) = default;
};

}  // namespace kvseats::traffic
