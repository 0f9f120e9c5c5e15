#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tl/expected.hpp>

#include "import/draft.h"
#include "units/diagnostic.h"

/// A model as it lies on a disk: one file or several, of any kind, seen through their first bytes.
///
/// Nobody has to load 40 GB: give the first 64 KiB of each file and its size, and give more when
/// asked.
///
///     std::vector<import::File> files = {{.name = "model.gguf", .head = first(65536), .size = n}};
///     for (;;) {
///       auto read = import::read_files(files);
///       if (!read) return read.error();
///       if (read->draft) return *read->draft;              // good enough; `need` makes it exact
///       files[read->file].head = first_bytes_of(read->file, read->need);
///     }
namespace kvseats::import {

struct File {
  std::string_view name;   ///< for messages and to tell kinds apart; may be empty
  std::string_view head;   ///< its first bytes, or all of them
  std::uint64_t size = 0;  ///< of the whole file; 0: unknown
  /// `head` is all there is.
  [[nodiscard]] bool whole() const { return size != 0 && head.size() >= size; }
};

struct FileRead {
  std::optional<Draft> draft;  ///< set when the model is known
  std::size_t file = 0;        ///< index of the file that must be read on
  std::uint64_t need = 0;      ///< bytes of it, from the start. Without a draft: give them. With
                               ///< one: they make the weights exact; 0: they are, or never will be
};

/// Reads config.json (or params.json …), GGUF, safetensors and `model.safetensors.index.json`, told
/// apart by their bytes. A GGUF may be split over several files. A checkpoint beside a config gives
/// it exact weights; hf_quant_config.json gives it its formats. A checkpoint without a config makes
/// a draft without layers: weights only, which `scenario::attach_model` gives to the model at hand.
///
/// Errors: those of `read_config`, `read_gguf` and `read_safetensors`; `E-EMPTY-FILE`;
/// `E-NOT-A-MODEL` for other bytes; `E-SEVERAL-MODELS` for two configs.
[[nodiscard]] tl::expected<FileRead, units::Diagnostics> read_files(std::span<const File> files);

/// "model-00002-of-00005.gguf" → its siblings' names in order, itself included; empty when the name
/// counts nothing. At most 1,000.
[[nodiscard]] std::vector<std::string> split_names(std::string_view name);

}  // namespace kvseats::import
