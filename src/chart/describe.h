#pragma once

#include <string>

#include "chart/chart.h"

/// The text twin of a chart: what it shows in about two sentences, and a table.
namespace kvseats::chart {

struct Description {
  std::string text{};
  TextTable table{};
  friend bool operator==(const Description&, const Description&) = default;
};

/// `chart.summary` and `chart.table` where given. Otherwise sentences made of the title, the axes,
/// the strongest curve's ends, the operating point and the marks; and a table of the curves at
/// points that they hold (nothing is interpolated), at most 16 rows.
[[nodiscard]] Description describe(const Chart& chart);
[[nodiscard]] Description describe(const BarChart& chart);

/// Only the sentences: what a picture's description says.
[[nodiscard]] std::string describe_text(const Chart& chart);
[[nodiscard]] std::string describe_text(const BarChart& chart);

/// A table as CSV (RFC 4180: quotes doubled, CRLF). A cell that a spreadsheet would take for a
/// formula (leading `=`, `+`, `-`, `@`, tab) gets a leading apostrophe, unless it is a number.
[[nodiscard]] std::string to_csv(const TextTable& table);

/// Every point of every curve and every mark: columns kind, name, x, y; numbers in full.
[[nodiscard]] TextTable points_table(const Chart& chart);
/// Every part of every bar: columns bar, part, amount (in full), value (as it is written).
[[nodiscard]] TextTable points_table(const BarChart& chart);

}  // namespace kvseats::chart
