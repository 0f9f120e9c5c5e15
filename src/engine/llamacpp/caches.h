#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/llamacpp/settings.h"

/// The caches that a context of llama.cpp makes, as its log lists them.
///
///     cells of a stream
///       ordinary      cells of the slot
///       window        pad(min(cells, window × slots if unified + n_ubatch)); --swa-full: all
///       compressed    pad(ceil(cells / ratio))
///     bytes           Σ layers row(type, heads × width) × cells × streams
///     states          f32 whatever the types, one cell a slot, also when unified, × (1 + draft)
///
/// Rows are whole blocks of the type. Without flash attention V is stored transposed and each
/// layer's row is as wide as the model's widest (llama_hparams::n_embd_v_gqa_max, since PR 14363).
/// A latent has the type of K. A sparse indexer has cells like its layers', and a V of one head
/// where it keeps one. DeepSeek-V4 attention has four caches (raw, csa, hca, lid) and three f32
/// compressor states, a stream for each slot even when unified (src/llama-kv-cache-dsv4.cpp). Cross
/// attention is not cached. Layers that share another layer's cache have none.
///
/// Two of the engine's own lists are read from the model's family, as the engine reads them from
/// `general.architecture`: GGUFs of Mistral, Phi and Qwen ignore their window (llama-model.cpp sets
/// no swa_type), and GLM-4.5 to 4.7 keep their next-token layer in the main cache (47 layers for
/// GLM-4.5-Air) where others filter it out.
namespace kvseats::engine::llamacpp {

/// How the cells of a cache follow from those of the slot.
enum class Cells { kAll, kWindow, kRatio, kFixed };

/// One cache over the layers of one device.
struct Cache {
  std::string_view name;      ///< a row name of the contract: `kv`, `kv_swa`, `mla` …
  std::uint32_t layers = 0;   ///< as the log prints it
  std::uint64_t k_cell = 0;   ///< bytes of one cell over its layers; of a state: one slot's R
  std::uint64_t v_cell = 0;   ///< V; of a state: S
  std::uint64_t v_spare = 0;  ///< of V: what no layer needs (widened rows, V beside a latent)
  Cells rule = Cells::kAll;
  std::uint64_t amount =
      0;                  ///< kWindow: tokens of the window; kRatio: tokens a cell; kFixed: cells
  bool per_slot = false;  ///< a stream for each slot even when unified
  std::uint64_t copies = 1;                    ///< of states
  const model::CacheFormat* k_type = nullptr;  ///< nullptr: f32
  const model::CacheFormat* v_type = nullptr;
};

/// Layers of each group on one device: `counts[group]`.
using LayerCounts = std::vector<std::uint32_t>;

/// Layers of each device that are on it, `pp` of them, and last those in host memory. Layer i of n
/// goes to device floor((i − first) × pp / (gpu layers)), the output layer counted
/// (llama-model.cpp, load_tensors with equal tensor splits); unequal devices get layers by what
/// each offers, as that function does by free memory.
[[nodiscard]] std::vector<LayerCounts> deal_layers(const Inputs& in, const Settings& settings);

/// All caches of the given layers, in the order of the log; `last` adds the drafter's.
[[nodiscard]] std::vector<Cache> caches_of(const Inputs& in, const Settings& settings,
                                           const LayerCounts& counts, bool last);

/// Cells of one stream, streams, and bytes: the row of the report.
[[nodiscard]] CacheRow row_of(const Cache& cache, const Settings& settings);

/// Tokens that a window cache holds before rounding: window (× slots if unified) + step.
[[nodiscard]] std::uint64_t window_tokens(const Settings& settings, std::uint64_t window);

/// Sum of all rows.
[[nodiscard]] units::Bytes total_bytes(const std::vector<Cache>& caches, const Settings& settings);

/// Widths of one head's K and V where a latent is not cached as such. The model carries only the
/// latent, so the per-head widths of DeepSeek-V2 and V3 are taken (qk_nope 128 + rope, V 128).
struct HeadWidths {
  std::uint32_t k = 0;
  std::uint32_t v = 0;
};
[[nodiscard]] HeadWidths widths_without_latent(const model::LayerGroup& group);

}  // namespace kvseats::engine::llamacpp
