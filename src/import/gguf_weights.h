#pragma once

#include <cstdint>
#include <string_view>

#include "import/draft.h"
#include "import/gguf_metadata.h"

/// What the tensors of a GGUF weigh. Inner header of the importer.
namespace kvseats::import {

/// Sets `params`, `parts`, `published_bytes` of the draft's model. With the table of tensors they
/// are exact: whole blocks of every tensor (ggml_row_size), all experts resident. Without it the
/// size of the file stands for them, and the number of parameters follows from the format that
/// `general.file_type` names. Of a split file only what `tensors` holds counts.
void read_gguf_weights(const GgufMetadata& metadata, std::uint64_t file_bytes, Draft& draft);

/// Adds the tensors of another file of the same model.
void add_gguf_tensors(const GgufMetadata& more, GgufMetadata& all);

}  // namespace kvseats::import
