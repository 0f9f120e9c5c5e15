#pragma once

#include <vector>

#include "engine/formats.h"
#include "engine/sglang/cells.h"

/// What SGLang would refuse or what a person should know about this deployment.
namespace kvseats::engine::sglang {

/// Cache: the model's 16-bit types; fp8_e5m2 since 0.2, fp8 (e4m3) since 0.3, sparse latents'
/// layout since 0.5.4, 4 bit (fp4_e2m1) since 0.5.6, mxfp8 since 0.5.14 (`--kv-cache-dtype`,
/// server_args.py). Weights: layers/quantization/__init__.py; GGUF since 0.4.1.
[[nodiscard]] FormatLists formats_of(Version version);

/// `E-TP` a tp that does not divide the attention heads, `E-DCP` decode context parallelism before
/// 0.5.14 or without copies to deal out over, `N-REPLICATED`, `W-LAYOUT` for compressed attention,
/// `N-WINDOW-KEPT` for windows that this engine keeps in full, `E-FORMAT-ENGINE` and
/// `W-NO-HARDWARE`.
[[nodiscard]] units::Diagnostics check(const Inputs& in, const Settings& settings,
                                       const std::vector<Stage>& stages);

}  // namespace kvseats::engine::sglang
