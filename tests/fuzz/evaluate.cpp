// Bytes choose a scenario among all that the field table allows: it evaluates, is sound (no NaN,
// sums that add up, no integer beyond 2^53 - 1), and its link gives the same report again.
#include "scenario/evaluate.h"
#include "embedded/catalogue.h"
#include "random/report_faults.h"
#include "random/scenarios.h"
#include "scenario/codec.h"
#include "scenario/present.h"
#include "scenario/rates.h"

#include <cstdio>

namespace {

void expect_sound(const std::string& fault, const std::string& query) {
  if (fault.empty()) return;
  std::fprintf(stderr, "%s\n%s\n", fault.c_str(), query.c_str());
  __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  using namespace kvseats;
  static const auto catalogue = catalogue::read_catalogue(embedded::catalogue("catalogue.txt"));
  testing::Draws draws(std::string_view(reinterpret_cast<const char*>(data), size));
  const std::string query = testing::random_query(draws, *catalogue);
  const scenario::Decoded decoded = scenario::decode(query, scenario::Strictness::kLink);
  const scenario::Report report = scenario::evaluate_with_rates(decoded, *catalogue);
  const std::string json = scenario::to_json(report);
  expect_sound(testing::report_fault(report), query);
  expect_sound(testing::json_fault(json), query);
  if (!report.ok || !report.diagnostics.empty()) return 0;
  const scenario::Decoded again = scenario::decode(report.query, scenario::Strictness::kLink);
  if (scenario::to_json(scenario::evaluate_with_rates(again, *catalogue)) != json) {
    expect_sound("its link gives another report", query);
  }
  return 0;
}
