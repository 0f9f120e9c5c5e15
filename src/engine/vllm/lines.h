#pragma once

#include <string>
#include <vector>

#include "engine/printed.h"
#include "engine/vllm/budget.h"
#include "engine/vllm/needs.h"

/// The engine's own words: start-up lines, the reason it would not start, the command line.
///
/// Texts as in vllm/v1/core/kv_cache_utils.py (bbf906a8, 001cabc1, and about 0.28),
/// vllm/v1/worker/gpu_worker.py, vllm/v1/worker/utils.py (request_memory), vllm/worker/worker.py
/// and vllm/executor/executor_base.py (V0).
namespace kvseats::engine::vllm {

/// What the following steps found.
struct Result {
  const Settings* settings = nullptr;
  const Layout* layout = nullptr;
  units::Bytes available;    ///< pool per GPU, bytes
  bool no_room = false;      ///< nothing is left for blocks
  std::uint64_t blocks = 0;  ///< the fewest of all stages
  std::uint64_t context = 0;
  std::uint64_t block_bytes = 0;  ///< on the fullest stage
};

[[nodiscard]] std::vector<std::string> start_lines(const Result& result);

/// Whether one request of `context` fits, and what is said if not. `occupied` comes from the
/// budget.
[[nodiscard]] Refusal refusal_of(const Inputs& in, const Result& result, const Budget& budget);

/// `vllm serve …` of this deployment, one word each; only what differs from the defaults, and
/// always the context. Sizes are plain integers; `blocks` is the pool of a given one.
[[nodiscard]] std::vector<std::string> flags_of(const Inputs& in, const Settings& settings,
                                                std::uint64_t blocks);

}  // namespace kvseats::engine::vllm
