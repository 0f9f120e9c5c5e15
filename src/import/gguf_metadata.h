#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "units/whole.h"

/// The header of a GGUF file: key-value pairs, then the table of tensors. Inner header of the
/// importer.
namespace kvseats::import {

/// Numbers of one key: one for scalars, one a layer for arrays (at most 4,096 are kept).
struct GgufValue {
  std::string key;
  std::vector<std::uint64_t> numbers;  ///< bools are 0 and 1; negative and fractional ones are 0
  std::string text;
  bool is_array = false;
  mutable bool read = false;  ///< a rule has asked for it
};

/// How ggml stores a type: `block_elements` numbers in `block_bytes` bytes (ggml-common.h).
struct GgufType {
  std::uint32_t id;  ///< enum ggml_type
  std::string_view name;
  std::uint16_t block_elements;
  std::uint16_t block_bytes;
  std::string_view format;  ///< id of the nearest `model::WeightFormat`, for display
};
[[nodiscard]] const GgufType* find_gguf_type(std::uint32_t id);

/// All tensors of one type, routed experts (`ffn_*_exps`) apart.
struct GgufTensors {
  const GgufType* type = nullptr;
  bool routed = false;
  units::Params numbers;
  units::Bytes bytes;  ///< whole blocks; without the padding between tensors
};

struct GgufMetadata {
  enum class End : std::uint8_t {
    kComplete,  ///< all pairs and the table of tensors were read
    kNeedMore,  ///< the bytes ended: `need` says how many to give
    kNotGguf,
    kBigEndian,
    kVersion,
    kDamaged,  ///< a type, a length or a count that cannot be: `where`
  };
  End end = End::kNeedMore;
  std::uint64_t need = 0;
  std::uint32_t version = 0;
  std::string where;           ///< the pair or tensor at which reading stopped
  bool at_vocabulary = false;  ///< the bytes ended within or after the tokenizer, which comes last
  std::uint64_t vocabulary = 0;  ///< tokens in tokenizer.ggml.tokens; 0: not there yet
  bool has_output = false;       ///< a head of its own, not tied to the embeddings
  std::string unknown_tensor;    ///< one whose type is not in the table: `tensors` is empty then
  std::vector<GgufValue> values;
  std::vector<GgufTensors> tensors;  ///< with `kComplete`; in order of type, routed ones after

  /// nullptr: not there. Marks it as read.
  [[nodiscard]] const GgufValue* find(std::string_view key) const;
};

[[nodiscard]] GgufMetadata read_gguf_metadata(std::string_view head);

}  // namespace kvseats::import
