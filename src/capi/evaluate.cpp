
#include "capi/request.h"
#include "scenario/present.h"
#include "scenario/rates.h"

namespace kvseats::capi {

Answer answer_evaluate(const catalogue::Catalogue& catalogue, const Request& request) {
  const auto strictness =
      request.flag("strict") ? scenario::Strictness::kCommandLine : scenario::Strictness::kLink;
  const scenario::Decoded decoded = scenario::decode(request.payload, strictness);
  scenario::Report report = scenario::evaluate_with_rates(decoded, catalogue);
  scenario::add_sizing(report);
  return scenario::to_json(report, 0);
}

}  // namespace kvseats::capi
