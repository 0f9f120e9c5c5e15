#include "scenario/check.h"
#include "cli/options.h"
#include "scenario/present.h"

// check: a log beside the prediction.
namespace kvseats::cli {
namespace {

bool is_key(std::string_view word) {
  return word.find('=') != std::string_view::npos;
}

Result bad_arguments(Format format) {
  return refuse({units::diagnose("E-ARGUMENTS", "check", "One log is needed",
                                 "kvseats check server.log KEY=VALUE…, or - for standard input.")},
                format);
}

}  // namespace

Result run_check(const Options& options, const catalogue::Catalogue& catalogue,
                 const Files& files) {
  std::string_view path;
  std::vector<std::string_view> keys;
  for (const std::string_view word : options.words) {
    if (path.empty() && (!is_key(word) || word == "-")) {
      path = word;
    } else {
      keys.push_back(word);
    }
  }
  if (path.empty()) return bad_arguments(options.format);
  std::string text;
  if (!files.read(path, text)) {
    return refuse({units::diagnose("E-FILE", std::string(path), "The log cannot be read",
                                   "Check the path; - reads standard input.")},
                  options.format);
  }
  scenario::Decoded beside = scenario::decode(keys, scenario::Strictness::kCommandLine);
  attach_file(files, beside);
  const scenario::LogReport report = scenario::check_log(text, beside, catalogue);
  Result result;
  result.status = report.ok ? 0 : 2;
  result.err = lines_of(report.diagnostics);
  if (options.format == Format::kJson) {
    result.out = scenario::to_json(report) + "\n";
  } else if (options.format == Format::kMarkdown) {
    result.out = scenario::to_markdown(report);
  } else {
    result.out = scenario::to_text(report);
  }
  return result;
}

}  // namespace kvseats::cli
