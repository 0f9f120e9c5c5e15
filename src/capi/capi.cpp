#include "capi/capi.h"

#include <optional>
#include <string>
#include <string_view>

#include "capi/request.h"
#include "catalogue/catalogue.h"
#include "scenario/present.h"

/// Exported by the modules that name it in their link options (cmake/programs.cmake).
#define KVSEATS_EXPORT __attribute__((visibility("default")))

struct KvSeats {
  std::optional<kvseats::catalogue::Catalogue> catalogue;
  kvseats::units::Diagnostic trouble;  ///< why there is no catalogue
};

struct KvSeatsText {
  std::string bytes;
};

namespace {

using kvseats::capi::Answer;
using kvseats::capi::Request;

struct Operation {
  std::string_view name;
  Answer (*answer)(const kvseats::catalogue::Catalogue&, const Request&);
};

constexpr Operation kOperations[] = {
    {"evaluate", kvseats::capi::answer_evaluate}, {"page", kvseats::capi::answer_page},
    {"fields", kvseats::capi::answer_fields},     {"edit", kvseats::capi::answer_edit},
    {"list", kvseats::capi::answer_list},         {"svg", kvseats::capi::answer_svg},
    {"solve", kvseats::capi::answer_solve},       {"sweep", kvseats::capi::answer_sweep},
};

Answer answer(const KvSeats& kv, const Request& request) {
  if (!kv.catalogue) return tl::unexpected(kv.trouble);
  for (const Operation& operation : kOperations) {
    if (operation.name == request.operation) return operation.answer(*kv.catalogue, request);
  }
  return tl::unexpected(kvseats::units::diagnose(
      "E-OPERATION", "request", "There is no operation \"" + request.operation + "\".",
      "Use one that capi.h lists."));
}

std::string error_json(const kvseats::units::Diagnostic& trouble) {
  // The one diagnostic of a list, without the list's brackets.
  std::string list = kvseats::scenario::to_json(kvseats::units::Diagnostics{trouble}, 0);
  return "{\"error\":" + list.substr(1, list.size() - 2) + "}";
}

}  // namespace

extern "C" {

KVSEATS_EXPORT KvSeats* kvseats_open(const char* catalogue, size_t size) {
  auto* kv = new KvSeats;
  auto parsed = kvseats::catalogue::read_catalogue(std::string_view(catalogue, size));
  if (parsed) {
    kv->catalogue = std::move(*parsed);
  } else {
    kv->trouble = std::move(parsed.error());
  }
  return kv;
}

KVSEATS_EXPORT void kvseats_close(KvSeats* kv) {
  delete kv;
}

KVSEATS_EXPORT KvSeatsText* kvseats_call(const KvSeats* kv, const char* request, size_t size) {
  Answer result = answer(*kv, kvseats::capi::parse_request(std::string_view(request, size)));
  return new KvSeatsText{result ? std::move(*result) : error_json(result.error())};
}

KVSEATS_EXPORT KvSeatsText* kvseats_import(const char* request, size_t size) {
  return new KvSeatsText{
      kvseats::capi::import_file(kvseats::capi::parse_request(std::string_view(request, size)))};
}

KVSEATS_EXPORT KvSeatsText* kvseats_check(const KvSeats* kv, const char* request, size_t size) {
  Answer result = kv->catalogue ? kvseats::capi::check_log(
                                      *kv->catalogue,
                                      kvseats::capi::parse_request(std::string_view(request, size)))
                                : tl::unexpected(kv->trouble);
  return new KvSeatsText{result ? std::move(*result) : error_json(result.error())};
}

KVSEATS_EXPORT const char* kvseats_text(const KvSeatsText* text) {
  return text->bytes.data();
}
KVSEATS_EXPORT size_t kvseats_size(const KvSeatsText* text) {
  return text->bytes.size();
}
KVSEATS_EXPORT void kvseats_free(KvSeatsText* text) {
  delete text;
}

}  // extern "C"
