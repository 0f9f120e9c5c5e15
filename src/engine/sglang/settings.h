#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/sglang/rules.h"

/// The engine's options as data, and one value with every default filled in.
namespace kvseats::engine::sglang {

struct Settings {
  const Rules* rules = nullptr;
  Version version;
  units::Bytes seen;                ///< memory one GPU offers
  double fraction = 0.88;           ///< `--mem-fraction-static`
  bool auto_fraction = true;        ///< not asked for
  std::uint64_t page = 1;           ///< tokens per page
  std::uint64_t chunk = 8192;       ///< `--chunked-prefill-size`
  std::uint64_t graph_batch = 256;  ///< largest batch with a CUDA graph
  bool dp_attention = false;        ///< ranks of one tensor-parallel group with pools of their own
  bool radix = true;                ///< prefix cache on
  bool window_pool = false;         ///< layers with a window have a pool of their own
  double window_ratio = 0.8;        ///< tokens of the window pool ÷ tokens of the full one
  double state_ratio = 0.9;         ///< bytes for states ÷ bytes for keys and values
  std::optional<std::uint64_t> state_slots;  ///< given
  std::uint64_t slots_per_request = 3;       ///< state slots that a request may hold
  std::uint32_t temporal_bytes = 0;          ///< per element of the temporal state; 0: the model's
  std::optional<std::uint64_t> seqs;         ///< `--max-running-requests`, of one rank
  std::optional<units::Bytes> free_before, free_after;  ///< measured, around loading
};

/// The rows behind the contract's "engine keys" of SGLang.
[[nodiscard]] std::span<const OptionSpec> option_specs();

/// Fills in defaults as the engine does:
///
///  * page: 1; 64 for sparse latents (FlashMLA), 256 for compressed attention (a multiple of 128).
///  * chunk and graph batch by GPU memory, in MiB as nvidia-smi counts: below 20 GiB 2,048 and 8;
///    35: 2,048 and 24 (80 from tp 4 on); 60: 4,096 and 32 (160); 160: 8,192 and 256 (512); above:
///    16,384 and 512. Before 0.5: 8,192 and 160, on cards below 25 GiB 2,048 and 8.
///  * fraction = round(1 − reserved ÷ total, 3), reserved MiB = 512 + 1.5 × max(chunk, 2,048)
///    + 2 × graph batch + tp × pp ÷ 8 × 1,024, with data-parallel attention + 3 × graph batch × dp
///    (4.5 × above a batch of 300); at least 10 GiB above 60 GiB of memory; then + 2 GiB for a
///    draft head, + 6 GiB for a draft model. Before 0.5 by GPUs alone: 0.88, 0.87, 0.85, 0.81, 0.79
///    for 1, 2, 4, 8, 16 (server_args.py, `_handle_gpu_memory_settings`).
///  * state slots per request: 3 with the prefix cache, 1 without
///    (`_calculate_mamba_ratio`).
[[nodiscard]] Settings settings_of(const Inputs& in, const Chosen& chosen);

}  // namespace kvseats::engine::sglang
