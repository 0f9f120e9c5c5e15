#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "engine/engine.h"

/// Reading an engine's own options and writing its command line, for every profile alike.
namespace kvseats::engine {

/// What was typed for an option; `auto` where nothing was.
[[nodiscard]] std::string_view option_text(const Inputs& in, std::string_view key);

/// The same as a number, a size or a real; none for `auto` (and for text that the field table would
/// have refused).
[[nodiscard]] std::optional<std::uint64_t> option_count(const Inputs& in, std::string_view key);
[[nodiscard]] std::optional<units::Bytes> option_size(const Inputs& in, std::string_view key);
[[nodiscard]] std::optional<double> option_real(const Inputs& in, std::string_view key);

/// `on`, `off` or none.
[[nodiscard]] std::optional<bool> option_switch(const Inputs& in, std::string_view key);

/// Bytes per element of `float32`, `float16`, `bfloat16`; none for anything else.
[[nodiscard]] std::optional<std::uint32_t> option_type_bytes(const Inputs& in,
                                                             std::string_view key);

/// A command line under construction, one word each. Numbers are plain integers.
class Words {
 public:
  explicit Words(std::vector<std::string> words = {}) : words_(std::move(words)) {}
  void add(std::string flag) { words_.push_back(std::move(flag)); }
  void add(std::string flag, std::string value) {
    words_.push_back(std::move(flag));
    words_.push_back(std::move(value));
  }
  void add(std::string flag, std::uint64_t n);
  /// Nothing for 0 and 1, and for an absent number.
  void add_unless_one(const char* flag, std::uint64_t n);
  void add_if(const char* flag, const std::optional<std::uint64_t>& n);
  /// `flag` with an engine's own word for one of our names; nothing where it has none.
  void add_named(const char* flag, std::span<const std::pair<std::string_view, const char*>> names,
                 std::string_view ours);
  [[nodiscard]] std::vector<std::string> take() { return std::move(words_); }

 private:
  std::vector<std::string> words_;
};

}  // namespace kvseats::engine
