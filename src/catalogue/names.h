#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Names of models as people paste them, taken apart. Used by look-up only.
namespace kvseats::catalogue {

/// How much of a name is ignored.
enum class Strip {
  kNothing,  ///< separators and case only
  kFormat,   ///< quantisation and file format: `-FP8-dynamic`, `-AWQ`, `-GGUF`, `-q4_K_M`
  kVariant,  ///< also `-Instruct`, `-Chat`, `-it`, `-Base`, `-hf`
  kRelease,  ///< also `-2507`, `-0528`, `-Thinking`, a leading `Meta-`
};

/// "Meta-Llama-3.1-8B-Instruct-FP8" → key "metallama3.18b" and format "fp8" at `kVariant`.
struct Name {
  std::string key;     ///< lower case, without separators and without what was stripped
  std::string format;  ///< what the stripped quantisation says, as a weight format's id; or empty
};

/// The part after the last `/`: without owner or host.
[[nodiscard]] std::string_view without_owner(std::string_view name);

/// `name` without owner.
[[nodiscard]] Name parse_name(std::string_view name, Strip strip);

}  // namespace kvseats::catalogue
