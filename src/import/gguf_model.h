#pragma once

#include <cstdint>
#include <string_view>

#include "import/draft.h"
#include "import/gguf_metadata.h"

/// The model that a GGUF's metadata describe, its cache by llama.cpp's rules. Inner header of the
/// importer.
namespace kvseats::import {

/// Fills the draft; returns what is missing or cannot be (`E-MISSING`, `E-BAD-VALUE`), empty when
/// the draft is good. `file_bytes`: of all files of the model, 0 if unknown.
[[nodiscard]] units::Diagnostics read_gguf_model(const GgufMetadata& metadata,
                                                 std::uint64_t file_bytes,
                                                 std::string_view file_name, Draft& draft);

}  // namespace kvseats::import
