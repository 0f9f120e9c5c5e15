#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "scenario/attach.h"

/// Model files by path: opened as far as they must be, with what belongs to them. Opening is the
/// caller's: this room reads through a function.
namespace kvseats::scenario {

struct PathReader {
  /// Reads the first `most` bytes of a file and how large it is; false if it cannot be read.
  bool (*head)(const void* self, std::string_view path, std::uint64_t most, std::string& bytes,
               std::uint64_t& size) = nullptr;
  const void* self = nullptr;  ///< handed to `head`
};

/// Reads the model that `paths` describe into the scenario, as `attach_files` does. Read with them,
/// where they exist: the other parts of a split file (`-00001-of-00005.`); beside a `config.json`
/// its `hf_quant_config.json` and `model.safetensors.index.json`; beside safetensors their
/// `config.json`. A note (`N-READ-BESIDE`) says so. At most 256 MiB of a file are read; `E-FILE`
/// where one cannot be.
[[nodiscard]] Attached attach_paths(Scenario& scenario, std::span<const std::string_view> paths,
                                    const PathReader& reader);

}  // namespace kvseats::scenario
