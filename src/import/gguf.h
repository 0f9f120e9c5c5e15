#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tl/expected.hpp>

#include "import/draft.h"
#include "import/file.h"
#include "units/diagnostic.h"

/// Reads the header of a GGUF file (version 2 or 3, little-endian) from its first bytes; of a model
/// split over several, the headers of all.
///
/// The caller gives what it has and is asked for more until the geometry is known: usually well
/// under a megabyte of a 40 GB file, because the vocabulary that follows is not needed. The weights
/// then come from the file's size. Reading on to the end of the header, some ten megabytes, makes
/// them exact.
///
/// Metadata keys: ggml-org/ggml docs/gguf.md and ggml-org/llama.cpp src/llama-arch.cpp. Which
/// layers have a window is not in older files; llama.cpp decides by architecture and so does a
/// table here. Split files: ggml-org/llama.cpp tools/gguf-split; the first has the metadata, each
/// its own tensors.
namespace kvseats::import {

/// `files` of one model, in any order; one is usual. Errors: `E-NOT-GGUF`, `E-BIG-ENDIAN`,
/// `E-GGUF-VERSION`, `E-TRUNCATED` (`head` is the whole file and too short), `E-TOO-LARGE`,
/// `E-MISSING`, `E-UNKNOWN-LAYOUT`.
[[nodiscard]] tl::expected<FileRead, units::Diagnostics> read_gguf(std::span<const File> files);

}  // namespace kvseats::import
