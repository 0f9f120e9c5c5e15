#include "scenario/evaluate.h"
#include "scenario/fields.h"
#include "scenario/solve.h"
#include "units/text.h"

// Most layers on one card with which the engine still starts for one request of `context`.
namespace kvseats::scenario {
namespace {

using units::grouped;

// Options are an engine's own: setting one tells whether it has it.
bool deals_out_layers(Scenario scenario) {
  return set_key(scenario, "ngl", "0").has_value();
}

Report with_layers(Scenario scenario, std::uint64_t layers, const catalogue::Catalogue& catalogue) {
  (void)set_key(scenario, "ngl", units::plain(layers));
  return evaluate(scenario, catalogue);
}

bool serves(const Report& report) {
  return report.ok && report.concurrency.requests.value_or(1) > 0;
}

std::string sentence_of(const Solution& out, std::uint64_t all) {
  if (!out.layers_on_gpu) return "Not even with all layers in host memory does one request start.";
  if (*out.layers_on_gpu == all) return "All " + grouped(all) + " layers fit on the card.";
  return grouped(*out.layers_on_gpu) + " of " + grouped(all) +
         " layers fit on the card; the others stay in host memory.";
}

}  // namespace

void solve_offload(const Question& question, const catalogue::Catalogue& catalogue, Solution& out) {
  const Scenario& scenario = question.decoded.scenario;
  if (!deals_out_layers(scenario)) {
    out.ok = false;
    out.diagnostics.push_back(units::diagnose("E-SOLVE", "for",
                                              "This engine keeps all layers on the GPU",
                                              "Add engine=llama.cpp, or use for=gpus."));
    return;
  }
  out.report = evaluate(scenario, catalogue);
  out.ok = out.report.ok;
  if (!out.ok) return;
  // The output layer counts as one more (llama.cpp's --n-gpu-layers).
  const std::uint64_t all = out.report.model.layers + 1;
  // Fewer layers on the card never need more of it: bisect for the most that serve.
  std::uint64_t low = 0;
  std::uint64_t high = all + 1;
  if (serves(with_layers(scenario, 0, catalogue))) {
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (serves(with_layers(scenario, middle, catalogue)) ? low : high) = middle;
    }
    out.layers_on_gpu = low;
    out.report = with_layers(scenario, low, catalogue);
  }
  out.sentence = sentence_of(out, all);
}

}  // namespace kvseats::scenario
