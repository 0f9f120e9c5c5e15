// A config.json of anybody's making becomes a draft or diagnostics; what is accepted evaluates.
#include "embedded/catalogue.h"
#include "scenario/attach.h"
#include "scenario/evaluate.h"
#include "scenario/present.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  static const auto catalogue =
      kvseats::catalogue::read_catalogue(kvseats::embedded::catalogue("catalogue.txt"));
  kvseats::scenario::Scenario scenario;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto attached = kvseats::scenario::attach_model(scenario, bytes, "config.json");
  if (!attached.ok) {
    if (attached.diagnostics.empty()) __builtin_trap();  // a refusal says why
    return 0;
  }
  // The link carries the model: written and read back it is the same scenario.
  const std::string link = kvseats::scenario::encode(scenario);
  const auto again = kvseats::scenario::decode(link, kvseats::scenario::Strictness::kCommandLine);
  if (!(again.scenario == scenario)) __builtin_trap();
  (void)kvseats::scenario::to_json(kvseats::scenario::evaluate(scenario, *catalogue));
  return 0;
}
