#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/catalogue.h"
#include "plan/gpus.h"
#include "scenario/codec.h"
#include "scenario/report.h"

/// The inverse questions: the scenario is given but for one thing, and that is what comes out.
///
///  * `for=context`: longest length, alone and with `users` at once;
///  * `for=users`:   requests at once;
///  * `for=gpus`:    fewest GPUs for `users`, over a list `gpu=h100-sxm,h200`, with their layout;
///  * `for=lever`:   the cheapest single change that lets `users` run at once;
///  * `for=offload`: llama.cpp on one card: most layers on it with which one request starts.
///
/// All ask the forward division; an answer is checked by evaluating it.
namespace kvseats::scenario {

/// An accelerator that was asked for, and the fewest of it that serve.
struct GpuAnswer {
  std::string slug, name;
  plan::Choice choice;
  std::string query;     ///< one group of it as a scenario with all copies; empty: none serves
  std::string sentence;  ///< "4 × H200: …" or why none serves
};

/// What was asked, taken apart. `node` and `multinode` bound the search of `for=gpus`.
struct Question {
  std::string target;             ///< `context`, `users`, `gpus`, `lever`, `offload`
  std::vector<std::string> gpus;  ///< accelerators to choose from; empty: the scenario's
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
  std::optional<std::size_t> lever;  ///< index into `report.levers`; none reaches the users
  std::optional<std::uint64_t> layers_on_gpu;  ///< for `offload`; none: not even without layers
  units::Diagnostics diagnostics;
  bool ok = true;
};

/// `for=…`, `node=8`, `multinode=on|off` and, with `for=gpus`, the list in `gpu=`; the rest are the
/// scenario's keys. Bad ones go into `decoded.diagnostics` as the scenario's do.
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

// Of this room only: one answer each, adding to `out`.
void solve_gpus(const Question& question, const catalogue::Catalogue& catalogue, Solution& out);
void solve_offload(const Question& question, const catalogue::Catalogue& catalogue, Solution& out);

}  // namespace kvseats::scenario
