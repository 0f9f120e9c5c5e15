#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logs/engine_tables.h"
#include "scenario/check.h"

/// Internal to room `scenario`: what `check` takes from a log, by key.
namespace kvseats::scenario {

/// The keys of a deployment while they are collected: a later source replaces an earlier one.
/// `list` is borrowed.
class Keys {
 public:
  explicit Keys(std::vector<LogTaken>& list) : list_(list) {}

  void put(std::string key, std::string text, std::size_t line, std::string source) {
    if (text.empty()) return;
    LogTaken* known = find(key);
    LogTaken taken{std::move(key), std::move(text), line, std::move(source)};
    if (known != nullptr) {
      *known = std::move(taken);
    } else {
      list_.push_back(std::move(taken));
    }
  }
  void drop(std::string_view key) {
    std::erase_if(list_, [key](const LogTaken& t) { return t.key == key; });
  }
  [[nodiscard]] std::string_view text(std::string_view key) const {
    for (const LogTaken& t : list_) {
      if (t.key == key) return t.text;
    }
    return {};
  }
  [[nodiscard]] LogTaken taken(std::string_view key) const {
    for (const LogTaken& t : list_) {
      if (t.key == key) return t;
    }
    return {};
  }
  [[nodiscard]] bool has(std::string_view key) const { return !text(key).empty(); }
  [[nodiscard]] std::uint64_t count_or_one(std::string_view key) const {
    return logs::plain_count(text(key)).value_or(1);
  }

 private:
  LogTaken* find(std::string_view key) {
    for (LogTaken& t : list_) {
      if (t.key == key) return &t;
    }
    return nullptr;
  }
  std::vector<LogTaken>& list_;
};

}  // namespace kvseats::scenario
