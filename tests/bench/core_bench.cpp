// Time of the core. Names with a budget are in tests/bench/budget.txt, which ./dev bench checks.
#include <benchmark/benchmark.h>

#include "bench/queries.h"
#include "embedded/catalogue.h"
#include "scenario/codec.h"
#include "scenario/evaluate.h"
#include "scenario/present.h"
#include "scenario/solve.h"
#include "traffic/simulation.h"

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

// An hour of ten requests a second, blocks of 16 tokens as a paged engine has them, or by the byte.
void simulate_hour(benchmark::State& state, engine::CostTerm term, std::uint64_t capacity) {
  traffic::Experiment hour;
  hour.ranks = {{.cost = engine::Cost(std::vector<engine::CostTerm>{term}), .capacity = capacity}};
  hour.pace = {.step_ns = 8000000, .prefill_ps = 30000000, .unit_ns = {.num = 0, .den = 1}};
  hour.streams = {{.prompt = traffic::Lengths::lognormal(800, 3000),
                   .output = traffic::Lengths::lognormal(300, 900),
                   .gap_ns = 100000000}};
  for (auto _ : state) {
    traffic::Simulation simulation(hour);
    benchmark::DoNotOptimize(simulation.step(UINT64_MAX));
    state.counters["finished"] = static_cast<double>(simulation.totals().finished);
    state.counters["peak"] = static_cast<double>(simulation.totals().peak_running);
    state.counters["steps"] = static_cast<double>(simulation.totals().steps);
  }
}

void to_json(benchmark::State& state) {
  const scenario::Report report =
      scenario::evaluate(decoded("model=llama-3.1-8b&gpu=h100-sxm"), shipped());
  for (auto _ : state) benchmark::DoNotOptimize(scenario::to_json(report));
}

// Fewest GPUs of four accelerators, as issue 7 asks.
void solve_gpus(benchmark::State& state, const char* model) {
  const std::string name = std::string("model=") + model;
  const std::string_view words[] = {"for=gpus", name, "context=128k", "users=64",
                                    "gpu=h100-sxm,h200,b200,mi300x"};
  const auto question = scenario::read_question(words, scenario::Strictness::kCommandLine);
  for (auto _ : state) {
    const scenario::Solution solution = scenario::solve(question, shipped());
    if (solution.gpus.size() != 4) state.SkipWithError("no answer");
    benchmark::DoNotOptimize(solution);
  }
}

void read_catalogue(benchmark::State& state) {
  const std::string_view bytes = embedded::catalogue("catalogue.txt");
  for (auto _ : state) benchmark::DoNotOptimize(catalogue::read_catalogue(bytes));
}

BENCHMARK_CAPTURE(one_more_length, one_component, "model=llama-3.1-8b&gpu=h100-sxm");
BENCHMARK_CAPTURE(one_more_length, two_components, "model=gemma-3-27b&gpu=h100-sxm");
// 53 GB at 131,072 B a token: 25,272 blocks.
BENCHMARK_CAPTURE(simulate_hour, blocks, engine::CostTerm{.num = 1, .per = 16}, 25272)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulate_hour, bytes, engine::CostTerm{.num = 131072}, 53000000000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(solve_gpus, llama, "llama-3.3-70b")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(solve_gpus, deepseek, "deepseek-v3")->Unit(benchmark::kMillisecond);
BENCHMARK(to_json);
BENCHMARK(read_catalogue);

[[maybe_unused]] const bool kQueriesAreThere = [] {
  for (const bench::Query& query : bench::kQueries) {
    benchmark::RegisterBenchmark((std::string("evaluate_query/") + query.name).c_str(),
                                 evaluate_query, query.text);
  }
  return true;
}();

}  // namespace
