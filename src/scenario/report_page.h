#pragma once

#include <string>
#include <vector>

#include "catalogue/catalogue.h"
#include "chart/chart.h"
#include "scenario/report.h"

/// A report on one page, to hand on or to print: question, answer, assumptions, what to mind,
/// plots, every number with its formula, the engine's command line, link and versions.
namespace kvseats::scenario {

/// A heading and what stands under it, in this order; any of them may be empty.
struct PageSection {
  std::string title;
  std::vector<std::string> paragraphs{};
  chart::TextTable table{};
  std::string svg{};   ///< in light colours; pages for print have no other
  std::string code{};  ///< verbatim
};

/// Of a report with `add_rates` and `add_sizing` done (rates.h). For bad input: what is wrong.
[[nodiscard]] std::vector<PageSection> page_sections(const Report& report,
                                                     const catalogue::Catalogue& catalogue);

/// One HTML file without script, style from outside or any other file. Whatever text the report
/// holds becomes text.
[[nodiscard]] std::string report_html(const Report& report, const catalogue::Catalogue& catalogue);

/// The same as Markdown (tables as in GitHub's); instead of pictures their text twins and tables.
[[nodiscard]] std::string report_markdown(const Report& report,
                                          const catalogue::Catalogue& catalogue);

}  // namespace kvseats::scenario
