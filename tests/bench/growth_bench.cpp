// The core beside the plain formula, and how time grows with what is asked.
#include <benchmark/benchmark.h>

#include <array>
#include <string>
#include <vector>

#include "embedded/catalogue.h"
#include "scenario/codec.h"
#include "scenario/evaluate.h"
#include "traffic/simulation.h"

namespace {

using namespace kvseats;

const catalogue::Catalogue& shipped() {
  static const auto read = catalogue::read_catalogue(embedded::catalogue("catalogue.txt"));
  return *read;
}

scenario::Report report_of(const std::string& query) {
  return scenario::evaluate(scenario::decode(query, scenario::Strictness::kCommandLine), shipped());
}

constexpr std::size_t kLevers = 8;
constexpr std::uint64_t kStep = 128;  // tokens from one context to the next

// The reference, as it stands in every article: 2 × layers × heads × width × bytes × tokens.
void plain_formula(benchmark::State& state) {
  struct Lever {
    std::uint64_t layers = 32, heads = 8, width = 128, bytes = 2, pool = 53000000000;
  };
  std::array<Lever, kLevers> levers{};
  for (std::size_t i = 0; i < kLevers; ++i) levers[i].pool += i * 1000000000;
  benchmark::DoNotOptimize(levers);
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (std::int64_t i = 1; i <= state.range(0); ++i) {
      for (const Lever& l : levers) {
        const std::uint64_t request =
            2 * l.layers * l.heads * l.width * l.bytes * static_cast<std::uint64_t>(i) * kStep;
        sum += l.pool / request;
      }
    }
    benchmark::DoNotOptimize(sum);
  }
}

// The same picture by the compiled form: the curve and seven levers, checked arithmetic throughout.
void frontier(benchmark::State& state, const char* query) {
  const scenario::Report report = report_of(query);
  std::vector<std::vector<engine::Rank>> curves = {report.ranks};
  for (const auto& lever : report.levers) {
    if (!lever.ranks.empty() && curves.size() < kLevers) curves.push_back(lever.ranks);
  }
  while (curves.size() < kLevers) curves.push_back(report.ranks);
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (std::int64_t i = 1; i <= state.range(0); ++i) {
      const std::uint64_t tokens = static_cast<std::uint64_t>(i) * kStep;
      for (const auto& ranks : curves) {
        sum += engine::requests_at(ranks, tokens);
      }
    }
    benchmark::DoNotOptimize(sum);
  }
}

// One group of as many layers; and layers that differ from their neighbours, two kinds in turn.
void evaluate_layers(benchmark::State& state) {
  const std::string n = std::to_string(state.range(0));
  const auto input = scenario::decode(
      "model=custom&params=8b&pool=53GB&shape=full:" + n + "x8x128+window:" + n + "x8x128@1024",
      scenario::Strictness::kCommandLine);
  for (auto _ : state) benchmark::DoNotOptimize(scenario::evaluate(input, shipped()));
}

// Blocks of 16 tokens, ten requests a second, as many requests.
void simulate_requests(benchmark::State& state) {
  traffic::Experiment run;
  run.ranks = {{.cost = engine::Cost(std::vector<engine::CostTerm>{{.num = 1, .per = 16}}),
                .capacity = 25272}};
  run.pace = {.step_ns = 8000000, .prefill_ps = 30000000, .unit_ns = {.num = 0, .den = 1}};
  run.streams = {{.prompt = traffic::Lengths::lognormal(800, 3000),
                  .output = traffic::Lengths::lognormal(300, 900),
                  .gap_ns = 100000000}};
  run.horizon_ns = static_cast<std::uint64_t>(state.range(0)) * 100000000;
  for (auto _ : state) {
    traffic::Simulation simulation(run);
    benchmark::DoNotOptimize(simulation.step(UINT64_MAX));
  }
}

BENCHMARK(plain_formula)->Arg(1000)->Arg(10000);
BENCHMARK_CAPTURE(frontier, one_component, "model=llama-3.1-8b&gpu=h100-sxm")
    ->Arg(1000)
    ->Arg(10000);
BENCHMARK_CAPTURE(frontier, vllm_windows, "model=gemma-3-27b&gpu=h100-sxm&engine=vllm&tp=2")
    ->Arg(1000);
BENCHMARK(evaluate_layers)->Arg(8)->Arg(80)->Arg(800);
BENCHMARK(simulate_requests)->Arg(3600)->Arg(36000)->Unit(benchmark::kMillisecond);

}  // namespace
