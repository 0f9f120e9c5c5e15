#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logs/facts.h"
#include "logs/number.h"

/// How engines name things, in the words of the field table. Internal to room `scenario`.
namespace kvseats::scenario {

/// What may be a model's name in what an engine calls its model, best first: a Hugging Face id, the
/// id inside a cache path (`models--org--name`), the last part of a path without `.gguf` and the
/// number of a shard.
[[nodiscard]] std::vector<std::string> model_names(std::string_view text);

/// A printed value as the text of its scenario key; empty: says nothing there.
[[nodiscard]] std::string key_text(const logs::Fact& fact, const std::string& text,
                                   const std::optional<logs::Number>& number);

/// "49.36" again, without grouping.
[[nodiscard]] std::string decimal_text(const logs::Number& number);

}  // namespace kvseats::scenario
