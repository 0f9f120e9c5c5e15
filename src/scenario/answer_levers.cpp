#include <algorithm>

#include "engine/split.h"
#include "scenario/answer.h"
#include "scenario/codec.h"
#include "scenario/fields.h"
#include "scenario/present.h"
#include "units/text.h"

// One change at a time, each computed by the same engine: ghosts, remedies, the waterfall.
namespace kvseats::scenario {
namespace {

using units::grouped;

using Levers = std::vector<Report::Lever>;
using Names = std::initializer_list<std::string_view>;

struct Change {
  std::string id;
  std::string label;
  std::string price;
  int price_rank = 0;
  engine::Inputs inputs;
  Scenario scenario;
  bool reserved = false;
  bool drawn = true;
};

std::uint32_t most_heads(const model::Model& model) {
  std::uint32_t most = 0;
  for (const model::LayerGroup& group : model.groups) {
    if (group.kind != model::CacheKind::kLatent) most = std::max(most, group.kv_heads);
  }
  return most;
}

void set(Scenario& scenario, std::string_view key, std::string_view text) {
  // Keys and values here are ours: a failure would be a bug that the lever tests show.
  (void)set_key(scenario, key, text);
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
  if (change.inputs.pool_blocks || change.inputs.pool_tokens) {
    // What was counted in tokens is memory all the same: they become more as they get smaller.
    const units::Bytes pool = answer.outcome.pool.bytes;
    change.inputs.pool = pool;
    change.inputs.pool_blocks.reset();
    change.inputs.pool_tokens.reset();
    set(change.scenario, "pool", units::plain(pool.raw()));
  }
  change.reserved = answer.resolved->alloc == engine::Alloc::kReserved;
  return change;
}

// Its name where there is little room.
std::string brief_of(const Change& change) {
  if (change.id == "kv8") return "8-bit";
  if (change.id == "kv4") return "4-bit";
  if (change.id == "mha") return "no shared heads";
  if (change.id.starts_with("gpus")) return change.label.substr(0, change.label.find(','));
  return change.id == "paged" ? "paged" : change.label;
}

engine::Outcome outcome_of(const Answer& answer, const Change& change) {
  return answer.resolved->profile->run(change.inputs);
}

// What the engine makes of it, or none where it refuses what is asked: a format it has not.
std::optional<Report::Lever> compute_lever(const Answer& answer, const Change& change,
                                           const engine::Outcome& outcome) {
  const Resolved& r = *answer.resolved;
  if (units::has_error(outcome.diagnostics)) return std::nullopt;
  const plan::Load load = load_of(r, change.reserved);
  const std::uint64_t dp = change.inputs.parallel.dp;
  plan::Capacity fit = plan::capacity(outcome.ranks, load, outcome.seq_cap, dp);
  if (!stop_of(*r.profile, outcome, r.context, fit.requests).empty()) fit.requests = 0;
  const std::uint64_t requests = answer.now.requests;
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
  lever.drawn = change.drawn;
  return lever;
}

// Adds it, unless the engine refuses what is asked.
bool take(const Answer& answer, const Change& change, const engine::Outcome& outcome, Levers& out) {
  std::optional<Report::Lever> lever = compute_lever(answer, change, outcome);
  if (lever) out.push_back(std::move(*lever));
  return lever.has_value();
}

bool take(const Answer& answer, const Change& change, Levers& out) {
  return take(answer, change, outcome_of(answer, change), out);
}

// The first of the formats that the engine has.
void try_format(const Answer& answer, Names formats, const Change& as, Levers& out) {
  for (const std::string_view name : formats) {
    const model::CacheFormat* format = model::find_cache_format(name);
    if (format == nullptr || !is_smaller(*format, *answer.resolved->formats.k)) return;
    Change change = as;
    change.inputs.formats = {.k = format, .v = format};
    if (change.id == "kv4") change.label += " (" + std::string(name) + ")";
    clear_key(change.scenario, "k");
    clear_key(change.scenario, "v");
    set(change.scenario, "kv", name);
    if (take(answer, change, out)) return;
  }
}

// Smaller weights leave more of the memory to the pool: worth a word where they have most of it.
void try_weights(const Answer& answer, Names formats, const Change& as, Levers& out) {
  const Resolved& r = *answer.resolved;
  if (answer.outcome.pool.given || !r.weights.known || !r.drafter.empty()) return;
  if (budget_amount(answer.outcome, "weights") < answer.outcome.pool.bytes) return;
  for (const std::string_view name : formats) {
    Change change = as;
    change.inputs.weights = model::weights(r.model, model::find_weight_format(name));
    const units::Bytes less = change.inputs.weights.total;
    if (units::checked_mul(less.raw(), 10) >= units::checked_mul(r.weights.total.raw(), 9)) return;
    if (change.id == "weights4") change.label += " (" + std::string(name) + ")";
    set(change.scenario, "weights", name);
    // Where something runs it is the cache that people trade: its curves have the plot.
    change.drawn = answer.stop == "no_room";
    if (take(answer, change, out)) return;
  }
}

// What an engine moves out of the GPU to make room is another deployment, and a slow one.
units::Bytes host_bytes(const engine::Outcome& outcome) {
  units::Bytes sum;
  for (const engine::BudgetTerm& term : outcome.host) sum += term.typical;
  return sum;
}

// The engine runs fewer sequences than the pool holds: as many as are wanted, or half of that.
void add_sequences(const Answer& answer, const Scenario& scenario, Levers& out) {
  const Resolved& r = *answer.resolved;
  const std::uint64_t now = answer.now.per_replica;
  if (answer.now.limited_by != plan::Limit::kEngine || answer.now.requests >= r.users) return;
  for (std::uint64_t wanted = answer.users_per_copy; wanted > now; wanted /= 2) {
    Change change = same(answer, scenario, "seqs", counted(wanted, "sequence") + " at once",
                         "a setting; the engine sets memory aside for each", 1);
    change.inputs.seqs = wanted;
    set(change.scenario, "seqs", units::plain(wanted));
    if (scenario.nctx) {  // the cells of all slots together: each keeps what it has
      const std::uint64_t cells = scenario.nctx->value / std::max<std::uint64_t>(now, 1) * wanted;
      change.inputs.nctx = cells;
      set(change.scenario, "nctx", units::plain(cells));
    }
    const engine::Outcome outcome = outcome_of(answer, change);
    if (host_bytes(outcome) > host_bytes(answer.outcome)) continue;
    if (take(answer, change, outcome, out)) return;
  }
}

// The same deployment with one of its parallel sizes doubled.
Change doubled(const Answer& answer, const Scenario& scenario, const char* key,
               std::uint32_t engine::Parallel::*size) {
  const engine::Parallel& p = answer.resolved->inputs.parallel;
  const std::uint64_t gpus = std::uint64_t{p.tp} * p.pp * p.dp * 2;
  Change change = same(answer, scenario, "gpus2", "", "twice the hardware", 3);
  change.inputs.parallel.*size *= 2;
  std::string name(key);
  for (char& c : name) c = static_cast<char>(c - 32);
  change.label = grouped(gpus) + " GPUs, " + name + " " + grouped(change.inputs.parallel.*size);
  set(change.scenario, key, units::plain(change.inputs.parallel.*size));
  return change;
}

std::uint64_t amount(const Report::Lever& lever) {
  return lever.requests.value_or(UINT64_MAX);
}

constexpr std::uint32_t kOneNode = 8;  // GPUs that tensor parallel usually spans
constexpr std::uint32_t kMostTimes = 64;

// The same model over `times` as many GPUs: heads split as far as one node goes, then stages.
std::optional<Change> spread(const Answer& answer, const Scenario& scenario, std::uint32_t times) {
  const model::Model& model = answer.resolved->model;
  Change change = same(answer, scenario, "gpus" + grouped(times), "",
                       grouped(times) + " times the hardware", 3);
  engine::Parallel& p = change.inputs.parallel;
  const std::uint32_t heads = std::max(most_heads(model), model.attention_heads);
  const std::uint32_t gpus = p.tp * p.pp * times;
  while (p.tp * 2 <= kOneNode && p.tp * 2 * p.pp <= gpus && heads % (p.tp * 2) == 0) p.tp *= 2;
  p.pp = gpus / p.tp;
  if (p.pp > model.layers) return std::nullopt;
  change.label = grouped(gpus) + " GPUs, TP " + grouped(p.tp);
  set(change.scenario, "tp", units::plain(p.tp));
  if (p.pp > 1) {
    change.label += ", PP " + grouped(p.pp);
    set(change.scenario, "pp", units::plain(p.pp));
  }
  return change;
}

// The first doubling beyond twice the GPUs with which something runs.
std::optional<Report::Lever> enough_gpus(const Answer& answer, const Scenario& scenario) {
  if (answer.resolved->inputs.parallel.dp > 1) return std::nullopt;  // copies are what is too much
  for (std::uint32_t times = 4; times <= kMostTimes; times *= 2) {
    const auto change = spread(answer, scenario, times);
    if (!change) break;
    auto lever = compute_lever(answer, *change, outcome_of(answer, *change));
    if (lever && amount(*lever) > 0) return lever;
  }
  return std::nullopt;
}

// Twice the GPUs: split the heads further where that is possible and the engine does so; else a
// second copy or twice the stages, whichever serves more.
std::optional<Report::Lever> twice_the_gpus(const Answer& answer, const Scenario& scenario) {
  const engine::Parallel& p = answer.resolved->inputs.parallel;
  const auto lever_of = [&](const char* key, std::uint32_t engine::Parallel::*size) {
    const Change change = doubled(answer, scenario, key, size);
    return compute_lever(answer, change, outcome_of(answer, change));
  };
  const std::uint32_t heads = most_heads(answer.resolved->model);
  if (heads != 0 && p.dp == 1 && heads % (p.tp * 2) == 0) {
    if (auto split = lever_of("tp", &engine::Parallel::tp)) return split;
  }
  auto best = lever_of("dp", &engine::Parallel::dp);
  if (p.pp * 2 <= answer.resolved->model.layers) {
    auto stages = lever_of("pp", &engine::Parallel::pp);
    if (stages && (!best || amount(*stages) > amount(*best))) best = std::move(stages);
  }
  return best;
}

void add_gpus(const Answer& answer, const Scenario& scenario, Levers& out) {
  if (!answer.resolved->inputs.memories.empty()) return;  // which card would be the next?
  auto lever = twice_the_gpus(answer, scenario);
  if (answer.now.requests == 0 && (!lever || amount(*lever) == 0))
    lever = enough_gpus(answer, scenario);
  if (lever) out.push_back(std::move(*lever));
}

// A latent is the same on every GPU of a tensor-parallel group: copies that attend for requests of
// their own hold each only once, and the experts stay dealt out over all GPUs.
void add_attention_copies(const Answer& answer, const Scenario& scenario, Levers& out) {
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
  take(answer, change, out);
}

void add_paged(const Answer& answer, const Scenario& scenario, Levers& out) {
  if (answer.resolved->alloc != engine::Alloc::kReserved) return;
  Change change =
      same(answer, scenario, "paged", "Paged memory", "nothing; it is what engines do", 1);
  change.reserved = false;
  change.inputs.alloc = engine::Alloc::kPaged;
  set(change.scenario, "alloc", "paged");
  take(answer, change, out);
}

// What it would be without grouped-query attention: a step back, for scale.
void add_without_gqa(const Answer& answer, const Scenario& scenario, Levers& out) {
  const model::Model& now = answer.resolved->model;
  if (!answer.resolved->inputs.draft.layers.empty()) return;  // whose heads follow the model's
  if (now.groups.size() != 1 || now.groups[0].kind != model::CacheKind::kFull) return;
  if (now.attention_heads <= now.groups[0].kv_heads) return;
  model::Model copy = now;
  copy.groups[0].kv_heads = now.attention_heads;
  Change change = same(answer, scenario, "mha", "Without shared KV heads", "", -1);
  change.inputs.model = &copy;
  set(change.scenario, "kvheads", units::plain(now.attention_heads));
  take(answer, change, out);
}

}  // namespace

bool is_smaller(const model::CacheFormat& format, const model::CacheFormat& now) {
  const units::Ratio wanted = model::row_bytes(format, 1024);
  const units::Ratio had = model::row_bytes(now, 1024);
  return wanted.num * had.den * 10 < had.num * wanted.den * 9;
}

void fill_levers(const Answer& answer, const Scenario& scenario, Report& report) {
  Levers& out = report.levers;
  const auto as = [&](const char* id, const char* label, const char* price, int rank) {
    return same(answer, scenario, id, label, price, rank);
  };
  add_paged(answer, scenario, out);
  try_format(answer, {"fp8", "q8_0"}, as("kv8", "8-bit cache", "a small risk to quality", 2), out);
  add_sequences(answer, scenario, out);
  add_attention_copies(answer, scenario, out);
  try_weights(answer, {"fp8", "q8_0"},
              as("weights8", "8-bit weights", "a small risk to quality", 2), out);
  add_gpus(answer, scenario, out);
  try_format(answer, {"fp4", "nvfp4", "q4_0"},
             as("kv4", "4-bit cache", "a larger risk to quality", 4), out);
  try_weights(answer, {"awq", "q4_k_m"}, as("weights4", "4-bit weights", "a risk to quality", 4),
              out);
  add_without_gqa(answer, scenario, out);
}

}  // namespace kvseats::scenario
