#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/engine.h"

/// Which build of llama.cpp computes how.
namespace kvseats::engine::llamacpp {

/// The program whose defaults hold.
enum class Program { kServer, kOllama, kLmStudio };

/// How a latent (MLA) is cached.
enum class Latent {
  kHeads,  ///< not at all: K and V of every head
  kKAndV,  ///< K of rank + rope, and V of rank beside it
  kKOnly,  ///< K of rank + rope, V is a view of it
};

/// How many cells are rounded up to a whole number of.
enum class Padding {
  kByFlash,  ///< 256 with flash attention, 32 without (PR 7257)
  kNone,     ///< not at all (PR 16812)
  k256,      ///< 256, of every slot (PR 17046)
};

/// A rule set as switches. Each holds from a build and the day it was merged.
///
///  * `llamacpp-full`: every layer keeps every token; one array of cells for all slots.
///  * `llamacpp-mla` (PR 12801, April 2025): latents, with a V beside K.
///  * `llamacpp-iswa-batch` (PR 13194, 20 May 2025): layers with a window have a cache of their
///  own,
///    window × slots + n_batch cells.
///  * `llamacpp-iswa` (PR 13833, 31 May 2025): the same with n_ubatch.
///  * `llamacpp-streams` (PR 14363, July 2025): each slot has its own cells unless unified.
///  * `llamacpp-unpadded` (PR 16812, 28 October 2025): cells are not rounded for ten days.
///  * `llamacpp-pad256` (PR 17046, 7 November 2025): 256 cells, of every slot.
///  * `llamacpp-k-only` (PR 19067, January 2026): a latent has no V.
struct Rules {
  std::string_view id;
  std::uint32_t build = 0;  ///< first build
  std::uint32_t day = 0;    ///< first day, 20251107
  bool windows = true;      ///< layers with a window have a cache of their own
  bool by_batch = false;    ///< which adds n_batch instead of n_ubatch to the window
  bool streams = true;      ///< slots may have cells of their own
  Padding padding = Padding::k256;
  Latent latent = Latent::kKOnly;
};

/// What a person's `version` resolves to.
struct Chosen {
  const Rules* rules = nullptr;
  std::uint32_t day = 0;  ///< of the version, for thresholds inside a rule set
  std::string text;       ///< as shown: "b6990", "2025-11"
  units::Diagnostics diagnostics;
};

/// Accepts a build `b6990` or `6990`, a month `2025-11` (its last day; the ten unpadded days are
/// no month's) or a day `2025-11-07`; ollama and LM Studio also their own numbers (`0.12.3`).
/// Empty is the newest. Text that is none of these is `E-VERSION` and the newest is taken.
[[nodiscard]] Chosen choose_rules(std::string_view version, Program program);

/// Rule sets for display, newest first.
[[nodiscard]] std::span<const RuleSet> rule_sets();

/// llama-server starts 4 slots over one unified cache when `--parallel` is not given (PR 16736,
/// 2 November 2025); before, one slot. LM Studio follows from 0.4 (January 2026).
[[nodiscard]] bool starts_four_slots(std::uint32_t day, Program program);

/// Flash attention is on where the hardware allows it (PR 15434, 30 August 2025); before, off.
[[nodiscard]] bool flash_by_default(std::uint32_t day);

/// LM Studio asked for full-size window caches in its builds of 2025 up to August.
[[nodiscard]] bool asks_for_full_windows(std::uint32_t day, Program program);

}  // namespace kvseats::engine::llamacpp
