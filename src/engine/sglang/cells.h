#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/sglang/settings.h"

/// Bytes that one token, or one slot for states, takes on each GPU of a pipeline stage.
///
///     heads       max(1, KV heads ÷ tp) × (row(K) + row(V))           per layer
///     latent      row(rank + rope), the same on every GPU             per layer
///     sparse, 8 bit   rank + 4 B per 128 of it + 2 × rope             656 for 512 + 64
///     indexer     width + 4 B per 128, in every latent layer of such a model   132 for 128
///     window      as heads; in the full pool unless the family is listed
///     shared      counted like the layers they read from: nothing is saved
///     state slot  conv (kernel − 1) × width ÷ tp in 16 bit, temporal heads ÷ tp × rows × cols in
///                 fp32 unless the model or `statetype` says otherwise
///     draft head  full layers × (1 + draft layers ÷ layers), whatever its own shape
///
/// 4-bit keys and values (since 0.5.17) share one 8-bit workspace of a layer, charged per token.
/// Compressed attention (DeepSeek V4): entries of every 4th and 128th token and the index keys in
/// the full pool; the windows, with 8 rows of compressor state per 128 tokens, in the window pool;
/// states of the 128-fold layers for each request.
///
/// Sources: pool_configurator.py at 003fca80 (`_compute_cell_size`, `HybridSWAPoolConfigurator`,
/// `DSV4PoolConfigurator`), kv_cache_configurator.py (`calculate_mla_kv_cache_dim`),
/// configs/mamba_utils.py.
namespace kvseats::engine::sglang {

/// Where a part of the cache lives.
enum class Where { kFull, kWindow, kSlots };

/// One row of the log: all layers of a stage that are stored alike.
struct Part {
  std::string_view name;  ///< a row name of the contract: `kv`, `kv_swa`, `mla` …
  Where where = Where::kFull;
  std::uint32_t layers = 0;
  units::Ratio k;  ///< bytes per token over its layers; of a state: bytes of R per slot
  units::Ratio v;
  bool charged = true;  ///< false: not in the bytes per token that size the pool
};

/// Layers with a window that keep every token because the family has no window pool.
struct Kept {
  std::uint64_t window = 0;
  units::Ratio token;  ///< bytes per token of these layers
};

struct Stage {
  std::vector<Part> parts;
  units::Ratio full;                 ///< bytes per token that size the full pool
  units::Ratio window;               ///< of the window pool; 0: there is none
  std::uint64_t slot = 0;            ///< bytes of one state slot
  std::uint64_t window_tokens = 0;   ///< what a request keeps in the window pool
  std::uint64_t encoder_tokens = 0;  ///< that a request puts into the full pool
  std::uint64_t per_request = 0;     ///< bytes reserved for each request that may run
  bool estimated = false;            ///< a layout that is not checked against a log

  // What a model does not need of it, for the waste:
  std::vector<Kept> kept;
  units::Ratio shared;           ///< bytes per token of layers that could read another's cache
  units::Ratio index;            ///< bytes per token of index keys in layers without indexer
  std::uint64_t slot_spare = 0;  ///< of a slot: states wider than the model stores them
};

/// One for each pipeline stage.
[[nodiscard]] std::vector<Stage> stages_of(const Inputs& in, const Settings& settings);

}  // namespace kvseats::engine::sglang
