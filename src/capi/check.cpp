#include "scenario/check.h"
#include "capi/request.h"

namespace kvseats::capi {

Answer check_log(const catalogue::Catalogue& catalogue, const Request& request) {
  const scenario::Decoded beside =
      scenario::decode(request.text("keys"), scenario::Strictness::kCommandLine);
  return scenario::to_json(scenario::check_log(request.payload, beside, catalogue), 0);
}

}  // namespace kvseats::capi
