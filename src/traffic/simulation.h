#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "traffic/arrivals.h"
#include "traffic/pool.h"
#include "traffic/workload.h"

/// Continuous batching over an engine's compiled cost: requests come, are admitted, grow token by
/// token, are thrown out when the pool is full, and finish.
///
/// One step of the engine, after vLLM's own (`Scheduler.schedule`,
/// vllm/v1/core/sched/scheduler.py):
///  1. running requests, oldest first, get one token each (or their next part of the prompt), while
///     the step's tokens (`batched`) last. One that needs another block and finds none throws out
///     the youngest running request, which may be itself: all its blocks are freed and it waits
///     again, first in line, to compute everything once more ("preemption by recompute");
///  2. unless that happened, waiting requests are admitted in the order they came while blocks for
///     the whole prompt, a sequence (`seq_cap`, slots) and tokens of the step are left;
///  3. time goes on (`Pace`).
///
/// A request holds what prompt and answer so far cost, at the end what prompt + output cost, and
/// the shared prefix once with all others that have it: whole blocks, while anybody has them;
/// whoever comes later does not compute them again. With `reserved` it holds what `longest` costs
/// from the first step to the last: the allocation that paging replaced (Kwon et al., "Efficient
/// Memory Management for Large Language Model Serving with PagedAttention", SOSP 2023, section 3).
///
/// Everything is integers but the two integrals of `Totals`, which are sums in a fixed order: the
/// same setup gives the same bits everywhere, however `step` is cut up.
namespace kvseats::traffic {

/// A request that is in the system.
struct Live {
  Arrival arrival;
  std::uint64_t id = 0;           ///< 1, 2, … in the order of arrival
  std::uint64_t length = 0;       ///< tokens computed, the shared ones included; 0 while it waits
  std::uint64_t todo = 0;         ///< of the prompt (or of what is recomputed) still to be computed
  std::uint64_t left = 0;         ///< output tokens still to come
  std::uint64_t next_growth = 0;  ///< least length that may need another unit
  std::uint64_t entered = 0;      ///< steps done when it came
  std::uint64_t read = 0;         ///< units of the rank shown that a step reads of it
  bool shares = false;            ///< has the shared prefix
  bool ran = false;               ///< was admitted at least once
};

class Simulation {
 public:
  explicit Simulation(Experiment setup);
  // `arrivals_` points into `setup_`.
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Runs at most `budget` steps; true once the horizon is reached or nobody comes any more. To
  /// cancel, do not call it again.
  bool step(std::uint64_t budget);
  [[nodiscard]] bool done() const { return done_; }
  /// 0 … 1, of the horizon.
  [[nodiscard]] double progress() const;

  [[nodiscard]] const Experiment& setup() const { return setup_; }
  [[nodiscard]] std::uint64_t now_ns() const { return now_; }
  [[nodiscard]] const Totals& totals() const { return totals_; }
  [[nodiscard]] const std::vector<Sample>& samples() const { return samples_; }
  /// The state now, between two samples.
  [[nodiscard]] Sample now() const { return sample_at(now_); }
  /// One for each rank; slot numbers + 1 are the owners.
  [[nodiscard]] const std::vector<Pool>& pools() const { return pools_; }
  /// Index of the rank that is tightest for the mean request: whose units samples show.
  [[nodiscard]] std::size_t shown() const { return shown_; }
  /// Slots of the running requests, oldest admission first, and of the waiting, first in line
  /// first.
  [[nodiscard]] const std::vector<std::uint32_t>& running() const { return running_; }
  [[nodiscard]] const std::deque<std::uint32_t>& waiting() const { return waiting_; }
  [[nodiscard]] const Live& live(std::uint32_t slot) const { return lives_[slot]; }
  /// Longest time in the queue before the first run that `percent` of the admitted did not exceed.
  [[nodiscard]] std::uint64_t wait_ns(std::uint64_t percent) const;

 private:
  void one_step();
  void deliver();
  void enter(const Arrival& arrival);
  [[nodiscard]] bool ever_fits(const Arrival& arrival, bool shares) const;
  [[nodiscard]] std::uint64_t cost(std::size_t rank, std::uint64_t length, bool shares) const;
  [[nodiscard]] std::uint64_t prefix_cost(std::size_t rank) const;
  [[nodiscard]] bool hold(std::uint32_t slot, std::uint64_t length);
  [[nodiscard]] bool hold_prefix();
  void drop_prefix();
  void release(std::uint32_t slot);
  [[nodiscard]] std::uint64_t growth_after(std::uint64_t length) const;
  [[nodiscard]] bool make_room(std::uint32_t slot);
  void preempt_youngest();
  void grow_in_place(Live& request);
  [[nodiscard]] bool run_running(std::uint64_t& tokens, std::uint64_t& prefilled);
  void advance(Live& request, std::uint64_t& tokens, std::uint64_t& prefilled);
  void admit(std::uint64_t& tokens, std::uint64_t& prefilled);
  [[nodiscard]] bool try_admit(std::uint32_t slot);
  void note_wait(Live& request);
  [[nodiscard]] std::uint64_t duration(std::uint64_t prefilled) const;
  void pass(std::uint64_t ns);
  void finish_done();
  [[nodiscard]] Sample sample_at(std::uint64_t time_ns) const;
  [[nodiscard]] std::uint64_t needed_bytes() const;

  Experiment setup_;
  Arrivals arrivals_;
  std::vector<Pool> pools_;
  std::size_t shown_ = 0;
  std::uint64_t most_running_ = UINT64_MAX;
  std::uint64_t shared_tokens_ = 0;    ///< of the prefix, in whole blocks: not computed again
  std::uint64_t sharers_ = 0;          ///< running requests that have the prefix
  std::uint64_t read_ = 0;             ///< units that a step reads, where that is not all held
  std::vector<Live> lives_;            ///< by slot
  std::vector<std::uint32_t> vacant_;  ///< slots of nobody
  std::vector<std::uint32_t> running_;
  std::deque<std::uint32_t> waiting_;
  std::vector<std::uint64_t> waits_;  ///< of the admitted, in the order of admission
  bool any_done_ = false;
  bool done_ = false;
  std::uint64_t now_ = 0;
  std::uint64_t next_sample_ = 0;
  Totals totals_;
  std::vector<Sample> samples_;
};

}  // namespace kvseats::traffic
