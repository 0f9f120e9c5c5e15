#include <algorithm>

#include "scenario/sweep.h"
#include "scenario/version.h"
#include "units/json_writer.h"
#include "units/text.h"

// Tables as CSV, Markdown, JSON and aligned text.
namespace kvseats::scenario {
namespace {

std::string csv_cell(const std::string& text) {
  // A cell that a spreadsheet would take for a formula is kept as text.
  const bool formula = !text.empty() &&
                       std::string_view("=+-@").find(text[0]) != std::string_view::npos &&
                       text.find_first_not_of("0123456789.-e+") != std::string::npos;
  if (!formula && text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = formula ? "\"'" : "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

void csv_line(std::string& out, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i != 0) out += ',';
    out += csv_cell(cells[i]);
  }
  out += "\r\n";
}

void markdown_line(std::string& out, const std::vector<std::string>& cells) {
  out += '|';
  for (const std::string& cell : cells) {
    out += ' ';
    for (const char c : cell) {
      if (c == '|') out += '\\';
      out += c;
    }
    out += " |";
  }
  out += '\n';
}

// Code points, not bytes: continuation bytes take no column.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::vector<std::size_t> widths_of(const Table& table) {
  std::vector<std::size_t> widths;
  for (const std::string& column : table.columns) widths.push_back(width_of(column));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  return widths;
}

void aligned_line(std::string& out, const std::vector<std::string>& cells,
                  const std::vector<std::size_t>& widths, const std::vector<bool>& left) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string pad(widths[i] - width_of(cells[i]), ' ');
    line += left[i] ? cells[i] + pad : pad + cells[i];
    line += "  ";
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

}  // namespace

std::string to_csv(const Table& table, const catalogue::Catalogue& catalogue) {
  std::string out =
      "# KV Seats " + std::string(kVersion) + ", catalogue " + catalogue.date + "\r\n";
  csv_line(out, table.columns);
  for (const auto& row : table.rows) csv_line(out, row);
  return out;
}

std::string to_markdown(const Table& table) {
  std::string out;
  markdown_line(out, table.columns);
  out += '|';
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    out += table.quoted[i] ? " --- |" : " ---: |";
  }
  out += '\n';
  for (const auto& row : table.rows) markdown_line(out, row);
  return out;
}

std::string to_json(const Table& table, int indent) {
  units::JsonWriter w(indent);
  w.open_array();
  for (const auto& row : table.rows) {
    w.open_object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      w.key(table.columns[i]);
      if (row[i].empty()) {
        w.null();
      } else if (table.quoted[i] && row[i] != "true" && row[i] != "false") {
        w.value(row[i]);
      } else {
        w.raw(row[i]);
      }
    }
    w.close_object();
  }
  w.close_array();
  return w.take();
}

std::string to_text(const Table& table) {
  const std::vector<std::size_t> widths = widths_of(table);
  std::string out;
  aligned_line(out, table.columns, widths, table.quoted);
  for (const auto& row : table.rows) aligned_line(out, row, widths, table.quoted);
  return out;
}

}  // namespace kvseats::scenario
