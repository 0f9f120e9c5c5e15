#include "scenario/fields.h"

#include "capi/request.h"
#include "scenario/codec.h"
#include "scenario/present.h"

namespace kvseats::capi {

Answer answer_fields(const catalogue::Catalogue&, const Request& request) {
  const scenario::Decoded decoded = scenario::decode(request.payload, scenario::Strictness::kLink);
  return "{\"fields\":" + scenario::fields_json(decoded.scenario) + "}";
}

}  // namespace kvseats::capi
