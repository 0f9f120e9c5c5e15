#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// A streaming JSON reader: no recursion, no allocation beyond one string and a bit per level.
///
/// nlohmann's SAX reader would do the same for 19 KB (brotli) of the page's first 60, most of it
/// printf and long double for messages that are not shown; this is 3. It also takes what Python
/// writes and JSON forbids, bare `Infinity`, `-Infinity` and `NaN`, as null. Everything else is
/// RFC 8259: strings must be UTF-8 without control characters, numbers in JSON's form.
namespace kvseats::import {

/// What the reader calls. Returning false stops it.
class JsonEvents {
 public:
  virtual bool on_null() = 0;
  virtual bool on_bool(bool value) = 0;
  virtual bool on_whole(std::uint64_t value) = 0;
  /// Negative, fractional, or beyond 64 bit; correct to about 15 digits, the same everywhere.
  virtual bool on_real(double value) = 0;
  virtual bool on_text(const std::string& value) = 0;
  virtual bool on_key(const std::string& value) = 0;
  virtual bool on_open(bool object) = 0;
  virtual bool on_close() = 0;

 protected:
  ~JsonEvents() = default;
};

struct JsonResult {
  bool ok = false;
  bool stopped = false;      ///< an event returned false
  std::size_t position = 0;  ///< of the first byte that is no JSON, counted from 1
};

/// Reads the whole text: one value and blanks.
[[nodiscard]] JsonResult read_json(std::string_view text, JsonEvents& events);

}  // namespace kvseats::import
