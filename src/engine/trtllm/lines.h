#pragma once

#include <string>
#include <vector>

#include "engine/trtllm/budget.h"
#include "engine/trtllm/pools.h"

/// The engine's own words: start-up lines, the reason it would not start, the command line.
///
/// Texts as in cpp/tensorrt_llm/batch_manager/kvCacheManager.cpp, _torch/pyexecutor/
/// resource_manager.py and batch_manager/llmRequest.h; GiB is 2^30.
namespace kvseats::engine::trtllm {

/// Tokens and bytes of the stage that limits.
struct Result {
  const Settings* settings = nullptr;
  const Stage* stage = nullptr;
  const Budget* budget = nullptr;
  std::vector<std::uint64_t> tokens;  ///< of each pool
  units::Bytes allocated;
  units::Bytes available;  ///< what the blocks are cut from
  bool given = false;      ///< the pool is a person's, not an estimate
};

[[nodiscard]] std::vector<std::string> start_lines(const Inputs& in, const Result& result);

/// The engine starts with a shorter longest sequence where the pool is smaller than one, and turns
/// away what is longer; without a block it does not start.
[[nodiscard]] Refusal refusal_of(const Inputs& in, const Result& result);

/// `trtllm-serve …`, one word each; what has no flag goes into the options file that the engine
/// reads (`--extra_llm_api_options`), as `key: value` lines.
[[nodiscard]] std::vector<std::string> flags_of(const Inputs& in, const Settings& settings,
                                                const std::vector<std::uint64_t>& tokens);

}  // namespace kvseats::engine::trtllm
