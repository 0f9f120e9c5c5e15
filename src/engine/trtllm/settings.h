#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/engine.h"
#include "engine/version.h"

/// Which TensorRT-LLM computes how, its options as data, and one value with every default filled
/// in.
namespace kvseats::engine::trtllm {

/// A rule set as switches.
///
///  * `trtllm-0`: the C++ back end by default; blocks of 64 tokens, from 0.17 on of 32; layers with
///    a window reuse its blocks (cyclic).
///  * `trtllm-1.0` (September 2025): the PyTorch back end by default; a window's blocks are linear
///    and released once outside it (PR 6768).
struct Rules {
  std::string_view id;
  Version first;
  bool pytorch = true;  ///< default back end
  bool linear = true;   ///< windows are linear: a block beside the window straddles its start
};

struct Settings {
  const Rules* rules = nullptr;
  Version version;
  units::Bytes seen;          ///< memory one GPU offers
  double fraction = 0.9;      ///< `free_gpu_memory_fraction`
  bool pytorch = true;        ///< back end
  std::uint64_t block = 32;   ///< tokens per block
  std::uint64_t seqs = 2048;  ///< `max_batch_size`
  std::uint64_t step = 8192;  ///< `max_num_tokens`
  bool reuse = true;          ///< block reuse
  bool attention_dp = false;  ///< ranks of one tensor-parallel group with pools of their own
  std::optional<std::uint64_t> window;     ///< `max_attention_window` of layers with a window
  std::optional<units::Bytes> free_after;  ///< measured
  units::Diagnostics diagnostics;          ///< about the version
};

/// The rows behind the contract's "engine keys" of TensorRT-LLM.
[[nodiscard]] std::span<const OptionSpec> option_specs();

/// Rule sets for display, newest first.
[[nodiscard]] std::span<const RuleSet> rule_sets();

/// Fills in defaults as the engine does (llmapi/llm_args.py, commands/serve.py): fraction 0.9,
/// max_batch_size 2,048, max_num_tokens 8,192, block reuse on, tokens per block 32 (64 before
/// 0.17). `max_attention_window` is not set: layers with a window keep every token.
[[nodiscard]] Settings settings_of(const Inputs& in);

}  // namespace kvseats::engine::trtllm
