#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ui/app.h"

/// Every control that was drawn in the last frame, in drawing order: for tests that press by label,
/// for tools, and for the order of Tab.
namespace kvseats::ui {

enum class Role : std::uint8_t {
  kButton,
  kTextField,
  kCombo,   ///< opens a list
  kOption,  ///< a row of an open list
  kRadio,   ///< one of a few choices side by side
  kSlider,
  kTab,
  kHandle,  ///< the operating point of a plot
  kText,    ///< an answer or a sentence; not operable
};

struct Entry {
  std::uint32_t id = 0;
  std::string label;
  Role role = Role::kButton;
  Rect rect;
  std::string value;
  bool enabled = true;
  bool focused = false;
};

class Registry {
 public:
  void clear() { entries_.clear(); }
  void add(Entry entry) { entries_.push_back(std::move(entry)); }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  /// The first entry with this label (and role, if given), or null.
  [[nodiscard]] const Entry* find(std::string_view label) const;
  /// `scale`: what rectangles are multiplied by.
  void json(std::string& out, double scale = 1.0) const;

 private:
  std::vector<Entry> entries_;
};

/// "button", "textbox", "combobox", "option", "radio", "slider", "tab", "handle", "text".
[[nodiscard]] std::string_view role_name(Role role);

}  // namespace kvseats::ui
