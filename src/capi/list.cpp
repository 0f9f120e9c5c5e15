#include "scenario/lists.h"

#include "capi/request.h"

namespace kvseats::capi {

Answer answer_list(const catalogue::Catalogue& catalogue, const Request& request) {
  const auto table = scenario::list(request.text("what", "models"), catalogue);
  if (!table) return tl::unexpected(table.error());
  return "{\"rows\":" + scenario::to_json(*table, 0) + "}";
}

}  // namespace kvseats::capi
