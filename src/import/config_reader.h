#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "import/draft.h"
#include "import/json_store.h"

/// A config.json behind the many names that its numbers go by. Inner header of the importer.
namespace kvseats::import {

/// Names of one number with blanks between, best first: "num_hidden_layers n_layer". One text is
/// much smaller in wasm than a list of views.
class Keys {
 public:
  constexpr Keys(const char* names) : rest_(names) {}  // NOLINT: meant to convert
  /// The next name; empty after the last.
  std::string_view next() {
    const std::size_t blank = rest_.find(' ');
    const std::string_view name = rest_.substr(0, blank);
    rest_ = blank == std::string_view::npos ? std::string_view() : rest_.substr(blank + 1);
    return name;
  }

 private:
  std::string_view rest_;
};

/// Limits beyond which a number is a mistake or an attack; checked before anything is allocated.
inline constexpr std::uint64_t kMostLayers = 4096;
inline constexpr std::uint64_t kMostHeads = 65536;
inline constexpr std::uint64_t kMostWidth = 1 << 24;
inline constexpr std::uint64_t kMostTokens = std::uint64_t{1} << 40;

/// What was asked of the file and answered is kept in the draft, together with where it stood.
class Config {
 public:
  /// Picks the object that describes the language model: the root, or the first of `text_config`,
  /// `llm_config`, `language_config`, `thinker_config` … that does.
  Config(Json root, Draft& draft);

  Draft& draft;
  Json root;
  Json text;                     ///< the language model's own object
  Json quantisation;             ///< from a sidecar; used where the config itself says nothing
  std::string model_type;        ///< of that object, else of the root
  units::Diagnostics errors;     ///< what makes the file unusable
  std::uint32_t understood = 0;  ///< full-attention layers known when others were not
  bool kinds_listed = false;     ///< the file itself says which layer is of which kind

  /// The first of `keys` in the language model's object that has a value; absent when none does.
  [[nodiscard]] Json first(Keys keys) const;
  /// The same, and then in the root: for what wrappers keep outside.
  [[nodiscard]] Json anywhere(Keys keys) const;

  /// A whole number from the first of `keys` that holds one (lists of numbers are left to others),
  /// noted as found under `name`. 0 when there is none. Beyond `most`, negative, or anything else
  /// than a number (also one in quotes): an `E-BAD-VALUE`.
  std::uint64_t whole(std::string_view name, Keys keys, std::uint64_t most);
  std::uint32_t small(std::string_view name, Keys keys, std::uint64_t most = kMostWidth) {
    return static_cast<std::uint32_t>(whole(name, keys, most));
  }
  /// `true` or `false`; anything else is a `W-BAD-VALUE`, and `fallback`.
  [[nodiscard]] bool truth(std::string_view key, bool fallback = false) const;

  void found(std::string_view name, Json value);
  void derived(std::string_view name, std::uint64_t value, std::string_view how);
  void derived(std::string_view name, std::string value, std::string_view how);
  /// `E-BAD-VALUE`: `value` cannot be what is called `name`.
  void bad_value(std::string_view name, Json value, const std::string& wanted);
  void missing(std::string_view name, std::string_view remedy);
  void fail(std::string code, std::string where, std::string what, std::string remedy);
  void note(std::string code, std::string where, std::string what, std::string remedy);

  /// `text_config.` when the language model has its own object: the path of a key that is absent.
  [[nodiscard]] std::string absent_path(std::string_view key) const;
};

}  // namespace kvseats::import
