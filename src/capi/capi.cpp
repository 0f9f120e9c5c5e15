#include "capi/capi.h"

#include <optional>
#include <string>
#include <string_view>

#include "capi/request.h"
#include "capi/run.h"
#include "catalogue/catalogue.h"
#include "scenario/present.h"

/// Exported by the modules that name it in their link options (cmake/programs.cmake).
#define KVSEATS_EXPORT __attribute__((visibility("default")))

struct KvSeats {
  std::optional<kvseats::catalogue::Catalogue> catalogue;
  kvseats::units::Diagnostic trouble;  ///< why there is no catalogue
};

struct KvSeatsRun {
  std::unique_ptr<kvseats::scenario::SimulationRun> run;  ///< null: `trouble` says why
  kvseats::units::Diagnostic trouble;
};

struct KvSeatsText {
  std::string bytes;
};

namespace {

using kvseats::capi::Answer;
using kvseats::capi::Request;

// Calls and not a table of functions: cmake/split_wasm.py follows calls to see what a module needs.
Answer answer(const kvseats::catalogue::Catalogue& catalogue, const Request& request) {
  namespace capi = kvseats::capi;
  const std::string_view operation = request.operation;
  if (operation == "evaluate") return capi::answer_evaluate(catalogue, request);
  if (operation == "first") return capi::answer_first(catalogue, request);
  if (operation == "page") return capi::answer_page(catalogue, request);
  if (operation == "fields") return capi::answer_fields(catalogue, request);
  if (operation == "edit") return capi::answer_edit(catalogue, request);
  if (operation == "choices") return capi::answer_choices(catalogue, request);
  if (operation == "list") return capi::answer_list(catalogue, request);
  if (operation == "byhand") return capi::answer_byhand(catalogue, request);
  if (operation == "compare") return capi::answer_compare(catalogue, request);
  if (operation == "markdown") return capi::answer_markdown(catalogue, request);
  if (operation == "svg") return capi::answer_svg(catalogue, request);
  if (operation == "solve") return capi::answer_solve(catalogue, request);
  if (operation == "offers") return capi::answer_offers(catalogue, request);
  if (operation == "rent") return capi::answer_rent(catalogue, request);
  if (operation == "sweep") return capi::answer_sweep(catalogue, request);
  if (operation == "report") return capi::answer_report(catalogue, request);
  if (operation == "lengths") return capi::answer_lengths(catalogue, request);
  return tl::unexpected(kvseats::units::diagnose(
      "E-OPERATION", "request", "There is no operation \"" + request.operation + "\".",
      "Use one that capi.h lists."));
}

std::string error_json(const kvseats::units::Diagnostic& trouble) {
  // The one diagnostic of a list, without the list's brackets.
  std::string list = kvseats::scenario::to_json(kvseats::units::Diagnostics{trouble}, 0);
  return "{\"error\":" + list.substr(1, list.size() - 2) + "}";
}

using Answering = Answer(const kvseats::catalogue::Catalogue&, const Request&);

template <Answering* answering>
KvSeatsText* text_of(const KvSeats& kv, std::string_view bytes) {
  Answer result = kv.catalogue ? answering(*kv.catalogue, kvseats::capi::parse_request(bytes))
                               : tl::unexpected(kv.trouble);
  return new KvSeatsText{result ? std::move(*result) : error_json(result.error())};
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

KVSEATS_EXPORT KvSeatsText* kvseats_first(const KvSeats* kv, const char* request, size_t size) {
  return text_of<kvseats::capi::answer_early>(*kv, {request, size});
}

KVSEATS_EXPORT KvSeatsText* kvseats_call(const KvSeats* kv, const char* request, size_t size) {
  return text_of<answer>(*kv, {request, size});
}

KVSEATS_EXPORT KvSeatsRun* kvseats_run(const KvSeats* kv, const char* request, size_t size) {
  auto* run = new KvSeatsRun;
  if (kv->catalogue) {
    run->run =
        kvseats::capi::begin_run(*kv->catalogue, kvseats::capi::parse_request({request, size}));
  } else {
    run->trouble = kv->trouble;
  }
  return run;
}

KVSEATS_EXPORT double kvseats_run_step(KvSeatsRun* run, unsigned steps) {
  if (run->run == nullptr || run->run->step(steps)) return 1;
  // Not done: never the number that says so.
  const double progress = run->run->progress();
  return progress < 1 ? progress : 0.999;
}

KVSEATS_EXPORT KvSeatsText* kvseats_run_call(const KvSeatsRun* run, const char* request,
                                             size_t size) {
  if (run->run == nullptr) return new KvSeatsText{error_json(run->trouble)};
  Answer result =
      kvseats::capi::answer_run(*run->run, kvseats::capi::parse_request({request, size}));
  return new KvSeatsText{result ? std::move(*result) : error_json(result.error())};
}

KVSEATS_EXPORT void kvseats_run_close(KvSeatsRun* run) {
  delete run;
}

KVSEATS_EXPORT KvSeatsText* kvseats_import(const char* request, size_t size) {
  return new KvSeatsText{
      kvseats::capi::import_file(kvseats::capi::parse_request(std::string_view(request, size)))};
}

KVSEATS_EXPORT KvSeatsText* kvseats_check(const KvSeats* kv, const char* request, size_t size) {
  return text_of<kvseats::capi::check_log>(*kv, {request, size});
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
