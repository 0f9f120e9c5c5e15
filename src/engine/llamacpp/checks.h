#pragma once

#include "engine/formats.h"
#include "engine/llamacpp/caches.h"

/// What llama.cpp would refuse, or what a person should know about this deployment.
namespace kvseats::engine::llamacpp {

/// Cache types of `-ctk` and `-ctv` (common/arg.cpp, kv_cache_types), and what a GGUF file stores.
/// ollama takes f16, q8_0 and q4_0 (envconfig/config.go).
[[nodiscard]] FormatLists formats_of(Program program);

/// `E-TP` tensor parallel sizes: llama.cpp deals out layers, use `pp`; `E-FA` a quantised V without
/// flash attention; `E-FORMAT-ENGINE` a head that does not divide into the type's blocks, or a
/// format the engine lacks; `E-SEQS` more than 256 slots; `W-SLOT` slots shorter than the context;
/// `N-SLOTS` how the default's four slots share; `N-MLA-HEADS`, `N-HOST` what was taken as given.
[[nodiscard]] units::Diagnostics check(const Inputs& in, const Settings& settings,
                                       std::string_view engine, std::string_view version);

}  // namespace kvseats::engine::llamacpp
