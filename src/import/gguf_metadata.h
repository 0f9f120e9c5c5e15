#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The key-value part of a GGUF header. Inner header of the importer.
namespace kvseats::import {

/// Numbers of one key: one for scalars, one a layer for arrays (at most 4,096 are kept).
struct GgufValue {
  std::string key;
  std::vector<std::uint64_t> numbers;  ///< bools are 0 and 1; negative and fractional ones are 0
  std::string text;
  bool is_array = false;
};

struct GgufMetadata {
  enum class End : std::uint8_t {
    kComplete,  ///< all pairs were read
    kNeedMore,  ///< the bytes ended: `need` says how many to give
    kNotGguf,
    kBigEndian,
    kVersion,
    kDamaged,  ///< a type, a length or a count that cannot be
  };
  End end = End::kNeedMore;
  std::uint64_t need = 0;
  std::uint32_t version = 0;
  bool at_vocabulary = false;  ///< the bytes ended within the tokenizer, which comes last
  std::vector<GgufValue> values;

  [[nodiscard]] const GgufValue* find(std::string_view key) const;
};

[[nodiscard]] GgufMetadata read_gguf_metadata(std::string_view head);

}  // namespace kvseats::import
