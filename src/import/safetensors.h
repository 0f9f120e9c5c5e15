#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "units/diagnostic.h"
#include "units/whole.h"

/// What a checkpoint weighs, from the header of a safetensors file or from the index of many.
///
/// Format: github.com/huggingface/safetensors, README "Format": eight bytes with the length of a
/// JSON header, the header (tensor name → dtype, shape, data_offsets), the data.
namespace kvseats::import {

/// Tensors of one number format, routed experts (`.experts.`) apart.
struct TensorPart {
  std::string dtype;  ///< as the file writes it: `BF16`, `F8_E4M3`, `U8`
  bool routed = false;
  units::Params numbers;  ///< elements as stored; a packed byte counts once
  units::Bytes bytes;
  friend bool operator==(const TensorPart&, const TensorPart&) = default;
};

struct Checkpoint {
  units::Bytes bytes;             ///< of all tensors
  std::vector<TensorPart> parts;  ///< by the dtype's name, routed last; empty for an index
  std::size_t tensors = 0;
};

struct SafetensorsRead {
  std::optional<Checkpoint> checkpoint;  ///< set when done
  std::uint64_t need = 0;                ///< else: call again with so many bytes from the start
};

/// Reads a file's header from its first bytes; asks for the exact number it needs. `size`: of the
/// whole file, 0 if unknown. Errors: `E-NOT-SAFETENSORS` (a length beyond 100 MB, no JSON, offsets
/// that overlap nothing known), `E-TRUNCATED` (the file ends within its header).
[[nodiscard]] tl::expected<SafetensorsRead, units::Diagnostic> read_safetensors(
    std::string_view head, std::uint64_t size = 0);

/// Reads `model.safetensors.index.json`: its `metadata.total_size`. Errors as of JSON, and
/// `E-MISSING` for an index without a total.
[[nodiscard]] tl::expected<Checkpoint, units::Diagnostic> read_safetensors_index(
    std::string_view bytes);

/// Adds the tensors of another file of the same checkpoint.
void add_checkpoint(const Checkpoint& more, Checkpoint& all);

}  // namespace kvseats::import
