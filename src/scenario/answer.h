#pragma once

#include <vector>

#include "engine/engine.h"
#include "engine/hand/hand.h"
#include "model/demand.h"
#include "plan/capacity.h"
#include "scenario/report.h"
#include "scenario/resolve.h"

/// One deployment computed: what was resolved, what the engine made of it, and what follows.
/// Internal to room `scenario`: `evaluate` fills a report from it section by section.
namespace kvseats::scenario {

struct Answer {
  const Resolved* resolved = nullptr;
  engine::Outcome outcome;
  std::vector<model::Component> parts;         ///< by hand, whole model
  std::vector<engine::Rank> hand;              ///< by hand, per GPU
  std::vector<engine::HandStage> hand_stages;  ///< the same, part by part
  plan::Load load;                             ///< what one request takes, prefix included
  plan::Capacity in_pool;                      ///< of the load, whether or not the engine starts
  plan::Capacity now, low, high;               ///< that are served; none where it does not start
  std::string_view stop;  ///< why nothing is served: `no_room`, `refuses`; else empty
  std::uint64_t gpus_per_copy = 1;
  std::uint64_t users_per_copy = 1;  ///< in the fullest copy
};

/// What one request takes up: prompt + output, or `context` where memory is reserved.
[[nodiscard]] plan::Load load_of(const Resolved& resolved, bool reserved);

[[nodiscard]] Answer compute(const Resolved& resolved);

/// Why an outcome serves nobody: `no_room` (nothing is left for a cache), `refuses` (the engine
/// does not start, or would serve no request of `context`, or none of the `requests` runs); else
/// empty.
[[nodiscard]] std::string_view stop_of(const engine::Profile& profile,
                                       const engine::Outcome& outcome, std::uint64_t context,
                                       std::uint64_t requests);

/// Bytes by hand of one request: encoder parts hold the prompt, the others prompt + output, or the
/// output alone where the prompt is the encoder's.
[[nodiscard]] units::Bytes request_bytes(const Answer& answer, std::uint64_t prompt,
                                         std::uint64_t output);

/// Typical bytes of the budget's term on one GPU; 0 where there is none. `overhead` is every term
/// that is none of `used`, `weights` and `unused`: profiles split it in their own ways.
[[nodiscard]] units::Bytes budget_amount(const engine::Outcome& outcome, std::string_view id);

/// Requests that run in one copy: as many as are wanted, or as fit.
[[nodiscard]] std::uint64_t running_now(const Answer& answer);

/// The same, and what idle sessions hold beside them in the fullest copy.
[[nodiscard]] std::uint64_t held_now(const Answer& answer);

/// What the pool's rest is called. Where the engine runs no more sequences it is no room for more.
[[nodiscard]] std::string free_label(const Answer& answer);

/// A step down: less than nine tenths of the bytes of 1,024 numbers.
[[nodiscard]] bool is_smaller(const model::CacheFormat& format, const model::CacheFormat& now);

/// `kOutOfRange` becomes null.
[[nodiscard]] Maybe maybe(std::uint64_t n);

// Sections of the report, each from the answer alone (and what earlier sections wrote).
void fill_identity(const Answer& answer, Report& report);
void fill_bytes(const Answer& answer, Report& report);
void fill_engine(const Answer& answer, Report& report);
void fill_pool(const Answer& answer, Report& report);
void fill_concurrency(const Answer& answer, Report& report);
/// Asks the engine again for a server of that length: budgets and encoders follow the context.
void fill_context(const Answer& answer, Report& report);
void fill_users(const Answer& answer, Report& report);
void fill_services(const Answer& answer, const Scenario& scenario, Report& report);
void fill_memory(const Answer& answer, Report& report);
void fill_waste(const Answer& answer, Report& report);
void fill_gpus(const Answer& answer, Report& report);
void fill_levers(const Answer& answer, const Scenario& scenario, Report& report);
/// Hit rate, what sharing buys, and what idle sessions hold.
void fill_sharing(const Answer& answer, Report& report);
void add_sharing(const Report& report, units::Ledger& out);  ///< its rows
void fill_verdict(const Answer& answer, Report& report);
void fill_ledger(const Answer& answer, Report& report);

}  // namespace kvseats::scenario
