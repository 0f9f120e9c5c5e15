#include "scenario/report_page.h"

#include "cli/options.h"
#include "scenario/rates.h"

// report: one page, as Markdown or HTML.
namespace kvseats::cli {

Result run_report(const Options& options, const catalogue::Catalogue& catalogue,
                  const Files& files) {
  scenario::Decoded decoded = decode_words(options.words);
  attach_file(files, decoded);
  scenario::Report report = evaluate_with_rates(decoded, catalogue);
  add_sizing(report);
  Result result;
  result.status = report.ok ? 0 : 2;
  result.err = lines_of(report.diagnostics);
  if (!report.ok) return result;
  result.out = options.format == Format::kHtml ? report_html(report, catalogue)
                                               : report_markdown(report, catalogue);
  return result;
}

}  // namespace kvseats::cli
