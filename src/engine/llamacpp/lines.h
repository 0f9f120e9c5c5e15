#pragma once

#include <string>
#include <vector>

#include "engine/llamacpp/budget.h"

/// The engine's own words: start-up lines, what it says when the cache does not fit, the command.
///
/// Texts as in src/llama-context.cpp, src/llama-kv-cache.cpp, src/llama-kv-cache-iswa.cpp,
/// src/llama-memory-recurrent.cpp and ggml-cuda.cu.
namespace kvseats::engine::llamacpp {

/// "%.2f" of bytes / 1024.0f / 1024.0f: a 32-bit float quotient, its ties to the even digit.
[[nodiscard]] std::string mib_text(units::Bytes size);

/// `caches` are those of all devices together, as the log counts them.
[[nodiscard]] std::vector<std::string> start_lines(const Inputs& in, const Settings& settings,
                                                   const std::vector<Cache>& caches,
                                                   const std::vector<Device>& devices);

/// What is said when `needed` does not fit on a device; only CUDA and HIP name their allocator.
[[nodiscard]] std::string no_memory_message(const Device& device, bool cuda);

/// `llama-server …` of this deployment (ollama: its environment; LM Studio: `lms load …`), one word
/// each; only what differs from the defaults, and always the context. Sizes are plain integers.
[[nodiscard]] std::vector<std::string> flags_of(const Inputs& in, const Settings& settings);

}  // namespace kvseats::engine::llamacpp
