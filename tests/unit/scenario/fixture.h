#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "catalogue/catalogue.h"
#include "embedded/catalogue.h"
#include "scenario/codec.h"
#include "scenario/evaluate.h"
#include "units/text.h"

/// What the scenario tests share: the shipped catalogue and queries written as on a command line.
namespace kvseats::scenario::testing {

inline const catalogue::Catalogue& shipped() {
  static const auto kCatalogue =
      catalogue::read_catalogue(embedded::catalogue("catalogue.txt")).value();
  return kCatalogue;
}

inline std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!(line = units::trimmed(line)).empty()) {
    const std::size_t end = line.find(' ');
    words.push_back(line.substr(0, end));
    if (end == std::string_view::npos) break;
    line.remove_prefix(end);
  }
  return words;
}

inline Report ask(std::string_view line) {
  return evaluate(decode(words_of(line), Strictness::kCommandLine), shipped());
}

/// One `>` line of a golden file and the lines under it.
struct Case {
  std::string query;
  std::vector<std::string> lines;
};

inline std::vector<Case> cases_of(std::string_view text) {
  std::vector<Case> out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = units::trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '>') {
      out.push_back({std::string(units::trimmed(line.substr(1))), {}});
    } else if (!out.empty()) {
      out.back().lines.emplace_back(line);
    }
  }
  return out;
}

}  // namespace kvseats::scenario::testing
