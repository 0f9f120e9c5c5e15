#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <tl/expected.hpp>

#include "import/draft.h"
#include "units/diagnostic.h"

/// Reads the header of a GGUF file (version 2 or 3, little-endian) from its first bytes.
///
/// The caller gives what it has and is asked for more until the geometry is known: usually well
/// under a megabyte of a 40 GB file, because the vocabulary that follows is not needed.
///
///     std::uint64_t have = 65536;
///     for (;;) {
///       auto read = import::read_gguf(first_bytes(file, have), file_size, "model.gguf");
///       if (!read) return read.error();
///       if (read->draft) return *read->draft;
///       have = read->need;
///     }
///
/// Metadata keys: ggml-org/ggml docs/gguf.md and ggml-org/llama.cpp src/llama-arch.cpp. Which
/// layers have a window is not in older files; llama.cpp decides by architecture and so does a
/// table here.
namespace kvseats::import {

struct GgufRead {
  std::optional<Draft> draft;  ///< set when done
  std::uint64_t need = 0;      ///< else: call again with at least so many bytes from the start
};

/// `file_bytes`: size of the whole file, for the weights; 0 if unknown. Errors: `E-NOT-GGUF`,
/// `E-BIG-ENDIAN`, `E-GGUF-VERSION`, `E-TRUNCATED` (`head` is the whole file and too short),
/// `E-TOO-LARGE`, `E-MISSING`, `E-UNKNOWN-LAYOUT`.
[[nodiscard]] tl::expected<GgufRead, units::Diagnostics> read_gguf(std::string_view head,
                                                                   std::uint64_t file_bytes,
                                                                   std::string_view file_name);

}  // namespace kvseats::import
