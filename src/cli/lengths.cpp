#include "scenario/lengths.h"

#include "cli/options.h"

// lengths: a list or a CSV of real lengths as a distribution.
namespace kvseats::cli {

Result run_lengths(const Options& options, const catalogue::Catalogue& catalogue,
                   const Files& files) {
  std::string_view path;
  std::vector<std::string_view> keys;
  for (const std::string_view word : options.words) {
    const bool is_key = word.find('=') != std::string_view::npos;
    if (path.empty() && !is_key) {
      path = word;
    } else {
      keys.push_back(word);
    }
  }
  if (path.empty()) {
    return refuse({units::diagnose("E-ARGUMENTS", "lengths", "A file is needed",
                                   "kvseats lengths FILE [column=NAME], or - for standard input.")},
                  options.format);
  }
  std::string text;
  if (!files.read(path, text)) {
    return refuse({units::diagnose("E-FILE", std::string(path), "The file cannot be read",
                                   "Check the path; - reads standard input.")},
                  options.format);
  }
  const auto pasted = scenario::read_pasted(text, scenario::read_lengths_question(keys));
  if (!pasted.ok) return refuse(pasted.diagnostics, options.format);
  Result result;
  result.err = lines_of(pasted.diagnostics);
  result.out = in_format(options.format, pasted, scenario::to_table(pasted), catalogue);
  return result;
}

}  // namespace kvseats::cli
