#pragma once

#include <span>
#include <string_view>

#include "engine/engine.h"
#include "engine/version.h"

/// Which SGLang computes how.
namespace kvseats::engine::sglang {

/// A rule set as switches.
///
///  * `sglang-0.4`: one pool, every layer keeps every token; the memory fraction follows from the
///    number of GPUs alone; latents and their draft layers as ever.
///  * `sglang-0.5` (August 2025): layers with a window have a pool of their own in the
///    architectures that the engine lists; states have slots; the fraction follows from step size,
///    graph batch and GPU memory.
///  * `sglang-0.5.9` (February 2026, PR 18039): full and window pools are weighed by their own
///    bytes, where they were weighed as if all layers had the same.
///  * `sglang-0.5.13` (June 2026, pool_configurator.py): a slot of padding is charged with the
///    states; requests are at most half the tokens; weights that leave nothing are refused by name.
struct Rules {
  std::string_view id;
  Version first;
  bool window_pool = true;     ///< layers with a window may have a pool of their own
  bool weighs_windows = true;  ///< by their own bytes
  bool sized_fraction = true;  ///< the fraction follows from step, graphs and memory
  bool pads_states = true;     ///< the padding slot is charged; requests ≤ tokens ÷ 2
};

struct Chosen {
  const Rules* rules = nullptr;
  Version version;
  units::Diagnostics diagnostics;
};

/// Accepts `0.5.13`, `v0.5`, a month `2026-06`; empty is the newest.
[[nodiscard]] Chosen choose_rules(std::string_view version);

/// Rule sets for display, newest first.
[[nodiscard]] std::span<const RuleSet> rule_sets();

/// Whether layers with a window of this family have a pool of their own. The engine keeps a list of
/// architectures (`is_hybrid_swa_model`, configs/model_config.py): Llama 4 and gpt-oss from the
/// start, MiMo V2 and Step 3.5 since 0.5.8, Gemma 4 and DeepSeek V4 since 0.5.10, Inkling and
/// Laguna since 0.5.15. Others (Gemma 2 and 3, Mistral, OLMo 3 …) cache every token; models
/// without a family are taken as listed.
[[nodiscard]] bool has_window_pool(const Chosen& chosen, std::string_view family);

}  // namespace kvseats::engine::sglang
