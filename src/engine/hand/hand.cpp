#include "engine/hand/hand.h"

#include <algorithm>

#include "engine/budget_term.h"
#include "engine/parallel.h"
#include "engine/split.h"
#include "units/text.h"

namespace kvseats::engine {
namespace {

using units::Bytes;
using units::grouped;

constexpr RuleSet kRules[] = {{"by-hand-1", "By hand", "1"}};

// Copies of a component that tensor parallelism leaves on different GPUs; what dcp can remove.
std::uint32_t copies_on_tp(const model::Component& part, std::uint32_t tp) {
  if (part.replicated) return tp;
  return part.heads == 0 ? 1 : std::max<std::uint32_t>(1, tp / part.heads);
}

// Layers of the component on a stage: indexers may sit in only some layers of their group.
std::uint32_t layers_on_stage(const model::Component& part, const model::LayerGroup& group,
                              std::uint32_t stage_layers) {
  if (part.layers == group.layers || group.layers == 0) return stage_layers;
  return static_cast<std::uint32_t>(units::mul_div_ceil(stage_layers, part.layers, group.layers));
}

void add_state(const model::Component& part, std::uint32_t layers, const Parallel& parallel,
               CostTerm& term) {
  const std::uint64_t all = (part.fixed * layers).raw();
  term.fixed = part.replicated ? all : units::ceil_div(all, parallel.tp);
  term.shareable = false;
}

// Encoder tokens are the prompt's: fixed for a request whatever it generates.
void add_encoder(const Inputs& in, const model::Component& part, CostTerm& term) {
  term.fixed = units::mul_div_ceil(model::encoder_tokens(part, in.prompt), term.num, term.den);
  term.num = 0;
  term.shareable = false;
}

CostTerm term_of(const Inputs& in, const model::Component& part, std::uint32_t layers) {
  CostTerm term;
  if (part.kind == model::ComponentKind::kState) {
    add_state(part, layers, in.parallel, term);
    return term;
  }
  const units::Ratio rate = token_bytes_on_gpu(part, layers, in.parallel.tp);
  const std::uint64_t dcp = std::min(in.parallel.dcp, copies_on_tp(part, in.parallel.tp));
  const std::uint64_t block = part.of_encoder ? 1 : in.block.value_or(1);
  const units::Ratio per_entry = units::times(rate, block);
  term.num = per_entry.num;
  term.den = per_entry.den;
  term.per = units::checked_mul(units::checked_mul(part.stride, dcp), block);
  term.cap =
      part.cap_tokens == model::kNoCap ? UINT64_MAX : units::round_up(part.cap_tokens, term.per);
  if (term.cap == UINT64_MAX && part.cap_tokens != model::kNoCap) term.cap = part.cap_tokens;
  term.shareable = part.cap_tokens == model::kNoCap;
  if (part.of_encoder) add_encoder(in, part, term);
  return term;
}

// A second cache of layers that other groups count (an encoder-decoder's cross attention): its
// `count` layers lie evenly over the model's, so a stage has those that fall on its own.
std::uint32_t overlay_layers(const std::vector<std::vector<std::uint32_t>>& stages,
                             std::uint32_t stage, std::uint32_t count) {
  std::uint64_t all = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  for (std::uint32_t i = 0; i < stages.size(); ++i) {
    if (i == stage) begin = all;
    for (const std::uint32_t layers : stages[i]) all += layers;
    if (i == stage) end = all;
  }
  const std::uint64_t share =
      units::mul_div_ceil(end, count, all) - units::mul_div_ceil(begin, count, all);
  return static_cast<std::uint32_t>(share);
}

// Stages that cost the same are one rank, so that plots do not pay for a deep pipeline.
void add_rank(std::vector<Rank>& ranks, Rank rank) {
  for (Rank& known : ranks) {
    if (known.cost == rank.cost) {
      ++known.stages;
      return;
    }
  }
  ranks.push_back(std::move(rank));
}

HandPart part_of(const Inputs& in, const model::Component& part, std::uint32_t layers) {
  const std::uint32_t tp = in.parallel.tp;
  const std::uint32_t copies = copies_on_tp(part, tp);
  const bool state = part.kind == model::ComponentKind::kState && !part.replicated;
  HandPart out;
  out.kind = part.kind;
  out.layers = layers;
  out.copies = state ? 1 : copies / std::min(in.parallel.dcp, copies);
  out.cost = Cost({term_of(in, part, layers)});
  return out;
}

std::vector<HandStage> stages_of(const Inputs& in) {
  const std::vector<model::Component> parts = model::demand(*in.model, in.formats);
  const auto dealt = stage_layers(*in.model, in.parallel.pp);
  std::vector<HandStage> stages(dealt.size());
  for (std::uint32_t at = 0; at < stages.size(); ++at) {
    for (const model::Component& part : parts) {
      const model::LayerGroup& group = in.model->groups[part.group];
      const std::uint32_t layers =
          group.overlay ? overlay_layers(dealt, at, part.layers) : dealt[at][part.group];
      if (layers == 0) continue;
      stages[at].parts.push_back(part_of(in, part, layers_on_stage(part, group, layers)));
    }
  }
  // A drafter runs on the last stage.
  for (const model::Component& part : draft_demand(in)) {
    stages.back().parts.push_back(part_of(in, part, part.layers));
  }
  return stages;
}

std::vector<Rank> ranks_of(const Inputs& in) {
  std::vector<Rank> ranks;
  std::uint32_t stage = 0;
  for (const HandStage& one : stages_of(in)) {
    std::vector<CostTerm> terms;
    for (const HandPart& part : one.parts) terms.push_back(part.cost.terms().front());
    Rank rank;
    rank.stage = stage++;
    rank.cost = Cost(std::move(terms));
    add_rank(ranks, std::move(rank));
  }
  return ranks;
}

struct Usable {
  Bytes seen, bytes, unused;
  double util = 0;
};

Usable usable_of(const Inputs& in) {
  Usable u;
  u.util = in.util.value_or(hand_profile().default_util);
  u.seen = in.memory.value_or(device::seen_memory(*in.device));
  const double share = static_cast<double>(u.seen.raw()) * u.util;
  const Bytes fraction = units::bytes(static_cast<std::uint64_t>(share));
  u.bytes = std::min(fraction, left_after(u.seen, in.used));
  u.unused = left_after(left_after(u.seen, in.used), u.bytes);
  return u;
}

BudgetTerm overhead_term(const Inputs& in) {
  if (in.overhead) {
    return given_overhead(in);
  }
  return {"overhead",
          "Activations, graphs, runtime",
          kHandOverheadLow,
          kHandOverheadTypical,
          kHandOverheadHigh,
          "3.5, 4.9 or 8.0 GiB per GPU",
          "estimate from start-up logs of vLLM 0.11 on H100"};
}

void fill_budget(const Inputs& in, const Usable& usable, Outcome& out) {
  add_used(in, out.budget);
  out.budget.push_back(exact_term("weights", "Weights",
                                  weight_bytes_on_gpu(in.weights, in.parallel),
                                  weights_formula(in.weights, in.parallel), in.weights.basis));
  out.budget.push_back(overhead_term(in));
  out.budget.push_back(exact_term("unused", "Outside the memory fraction", usable.unused,
                                  share_left(usable.seen, "floor(", usable.util, in.used),
                                  "memory fraction"));
}

const BudgetTerm& term_called(const Outcome& out, std::string_view id) {
  return *std::find_if(out.budget.begin(), out.budget.end(),
                       [id](const BudgetTerm& term) { return term.id == id; });
}

void estimate_pool(const Inputs&, const Usable& usable, Outcome& out) {
  const BudgetTerm& weights = term_called(out, "weights");
  const BudgetTerm& overhead = term_called(out, "overhead");
  const Bytes room = left_after(usable.bytes, weights.typical);
  out.pool.bytes = left_after(room, overhead.typical);
  out.pool.low_bytes = left_after(room, overhead.high);
  out.pool.high_bytes = left_after(room, overhead.low);
  out.pool.no_room = weights.typical + overhead.typical >= usable.bytes;
}

// A pool given in tokens or blocks is what so many tokens of one long sequence take on the fullest
// GPU.
std::uint64_t capacity_for_tokens(const std::vector<Rank>& ranks, std::uint64_t tokens) {
  std::uint64_t most = 0;
  for (const Rank& rank : ranks) most = std::max(most, rank.cost.at(tokens));
  return most;
}

void give_pool(const Inputs& in, Outcome& out) {
  out.pool.given = true;
  if (in.pool) {
    out.pool.bytes = *in.pool;
  } else {
    const std::uint64_t tokens = in.pool_tokens
                                     ? *in.pool_tokens
                                     : units::checked_mul(*in.pool_blocks, in.block.value_or(16));
    out.pool.bytes = units::bytes(capacity_for_tokens(out.ranks, tokens));
  }
  out.pool.low_bytes = out.pool.high_bytes = out.pool.bytes;
}

void warn_of_heads(const Inputs& in, Outcome& out) {
  const std::uint32_t tp = in.parallel.tp;
  for (const model::LayerGroup& group : in.model->groups) {
    const std::uint32_t heads = group.kv_heads;
    if (heads <= 1 || heads % tp == 0 || tp % heads == 0) continue;
    const std::uint32_t most = std::max<std::uint32_t>(1, (heads + tp - 1) / tp);
    out.diagnostics.push_back(units::diagnose(
        "W-TP-UNEVEN", "tp",
        grouped(heads) + " KV heads do not divide over tp = " + grouped(tp) +
            ": the fullest GPU holds " + grouped(most) + ", and its share decides",
        "Engines refuse such a split; choose a tp that divides " + grouped(heads) + "."));
    return;
  }
}

void fill_rates(const Inputs& in, Outcome& out) {
  const std::size_t tight = tightest(out.ranks, in.context);
  const Rank& rank = out.ranks[tight];
  const std::uint64_t cost = rank.cost.at(in.context);
  if (cost != 0 && cost != units::kOutOfRange) {
    out.ratio = static_cast<double>(rank.capacity) / static_cast<double>(cost);
  }
  if (std::any_of(out.ranks.begin(), out.ranks.end(),
                  [](const Rank& r) { return r.cost.grows_forever(); })) {
    out.pool.tokens = longest_at(out.ranks, 1, units::kMaxExactJson);
  }
}

Outcome run(const Inputs& in) {
  Outcome out;
  out.version = "1";
  out.rules = kRules[0].id;
  out.unit_bytes = units::bytes(1);
  out.seq_cap = in.seqs;
  out.ranks = ranks_of(in);
  out.pool.block_tokens = in.block.value_or(1);
  out.grain = out.pool.block_tokens;
  const Usable usable = usable_of(in);
  out.seen = usable.seen;
  out.util = usable.util;
  fill_budget(in, usable, out);
  if (in.pool || in.pool_blocks || in.pool_tokens) {
    give_pool(in, out);
  } else {
    estimate_pool(in, usable, out);
  }
  for (Rank& rank : out.ranks) rank.capacity = out.pool.bytes.raw();
  out.low_capacity.assign(out.ranks.size(), out.pool.low_bytes.raw());
  out.high_capacity.assign(out.ranks.size(), out.pool.high_bytes.raw());
  warn_of_heads(in, out);
  note_copies(in, out.diagnostics);
  fill_rates(in, out);
  return out;
}

constexpr Profile kHand = {
    .id = "hand",
    .name = "By hand",
    .doc = "The plain division: exact bytes, no blocks, no padding",
    .rules = kRules,
    .options = {},
    .default_util = 0.90,
    .has_util = true,
    .util_remedy = "",
    .default_alloc = Alloc::kPaged,
    .loads_float32 = true,
    .run = run,
};

}  // namespace

const Profile& hand_profile() {
  return kHand;
}

std::vector<HandStage> hand_stages(const Inputs& in) {
  Inputs exact = in;
  exact.block.reset();
  return stages_of(exact);
}

std::vector<Rank> hand_ranks(const Inputs& in) {
  Inputs exact = in;
  exact.block.reset();
  return ranks_of(exact);
}

units::Ratio token_rate(const Inputs& in) {
  units::Ratio most;
  for (const Rank& rank : hand_ranks(in)) {
    units::Ratio sum;
    for (const CostTerm& term : rank.cost.terms()) {
      sum =
          units::add(sum, units::detail::reduced(term.num, units::checked_mul(term.den, term.per)));
    }
    // Compare a/b with c/d as a·d and c·b: denominators are small.
    if (units::checked_mul(sum.num, most.den) > units::checked_mul(most.num, sum.den)) most = sum;
  }
  return most;
}

}  // namespace kvseats::engine
