#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/catalogue.h"
#include "chart/chart.h"
#include "plan/overflow.h"
#include "scenario/codec.h"
#include "scenario/report.h"
#include "scenario/sweep.h"
#include "traffic/little.h"
#include "traffic/simulation.h"

/// A scenario under traffic: who asks, how likely the pool overflows, and an hour of it, step by
/// step.
///
/// Who asks, of all services in proportion to their users, or of the load where there are none:
///  * `rate=`: requests arrive at that rate (sessions at rate ÷ turns);
///  * `people=`, `active=`: that share of them asks, and after each answer thinks `think=` seconds;
///    without `think` the share is those who have a request running all the time;
///  * neither: `users` requests are running all the time.
/// Copies (dp) get an even share each, and one copy is simulated.
///
/// How long a step takes is a lower bound, the roofline of plan/roofline.h in the form of
/// traffic/workload.h: weights of one GPU and the caches held, read once at its bandwidth; 2 ×
/// active parameters FLOP per prompt token on all GPUs of a copy; pipeline stages one after
/// another. `speed=` gives output tokens per second of one request instead.
namespace kvseats::scenario {

struct SimulationQuestion {
  Decoded decoded;
  std::uint64_t seed = 1;
  std::uint64_t minutes = 60;   ///< 1 … 1,440
  std::optional<double> speed;  ///< output tokens per second of one request
};

/// One service: its lengths, and how many of it alone fit.
struct ServiceTraffic {
  std::string name;
  traffic::Lengths prompt, output;
  std::uint64_t users = 0;  ///< wanted at once, in one copy
  plan::Sizing sizing;      ///< of one copy
};

/// A simulation and what a copy would do that reserves the longest request for everybody.
struct SimulatedRun {
  traffic::Totals totals;
  std::vector<traffic::Sample> samples;
  std::uint64_t wait_p95_ns = 0;
};

struct Simulated {
  bool ok = true;
  units::Diagnostics diagnostics;
  Report report;  ///< the forward answer of the same scenario
  std::uint64_t seconds = 0;
  std::string at_once;  ///< people to requests, as arithmetic; empty: users were given
  std::string pace;     ///< "At least 5.29 ms a step: …"
  std::vector<ServiceTraffic> services;
  plan::Chance overflow;                ///< all services with their users, in one copy
  std::size_t shown = 0;                ///< index of the service that pictures are of
  std::vector<plan::CurvePoint> curve;  ///< of that service alone (`overflow_curve_of`)
  traffic::Experiment experiment;       ///< of the paged run: for faces that step it themselves
  SimulatedRun paged, reserved;
};

/// Which of `count` services the pictures are of, by the value of the page key `shown`: a number
/// from 1 on. The first where it says nothing of use.
[[nodiscard]] std::size_t shown_service(std::string_view shown, std::size_t count);

/// `seed=`, `minutes=`, `speed=`; all other words are the scenario's keys. Bad ones are
/// diagnostics.
[[nodiscard]] SimulationQuestion read_simulation(std::span<const std::string_view> words,
                                                 Strictness strictness);

/// All but the runs: what is asked, resolved and sized. Codes: the scenario's; `E-SPEED` neither
/// bandwidth nor weights are known, so that a step has no time; `E-ENCODED` the model encodes its
/// prompts; `E-TOO-MANY` more than a million people or four million requests in one copy;
/// `E-STOPPED` nothing is served.
[[nodiscard]] Simulated prepare_simulation(const SimulationQuestion& question,
                                           const catalogue::Catalogue& catalogue);

/// Both runs a few steps at a time, for faces that must not stop meanwhile: paged first, then
/// reserved. To cancel, do not go on.
class SimulationRun {
 public:
  SimulationRun(const SimulationQuestion& question, const catalogue::Catalogue& catalogue);
  ~SimulationRun();
  SimulationRun(const SimulationRun&) = delete;
  SimulationRun& operator=(const SimulationRun&) = delete;

  /// At most `budget` steps of the engine more; true once there is nothing left to do: at once for
  /// bad input.
  bool step(std::uint64_t budget);
  /// 0 … 1 of both runs together.
  [[nodiscard]] double progress() const;
  /// What came out; the runs that have not ended are empty.
  [[nodiscard]] const Simulated& result() const { return out_; }

 private:
  void begin(bool reserved);

  Simulated out_;
  std::unique_ptr<traffic::Simulation> now_;  ///< null: both have ended
  bool reserved_ = false;                     ///< which of them that is
};

/// The same with both runs, to their ends.
[[nodiscard]] Simulated simulate(const SimulationQuestion& question,
                                 const catalogue::Catalogue& catalogue);

/// Requests at once over time, paged and reserved, and how many wait. No series before the paged
/// run has ended.
[[nodiscard]] chart::Chart running_chart(const Simulated& simulated);

/// The probability that the pool overflows over the number of requests of one service alone, from
/// as many as fit by the 95th percentile of each on. Up to 0.1 s.
[[nodiscard]] std::vector<plan::CurvePoint> overflow_curve_of(const Simulated& simulated,
                                                              std::size_t service);

/// The same of every service of a report, as charts (`overflow_chart`) named by number. Nothing for
/// a service that `add_sizing` (rates.h) left out.
[[nodiscard]] std::vector<chart::Chart> overflow_charts(const Report& report);

/// Such a curve with its range, where it passes 5 %, and both ways of sizing with what the sum
/// gains. No series where memory sets no limit.
[[nodiscard]] chart::Chart overflow_chart(const Simulated& simulated);
[[nodiscard]] chart::Chart overflow_chart(const ServiceTraffic& service,
                                          const std::vector<plan::CurvePoint>& curve);

/// How long the prompts of a service are, and its answers. No series where all are equal.
[[nodiscard]] chart::Chart prompts_chart(const ServiceTraffic& service);
[[nodiscard]] chart::Chart answers_chart(const ServiceTraffic& service);

/// "With 110 requests at once the pool overflows with a probability of 0.31 %."
[[nodiscard]] std::string overflow_sentence(const Simulated& simulated);

/// How many of each service fit: by the 95th percentile of each request, and by the sum at a risk
/// of 5 %, with the gain.
[[nodiscard]] chart::TextTable sizing_table(const Simulated& simulated);
/// What both runs came to, side by side; no rows before the paged one has ended.
[[nodiscard]] chart::TextTable runs_table(const Simulated& simulated);

/// Both runs over time, a row for each sample.
[[nodiscard]] Table series(const Simulated& simulated);
[[nodiscard]] std::string to_json(const Simulated& simulated, int indent = 2);
[[nodiscard]] std::string to_text(const Simulated& simulated);

}  // namespace kvseats::scenario
