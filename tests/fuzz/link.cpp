// Any text is read as a link, evaluates, and survives writing and reading.
#include "embedded/catalogue.h"
#include "scenario/codec.h"
#include "scenario/evaluate.h"
#include "scenario/present.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  using namespace kvseats::scenario;
  static const auto catalogue =
      kvseats::catalogue::read_catalogue(kvseats::embedded::catalogue("catalogue.txt"));
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Strictness strictness : {Strictness::kLink, Strictness::kCommandLine}) {
    const Decoded decoded = decode(text, strictness);
    const std::string link = encode(decoded.scenario);
    if (!(decode(link, strictness).scenario == decoded.scenario)) __builtin_trap();
    const Report report = evaluate(decoded, *catalogue);
    if (!report.ok && report.diagnostics.empty()) __builtin_trap();
    (void)to_json(report);
  }
  return 0;
}
