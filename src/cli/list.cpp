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
  result.out = in_format(options.format, *table, *table, catalogue);
  return result;
}

}  // namespace kvseats::cli
