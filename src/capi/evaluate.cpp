#include "scenario/evaluate.h"

#include "capi/request.h"
#include "scenario/present.h"

namespace kvseats::capi {

Answer answer_evaluate(const catalogue::Catalogue& catalogue, const Request& request) {
  const auto strictness =
      request.flag("strict") ? scenario::Strictness::kCommandLine : scenario::Strictness::kLink;
  const scenario::Decoded decoded = scenario::decode(request.payload, strictness);
  return scenario::to_json(scenario::evaluate(decoded, catalogue), 0);
}

}  // namespace kvseats::capi
