#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "units/diagnostic.h"

/// JSON as a flat array of values: what a streaming reader left behind.
///
/// Built by `read_json`, without recursion; containers may nest `kMaxDepth` deep, a file may hold
/// `kMaxValues` values. Looking a key up walks the siblings of one object; of a key given twice the
/// last counts, as in Python.
namespace kvseats::import {

class JsonStore;

/// A value inside a store, or nothing. Cheap to copy; the store must live longer.
class Json {
 public:
  Json() = default;

  /// False for an absent value. `null` is there but has no value: `has_value()` is false too.
  [[nodiscard]] bool exists() const { return store_ != nullptr; }
  [[nodiscard]] bool has_value() const;
  [[nodiscard]] bool is_object() const;
  [[nodiscard]] bool is_array() const;
  [[nodiscard]] bool is_text() const;
  [[nodiscard]] bool is_number() const;

  /// A non-negative whole number (also written `32.0`), or nothing.
  [[nodiscard]] std::optional<std::uint64_t> whole() const;
  /// Any number as double, or 0.
  [[nodiscard]] double number() const;
  /// `true`, or `fallback` when it is no boolean.
  [[nodiscard]] bool truth(bool fallback = false) const;
  [[nodiscard]] std::string_view text() const;

  /// The member `key`; marks it as read. Absent when this is no object or has none.
  [[nodiscard]] Json get(std::string_view key) const;
  /// Elements or members in order: `for (Json v = a.first(); v.exists(); v = v.next())`.
  [[nodiscard]] Json first() const;
  [[nodiscard]] Json next() const;
  [[nodiscard]] std::size_t size() const;

  [[nodiscard]] std::string_view key() const;
  /// `text_config.layer_types[3]`; empty for the root.
  [[nodiscard]] std::string path() const;
  /// The value as a person would type it, shortened: `32`, `"fp8"`, `[…62 values]`.
  [[nodiscard]] std::string shown() const;

  void mark_read() const;
  [[nodiscard]] bool was_read() const;

 private:
  friend class JsonStore;
  Json(JsonStore* store, std::uint32_t index) : store_(store), index_(index) {}
  JsonStore* store_ = nullptr;
  std::uint32_t index_ = 0;
};

class JsonStore {
 public:
  static constexpr std::size_t kMaxDepth = 64;
  static constexpr std::size_t kMaxValues = 400000;

  /// Parses the whole text, or `E-EMPTY-FILE`, `E-NOT-JSON` (with `byte N`), `E-TOO-DEEP`,
  /// `E-TOO-LARGE`.
  [[nodiscard]] static tl::expected<JsonStore, units::Diagnostic> parse(std::string_view bytes);

  [[nodiscard]] Json root() { return {this, 0}; }

 private:
  friend class Json;
  friend class StoreBuilder;
  enum class Kind : std::uint8_t { kNull, kFalse, kTrue, kWhole, kReal, kText, kArray, kObject };
  struct Node {
    Kind kind = Kind::kNull;
    bool read = false;
    std::uint32_t parent = 0;
    std::uint32_t end = 0;  ///< index after the last value inside
    std::uint32_t key = 0;  ///< key's place in `text_`
    std::uint32_t key_size = 0;
    std::uint32_t text = 0;   ///< string's place; numbers: unused
    std::uint32_t count = 0;  ///< string's length; containers: number of children
    double real = 0;
    std::uint64_t whole = 0;
  };
  std::vector<Node> nodes_;
  std::string text_;
};

}  // namespace kvseats::import
