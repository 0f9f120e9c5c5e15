// Time of the core. Names with a budget are in tests/bench/budget.txt, which ./dev bench checks.
#include <benchmark/benchmark.h>

#include "embedded/catalogue.h"
#include "scenario/codec.h"
#include "scenario/evaluate.h"
#include "scenario/present.h"

namespace {

using namespace kvseats;

const catalogue::Catalogue& shipped() {
  static const auto read = catalogue::read_catalogue(embedded::catalogue("catalogue.txt"));
  return *read;
}

scenario::Decoded decoded(const char* query) {
  return scenario::decode(query, scenario::Strictness::kCommandLine);
}

void evaluate_query(benchmark::State& state, const char* query) {
  const scenario::Decoded input = decoded(query);
  for (auto _ : state) benchmark::DoNotOptimize(scenario::evaluate(input, shipped()));
}

// One more length on a compiled scenario. `ranks` is the compiled form.
void one_more_length(benchmark::State& state, const char* query) {
  const scenario::Report report = scenario::evaluate(decoded(query), shipped());
  if (report.ranks.empty()) {
    state.SkipWithError("the report has no compiled form");
    return;
  }
  const engine::Cost& cost = report.ranks[0].cost;
  std::uint64_t tokens = 1;
  for (auto _ : state) {
    benchmark::DoNotOptimize(cost.at(tokens));
    tokens = (tokens * 5 + 1) & 0xFFFFF;
  }
  state.counters["terms"] = static_cast<double>(cost.terms().size());
}

void to_json(benchmark::State& state) {
  const scenario::Report report =
      scenario::evaluate(decoded("model=llama-3.1-8b&gpu=h100-sxm"), shipped());
  for (auto _ : state) benchmark::DoNotOptimize(scenario::to_json(report));
}

void read_catalogue(benchmark::State& state) {
  const std::string_view bytes = embedded::catalogue("catalogue.txt");
  for (auto _ : state) benchmark::DoNotOptimize(catalogue::read_catalogue(bytes));
}

BENCHMARK_CAPTURE(evaluate_query, plain, "model=llama-3.1-8b&gpu=h100-sxm");
BENCHMARK_CAPTURE(evaluate_query, services,
                  "model=llama-3.1-8b&gpu=h100-sxm&pool=53GB&service=chat:1000+500x100"
                  "&service=documents:12000+1000x100");
BENCHMARK_CAPTURE(evaluate_query, split, "model=deepseek-v3&gpu=h200-sxm&tp=8&ep=8");
BENCHMARK_CAPTURE(evaluate_query, windows, "model=gemma-3-27b&gpu=h100-sxm&tp=2");
BENCHMARK_CAPTURE(one_more_length, one_component, "model=llama-3.1-8b&gpu=h100-sxm");
BENCHMARK_CAPTURE(one_more_length, two_components, "model=gemma-3-27b&gpu=h100-sxm");
BENCHMARK(to_json);
BENCHMARK(read_catalogue);

}  // namespace
