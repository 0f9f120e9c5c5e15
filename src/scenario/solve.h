#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/catalogue.h"
#include "chart/chart.h"
#include "plan/gpus.h"
#include "plan/mix.h"
#include "scenario/codec.h"
#include "scenario/report.h"

/// The inverse questions: the scenario is given but for one thing, and that is what comes out.
///
///  * `for=context`: longest length, alone and with `users` at once;
///  * `for=users`:   requests at once;
///  * `for=gpus`:    fewest GPUs for `users`, over lists `gpu=h100-sxm,h200`, `weights=auto,fp8`
///  and
///    `kv=auto,fp8`, with their layout; of equally many the format earlier in its list, that of the
///    weights first;
///  * `for=pareto`:  for all services together, what no other layout of these accelerators beats in
///    cost and in headroom; `price=2.5,3.5` gives each accelerator its own;
///  * `for=lever`:   the cheapest single change that lets `users` run at once;
///  * `for=offload`: llama.cpp on one card: most layers on it with which one request starts.
///
/// All ask the forward division; an answer is checked by evaluating it.
namespace kvseats::scenario {

/// An accelerator that was asked for, with formats of the lists, and the fewest of it that serve.
struct GpuAnswer {
  std::string slug, name;
  std::string weights, cache;  ///< formats: "as published", "bf16"
  std::string formats;         ///< ", weights fp8, cache bf16": those of them that had lists
  plan::Choice choice;
  std::string limited_by;  ///< what ends the requests of a copy: "cache pool", "state pool" …
  std::string query;       ///< one group of it as a scenario with all copies; empty: none serves
  std::string sentence;    ///< "4 × H200: …" or why none serves
  std::string_view eight_bit;        ///< without a list of caches: an 8-bit format of the engine
  std::uint64_t eight_bit_gpus = 0;  ///< that needs only so many; 0: no fewer
};

/// A layout of the Pareto front.
struct OfferAnswer {
  std::string slug, name;
  plan::Offer offer;
  std::optional<double> price;  ///< of one GPU-hour
  double cost = 0;              ///< of an hour: rented × price, or rented GPUs without one
  std::string query;            ///< all rented GPUs as a scenario
  std::string sentence;
};

/// What was asked, taken apart. `node` and `multinode` bound the search of `for=gpus`.
struct Question {
  std::string target;               ///< `context`, `users`, `gpus`, `pareto`, `lever`, `offload`
  std::vector<std::string> gpus;    ///< accelerators to choose from; empty: the scenario's
  std::vector<std::string> prices;  ///< of each of them, as typed; one or none: the scenario's
  std::vector<std::string> weights, caches;  ///< formats to choose from; empty: the scenario's
  plan::Bounds bounds;
  Decoded decoded;
};

/// What was asked for and what came out. `report` is the forward answer of the scenario with the
/// answer put in (`gpus`: the best accelerator; `offload`: that many layers), so that it can be
/// checked; for the other targets that of the scenario itself.
struct Solution {
  std::string target;
  Report report;
  std::string sentence;
  std::vector<GpuAnswer> gpus;       ///< fewest first, those that cannot serve last
  std::vector<OfferAnswer> offers;   ///< for `pareto`: the cheapest first, each next one roomier
  std::size_t offers_left_out = 0;   ///< of the front: dearer, with hardly more room (plan/mix.h)
  std::optional<std::size_t> lever;  ///< index into `report.levers`; none reaches the users
  std::optional<std::uint64_t> layers_on_gpu;  ///< for `offload`; none: not even without layers
  units::Diagnostics diagnostics;
  bool ok = true;
};

/// `for=…`, `node=8`, `multinode=on|off` and, with `for=gpus`, the lists in `gpu=`, `weights=` and
/// `kv=`; the rest are the scenario's keys. Bad ones go into `decoded.diagnostics` as the
/// scenario's do.
[[nodiscard]] Question read_question(std::span<const std::string_view> words,
                                     Strictness strictness);

/// `target` unknown gives `E-SOLVE` naming the known ones.
[[nodiscard]] Solution solve(const Question& question, const catalogue::Catalogue& catalogue);

/// `{"schema", "for", "query", "sentence", and a section named like the target, "diagnostics"}`.
[[nodiscard]] std::string to_json(const Solution& solution, int indent = 2);

/// For the terminal: the sentence, and what it was chosen from.
[[nodiscard]] std::string to_text(const Solution& solution);

// Of this room only: adds what is not in the list yet, by code and text.
void add_new(const units::Diagnostics& from, units::Diagnostics& to);

/// Cost of an hour against headroom, a point for each layout of the front; no marks for other
/// targets.
[[nodiscard]] chart::Chart pareto_chart(const Solution& solution);

// Of this room only: "tp 4, pp 2", the sizes of 1 left out; a scenario with so many groups of a
// layout; what bounds a search, a given `dcp` taken out of the scenario; the accelerators asked
// for, at most 100 with the formats of the lists (`E-TOO-MANY`).
[[nodiscard]] std::string layout_text(const engine::Parallel& parallel);
[[nodiscard]] Scenario with_layout(Scenario scenario, const engine::Parallel& parallel,
                                   std::uint64_t groups);
[[nodiscard]] plan::Bounds bounds_of(const Question& question, Scenario& scenario);
[[nodiscard]] std::vector<std::string> candidates(const Question& question, Solution& out);

// Of this room only: one answer each, adding to `out`.
void solve_gpus(const Question& question, const catalogue::Catalogue& catalogue, Solution& out);
void solve_pareto(const Question& question, const catalogue::Catalogue& catalogue, Solution& out);
void solve_offload(const Question& question, const catalogue::Catalogue& catalogue, Solution& out);

}  // namespace kvseats::scenario
