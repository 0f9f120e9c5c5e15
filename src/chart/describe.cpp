#include "chart/describe.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "units/text.h"

namespace kvseats::chart {
namespace {

constexpr std::size_t kMostRows = 16;

/// A value in full: whole numbers grouped, others with up to four decimals.
std::string number(double value) {
  Axis plain;
  if (value == std::floor(value)) return tick_text(plain, value);
  const double size = std::fabs(value);
  std::string text = units::fixed(value, size >= 100.0 ? 1 : size >= 1.0 ? 2 : 4);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string named(const Axis& axis, double value) {
  return axis.text == TickText::kBinary ? tick_text(axis, value) : number(value);
}

/// The value of a curve at an x that it holds itself; false if it does not.
bool holds(const Series& s, double x, double& y) {
  const auto at = std::lower_bound(s.points.begin(), s.points.end(), x,
                                   [](const Point& p, double v) { return p.x < v; });
  if (at == s.points.end() || at->x != x) return false;
  y = at->y;
  return true;
}

const Series* strongest(const Chart& chart) {
  const Series* best = nullptr;
  for (const Series& s : chart.series) {
    if (!s.points.empty() && (best == nullptr || s.weight > best->weight)) best = &s;
  }
  return best;
}

/// The x values of the table: ticks of the axis that the curve holds, else its own points, thinned.
std::vector<double> rows_of(const Chart& chart, const Series& s) {
  std::vector<double> xs;
  double y = 0.0;
  for (const Tick& t : ticks(chart.x, {.length = 4000.0})) {
    if (holds(s, t.value, y)) xs.push_back(t.value);
  }
  if (xs.size() < 2) {
    xs.clear();
    const std::size_t stride = (s.points.size() + kMostRows - 1) / kMostRows;
    for (std::size_t i = 0; i < s.points.size(); i += stride) xs.push_back(s.points[i].x);
  }
  if (chart.handle.shown && holds(s, chart.handle.at.x, y)) xs.push_back(chart.handle.at.x);
  std::sort(xs.begin(), xs.end());
  xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
  while (xs.size() > kMostRows) xs.pop_back();
  return xs;
}

TextTable table_of(const Chart& chart) {
  TextTable table;
  const Series* main = strongest(chart);
  if (main == nullptr) return table;
  table.columns.push_back(chart.x.title);
  for (const Series& s : chart.series) {
    table.columns.push_back(s.label.text.empty() ? chart.y.title : s.label.text);
  }
  for (const double x : rows_of(chart, *main)) {
    std::vector<std::string> row{number(x)};
    for (const Series& s : chart.series) {
      double y = 0.0;
      row.push_back(holds(s, x, y) ? number(y) : std::string());
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string sentence_of(const Chart& chart) {
  std::string text = chart.title;
  const auto say = [&](const char* words, const std::string& value) {
    text += words;
    text += value;
  };
  if (const Series* main = strongest(chart)) {
    const Point a = main->points.front();
    const Point b = main->points.back();
    say(text.empty() ? "From " : ": from ", number(a.y));
    say(" at ", named(chart.x, a.x));
    say(" to ", number(b.y));
    say(" at ", named(chart.x, b.x));
    text += '.';
  }
  if (chart.handle.shown) {
    say(" The operating point is ", number(chart.handle.at.y));
    say(" at ", number(chart.handle.at.x));
    text += '.';
  }
  for (const Mark& m : chart.marks) {
    if (m.label.text.empty()) continue;
    say(" ", m.label.text);
    text += '.';
  }
  for (const Rule& r : chart.rules) {
    if (r.label.text.empty()) continue;
    say(" Marked at ", number(r.value));
    say(": ", r.label.text);
    text += '.';
  }
  return text;
}

std::string sentence_of(const BarChart& chart) {
  std::string text = chart.title;
  const auto say = [&](const std::string& name, const std::string& value) {
    text += text.size() == chart.title.size() ? ": " : ", ";
    text += name;
    if (!name.empty() && !value.empty()) text += ' ';
    text += value;
  };
  for (const Bar& bar : chart.bars) {
    if (chart.bars.size() > 1) {
      say(bar.name, bar.value);
    } else {
      for (const Segment& s : bar.segments) say(s.name, s.value);
    }
  }
  text += '.';
  return text;
}

bool is_number(const std::string& cell) {
  return !cell.empty() && units::parse_decimal(cell[0] == '-' ? cell.substr(1) : cell).has_value();
}

void append_cell(std::string& out, const std::string& cell) {
  const bool formula = !cell.empty() &&
                       std::string_view("=+-@\t").find(cell[0]) != std::string_view::npos &&
                       !is_number(cell);
  const bool quoted = cell.find_first_of(",\"\r\n") != std::string::npos;
  if (quoted) out += '"';
  if (formula) out += '\'';
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  if (quoted) out += '"';
}

void append_row(std::string& out, const std::vector<std::string>& row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i != 0) out += ',';
    append_cell(out, row[i]);
  }
  out += "\r\n";
}

}  // namespace

std::string describe_text(const Chart& chart) {
  return chart.summary.empty() ? sentence_of(chart) : chart.summary;
}

std::string describe_text(const BarChart& chart) {
  return chart.summary.empty() ? sentence_of(chart) : chart.summary;
}

Description describe(const Chart& chart) {
  return {describe_text(chart), chart.table.columns.empty() ? table_of(chart) : chart.table};
}

Description describe(const BarChart& chart) {
  Description d{describe_text(chart), {{"bar", "part", "value"}, {}}};
  for (const Bar& bar : chart.bars) {
    for (const Segment& s : bar.segments) {
      d.table.rows.push_back({bar.name, s.name, s.value.empty() ? number(s.amount) : s.value});
    }
  }
  return d;
}

std::string to_csv(const TextTable& table) {
  std::string out;
  append_row(out, table.columns);
  for (const std::vector<std::string>& row : table.rows) append_row(out, row);
  return out;
}

TextTable points_table(const BarChart& chart) {
  TextTable table{{"bar", "part", "amount", "value"}, {}};
  for (const Bar& bar : chart.bars) {
    for (const Segment& s : bar.segments) {
      table.rows.push_back({bar.name, s.name, units::shortest(s.amount), s.value});
    }
  }
  return table;
}

TextTable points_table(const Chart& chart) {
  TextTable table{{"kind", "name", "x", "y"}, {}};
  const auto add = [&](const char* kind, const std::string& name, Point p) {
    table.rows.push_back({kind, name, units::shortest(p.x), units::shortest(p.y)});
  };
  for (const Series& s : chart.series) {
    for (const Point& p : s.points) add("curve", s.label.text, p);
  }
  for (const Mark& m : chart.marks) add("mark", m.label.text, m.at);
  if (chart.handle.shown) add("operating point", chart.handle.label.text, chart.handle.at);
  return table;
}

}  // namespace kvseats::chart
