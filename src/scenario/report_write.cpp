#include "scenario/present.h"
#include "scenario/report_page.h"

// The page's sections as HTML and as Markdown.
namespace kvseats::scenario {
namespace {

constexpr std::string_view kTitle = "KV Seats report";

// The page needs nothing but itself; what is printed fits A4 and Letter.
constexpr std::string_view kStyle =
    "body{font:15px/1.5 Inter,system-ui,sans-serif;color:#1a1c1e;max-width:48rem;margin:2rem auto;"
    "padding:0 1rem}h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}"
    "table{border-collapse:collapse;width:100%;font-size:.85rem}"
    "th,td{text-align:left;vertical-align:top;padding:.25rem .5rem;border-top:1px solid #d9dcdf;"
    "overflow-wrap:anywhere}pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f3f4f5;"
    "padding:.75rem}svg{width:100%;height:auto}details{margin:.5rem 0}"
    "@page{margin:18mm}@media print{body{margin:0;max-width:none}h2{break-after:avoid}"
    "tr,figure{break-inside:avoid}}";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html_row(const std::vector<std::string>& cells, std::string_view tag) {
  std::string out = "<tr>";
  for (const std::string& text : cells) {
    out += "<" + std::string(tag) + ">" + escaped(text) + "</" + std::string(tag) + ">";
  }
  return out + "</tr>\n";
}

std::string html_table(const chart::TextTable& table) {
  if (table.rows.empty()) return "";
  std::string out = "<table>\n<thead>" + html_row(table.columns, "th") + "</thead>\n<tbody>\n";
  for (const auto& row : table.rows) out += html_row(row, "td");
  return out + "</tbody>\n</table>\n";
}

std::string html_section(const PageSection& section) {
  std::string out = "<section>\n<h2>" + escaped(section.title) + "</h2>\n";
  for (const std::string& text : section.paragraphs) out += "<p>" + escaped(text) + "</p>\n";
  if (!section.svg.empty()) out += "<figure>" + section.svg + "</figure>\n";
  if (!section.code.empty()) {
    out += "<pre>" + escaped(section.code) + "</pre>\n";
  }
  return out + html_table(section.table) + "</section>\n";
}

// A bar ends a cell, a line break the row, and a tag would be one.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '\\') out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& text : cells) out += " " + cell(text) + " |";
  return out + "\n";
}

std::string markdown_section(const PageSection& section) {
  std::string out = "\n## " + cell(section.title) + "\n";
  for (const std::string& text : section.paragraphs) out += "\n" + cell(text) + "\n";
  if (!section.code.empty()) out += "\n```\n" + section.code + "\n```\n";
  if (section.table.rows.empty()) return out;
  out += "\n" + markdown_row(section.table.columns) + "|";
  for (std::size_t i = 0; i < section.table.columns.size(); ++i) out += " --- |";
  out += "\n";
  for (const auto& row : section.table.rows) out += markdown_row(row);
  return out;
}

}  // namespace

std::string report_html(const Report& report, const catalogue::Catalogue& catalogue) {
  const std::string title(kTitle);
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      title + (report.ok ? ": " + escaped(report.model.name) : "") + "</title>\n<style>" +
      std::string(kStyle) + "</style>\n</head>\n<body>\n<h1>" + title + "</h1>\n";
  for (const PageSection& section : page_sections(report, catalogue)) out += html_section(section);
  return out + "</body>\n</html>\n";
}

std::string report_markdown(const Report& report, const catalogue::Catalogue& catalogue) {
  std::string out = "# " + std::string(kTitle) + "\n";
  for (const PageSection& section : page_sections(report, catalogue)) {
    out += markdown_section(section);
  }
  return out;
}

}  // namespace kvseats::scenario
