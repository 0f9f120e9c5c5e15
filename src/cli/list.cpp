#include "cli/options.h"
#include "scenario/lists.h"
#include "units/text.h"

// list models|gpus|engines|formats|keys|presets
namespace kvseats::cli {

Result run_list(const Options& options, const catalogue::Catalogue& catalogue) {
  const std::string_view what = options.words.size() == 1 ? options.words[0] : std::string_view();
  const auto table = scenario::list(what, catalogue);
  if (!table) return refuse({table.error()}, options.format);
  Result result;
  switch (options.format) {
    case Format::kJson:
      result.out = scenario::to_json(*table) + "\n";
      break;
    case Format::kCsv:
      result.out = scenario::to_csv(*table, catalogue);
      break;
    case Format::kMarkdown:
      result.out = scenario::to_markdown(*table);
      break;
    case Format::kByHand:
    case Format::kFlags:
    case Format::kHtml:
    case Format::kText:
      result.out = scenario::to_text(*table);
      break;
  }
  return result;
}

}  // namespace kvseats::cli
