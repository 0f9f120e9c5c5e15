#include <algorithm>

#include "traffic/lengths.h"
#include "traffic/named.h"
#include "units/text.h"

// Lengths as a person types or pastes them.
namespace kvseats::traffic {
namespace {

using units::Diagnostic;
using Result = tl::expected<Lengths, Diagnostic>;

constexpr const char* kForms = "Write 800, 500-2000, p50=800/p95=3000 or a list as 128@30/256@12.";

tl::unexpected<Diagnostic> refuse(std::string code, std::string text, std::string remedy) {
  return tl::unexpected(units::diagnose(std::move(code), "", std::move(text), std::move(remedy)));
}

std::string quoted(std::string_view text) {
  return "\"" + units::valid_utf8(text.substr(0, 60)) + "\"";
}

tl::expected<std::uint64_t, Diagnostic> parse_tokens(std::string_view text) {
  const auto count = units::parse_count(text);
  if (count && *count > kMostTokens) {
    return refuse("E-TOO-LARGE", quoted(text) + " is above " + units::grouped(kMostTokens), kForms);
  }
  return count;
}

// A range where `percent` is 0, else a lognormal with that percentile.
Result two(std::string_view low, std::string_view high, std::uint64_t percent) {
  const auto first = parse_tokens(low);
  if (!first) return tl::unexpected(first.error());
  const auto second = parse_tokens(high);
  if (!second) return tl::unexpected(second.error());
  if (*second < *first) {
    return refuse("E-ORDER", quoted(high) + " is less than " + quoted(low), kForms);
  }
  if (percent == 0) return Lengths::between(*first, *second);
  if (*first == 0) {
    return refuse("E-ZERO", "A median of 0 tokens has no lognormal", kForms);
  }
  return Lengths::lognormal(*first, *second, percent);
}

Result parse_quantiles(std::string_view body) {
  const std::size_t slash = body.find('/');
  const std::string_view first = body.substr(0, slash);
  const std::string_view second =
      slash == std::string_view::npos ? std::string_view() : units::trimmed(body.substr(slash + 1));
  for (const std::uint64_t percent : {90u, 95u, 99u}) {
    if (second.starts_with("p" + units::plain(percent) + "=")) {
      return two(first.substr(4), second.substr(4), percent);
    }
  }
  return refuse("E-LENGTHS", quoted(body) + " lacks p90, p95 or p99", kForms);
}

// `128@30`, or `512` alone.
tl::expected<Atom, Diagnostic> parse_atom(std::string_view text) {
  const std::size_t at = text.find('@');
  const auto tokens = parse_tokens(text.substr(0, at));
  if (!tokens) return tl::unexpected(tokens.error());
  if (at == std::string_view::npos) return Atom{.tokens = *tokens, .weight = 1};
  const auto weight = units::parse_count(text.substr(at + 1));
  if (!weight) return tl::unexpected(weight.error());
  return Atom{.tokens = *tokens, .weight = *weight};
}

Result parse_atoms(std::string_view body) {
  std::vector<Atom> atoms;
  std::uint64_t sum = 0;
  while (true) {
    const std::size_t slash = body.find('/');
    const auto atom = parse_atom(body.substr(0, slash));
    if (!atom) return tl::unexpected(atom.error());
    sum = units::checked_add(sum, atom->weight);
    if (atoms.size() == kMostBins || sum > kMostWeight) {
      return refuse("E-TOO-MANY", "The list has more than 64 lengths, or 4,194,304 in all", kForms);
    }
    atoms.push_back(*atom);
    if (slash == std::string_view::npos) break;
    body.remove_prefix(slash + 1);
  }
  if (sum == 0) return refuse("E-EMPTY", "The list holds no request", kForms);
  return Lengths::of(std::move(atoms));
}

constexpr std::string_view kApart = " \t\r\n,;";

std::size_t count_words(std::string_view text) {
  std::size_t count = 0;
  bool inside = false;
  for (const char c : text) {
    const bool apart = kApart.find(c) != std::string_view::npos;
    count += !apart && !inside;
    inside = !apart;
  }
  return count;
}

tl::unexpected<Diagnostic> bad_line(std::size_t line, Diagnostic trouble) {
  trouble.where = "line " + units::plain(line);
  return tl::unexpected(std::move(trouble));
}

// One line's cell `index`, without quotes; empty where the line is shorter.
std::string_view cell(std::string_view line, std::size_t index) {
  for (; index > 0; --index) {
    const std::size_t end = line.find_first_of(",;\t");
    if (end == std::string_view::npos) return {};
    line.remove_prefix(end + 1);
  }
  std::string_view text = units::trimmed(line.substr(0, line.find_first_of(",;\t")));
  if (text.size() > 1 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
  }
  return text;
}

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return units::trimmed(line);
}

tl::expected<std::size_t, Diagnostic> find_column(std::string_view header, std::string_view name) {
  std::size_t columns = 1;
  for (const char c : header) columns += std::string_view(",;\t").find(c) != std::string_view::npos;
  for (std::size_t i = 0; i < columns; ++i) {
    if (units::lower(cell(header, i)) == units::lower(units::trimmed(name))) return i;
  }
  return refuse("E-COLUMN", "There is no column " + quoted(name),
                "The first line names: " + units::valid_utf8(header.substr(0, 200)) + ".");
}

// Word `which` of a line, words apart as in a list; empty: it has fewer.
std::string_view word(std::string_view line, std::size_t which) {
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(kApart), line.size()));
    const std::size_t end = std::min(line.find_first_of(kApart), line.size());
    if (which-- == 0) return line.substr(0, end);
    line.remove_prefix(end);
  }
}

bool names_columns(std::string_view text) {
  const std::string_view line = take_line(text);
  const std::size_t first = std::min(line.find_first_not_of(" \""), line.size());
  const char letter = first == line.size() ? '0' : static_cast<char>(line[first] | 0x20);
  return letter >= 'a' && letter <= 'z' && !units::trimmed(text).empty() &&
         line.find_first_of(",;\t") != std::string_view::npos;
}

tl::unexpected<Diagnostic> too_many() {
  return refuse("E-TOO-MANY", "There are more than 1,000,000 lengths", "Take a part of them.");
}

Result parse_column(std::string_view text, std::string_view column) {
  std::string_view rest = text;
  const auto index = find_column(take_line(rest), column);
  if (!index) return tl::unexpected(index.error());
  std::size_t lines = 0;
  for (const char c : rest) lines += c == '\n';
  if (lines > kMostListed) return too_many();
  std::vector<Atom> atoms;
  for (std::size_t number = 2; !rest.empty(); ++number) {
    const std::string_view line = take_line(rest);
    if (line.empty()) continue;
    const auto tokens = parse_tokens(cell(line, *index));
    if (!tokens) return bad_line(number, tokens.error());
    atoms.push_back({.tokens = *tokens, .weight = 1});
  }
  if (atoms.empty()) return refuse("E-EMPTY", "There are no lengths", "Give one a line.");
  return Lengths::of(std::move(atoms));
}

}  // namespace

Result parse_lengths(std::string_view text) {
  const std::string_view body = units::trimmed(text);
  if (body.starts_with("p50=")) return parse_quantiles(body);
  if (const NamedLengths* named = find_named_lengths(body)) {
    return Lengths::lognormal(named->p50, named->high, named->percent);
  }
  if (body.find_first_of("/@") != std::string_view::npos) return parse_atoms(body);
  const std::size_t dash = body.find('-', 1);
  if (dash != std::string_view::npos) {
    return two(body.substr(0, dash), body.substr(dash + 1), 0);
  }
  const auto tokens = parse_tokens(body);
  if (tokens) return Lengths::fixed(*tokens);
  if (tokens.error().code != "E-NUMBER") return tl::unexpected(tokens.error());
  return refuse("E-LENGTHS", quoted(body) + " is no length and no distribution of lengths", kForms);
}

std::string list_text(const Lengths& lengths) {
  std::string out;
  for (const Atom& atom : lengths.atoms()) {
    if (!out.empty()) out += '/';
    out += units::plain(atom.tokens);
    if (atom.weight != 1) out += "@" + units::plain(atom.weight);
  }
  return out;
}

bool is_two_columns(std::string_view text) {
  if (names_columns(text)) return false;
  std::size_t lines = 0;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.empty()) continue;
    if (word(line, 1).empty() || !word(line, 2).empty()) return false;
    ++lines;
  }
  return lines > 1;
}

Result parse_one_of_two(std::string_view text, std::size_t which) {
  if (count_words(text) > 2 * kMostListed) return too_many();
  std::vector<Atom> atoms;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    if (line.empty()) continue;
    const auto tokens = parse_tokens(word(line, which));
    if (!tokens) return bad_line(number, tokens.error());
    atoms.push_back({.tokens = *tokens, .weight = 1});
  }
  if (atoms.empty()) return refuse("E-EMPTY", "There are no lengths", "Give one a line.");
  return Lengths::of(std::move(atoms));
}

Result parse_list(std::string_view text, std::string_view column) {
  if (!column.empty()) return parse_column(text, column);
  if (names_columns(text)) {
    std::string_view rest = text;
    return refuse("E-COLUMN", "The first line names columns",
                  "Say which is meant: " + units::valid_utf8(take_line(rest).substr(0, 200)) + ".");
  }
  const std::size_t count = count_words(text);
  if (count > kMostListed) return too_many();
  if (count == 0) return refuse("E-EMPTY", "There are no lengths", "Give one a line.");
  std::vector<Atom> atoms;
  atoms.reserve(count);
  std::size_t line = 1;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(kApart), text.size());
    if (end != 0) {
      const auto tokens = parse_tokens(text.substr(0, end));
      if (!tokens) return bad_line(line, tokens.error());
      atoms.push_back({.tokens = *tokens, .weight = 1});
    }
    line += end < text.size() && text[end] == '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return Lengths::of(std::move(atoms));
}

}  // namespace kvseats::traffic
