#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/trtllm/settings.h"

/// Bytes per token of the layers on one GPU, and the blocks that memory makes of them.
///
///     heads     2 × Σ layers ceil(KV heads ÷ tp) × head dim × bytes      (K and V as wide as they
///     are) latent    Σ layers (rank + rope) × bytes, on every GPU             kv factor 1 indexer
///     width + 4 B per 128, in layers that have one nvfp4     half a byte, and a scale byte per 16
///     drafts    further layers of the last stage
///     states    fixed for each request, outside the blocks; taken here from the same memory
///
///     windows   one pool if all layers keep the same number of tokens; else one for each, with an
///               equal share of the memory
///
/// A request takes ceil(L ÷ block) blocks; of a window min(L, window), since 1.0 one block more,
/// which straddles its start (blocks are linear and released when they leave it).
namespace kvseats::engine::trtllm {

/// One row of layers that are stored alike.
struct Part {
  std::string_view name;  ///< a row name of the contract: `kv`, `mla`, `indexer`, `cross` …
  std::uint32_t layers = 0;
  units::Ratio k, v;  ///< bytes per token over its layers
};

/// All layers of a stage that keep so many tokens.
struct Window {
  std::uint64_t tokens = UINT64_MAX;  ///< `UINT64_MAX`: every token
  std::vector<Part> parts;
  units::Ratio token;  ///< bytes per token over its layers
};

struct Stage {
  std::vector<Window> windows;  ///< in order of first appearance
  std::uint64_t state = 0;      ///< bytes of recurrent states per request
  std::uint64_t encoder = 0;    ///< bytes of cross attention per request
};

/// One for each pipeline stage.
[[nodiscard]] std::vector<Stage> stages_of(const Inputs& in, const Settings& settings);

/// Tokens that one pool's share of the memory holds, rounded as the back end does.
[[nodiscard]] std::uint64_t tokens_in(const Settings& settings, const Window& window,
                                      units::Bytes share);

/// Tokens of each pool of a stage for `memory` bytes on its GPUs.
[[nodiscard]] std::vector<std::uint64_t> pool_tokens(const Settings& settings, const Stage& stage,
                                                     units::Bytes memory);

/// One rank per pool, in bytes; `tokens` are those of each.
[[nodiscard]] std::vector<Rank> ranks_of(const Settings& settings, const Stage& stage,
                                         const std::vector<std::uint64_t>& tokens);

/// The rows of the cache list: K and V of each part over the tokens of its pool.
[[nodiscard]] std::vector<CacheRow> rows_of(const Stage& stage,
                                            const std::vector<std::uint64_t>& tokens);

/// Where the allocation of one request goes that it does not need: `rounding` of the last block,
/// `window` beyond the window of the layers.
[[nodiscard]] std::vector<WasteRow> waste_of(const Inputs& in, const Settings& settings,
                                             const Stage& stage, std::uint64_t tokens);

}  // namespace kvseats::engine::trtllm
