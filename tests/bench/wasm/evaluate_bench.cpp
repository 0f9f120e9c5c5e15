// Time of `evaluate` as wasm, built as the page's program is (-Oz when linked, emmalloc): medians
// in nanoseconds, a line each, for tests/bench/check.py. Google Benchmark is not among what
// Emscripten brings.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "bench/queries.h"
#include "embedded/catalogue.h"
#include "scenario/codec.h"
#include "scenario/evaluate.h"

namespace {

using namespace kvseats;
using Clock = std::chrono::steady_clock;

constexpr int kCalls = 500;

double nanoseconds_a_call(const scenario::Decoded& input, const catalogue::Catalogue& catalogue) {
  std::size_t rows = 0;  // used below, so that no call is left out
  const auto start = Clock::now();
  for (int i = 0; i < kCalls; ++i) rows += scenario::evaluate(input, catalogue).ledger.size();
  const std::chrono::duration<double, std::nano> took = Clock::now() - start;
  return rows > 0 ? took.count() / kCalls : 0;
}

}  // namespace

int main() {
  const auto catalogue = catalogue::read_catalogue(embedded::catalogue("catalogue.txt"));
  for (const bench::Query& query : bench::kQueries) {
    const auto input = scenario::decode(query.text, scenario::Strictness::kCommandLine);
    std::array<double, 15> times;
    for (int i = 0; i < 4; ++i) {  // meanwhile the engine compiles again what is called often
      nanoseconds_a_call(input, *catalogue);
    }
    for (double& time : times) time = nanoseconds_a_call(input, *catalogue);
    std::sort(times.begin(), times.end());
    std::printf("evaluate_wasm/%s %.0f\n", query.name, times[times.size() / 2]);
  }
  return 0;
}
