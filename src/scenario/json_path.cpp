#include "scenario/json_path.h"

namespace kvseats::scenario {
namespace {

// A cursor over JSON text that knows just enough to skip values.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  [[nodiscard]] char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void next() {
    if (at_ < text_.size()) ++at_;
  }

  // The text of the string that starts here, without quotes.
  std::string_view string() {
    next();
    const std::size_t from = at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2u : 1u;
    const std::size_t to = at_ < text_.size() ? at_ : text_.size();
    next();
    return text_.substr(from, to - from);
  }

  // The whole value that starts here.
  std::string_view value() {
    const char first = peek();
    const std::size_t from = at_;
    if (first == '"') return string();
    if (first == '{' || first == '[') {
      skip_nested();
    } else {
      while (at_ < text_.size() && !ends_scalar(text_[at_])) ++at_;
    }
    return text_.substr(from, at_ - from);
  }

 private:
  static bool ends_scalar(char c) {
    return c == ',' || c == '}' || c == ']' || c == '\n' || c == ' ';
  }
  void skip_nested() {
    int depth = 0;
    do {
      const char c = peek();
      if (c == '\0') return;
      if (c == '"') {
        (void)string();
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      next();
    } while (depth > 0);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string_view member(std::string_view object, std::string_view name) {
  Cursor cursor(object);
  if (cursor.peek() != '{') return {};
  cursor.next();
  while (cursor.peek() == '"') {
    const std::string_view key = cursor.string();
    if (cursor.peek() != ':') return {};
    cursor.next();
    const std::string_view value = cursor.value();
    if (key == name) return value;
    if (cursor.peek() == ',') cursor.next();
  }
  return {};
}

std::string_view element(std::string_view array, std::string_view index) {
  std::size_t wanted = 0;
  for (const char c : index) {
    if (c < '0' || c > '9' || wanted > 1000000) return {};
    wanted = wanted * 10 + static_cast<std::size_t>(c - '0');
  }
  Cursor cursor(array);
  if (cursor.peek() != '[' || index.empty()) return {};
  cursor.next();
  for (std::size_t i = 0; cursor.peek() != ']' && cursor.peek() != '\0'; ++i) {
    const std::string_view value = cursor.value();
    if (i == wanted) return value;
    if (cursor.peek() == ',') cursor.next();
  }
  return {};
}

}  // namespace

std::string_view json_path(std::string_view json, std::string_view path) {
  std::string_view here = json;
  while (!path.empty() && !here.empty()) {
    const std::size_t dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    here = here.front() == '[' ? element(here, name) : member(here, name);
    if (dot == std::string_view::npos) break;
    path.remove_prefix(dot + 1);
  }
  return here;
}

}  // namespace kvseats::scenario
