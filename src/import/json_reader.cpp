#include "import/json_reader.h"

#include <vector>

namespace kvseats::import {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Reader {
 public:
  Reader(std::string_view text, JsonEvents& events) : text_(text), events_(events) {}

  JsonResult run() {
    const bool good = read_all();
    return {.ok = good, .stopped = stopped_, .position = at_ + 1};
  }

 private:
  enum class Expect : std::uint8_t { kValue, kValueOrEnd, kKey, kKeyOrEnd, kCommaOrEnd };

  bool read_all() {
    Expect expect = Expect::kValue;
    for (;;) {
      skip_blanks();
      if (at_ >= text_.size()) return false;
      if (!step(expect)) return false;
      if (!open_.empty()) continue;
      skip_blanks();
      return at_ == text_.size();
    }
  }

  /// One token, and what may follow it.
  bool step(Expect& expect) {
    const char c = text_[at_];
    const bool may_end = expect == Expect::kValueOrEnd || expect == Expect::kKeyOrEnd ||
                         expect == Expect::kCommaOrEnd;
    if (may_end && !open_.empty() && c == (open_.back() ? '}' : ']')) {
      ++at_;
      open_.pop_back();
      expect = Expect::kCommaOrEnd;
      return tell(events_.on_close());
    }
    if (expect == Expect::kCommaOrEnd) {
      if (c != ',') return false;
      ++at_;
      expect = open_.back() ? Expect::kKey : Expect::kValue;
      return true;
    }
    if (expect == Expect::kKey || expect == Expect::kKeyOrEnd) {
      expect = Expect::kValue;
      return key();
    }
    expect = Expect::kCommaOrEnd;
    if (c != '{' && c != '[') return scalar(c);
    ++at_;
    open_.push_back(c == '{');
    expect = c == '{' ? Expect::kKeyOrEnd : Expect::kValueOrEnd;
    return tell(events_.on_open(c == '{'));
  }

  bool key() {
    if (text_[at_] != '"' || !string()) return false;
    if (!tell(events_.on_key(string_))) return false;
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != ':') return false;
    ++at_;
    return true;
  }

  bool scalar(char c) {
    if (c == '"') return string() && tell(events_.on_text(string_));
    if (is_digit(c) || (c == '-' && !word_follows("-Infinity"))) return number();
    if (take("true")) return tell(events_.on_bool(true));
    if (take("false")) return tell(events_.on_bool(false));
    const bool nothing = take("null") || take("NaN") || take("Infinity") || take("-Infinity");
    return nothing && tell(events_.on_null());
  }

  /// JSON's form of a number. Nineteen digits fit 64 bits; more are counted as powers of ten.
  bool number() {
    const bool negative = text_[at_] == '-';
    if (negative) ++at_;
    digits_ = 0;
    power_ = 0;
    dropped_ = false;
    const bool zero = peek() == '0';
    const std::size_t start = at_;
    read_digits(0);
    if (at_ == start || (zero && at_ > start + 1)) return false;
    bool whole = !negative && power_ == 0 && !dropped_;
    if (peek() == '.') {
      whole = false;
      const std::size_t fraction = ++at_;
      read_digits(-1);
      if (at_ == fraction) return false;
    }
    if (peek() == 'e' || peek() == 'E') {
      whole = false;
      if (!exponent()) return false;
    }
    if (whole) return tell(events_.on_whole(digits_));
    return tell(events_.on_real(negative ? -scaled() : scaled()));
  }

  void read_digits(int each) {
    while (at_ < text_.size() && is_digit(text_[at_])) {
      const auto digit = static_cast<std::uint64_t>(text_[at_++] - '0');
      if (digits_ > (UINT64_MAX - digit) / 10) {
        dropped_ = true;
        if (each == 0) ++power_;
        continue;
      }
      if (dropped_) {
        if (each == 0) ++power_;
        continue;
      }
      digits_ = digits_ * 10 + digit;
      power_ += each;
    }
  }

  bool exponent() {
    ++at_;
    const bool negative = peek() == '-';
    if (negative || peek() == '+') ++at_;
    const std::size_t start = at_;
    int n = 0;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      if (n < 10000) n = n * 10 + (text_[at_] - '0');
    }
    power_ += negative ? -n : n;
    return at_ > start;
  }

  /// digits × 10^power; steps of ten, because pow differs between platforms.
  [[nodiscard]] double scaled() const {
    auto value = static_cast<double>(digits_);
    double ten = 1;
    const int steps = power_ < 0 ? -power_ : power_;
    for (int i = 0; i < steps && i < 400; ++i) ten *= 10;
    return power_ < 0 ? value / ten : value * ten;
  }

  /// A string from its quote to the next; the result is in `string_`, valid UTF-8.
  bool string() {
    ++at_;
    string_.clear();
    while (at_ < text_.size()) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c < 0x20) return false;
      if (c == '\\') {
        if (!escape()) return false;
      } else if (c < 0x80) {
        string_ += text_[at_++];
      } else if (!utf8(c)) {
        return false;
      }
    }
    return false;
  }

  /// One character of several bytes (RFC 3629: no overlong forms, no surrogates).
  bool utf8(unsigned char lead) {
    const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text_.size() - at_ < size) return false;
    for (std::size_t i = 1; i < size; ++i) {
      if ((static_cast<unsigned char>(text_[at_ + i]) & 0xC0) != 0x80) return false;
    }
    const auto second = static_cast<unsigned char>(text_[at_ + 1]);
    const bool bad = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                     (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
    if (bad) return false;
    string_.append(text_.substr(at_, size));
    at_ += size;
    return true;
  }

  bool escape() {
    if (++at_ >= text_.size()) return false;
    const char c = text_[at_++];
    constexpr std::string_view kFrom = "\"\\/bfnrt";
    constexpr std::string_view kTo = "\"\\/\b\f\n\r\t";
    const std::size_t simple = kFrom.find(c);
    if (simple != std::string_view::npos) {
      string_ += kTo[simple];
      return true;
    }
    std::uint32_t unit = 0;
    if (c != 'u' || !hex(unit)) return false;
    if (unit >= 0xDC00 && unit < 0xE000) return false;
    if (unit >= 0xD800 && unit < 0xDC00) {
      std::uint32_t low = 0;
      if (!take("\\u") || !hex(low) || low < 0xDC00 || low >= 0xE000) return false;
      unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    }
    append(unit);
    return true;
  }

  bool hex(std::uint32_t& unit) {
    if (text_.size() - at_ < 4) return false;
    for (int i = 0; i < 4; ++i) {
      const char c = text_[at_++];
      const char lower = static_cast<char>(c | 0x20);
      if (is_digit(c)) {
        unit = unit * 16 + static_cast<std::uint32_t>(c - '0');
      } else if (lower >= 'a' && lower <= 'f') {
        unit = unit * 16 + static_cast<std::uint32_t>(lower - 'a' + 10);
      } else {
        return false;
      }
    }
    return true;
  }

  void append(std::uint32_t code) {
    const auto put = [this](std::uint32_t byte) { string_ += static_cast<char>(byte); };
    if (code < 0x80) return put(code);
    if (code < 0x800) {
      put(0xC0 | (code >> 6));
    } else {
      if (code < 0x10000) {
        put(0xE0 | (code >> 12));
      } else {
        put(0xF0 | (code >> 18));
        put(0x80 | ((code >> 12) & 0x3F));
      }
      put(0x80 | ((code >> 6) & 0x3F));
    }
    put(0x80 | (code & 0x3F));
  }

  void skip_blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) {
      ++at_;
    }
  }

  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[nodiscard]] bool word_follows(std::string_view word) const {
    return text_.substr(at_, word.size()) == word;
  }
  bool take(std::string_view word) {
    if (!word_follows(word)) return false;
    at_ += word.size();
    return true;
  }
  bool tell(bool wanted) {
    stopped_ = !wanted;
    return wanted;
  }

  std::string_view text_;
  JsonEvents& events_;
  std::size_t at_ = 0;
  std::vector<char> open_;  // 1: object, 0: array
  std::string string_;
  std::uint64_t digits_ = 0;
  int power_ = 0;
  bool dropped_ = false;
  bool stopped_ = false;
};

}  // namespace

JsonResult read_json(std::string_view text, JsonEvents& events) {
  return Reader(text, events).run();
}

}  // namespace kvseats::import
