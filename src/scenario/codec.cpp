#include "scenario/codec.h"

#include <algorithm>
#include <array>

#include "scenario/fields.h"
#include "scenario/pins.h"
#include "traffic/reader.h"
#include "units/text.h"

namespace kvseats::scenario {
namespace {

using units::Diagnostic;

constexpr std::size_t kMaxQuery = 64 * 1024;
constexpr std::size_t kMaxKeys = 512;

constexpr std::array<std::string_view, 23> kPageKeys = {
    "view",      "theme",  "unit",     "height", "lock",      "show",   "hide", "range",
    "pin",       "lang",   "question", "answer", "tolerance", "reveal", "tab",  "text",
    "catalogue", "models", "gpus",     "prices", "minutes",   "seed",   "shown"};

constexpr std::string_view kSchema = "schema";

using Pair = std::pair<std::string, std::string>;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Pair split_pair(std::string_view word, bool encoded) {
  const std::size_t equals = word.find('=');
  const std::string_view key = word.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : word.substr(equals + 1);
  if (!encoded) return {std::string(key), std::string(value)};
  return {percent_decode(key), percent_decode(value)};
}

// In a link a bad value is not fatal: the default holds, and the same code says so as a warning.
Diagnostic softened(Diagnostic trouble, Strictness strictness) {
  if (strictness == Strictness::kCommandLine) return trouble;
  trouble.severity = units::Severity::kWarning;
  return trouble;
}

bool is_repeated(const Scenario& scenario, std::string_view key) {
  const Field* field = find_field(key);
  return field != nullptr && !field->repeatable && field->count(scenario) != 0;
}

void set_pair(Decoded& out, const Pair& pair, Strictness strictness) {
  if (is_repeated(out.scenario, pair.first)) {
    out.diagnostics.push_back(units::diagnose("W-REPEATED-KEY", pair.first,
                                              "The key is given twice; the last one counts",
                                              "Leave one of them out."));
  }
  auto done = set_key(out.scenario, pair.first, pair.second);
  if (done) return;
  const bool foreign = done.error().code == "E-UNKNOWN-KEY" || done.error().code == "E-KEY-ENGINE";
  if (foreign && strictness == Strictness::kLink) out.unknown.push_back(pair);
  out.diagnostics.push_back(softened(std::move(done.error()), strictness));
}

// `engine` first: which other keys exist depends on it.
Decoded decode_pairs(std::vector<Pair> pairs, Strictness strictness) {
  Decoded out;
  std::stable_partition(pairs.begin(), pairs.end(),
                        [](const Pair& pair) { return pair.first == "engine"; });
  for (const Pair& pair : pairs) {
    if (is_page_key(pair.first)) {
      out.page.push_back(pair);
    } else if (pair.first == kSchema) {
      if (pair.second != "1") {
        out.diagnostics.push_back(
            units::diagnose("W-SCHEMA", "schema", "This link is of a newer schema than 1",
                            "Open it with a newer KV Seats; what is understood is used."));
      }
    } else {
      set_pair(out, pair, strictness);
    }
  }
  return out;
}

Decoded too_long() {
  Decoded out;
  out.diagnostics.push_back(units::diagnose(
      "E-TOO-LONG", "", "The query has more than 64 KiB or 512 keys", "Shorten it."));
  return out;
}

bool must_encode(unsigned char c) {
  if (c <= 0x20 || c >= 0x7f) return true;
  return c == '&' || c == '%' || c == '#' || c == '"' || c == '<' || c == '>' || c == '`' ||
         c == '\'';  // links stand in quotes of shells and HTML
}

void append_pair(std::string& out, std::string_view key, std::string_view value) {
  if (!out.empty()) out += '&';
  out += key;
  out += '=';
  out += percent_encode(value);
}

}  // namespace

bool is_page_key(std::string_view key) {
  return std::find(kPageKeys.begin(), kPageKeys.end(), key) != kPageKeys.end();
}

Decoded decode(std::string_view query, Strictness strictness) {
  if (query.size() > kMaxQuery) return too_long();
  while (!query.empty() && (query.front() == '#' || query.front() == '?')) query.remove_prefix(1);
  std::vector<Pair> pairs;
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view word = query.substr(0, end);
    if (!word.empty()) pairs.push_back(split_pair(word, true));
    if (pairs.size() > kMaxKeys) return too_long();
    if (end == std::string_view::npos) break;
    query.remove_prefix(end + 1);
  }
  Decoded out = decode_pairs(std::move(pairs), strictness);
  for (units::Diagnostic& d : pin_troubles(out.page)) out.diagnostics.push_back(std::move(d));
  return out;
}

Decoded decode(std::span<const std::string_view> words, Strictness strictness) {
  if (words.size() > kMaxKeys) return too_long();
  std::vector<Pair> pairs;
  for (const std::string_view word : words) {
    if (word.size() > kMaxQuery) return too_long();
    pairs.push_back(split_pair(word, false));
  }
  return decode_pairs(std::move(pairs), strictness);
}

std::vector<std::string> words_of_query(std::string_view query) {
  while (!query.empty() && (query.front() == '#' || query.front() == '?')) query.remove_prefix(1);
  std::vector<std::string> words;
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    if (end != 0) words.push_back(percent_decode(query.substr(0, end)));
    query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
  }
  return words;
}

bool has_distributions(std::string_view query) {
  const std::string text = percent_decode(query);
  for (std::size_t at = 0; (at = text.find("service=", at)) != std::string::npos; ++at) {
    const std::string_view word = std::string_view(text).substr(at, text.find('&', at) - at);
    if (traffic::spells_lengths(word.substr(word.rfind(':') + 1))) return true;
  }
  return false;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t comma = text.find(',');
    out.emplace_back(units::trimmed(text.substr(0, comma)));
    if (comma == std::string_view::npos) return out;
    text.remove_prefix(comma + 1);
  }
}

std::string encode(const Scenario& scenario) {
  std::string out;
  for (const Field& field : fields()) {
    const std::size_t count = field.count(scenario);
    for (std::size_t i = 0; i < count; ++i) {
      append_pair(out, field.key, field.get(scenario, i));
    }
  }
  for (const auto& [key, value] : scenario.options) append_pair(out, key, value);
  return out;
}

std::string percent_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      const int high = hex_digit(text[i + 1]);
      const int low = hex_digit(text[i + 2]);
      if (high >= 0 && low >= 0) {
        out += static_cast<char>(high * 16 + low);
        i += 2;
        continue;
      }
    }
    out += text[i];
  }
  return units::valid_utf8(out);
}

std::string percent_encode(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  std::size_t plain = 0;  // where the run of what stays begins
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (!must_encode(byte)) continue;
    out += text.substr(plain, i - plain);
    out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    plain = i + 1;
  }
  out += text.substr(plain);
  return out;
}

}  // namespace kvseats::scenario
