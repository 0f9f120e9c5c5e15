#include "logs/pattern.h"

#include <algorithm>

#include "units/text.h"

namespace kvseats::logs {
namespace {

constexpr std::size_t kLongestWord = 256;
constexpr std::string_view kWordEnds = " ,;)]}'\"";

struct Capture {
  std::string_view name;
  char kind = 'n';
};

// The capture at `at` of a pattern, which is moved behind it.
Capture take_capture(std::string_view text, std::size_t& at) {
  const std::size_t close = text.find('}', at);
  std::string_view body = text.substr(at + 1, close - at - 1);
  at = close + 1;
  const std::size_t colon = body.find(':');
  if (colon == std::string_view::npos) return {body, 'n'};
  return {body.substr(0, colon), body[colon + 1]};
}

std::size_t skip_blanks(std::string_view line, std::size_t at) {
  while (at < line.size() && line[at] == ' ') ++at;
  return at;
}

std::string_view without_end_blanks(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The text that a capture of words takes at `at`; `stop` follows it in the pattern.
std::string_view words_at(std::string_view line, std::size_t at, char kind, char stop) {
  const std::string_view rest = line.substr(at, kLongestWord);
  if (kind == 'l') return without_end_blanks(rest);
  if (kind == 'w') return rest.substr(0, rest.find_first_of(kWordEnds));
  const std::size_t end = rest.find(stop);
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

// What stands where a number belongs and is none that counts: `nan`, `-inf`, too many digits.
bool is_unread_number(std::string_view word) {
  if (!word.empty() && word[0] == '-') word.remove_prefix(1);
  if (word.empty()) return false;
  if (word[0] >= '0' && word[0] <= '9') return true;
  const std::string name = units::lower(word.substr(0, 16));
  return name == "nan" || name == "inf" || name == "infinity";
}

// Takes a capture at `at`, moving it; false if nothing fits.
bool capture_at(const Capture& capture, char stop, std::string_view line, std::size_t& at,
                Match& match) {
  at = skip_blanks(line, at);
  Captured got{.name = capture.name, .text = {}, .number = std::nullopt};
  std::size_t used = 0;
  if (capture.kind == 'n') {
    got.number = read_number(line.substr(at), used);
    got.text = got.number ? line.substr(at, used) : words_at(line, at, 'w', ' ');
    got.unread = !got.number;
    if (got.unread && !is_unread_number(got.text)) return false;
    used = got.text.size();
  } else {
    got.text = words_at(line, at, capture.kind, stop);
    used = got.text.size();
    if (used == 0) return false;
  }
  at += used;
  if (capture.name != "_") match.captures.push_back(std::move(got));
  return true;
}

// The word that ends before `at`, for a capture at the start of a pattern.
bool capture_before(const Capture& capture, std::string_view line, std::size_t at, Match& match) {
  while (at > 0 && line[at - 1] == ' ') --at;
  std::size_t begin = at;
  while (begin > 0 && at - begin < kLongestWord && line[begin - 1] != ' ') --begin;
  std::string_view word = line.substr(begin, at - begin);
  Captured got{.name = capture.name, .text = word, .number = std::nullopt};
  if (capture.kind == 'n') {
    const std::size_t digits = word.find_first_of("-0123456789");
    std::size_t used = 0;
    if (digits == std::string_view::npos) return false;
    got.text = word.substr(digits);
    got.number = read_number(got.text, used);
    if (!got.number || used != got.text.size()) return false;
  }
  if (word.empty()) return false;
  match.begin = begin;
  match.captures.push_back(std::move(got));
  return true;
}

// Matches the pattern from `p` at `at` of the line.
bool match_rest(std::string_view text, std::size_t p, std::string_view line, std::size_t at,
                Match& match) {
  while (p < text.size()) {
    if (text[p] == '{') {
      const Capture capture = take_capture(text, p);
      const char stop = p < text.size() ? text[p] : '\0';
      if (!capture_at(capture, stop, line, at, match)) return false;
    } else if (text[p] == ' ') {
      at = skip_blanks(line, at);
      ++p;
    } else {
      if (at >= line.size() || line[at] != text[p]) return false;
      ++at;
      ++p;
    }
  }
  match.end = at;
  return true;
}

}  // namespace

std::optional<Match> find_match(const Pattern& pattern, std::string_view line, std::size_t from) {
  std::size_t p = 0;
  std::optional<Capture> before;
  if (pattern.text[0] == '{') {
    before = take_capture(pattern.text, p);
    while (p < pattern.text.size() && pattern.text[p] == ' ') ++p;
  }
  const std::string_view first = pattern.text.substr(p, pattern.text.find_first_of(" {", p) - p);
  if (!pattern.within.empty()) {
    const std::size_t gate = line.find(pattern.within);
    if (gate == std::string_view::npos) return std::nullopt;
    from = std::max(from, gate);
  }
  for (std::size_t at = line.find(first, from); at != std::string_view::npos;
       at = line.find(first, at + 1)) {
    Match match;
    match.begin = at;
    if (before && !capture_before(*before, line, at, match)) continue;
    if (match_rest(pattern.text, p, line, at, match)) return match;
  }
  return std::nullopt;
}

}  // namespace kvseats::logs
