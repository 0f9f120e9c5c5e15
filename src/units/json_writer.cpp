#include "units/json_writer.h"

#include <cstddef>

#include "units/text.h"

namespace kvseats::units {

namespace {

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte != 0x7F && c != '"' && c != '\\';
}

void append_escaped(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\') {
    out += '\\';
    out += c;
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\t') {
    out += "\\t";
  } else {
    out += "\\u00";
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
}

// All its digits would be an integer that few readers of JSON keep: 1.25e+17 is a real to
// everybody.
std::string with_exponent(std::string digits) {
  if (digits.find('e') != std::string::npos) return digits;
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  const std::size_t exponent = digits.size() - first - 1;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.size() > first + 1) digits.insert(first + 1, ".");
  return digits + "e+" + plain(exponent);
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  const std::string valid = valid_utf8(text);
  out += '"';
  // Runs at once: most of a report's text is plain, and calls per character cost most of its time.
  std::size_t from = 0;
  for (std::size_t i = 0; i < valid.size(); ++i) {
    if (is_plain(valid[i])) continue;
    out.append(valid, from, i - from);
    append_escaped(out, valid[i]);
    from = i + 1;
  }
  out.append(valid, from);
  out += '"';
}

void JsonWriter::newline() {
  if (indent_ <= 0) return;
  out_ += '\n';
  out_.append(static_cast<std::size_t>(indent_) * static_cast<std::size_t>(depth_), ' ');
}

void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (!first_) out_ += ',';
  if (depth_ > 0) newline();
  first_ = false;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  ++depth_;
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  --depth_;
  if (!first_) newline();
  out_ += bracket;
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  append_json_string(out_, name);
  out_ += indent_ > 0 ? ": " : ":";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  append_json_string(out_, text);
  return *this;
}

JsonWriter& JsonWriter::write_unsigned(std::uint64_t n) {
  if (n > kMaxExactJson) {
    saw_out_of_range_ = true;
    return null();
  }
  return raw(plain(n));
}

JsonWriter& JsonWriter::write_signed(std::int64_t n) {
  if (n >= 0) return write_unsigned(static_cast<std::uint64_t>(n));
  const std::uint64_t size = std::uint64_t{0} - static_cast<std::uint64_t>(n);
  if (size > kMaxExactJson) {
    saw_out_of_range_ = true;
    return null();
  }
  return raw("-" + plain(size));
}

JsonWriter& JsonWriter::value(double x) {
  const bool finite = x - x == 0;  // false for NaN and both infinities
  if (!finite) return null();
  constexpr auto kMost = static_cast<double>(kMaxExactJson);
  return raw(x > kMost || x < -kMost ? with_exponent(shortest(x)) : shortest(x));
}

JsonWriter& JsonWriter::value(bool b) {
  return raw(b ? "true" : "false");
}

JsonWriter& JsonWriter::null() {
  return raw("null");
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  out_ += json;
  return *this;
}

}  // namespace kvseats::units
