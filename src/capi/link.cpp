#include "capi/link.h"

namespace kvseats::capi {

std::string link_text(const scenario::Decoded& decoded) {
  return link_text(scenario::encode(decoded.scenario), decoded);
}

std::string link_text(std::string link, const scenario::Decoded& decoded) {
  for (const auto* list : {&decoded.page, &decoded.unknown}) {
    for (const auto& [key, value] : *list) {
      if (!link.empty()) link += '&';
      link += scenario::percent_encode(key);
      link += '=';
      link += scenario::percent_encode(value);
    }
  }
  return link;
}

}  // namespace kvseats::capi
