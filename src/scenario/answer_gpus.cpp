#include <algorithm>

#include "engine/hand/hand.h"
#include "engine/split.h"
#include "scenario/answer.h"
#include "units/text.h"

// What every kind of GPU of the deployment holds, and what an allocation holds beyond need.
namespace kvseats::scenario {
namespace {

using units::Bytes;
using units::checked_add;
using units::checked_mul;
using units::grouped;

// All pools of the GPUs of a stage.
struct Pools {
  Bytes capacity, taken;
  std::uint64_t stages = 1;
  Bytes weights;
};

Pools pools_of(const Answer& answer, std::uint32_t stage) {
  const engine::Outcome& out = answer.outcome;
  const std::uint64_t held = held_now(answer);
  Pools pools;
  for (const engine::Rank& rank : out.ranks) {
    if (rank.stage != stage) continue;
    const Bytes unit = engine::unit_of(out, rank);
    pools.capacity += unit * rank.capacity;
    pools.taken += unit * engine::taken(rank, answer.load.tokens, answer.load.shared, held);
    pools.stages = rank.stages;
    pools.weights = rank.weights;
  }
  pools.taken = std::min(pools.taken, pools.capacity);
  return pools;
}

void add_part(Report::Gpu& gpu, std::string id, std::string label, std::string kind, Bytes bytes,
              std::uint64_t copies) {
  if (bytes.raw() == 0) return;
  gpu.parts.push_back({.id = std::move(id),
                       .label = std::move(label),
                       .kind = std::move(kind),
                       .bytes = bytes,
                       .copies = copies});
}

// The cache that is needed, one part for each kind of layers; the rest of what is taken is waste.
void add_cache(const Answer& answer, std::uint32_t stage, Bytes taken, Report::Gpu& gpu) {
  const std::uint64_t held = held_now(answer);
  const Resolved& r = *answer.resolved;
  const std::uint64_t tokens = r.length(r.prompt, r.output);
  Bytes left = taken;
  std::size_t at = 0;
  for (const engine::HandPart& part : answer.hand_stages[stage].parts) {
    const std::string kind(model::component_name(part.kind));
    const Bytes need =
        units::bytes(engine::shares_of(part.cost, tokens, answer.load.shared).held(held));
    const Bytes here = std::min(need, left);
    left = left_after(left, here);
    add_part(gpu, "cache." + units::plain(at++) + "." + kind,
             kind + ", " + grouped(part.layers) + (part.layers == 1 ? " layer" : " layers"),
             "cache", here, part.copies);
  }
  add_part(gpu, "waste", "Allocated beyond need", "waste", left, 1);
}

std::string gpu_name(const Answer& answer, std::uint32_t stage, std::uint64_t alike) {
  const engine::Parallel& p = answer.resolved->inputs.parallel;
  const std::string each = p.tp > 1 ? grouped(p.tp) + " GPUs" : std::string("1 GPU");
  if (p.pp == 1) return p.tp > 1 ? "each of " + each : "the GPU";
  std::string name = "stage " + grouped(stage + 1u) + " of " + grouped(p.pp);
  if (alike > 1) name += " and " + grouped(alike - 1) + " alike";
  return name + ", " + each;
}

// Routed experts are dealt out over ep where the rest is split over tp, or copied.
void add_weights(const Answer& answer, Bytes weights, bool by_device, Report::Gpu& gpu) {
  const engine::Inputs& in = answer.resolved->inputs;
  const bool several = std::uint64_t{in.parallel.tp} * in.parallel.dp * in.parallel.ep > 1;
  Bytes experts;
  if (several && !by_device) experts = engine::expert_bytes_on_gpu(in.weights, in.parallel);
  experts = std::min(experts, weights);
  add_part(gpu, "weights", experts.raw() == 0 ? "Weights" : "Weights but experts", "weights",
           left_after(weights, experts), 1);
  add_part(gpu, "weights.experts", "Routed experts", "weights", experts, 1);
}

Report::Gpu gpu_of(const Answer& answer, std::uint32_t stage, bool binding) {
  const engine::Outcome& out = answer.outcome;
  const engine::Parallel& p = answer.resolved->inputs.parallel;
  const Pools pools = pools_of(answer, stage);
  Report::Gpu gpu;
  gpu.stage = stage;
  gpu.stages = pools.stages;
  gpu.count = pools.stages * p.tp;
  gpu.name = gpu_name(answer, stage, pools.stages);
  gpu.binding = binding;
  const Bytes weights = pools.weights.raw() != 0 ? pools.weights : budget_amount(out, "weights");
  add_part(gpu, "used", "Held by other programs", "used", budget_amount(out, "used"), 1);
  add_weights(answer, weights, pools.weights.raw() != 0, gpu);
  add_part(gpu, "overhead", "Overhead", "overhead", budget_amount(out, "overhead"), 1);
  add_cache(answer, stage, pools.taken, gpu);
  add_part(gpu, "free", free_label(answer), "free", left_after(pools.capacity, pools.taken), 1);
  return gpu;
}

}  // namespace

void fill_gpus(const Answer& answer, Report& report) {
  const std::vector<engine::Rank>& ranks = answer.outcome.ranks;
  if (answer.outcome.pool.no_room || ranks.empty()) return;
  const std::uint32_t tight =
      ranks[engine::tightest(ranks, answer.load.tokens, answer.load.shared)].stage;
  for (const engine::Rank& rank : ranks) {
    const bool known = std::any_of(report.gpus.begin(), report.gpus.end(),
                                   [&](const Report::Gpu& g) { return g.stage == rank.stage; });
    if (known || rank.stage >= answer.hand_stages.size()) continue;
    report.gpus.push_back(gpu_of(answer, rank.stage, rank.stage == tight));
  }
}

void fill_waste(const Answer& answer, Report& report) {
  for (const engine::WasteRow& row : answer.outcome.waste) {
    report.waste.push_back({row.id, row.label, row.bytes});
  }
  for (const engine::BudgetTerm& term : answer.outcome.host) {
    report.host_memory.push_back({.id = term.id,
                                  .label = term.label,
                                  .kind = term.id == "weights" ? "weights" : "cache",
                                  .bytes = term.typical,
                                  .ledger_id = "host." + term.id});
  }
}

}  // namespace kvseats::scenario
