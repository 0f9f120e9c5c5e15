#include "capi/request.h"
#include "scenario/codec.h"
#include "scenario/solve.h"
#include "scenario/sweep.h"

namespace kvseats::capi {

Answer answer_solve(const catalogue::Catalogue& catalogue, const Request& request) {
  return scenario::to_json(
      scenario::solve(request.text("for", "context"),
                      scenario::decode(request.payload, scenario::Strictness::kLink), catalogue),
      0);
}

Answer answer_sweep(const catalogue::Catalogue& catalogue, const Request& request) {
  std::vector<std::string> words;
  std::string_view rest = request.payload;
  while (!rest.empty()) {
    const std::size_t end = rest.find('&');
    words.push_back(scenario::percent_decode(rest.substr(0, end)));
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  }
  if (const std::string_view columns = request.text("columns"); !columns.empty()) {
    words.push_back("columns=" + std::string(columns));
  }
  const std::vector<std::string_view> views(words.begin(), words.end());
  const scenario::Table table = scenario::sweep(views, catalogue);
  if (!table.ok && !table.diagnostics.empty()) return tl::unexpected(table.diagnostics.front());
  return "{\"rows\":" + scenario::to_json(table, 0) + "}";
}

}  // namespace kvseats::capi
