#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "import/draft.h"
#include "units/diagnostic.h"

/// Reads a Hugging Face config.json (and its relatives: Meta's params.json, fms, DeepSeek's own).
///
///     auto draft = import::read_config(bytes, "config.json");
///     if (!draft) show(draft.error());
///     else use(draft->model);
///
/// The geometry comes from keys, never from the model's name; where a class of transformers decides
/// what the file leaves open, a table of facts with sources does (`config_tables.cpp`), and the
/// draft says so. An unknown `model_type` with a standard layout works.
///
/// Refused, each with place and remedy: `E-EMPTY-FILE`, `E-TOO-LARGE` (over 4 MiB), `E-NOT-JSON`
/// (byte), `E-TOO-DEEP` (over 64 levels), `E-NOT-A-CONFIG`, `E-MISSING`, `E-BAD-VALUE`,
/// `E-UNKNOWN-LAYOUT` (with the bracket of what the cache could be).
namespace kvseats::import {

inline constexpr std::size_t kMaxConfigBytes = 4 << 20;

/// `file_name` is for messages and for `Model::name` when the file names no model; may be empty.
/// `sidecar`: the bytes of hf_quant_config.json where there is one (ModelOpt keeps the formats of
/// weights and cache there).
[[nodiscard]] tl::expected<Draft, units::Diagnostics> read_config(std::string_view bytes,
                                                                  std::string_view file_name,
                                                                  std::string_view sidecar = {});

}  // namespace kvseats::import
