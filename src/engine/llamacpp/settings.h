#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/engine.h"
#include "engine/llamacpp/rules.h"

/// The engine's options as data, and one value with every default filled in.
namespace kvseats::engine::llamacpp {

/// Everything the following steps need besides model and formats.
struct Settings {
  const Rules* rules = nullptr;
  Program program = Program::kServer;
  std::uint32_t day = 0;
  units::Bytes seen;              ///< memory one device offers
  std::uint64_t seqs = 4;         ///< slots (`--parallel`)
  bool auto_seqs = false;         ///< not asked for
  bool unified = true;            ///< all slots share the cells of one stream
  bool one_array = false;         ///< before streams: one array of cells, cut into equal slots
  bool grows = true;              ///< `-c` follows the context, it was not given
  std::uint64_t n_ctx = 0;        ///< cells over all streams, as the log prints it
  std::uint64_t cells = 0;        ///< cells of one stream
  std::uint64_t slot_tokens = 0;  ///< longest request of one slot
  std::uint64_t pad = 256;        ///< cells are rounded up to a multiple of it
  std::uint64_t batch = 2048;     ///< n_batch
  std::uint64_t ubatch = 512;     ///< n_ubatch
  std::uint64_t copies = 1;       ///< of recurrent states: 1 + draft length (rollback)
  bool flash = true;
  bool flash_asked = false;               ///< `fa` was given
  bool full_windows = false;              ///< `--swa-full`
  bool latents = true;                    ///< the GGUF has MLA tensors
  bool host_cache = false;                ///< `--no-kv-offload`
  std::uint64_t gpu_layers = UINT64_MAX;  ///< `--n-gpu-layers`, the output layer counted
  bool fitted = false;                    ///< `--fit` chose them
  std::uint64_t host_experts = 0;         ///< `--n-cpu-moe`: experts of so many first layers
};

/// The rows behind the contract's "engine keys" of llama.cpp.
[[nodiscard]] std::span<const OptionSpec> option_specs();

/// Fills in defaults as the engine does (common/arg.cpp, src/llama-context.cpp):
///
///     n_ctx     = pad(nctx), nctx = context, × slots where they are separate
///     unified:    cells = n_ctx, one stream
///     separate:   cells = pad(floor(n_ctx / slots)), a stream for each slot; n_ctx = cells × slots
///
/// n_batch 2,048 and n_ubatch 512, neither more than the cells; ollama raises both with its context
/// (512 up to 4,096, 1,024 up to 32,768, else 2,048). Flash attention is taken as on where a
/// quantised V needs it.
[[nodiscard]] Settings settings_of(const Inputs& in, const Chosen& chosen, Program program);

/// The same server started for a context of `tokens` instead.
[[nodiscard]] Settings restarted(const Settings& settings, std::uint64_t tokens);

/// A multiple of `pad` cells.
[[nodiscard]] std::uint64_t padded(const Settings& settings, std::uint64_t cells);

}  // namespace kvseats::engine::llamacpp
