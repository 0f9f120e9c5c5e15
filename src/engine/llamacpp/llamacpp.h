#pragma once

#include "engine/engine.h"

/// llama.cpp: what `llama-server` reserves for a model's cache when it starts, and the two programs
/// that are named settings of it.
///
/// The steps, one file each:
///
///     rules     which build computes how
///     settings  slots, cells of a slot, flash attention, offload; defaults filled in
///     caches    the caches of the log, row for row: cells, streams, K and V bytes
///     needs     the same as the `Cost` of one request, and the ranks
///     budget    memory − weights − compute buffer − runtime − the margin of --fit
///     waste     what of a request's allocation it does not need, by cause
///     lines     start-up lines, the refusal, flags
///
/// Nothing is paged: the whole cache is reserved at start-up. Pool units are bytes. A slot of its
/// own takes its cells whatever its request holds; with a unified cache all slots share the cells
/// of
/// `-c`, and a single slot may use all of them.
///
/// Sources: ggml-org/llama.cpp, src/llama-context.cpp, src/llama-kv-cache.cpp,
/// src/llama-kv-cache-iswa.cpp, -dsa, -msa, -dsv4, src/llama-memory-recurrent.cpp,
/// src/llama-hparams.cpp, src/llama-model.cpp; pull requests are named beside each rule. ollama:
/// ollama/ollama llm/llama_server.go, server/sched.go, envconfig/config.go at fb307609. LM Studio:
/// the logs listed with the cases in tests/cases.
namespace kvseats::engine {

[[nodiscard]] const Profile& llamacpp_profile();
[[nodiscard]] const Profile& ollama_profile();
[[nodiscard]] const Profile& lmstudio_profile();

}  // namespace kvseats::engine
