#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "units/whole.h"

/// The one JSON writer: ordered, deterministic, strings always valid UTF-8.
///
///     JsonWriter w;
///     w.open_object();
///     w.field("bytes", uint64_t{131072});
///     w.key("rows").open_array();
///     w.value("a").value("b");
///     w.close_array().close_object();
///     std::string text = w.take();
///
/// Integers beyond 2^53 − 1 are written as null (the caller adds an `E-RANGE` diagnostic; see
/// `saw_out_of_range`). Doubles use `shortest()`, beyond 2^53 − 1 with an exponent, so that they
/// are no integers; NaN and infinities become null. Nesting is the caller's business: unbalanced
/// calls are a bug.
namespace kvseats::units {

class JsonWriter {
 public:
  /// `indent` spaces per level; 0 writes one line.
  explicit JsonWriter(int indent = 0) : indent_(indent) {}

  JsonWriter& open_object() { return open('{'); }
  JsonWriter& close_object() { return close('}'); }
  JsonWriter& open_array() { return open('['); }
  JsonWriter& close_array() { return close(']'); }
  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  /// Whole numbers of every built-in type.
  template <class Int>
  requires(std::is_integral_v<Int>) JsonWriter& value(Int n) {
    if constexpr (std::is_signed_v<Int>) {
      return write_signed(n);
    } else {
      return write_unsigned(n);
    }
  }
  JsonWriter& value(double x);
  JsonWriter& value(bool b);
  JsonWriter& null();
  template <class Tag>
  JsonWriter& value(Whole<Tag> n) {
    return value(n.raw());
  }
  template <class T>
  JsonWriter& field(std::string_view name, const T& v) {
    return key(name).value(v);
  }
  /// Splices JSON text that is already valid (a nested report).
  JsonWriter& raw(std::string_view json);

  [[nodiscard]] bool saw_out_of_range() const { return saw_out_of_range_; }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& write_unsigned(std::uint64_t n);
  JsonWriter& write_signed(std::int64_t n);
  void separate();
  void newline();
  std::string out_;
  int indent_;
  int depth_ = 0;
  bool first_ = true;
  bool after_key_ = false;
  bool saw_out_of_range_ = false;
};

/// `text` as a JSON string literal with quotes; bad UTF-8 becomes U+FFFD.
void append_json_string(std::string& out, std::string_view text);

}  // namespace kvseats::units
