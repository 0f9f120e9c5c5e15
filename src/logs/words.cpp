#include "logs/words.h"

#include <algorithm>

namespace kvseats::logs {
namespace {

std::string_view trimmed_of(std::string_view text, std::string_view what) {
  const std::size_t first = text.find_first_not_of(what);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(what) - first + 1);
}

// The state of a shell's word while it is read.
struct Word {
  std::string text;
  bool open = false;  // something belongs to it, maybe an empty quote
  char quote = '\0';
};

bool ends_command(char c) {
  return c == '|' || c == ';' || c == '&' || c == '>' || c == '`';
}

// Takes one character of the text; false at the end of the command.
bool take(std::string_view text, std::size_t& at, Word& word, std::vector<std::string>& out) {
  const char c = text[at];
  const bool last = at + 1 >= text.size();
  if (word.quote != '\0') {
    if (c == word.quote) {
      word.quote = '\0';
    } else if (c == '\\' && word.quote == '"' && !last &&
               (text[at + 1] == '"' || text[at + 1] == '\\')) {
      word.text += text[++at];
    } else {
      word.text += c;
    }
    return true;
  }
  if (ends_command(c) || (c == '#' && !word.open)) return false;
  if (c == ' ') {
    if (word.open) out.push_back(std::move(word.text));
    word = {};
    return true;
  }
  if (c == '"' || c == '\'') {
    // A quote that nothing closes ends what the command line was quoted in.
    if (text.find(c, at + 1) == std::string_view::npos) return false;
    word.quote = c;
  } else if (c == '\\') {
    if (!last) word.text += text[++at];
  } else {
    word.text += c;
  }
  word.open = true;
  return true;
}

// `'a'`, `"a"`, `['a']`: what is inside. Several in a list stay as they are.
std::string plain_value(std::string_view value) {
  value = trimmed_of(value, " ");
  if (value.size() > 1 && value.front() == '[' && value.back() == ']' &&
      value.find(',') == std::string_view::npos) {
    value = trimmed_of(value.substr(1, value.size() - 2), " ");
  }
  if (value.size() > 1 && (value.front() == '\'' || value.front() == '"') &&
      value.back() == value.front()) {
    value = value.substr(1, value.size() - 2);
  }
  return std::string(value);
}

void add_argument(std::string_view piece, std::size_t cut, std::vector<Argument>& out) {
  if (cut == std::string_view::npos || cut >= piece.size()) return;
  const std::string_view name = trimmed_of(piece.substr(0, cut), " '\"");
  if (name.empty() || name.size() > 80) return;
  out.push_back({std::string(name), plain_value(piece.substr(cut + 1))});
}

bool opens(char c) {
  return c == '{' || c == '[' || c == '(';
}
bool closes(char c) {
  return c == '}' || c == ']' || c == ')';
}

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> out;
  Word word;
  for (std::size_t at = 0; at < text.size() && out.size() < kMostWords; ++at) {
    if (!take(text, at, word, out)) break;
  }
  if (word.open && out.size() < kMostWords) out.push_back(std::move(word.text));
  return out;
}

std::vector<Argument> split_arguments(std::string_view text) {
  std::vector<Argument> out;
  std::size_t begin = 0;
  std::size_t cut = std::string_view::npos;  // of `:` or `=`, from `begin`
  std::size_t depth = 0;
  char quote = '\0';
  std::size_t at = 0;
  for (; at < text.size() && out.size() < kMostWords; ++at) {
    const char c = text[at];
    if (quote != '\0') {
      if (c == '\\') ++at;
      if (c == quote) quote = '\0';
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (opens(c)) {
      ++depth;
    } else if (closes(c)) {
      if (depth == 0) break;
      --depth;
    } else if (depth == 0 && (c == ':' || c == '=') && cut == std::string_view::npos) {
      cut = at - begin;
    } else if (depth == 0 && c == ',') {
      add_argument(text.substr(begin, at - begin), cut, out);
      begin = at + 1;
      cut = std::string_view::npos;
    }
  }
  if (begin <= at && begin < text.size()) {
    add_argument(text.substr(begin, std::min(at, text.size()) - begin), cut, out);
  }
  return out;
}

}  // namespace kvseats::logs
