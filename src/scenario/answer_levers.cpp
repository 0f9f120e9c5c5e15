#include <algorithm>

#include "engine/split.h"
#include "scenario/answer.h"
#include "scenario/codec.h"
#include "scenario/fields.h"
#include "units/text.h"

// One change at a time, each computed by the same engine: ghosts, remedies, the waterfall.
namespace kvseats::scenario {
namespace {

using units::grouped;

struct Change {
  std::string id;
  std::string label;
  std::string price;
  int price_rank = 0;
  engine::Inputs inputs;
  Scenario scenario;
  bool reserved = false;
};

std::uint32_t most_heads(const model::Model& model) {
  std::uint32_t most = 0;
  for (const model::LayerGroup& group : model.groups) {
    if (group.kind != model::CacheKind::kLatent) most = std::max(most, group.kv_heads);
  }
  return most;
}

Change same(const Answer& answer, const Scenario& scenario, std::string id, std::string label,
            std::string price, int rank) {
  Change change;
  change.id = std::move(id);
  change.label = std::move(label);
  change.price = std::move(price);
  change.price_rank = rank;
  change.inputs = answer.resolved->inputs;
  change.scenario = scenario;
  change.reserved = answer.resolved->alloc == engine::Alloc::kReserved;
  return change;
}

void set(Scenario& scenario, std::string_view key, std::string_view text) {
  // Keys and values here are ours: a failure would be a bug that the lever tests show.
  (void)set_key(scenario, key, text);
}

void try_format(const Answer& answer, const Scenario& scenario, std::string_view format_id,
                std::string id, std::string label, std::string price, int rank,
                std::vector<Change>& out) {
  const model::CacheFormat* format = model::find_cache_format(format_id);
  const model::CacheFormat* now = answer.resolved->formats.k;
  // Only a step down is a lever: compare bytes per 1,024 elements.
  if (format == nullptr || now == nullptr) return;
  const units::Ratio wanted = model::row_bytes(*format, 1024);
  const units::Ratio had = model::row_bytes(*now, 1024);
  if (wanted.num * had.den * 10 >= had.num * wanted.den * 9) return;
  Change change = same(answer, scenario, std::move(id), std::move(label), std::move(price), rank);
  change.inputs.formats = {.k = format, .v = format};
  clear_key(change.scenario, "k");
  clear_key(change.scenario, "v");
  set(change.scenario, "kv", format_id);
  out.push_back(std::move(change));
}

// The same deployment with one of its parallel sizes doubled.
Change doubled(const Answer& answer, const Scenario& scenario, const char* key,
               std::uint32_t engine::Parallel::*size) {
  const engine::Parallel& p = answer.resolved->inputs.parallel;
  const std::uint64_t gpus = std::uint64_t{p.tp} * p.pp * p.dp * 2;
  Change change = same(answer, scenario, "gpus2", grouped(gpus) + " GPUs", "twice the hardware", 3);
  change.inputs.parallel.*size *= 2;
  set(change.scenario, key, units::plain(change.inputs.parallel.*size));
  return change;
}

// What the engine makes of it, or none where it refuses.
std::optional<std::uint64_t> requests_of(const Answer& answer, const Change& change) {
  const engine::Outcome outcome = answer.resolved->profile->run(change.inputs);
  if (units::has_error(outcome.diagnostics)) return std::nullopt;
  return plan::capacity(outcome.ranks, answer.load, outcome.seq_cap, change.inputs.parallel.dp)
      .requests;
}

// Twice the GPUs: split the heads further where that is possible and the engine does so; else a
// second copy or twice the stages, whichever serves more.
void add_gpus(const Answer& answer, const Scenario& scenario, std::vector<Change>& out) {
  const engine::Parallel& p = answer.resolved->inputs.parallel;
  if (!answer.resolved->inputs.memories.empty()) return;  // which card would be the next?
  const std::uint32_t heads = most_heads(answer.resolved->model);
  if (heads != 0 && p.dp == 1 && heads % (p.tp * 2) == 0) {
    Change split = doubled(answer, scenario, "tp", &engine::Parallel::tp);
    if (requests_of(answer, split)) {
      out.push_back(std::move(split));
      return;
    }
  }
  Change copies = doubled(answer, scenario, "dp", &engine::Parallel::dp);
  const auto by_copies = requests_of(answer, copies);
  if (p.pp * 2 <= answer.resolved->model.layers) {
    Change stages = doubled(answer, scenario, "pp", &engine::Parallel::pp);
    const auto by_stages = requests_of(answer, stages);
    if (by_stages && (!by_copies || *by_stages > *by_copies)) {
      out.push_back(std::move(stages));
      return;
    }
  }
  if (by_copies) out.push_back(std::move(copies));
}

// A latent is the same on every GPU of a tensor-parallel group: copies that attend for requests of
// their own hold each only once, and the experts stay dealt out over all GPUs.
void add_attention_copies(const Answer& answer, const Scenario& scenario,
                          std::vector<Change>& out) {
  const engine::Inputs& in = answer.resolved->inputs;
  const model::Model& now = answer.resolved->model;
  const bool latent =
      std::any_of(now.groups.begin(), now.groups.end(),
                  [](const model::LayerGroup& g) { return g.kind == model::CacheKind::kLatent; });
  if (!latent || in.parallel.tp < 2 || in.parallel.dcp > 1 || now.moe.experts == 0) return;
  const std::uint32_t gpus = in.parallel.tp * in.parallel.dp;
  Change change =
      same(answer, scenario, "attentiondp", "DP " + grouped(gpus) + " + EP " + grouped(gpus),
           "nothing but a setting: under TP " + grouped(in.parallel.tp) +
               " every GPU holds the same latent cache",
           1);
  change.inputs.parallel.tp = 1;
  change.inputs.parallel.dp = change.inputs.parallel.ep = gpus;
  clear_key(change.scenario, "tp");
  set(change.scenario, "dp", units::plain(gpus));
  set(change.scenario, "ep", units::plain(gpus));
  if (requests_of(answer, change)) out.push_back(std::move(change));
}

void add_paged(const Answer& answer, const Scenario& scenario, std::vector<Change>& out) {
  if (answer.resolved->alloc != engine::Alloc::kReserved) return;
  Change change =
      same(answer, scenario, "paged", "Paged memory", "nothing; it is what engines do", 1);
  change.reserved = false;
  change.inputs.alloc = engine::Alloc::kPaged;
  set(change.scenario, "alloc", "paged");
  out.push_back(std::move(change));
}

// What it would be without grouped-query attention: a step back, for scale.
bool add_without_gqa(const Answer& answer, const Scenario& scenario, model::Model& copy,
                     std::vector<Change>& out) {
  const model::Model& now = answer.resolved->model;
  if (now.groups.size() != 1 || now.groups[0].kind != model::CacheKind::kFull) return false;
  if (now.attention_heads <= now.groups[0].kv_heads) return false;
  copy = now;
  copy.groups[0].kv_heads = now.attention_heads;
  Change change = same(answer, scenario, "mha", "Without shared KV heads", "", -1);
  change.inputs.model = &copy;
  set(change.scenario, "kvheads", units::plain(now.attention_heads));
  out.push_back(std::move(change));
  return true;
}

// Its name where there is little room.
std::string brief_of(const Change& change) {
  if (change.id == "kv8") return "8-bit";
  if (change.id == "kv4") return "4-bit";
  if (change.id == "mha") return "MHA";
  return change.id == "paged" ? "paged" : change.label;
}

Report::Lever compute_lever(const Answer& answer, const Change& change) {
  const Resolved& r = *answer.resolved;
  const engine::Outcome outcome = r.profile->run(change.inputs);
  const plan::Load load = load_of(r, change.reserved);
  const std::uint64_t dp = change.inputs.parallel.dp;
  plan::Capacity fit = plan::capacity(outcome.ranks, load, outcome.seq_cap, dp);
  if (!stop_of(*r.profile, outcome, r.context, fit.requests).empty()) fit.requests = 0;
  const std::uint64_t requests = answer.stop.empty() ? answer.now.requests : 0;
  Report::Lever lever;
  lever.id = change.id;
  lever.label = change.label;
  lever.brief = brief_of(change);
  lever.query = encode(change.scenario);
  lever.requests = maybe(fit.requests);
  lever.times = requests == 0 || fit.requests == units::kOutOfRange
                    ? 0
                    : static_cast<double>(fit.requests) / static_cast<double>(requests);
  lever.helps = fit.requests > requests;
  lever.reaches_users = fit.requests >= r.users;
  lever.price = change.price;
  lever.price_rank = change.price_rank;
  lever.ranks = outcome.ranks;
  lever.copies = dp;
  lever.seq_cap = outcome.seq_cap;
  lever.reserved = change.reserved;
  return lever;
}

}  // namespace

void fill_levers(const Answer& answer, const Scenario& scenario, Report& report) {
  std::vector<Change> changes;
  model::Model without_gqa;
  add_paged(answer, scenario, changes);
  try_format(answer, scenario, "fp8", "kv8", "8-bit cache", "a small risk to quality", 2, changes);
  add_attention_copies(answer, scenario, changes);
  add_gpus(answer, scenario, changes);
  try_format(answer, scenario, "fp4", "kv4", "4-bit cache", "a larger risk to quality", 4, changes);
  add_without_gqa(answer, scenario, without_gqa, changes);
  for (const Change& change : changes) {
    report.levers.push_back(compute_lever(answer, change));
  }
}

}  // namespace kvseats::scenario
