#include "logs/lines.h"

#include <algorithm>

namespace kvseats::logs {
namespace {

// No escape sequence of a terminal is longer; a longer one is text.
constexpr std::size_t kLongestEscape = 32;

bool is_final(char c) {
  return c >= '@' && c <= '~';
}

// Bytes of the sequence that starts behind its introducer `[`, final byte included; 0: none.
std::size_t csi_length(std::string_view text) {
  const std::size_t most = std::min(text.size(), kLongestEscape);
  for (std::size_t i = 0; i < most; ++i) {
    if (is_final(text[i])) return i + 1;
    if (static_cast<unsigned char>(text[i]) < 0x20) return 0;
  }
  return 0;
}

// Bytes of an escape at the start of `text`; 0: none.
std::size_t escape_length(std::string_view text) {
  for (const std::string_view intro : {std::string_view("\x1b["), std::string_view("\\u001b["),
                                       std::string_view("\\x1b["), std::string_view("^[[")}) {
    if (!text.starts_with(intro)) continue;
    const std::size_t rest = csi_length(text.substr(intro.size()));
    return rest == 0 ? 0 : intro.size() + rest;
  }
  return 0;
}

bool may_escape(char c) {
  return c == '\x1b' || c == '\\' || c == '^';
}

void clean(std::string_view raw, std::string& line) {
  line.clear();
  for (std::size_t i = 0; i < raw.size();) {
    const char c = raw[i];
    const std::size_t escape = may_escape(c) ? escape_length(raw.substr(i)) : 0;
    if (escape != 0) {
      i += escape;
    } else if (raw.substr(i).starts_with("\xc2\xa0")) {
      line += ' ';
      i += 2;
    } else {
      if (c == '\t') {
        line += ' ';
      } else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) {
        line += c;
      }
      ++i;
    }
  }
}

}  // namespace

bool LineReader::next(std::string& line) {
  if (rest_.empty()) return false;
  if (new_line_) ++number_;
  const std::size_t end = rest_.find_first_of("\r\n");
  clean(rest_.substr(0, end), line);
  if (end == std::string_view::npos) {
    rest_ = {};
    return true;
  }
  const bool both = rest_.substr(end).starts_with("\r\n");
  new_line_ = both || rest_[end] == '\n';
  rest_.remove_prefix(end + (both ? 2 : 1));
  return true;
}

}  // namespace kvseats::logs
