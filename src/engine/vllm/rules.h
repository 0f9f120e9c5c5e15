#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/engine.h"
#include "engine/version.h"

/// Which vLLM computes how. A version resolves to one rule set; inside a rule set a few thresholds
/// still depend on the version itself.
namespace kvseats::engine::vllm {

/// A rule set as switches.
///
///  * `v0`: one pool of blocks for all layers; every layer keeps everything; states live outside.
///  * `v1`: the same with a null block; windows count only where every layer has the same one.
///  * `v1-hybrid`: groups of layers draw block ids from one pool (kv_cache_utils.py at bbf906a8);
///    the token line is `blocks // groups × smallest block`.
///  * `v1-concurrency` (0.21): the token line is `int(concurrency × max_model_len)`, and an
///  estimate
///    of the CUDA graphs is subtracted from the pool.
///  * `v1-inflight` (0.24): windows and chunks are reserved for every batch in flight.
struct Rules {
  std::string_view id;
  Version first;
  bool blocks_only = false;      ///< V0: prints blocks, no null block
  bool groups = false;           ///< has the hybrid KV cache manager
  bool tokens_by_ratio = false;  ///< token line is concurrency × max_model_len
  bool charges_graphs = false;   ///< CUDA graph estimate is subtracted by default
  bool in_flight = false;        ///< windows are reserved for every batch in flight
};

/// What a person's `version` resolves to.
struct Chosen {
  const Rules* rules = nullptr;
  Version version;
  std::string text;                ///< as shown: "0.29.0"
  units::Diagnostics diagnostics;  ///< newer than known, or not understood
};

/// Accepts `0.11.2`, `v0.11`, `0.19.x`, a month `2025-11` (the newest release of that month or
/// before), `v0` or `0.9.1-v0` for the old engine; empty is the newest. Text that is none of these
/// is `E-VERSION` and the newest is taken.
[[nodiscard]] Chosen choose_rules(std::string_view version);

/// Rule sets for display, newest first.
[[nodiscard]] std::span<const RuleSet> rule_sets();

/// The factor by which the largest bucket may exceed the smallest and still set the group size:
/// ×1 before 0.10.2, ×1.25 before 0.18, ×1.5 since (kv_cache_utils.py at bbf906a8 and 001cabc1), in
/// hundredths.
[[nodiscard]] std::uint32_t bucket_percent(Version version);

/// From 0.14 on the start-up check counts groups with their padding; before it summed the layers.
[[nodiscard]] bool checks_by_groups(Version version);

/// Default of `--gpu-memory-utilization`: 0.90, from 0.21 on 0.92 (config/cache.py at 002f10e0).
[[nodiscard]] double default_util(Version version);

/// Whether prefix caching of models with recurrent states is on by default: from 0.17 on
/// (models/config.py at 0144dd5b turns it off, the "align" mode of later versions allows it).
[[nodiscard]] bool caches_states(Version version);

}  // namespace kvseats::engine::vllm
