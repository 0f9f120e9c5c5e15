#pragma once

#include <cstdint>
#include <vector>

#include "engine/vllm/settings.h"

/// One cache spec per layer, as each attention or recurrent layer of the engine declares it.
///
/// Bytes of a block ("page") of one layer on one GPU, `b` tokens per block:
///
///     heads      b × max(1, KV heads ÷ tp) × (row(K) + row(V)), each row with its scales
///     latent     b × row(rank + rope), one head, the same on every GPU
///     fp8_ds_mla b × (rank + 4 B per 128 of rank + 2 × rope)            (DeepSeek-V3.2: 656)
///     V0 latent  b × row rounded up to 256 B                            (1,152 → 1,280)
///     indexer    b × (width + 4 B per 128), whatever the cache format   (128 → 132)
///     turboquant whole slots; the first and last two layers stay 16-bit (model::stays_16_bit)
///     state      Σ prod(shape) × element bytes, whatever the block
///
/// Sources: vllm/v1/kv_cache_interface.py (FullAttentionSpec, MLAAttentionSpec, SlidingWindowSpec,
/// ChunkedLocalAttentionSpec, CrossAttentionSpec, MambaSpec) and
/// vllm/model_executor/layers/mamba/mamba_utils.py at 001cabc1 and 02d71083; V0:
/// vllm/worker/cache_engine.py (align_cache).
namespace kvseats::engine::vllm {

/// Which tokens of a request a layer keeps.
enum class Keep { kAll, kWindow, kChunk, kEncoder, kState };

struct Spec {
  Keep keep = Keep::kAll;
  bool latent = false;
  std::uint64_t block = 16;  ///< tokens per block
  std::uint64_t page = 0;    ///< bytes of one block of one layer
  std::uint64_t window = 0;  ///< window or chunk, tokens
  units::Ratio token;        ///< bytes per token of one layer; states: 0
  std::uint64_t state = 0;   ///< bytes of a state before its page is padded
  std::uint32_t heads = 0;   ///< KV heads on one GPU
  friend bool operator==(const Spec&, const Spec&) = default;
};

/// A layer of the engine: a decoder layer may bring several (attention, indexer, state).
struct Layer {
  std::uint32_t spec = 0;   ///< index into `Layers::specs`
  std::uint32_t stage = 0;  ///< pipeline stage that holds it
};

struct Layers {
  std::vector<Spec> specs;  ///< distinct, in order of first appearance
  std::vector<Layer> list;  ///< in order of the model, draft layers last (on the last stage)
  std::uint32_t stages = 1;
  bool has_compressed = false;  ///< a compressed layout whose packing is not reproduced
};

/// The specs of a model with its draft layers. V0 keeps states outside the pool: none appear.
/// Compressed layers (DeepSeek-V4 style) appear as a window and a latent of every ratio-th token.
[[nodiscard]] Layers layer_specs(const Inputs& in, const Settings& settings);

/// Bytes that one request's state of one layer takes on one GPU.
[[nodiscard]] std::uint64_t state_bytes(const model::State& state, std::uint32_t tp,
                                        const Settings& settings);

}  // namespace kvseats::engine::vllm
