#include "capi/request.h"
#include "scenario/codec.h"
#include "scenario/solve.h"
#include "scenario/sweep.h"

namespace kvseats::capi {

Answer answer_solve(const catalogue::Catalogue& catalogue, const Request& request) {
  std::vector<std::string> words = scenario::words_of_query(request.payload);
  words.push_back("for=" + std::string(request.text("for", "context")));
  const std::vector<std::string_view> views(words.begin(), words.end());
  return scenario::to_json(
      scenario::solve(scenario::read_question(views, scenario::Strictness::kLink), catalogue), 0);
}

Answer answer_sweep(const catalogue::Catalogue& catalogue, const Request& request) {
  std::vector<std::string> words = scenario::words_of_query(request.payload);
  if (const std::string_view columns = request.text("columns"); !columns.empty()) {
    words.push_back("columns=" + std::string(columns));
  }
  const std::vector<std::string_view> views(words.begin(), words.end());
  const scenario::Table table = scenario::sweep(views, catalogue);
  if (!table.ok && !table.diagnostics.empty()) return tl::unexpected(table.diagnostics.front());
  return "{\"rows\":" + scenario::to_json(table, 0) + "}";
}

}  // namespace kvseats::capi
