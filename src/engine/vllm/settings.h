#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/engine.h"
#include "engine/vllm/rules.h"

/// The engine's options as data, and one value with every default filled in.
namespace kvseats::engine::vllm {

/// How pages of recurrent states are kept (`--mamba-cache-mode`, models/config.py at 002f10e0).
enum class StateMode {
  kNone,   ///< one page a request (prefix caching off)
  kAlign,  ///< two: the running state and the one at the last block boundary
  kAll,    ///< one for every block of tokens
};

/// Everything the following steps need besides model, formats and parallel sizes.
struct Settings {
  const Rules* rules = nullptr;
  Version version;
  std::string version_text;
  units::Bytes seen;  ///< memory one GPU offers
  double util = 0.92;
  std::uint64_t block = 16;            ///< tokens per block before any enlargement
  std::uint64_t batched = 2048;        ///< tokens per scheduling step
  std::uint64_t seqs = 256;            ///< most sequences at once
  std::uint64_t inflight = 1;          ///< batches that may hold blocks at once
  std::uint64_t encoder = 0;           ///< encoder tokens reserved per request
  std::uint64_t context_parallel = 1;  ///< dcp × pcp: ranks that deal out tokens
  std::uint64_t draft_tokens = 0;      ///< speculative tokens per step
  std::uint64_t offload_gib = 0;       ///< `--kv-offloading-size`, GiB over all TP ranks
  StateMode states = StateMode::kNone;
  std::uint64_t state_chunk = 256;  ///< tokens that blocks of mode "all" are a multiple of
  bool prefix_caching = true;
  bool groups = true;                        ///< hybrid cache manager on
  bool graphs = false;                       ///< CUDA graphs are charged to the pool
  bool align_latent = false;                 ///< V0: rows of a latent rounded up to 256 B
  std::optional<std::uint32_t> state_bytes;  ///< bytes per element of the temporal state
  std::optional<std::uint32_t> conv_bytes;   ///< of the convolution's state
};

/// The rows behind the contract's "engine keys" of vLLM.
[[nodiscard]] std::span<const OptionSpec> option_specs();

/// Fills in defaults as the engine does:
///
///  * batched and seqs: 8,192 and 1,024 on cards with at least 70 GiB but A100 (PR 17885), else
///  2,048 and
///    256 (`EngineArgs.get_batch_defaults`, engine/arg_utils.py, API server); models with an
///    encoder take max(2,048, context) (no chunked prefill). V0: 256 sequences and max(2,048,
///    context) tokens up to a context of 32,768, where chunked prefill took over with 2,048.
///  * block: 16; latents 64 (FlashMLA; sparse indexers accept 64 only).
///  * inflight: 1; from 0.24 on the number of pipeline stages, or 2 with one stage (async
///    scheduling; `VllmConfig.max_concurrent_batches`).
///  * states: align where prefix caching is on, else none. Chunk: 256 with Mamba-2 (the
///    `mamba_chunk_size` of Granite 4 and Nemotron-H), 2,048 where a config declares none
///    (`ModelConfig.get_mamba_chunk_size`, config/model.py).
///  * encoder: `batched` (the scheduler's encoder budget; Whisper with 2,048 prints 128 blocks).
[[nodiscard]] Settings settings_of(const Inputs& in, const Chosen& chosen);

}  // namespace kvseats::engine::vllm
