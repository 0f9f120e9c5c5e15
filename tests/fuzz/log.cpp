// A log of anybody's making is read in linear time and becomes a report or E-LOG; the link that
// comes out of it is one.
#include "embedded/catalogue.h"
#include "scenario/check.h"
#include "scenario/codec.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  using namespace kvseats::scenario;
  static const auto catalogue =
      kvseats::catalogue::read_catalogue(kvseats::embedded::catalogue("catalogue.txt"));
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const LogReport report = check_log(text, {}, *catalogue);
  if (!report.ok && report.diagnostics.empty()) __builtin_trap();
  for (const std::string& query : {report.query, report.pool_query}) {
    const Decoded decoded = decode(query, Strictness::kCommandLine);
    if (encode(decoded.scenario) != query) __builtin_trap();
  }
  (void)to_json(report);
  (void)to_text(report);
  (void)to_markdown(report);
  return 0;
}
