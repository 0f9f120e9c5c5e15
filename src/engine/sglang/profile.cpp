#include <algorithm>

#include "engine/sglang/checks.h"
#include "engine/sglang/lines.h"
#include "engine/sglang/sglang.h"
#include "engine/sglang/waste.h"
#include "units/text.h"

namespace kvseats::engine {
namespace sglang {
namespace {

using units::Bytes;
using units::grouped;
using units::Ratio;

bool pool_given(const Inputs& in) {
  return in.pool || in.pool_blocks || in.pool_tokens;
}

std::optional<std::uint64_t> given_tokens(const Inputs& in, const Settings& s) {
  if (in.pool_tokens) return in.pool_tokens;
  if (in.pool_blocks) return units::checked_mul(*in.pool_blocks, s.page);
  return std::nullopt;
}

// Bytes that these sizes take where they take most: what a person's tokens come to.
Bytes most_allocated(const Settings& s, const std::vector<Stage>& stages, const Sizes& sizes) {
  Bytes most;
  for (const Stage& stage : stages) most = std::max(most, allocated(s, stage, sizes));
  return most;
}

void fill_pool(const Inputs& in, const Settings& s, const std::vector<Stage>& stages,
               const Budget& budget, const Sizes& sizes, Pool& pool) {
  pool.given = pool_given(in);
  if (pool.given) {
    pool.bytes = in.pool ? *in.pool : most_allocated(s, stages, sizes);
    pool.low_bytes = pool.high_bytes = pool.bytes;
  } else {
    pool.bytes = budget.typical;
    pool.low_bytes = budget.low;
    pool.high_bytes = budget.high;
  }
  pool.no_room = sizes.no_tokens;
  pool.block_tokens = s.page;
  const bool counts = std::any_of(stages.begin(), stages.end(), [](const Stage& stage) {
    return stage.full.num != 0 || stage.window.num != 0;
  });
  if (!counts) return;
  pool.tokens = sizes.tokens;
  pool.blocks = sizes.tokens / s.page;
}

Sizes sizes_at(const Inputs& in, const Settings& s, const std::vector<Stage>& stages, Bytes rest) {
  if (const auto tokens = given_tokens(in, s)) return sizes_of_tokens(in, s, stages, *tokens);
  return sizes_for(in, s, stages, rest);
}

// Decode context parallelism deals tokens out: a GPU holds every dcp-th.
void deal_out(const Inputs& in, Rank& rank) {
  if (in.parallel.dcp <= 1 || !rank.pool.empty()) return;
  std::vector<CostTerm> terms = rank.cost.terms();
  for (CostTerm& term : terms) term.per = units::checked_mul(term.per, in.parallel.dcp);
  rank.cost = Cost(std::move(terms));
}

bool same_costs(const std::vector<Rank>& a, const std::vector<Rank>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Rank& x, const Rank& y) { return x.cost == y.cost; });
}

void fill_ranks(const Inputs& in, const Settings& s, const std::vector<Stage>& stages,
                Outcome& out) {
  const Sizes now = sizes_at(in, s, stages, out.pool.bytes);
  const Sizes low = sizes_at(in, s, stages, out.pool.low_bytes);
  const Sizes high = sizes_at(in, s, stages, out.pool.high_bytes);
  std::vector<std::pair<std::size_t, std::vector<Rank>>> known;  // where its pools begin
  for (std::uint32_t at = 0; at < stages.size(); ++at) {
    const std::vector<Rank> pools = ranks_of(s, stages[at], now);
    const auto same = std::find_if(known.begin(), known.end(), [&](const auto& other) {
      return same_costs(other.second, pools);
    });
    if (same != known.end()) {
      for (std::size_t i = 0; i < pools.size(); ++i) ++out.ranks[same->first + i].stages;
      continue;
    }
    known.emplace_back(out.ranks.size(), pools);
    const std::vector<Rank> least = ranks_of(s, stages[at], low);
    const std::vector<Rank> most = ranks_of(s, stages[at], high);
    for (std::size_t i = 0; i < pools.size(); ++i) {
      out.ranks.push_back(pools[i]);
      out.ranks.back().stage = at;
      deal_out(in, out.ranks.back());
      out.low_capacity.push_back(least[i].capacity);
      out.high_capacity.push_back(most[i].capacity);
    }
  }
  if (!out.ranks.empty()) return;
  Rank empty;
  empty.stages = static_cast<std::uint32_t>(stages.size());
  out.ranks.push_back(std::move(empty));
  out.low_capacity = out.high_capacity = {0};
}

units::LedgerRow row(std::string id, std::string label, std::uint64_t value, std::string unit,
                     std::string formula) {
  units::LedgerRow r;
  r.id = std::move(id);
  r.label = std::move(label);
  r.value = units::whole_value(value);
  r.unit = std::move(unit);
  r.formula = std::move(formula);
  r.source = "SGLang's rules, model_executor/pool_configurator.py";
  return r;
}

std::string number_text(Ratio ratio) {
  return units::shortest(static_cast<double>(ratio.num) / static_cast<double>(ratio.den));
}

// What is left, less the states, over the bytes of a token in the stage that has the fewest. Rule
// sets that weigh windows otherwise have no such line.
std::string tokens_formula(const Inputs& in, const Settings& s, const Stage& stage,
                           const Sizes& sizes, Bytes rest) {
  if (in.pool_tokens || in.pool_blocks) return "as given";
  const bool full = stage.full.num != 0;
  const bool window = stage.window.num != 0;
  if (!full && !window) return "the longest request: nothing grows by the token";
  if (sizes.tokens == 0) return "less than a page is left";
  if (full && window && !s.rules->pads_states) return "as rules before 0.5.12 round it";
  std::string each = number_text(full ? stage.full : stage.window);
  if (full && window) {
    each = "(" + each + " + " + units::shortest(s.window_ratio) + " × " +
           number_text(stage.window) + ")";
  }
  std::string room = grouped(rest.raw()) + " B";
  if (sizes.charged != 0) room = "(" + room + " − states " + grouped(sizes.charged) + " B)";
  return room + " ÷ " + each + " B, rounded down to " + grouped(s.page);
}

// By the share of what is left, less the slot that only pads.
std::string slots_formula(const Inputs& in, const Settings& s, const Stage& stage,
                          const Sizes& sizes, Bytes rest) {
  if (s.state_slots) return "as given";
  if (!s.radix && s.seqs) return "one for each of the sequences (seqs)";
  const bool plain = in.draft.tokens == 0 && !in.pool_tokens && !in.pool_blocks;
  if (sizes.slots == 0 || !plain) return "by their share, " + units::shortest(s.state_ratio);
  const std::string slot = grouped(stage.slot) + " B";
  const std::string ratio = units::shortest(s.state_ratio);
  const std::string share = grouped(rest.raw()) + " B × " + ratio + " ÷ (1 + " + ratio + ")";
  return (s.rules->pads_states ? "(" + share + " − " + slot + ")" : share) + " ÷ " + slot +
         ", rounded down";
}

const Stage& fullest_states(const std::vector<Stage>& stages) {
  return *std::max_element(stages.begin(), stages.end(),
                           [](const Stage& a, const Stage& b) { return a.slot < b.slot; });
}

void fill_ledger(const Inputs& in, const Settings& s, const std::vector<Stage>& stages,
                 const Sizes& sizes, Outcome& out) {
  const Stage& stage = stages[sizes.stage];
  if (out.pool.tokens) {
    out.ledger.push_back(row("engine.tokens", "Tokens of the pool (max_total_num_tokens)",
                             sizes.tokens, "tokens",
                             tokens_formula(in, s, stage, sizes, out.pool.bytes)));
  }
  if (sizes.window_tokens != 0 && stage.full.num != 0) {
    out.ledger.push_back(row("engine.window_tokens", "Tokens of the window pool",
                             sizes.window_tokens, "tokens",
                             grouped(sizes.tokens) + " × " + units::shortest(s.window_ratio) +
                                 ", rounded down to " + grouped(s.page)));
  }
  const Stage& states = fullest_states(stages);
  if (states.slot == 0) return;
  out.ledger.push_back(row("engine.slots", "State slots (max_mamba_cache_size)", sizes.slots,
                           "slots", slots_formula(in, s, states, sizes, out.pool.bytes)));
  out.ledger.push_back(row(
      "engine.slot_requests", "Requests that have slots", sizes.slots / s.slots_per_request,
      "requests", "floor(" + grouped(sizes.slots) + " ÷ " + grouped(s.slots_per_request) + ")"));
}

// The stage with most bytes per token is the one that sizes the pool.
const Stage& tightest_stage(const std::vector<Stage>& stages) {
  return *std::max_element(stages.begin(), stages.end(), [](const Stage& a, const Stage& b) {
    return units::bytes_ceil(1, units::add(a.full, a.window)) <
           units::bytes_ceil(1, units::add(b.full, b.window));
  });
}

Outcome run(const Inputs& in) {
  Outcome out;
  Chosen chosen = choose_rules(in.version);
  const Settings s = settings_of(in, chosen);
  const std::vector<Stage> stages = stages_of(in, s);
  const Budget budget = budget_of(in, s);
  const Sizes sizes = sizes_at(in, s, stages, in.pool.value_or(budget.typical));
  const Stage& tight = tightest_stage(stages);
  out.version = to_text(chosen.version);
  out.rules = chosen.rules->id;
  out.seen = s.seen;
  out.util = s.fraction;
  out.budget = budget.terms;
  out.unit_bytes = units::bytes(1);
  out.grain = s.page;
  out.diagnostics = std::move(chosen.diagnostics);
  for (units::Diagnostic& d : check(in, s, stages)) out.diagnostics.push_back(std::move(d));
  fill_pool(in, s, stages, budget, sizes, out.pool);
  fill_ranks(in, s, stages, out);
  out.seq_cap = sizes.requests;
  out.caches = rows_of(s, tight, sizes);
  if (out.pool.tokens && in.context != 0) {
    out.ratio =
        static_cast<double>(*out.pool.tokens) * in.parallel.dcp / static_cast<double>(in.context);
  }
  const bool reserved = in.alloc == Alloc::kReserved;
  out.waste = waste_of(s, tight, sizes, reserved ? in.context : in.length());
  out.start_lines = start_lines(in, s, tight, sizes);
  out.flags = flags_of(in, s, sizes);
  out.refusal = refusal_of(in, s, stages, sizes, budget, out.pool.bytes);
  fill_ledger(in, s, stages, sizes, out);
  return out;
}

}  // namespace
}  // namespace sglang

const Profile& sglang_profile() {
  static const Profile profile = {
      .id = "sglang",
      .name = "SGLang",
      .doc = "Pages of a token; windows and states have pools of their own, by ratio",
      .rules = sglang::rule_sets(),
      .options = sglang::option_specs(),
      .default_util = 0.88,
      .has_util = true,
      .util_remedy = "",
      .default_alloc = Alloc::kPaged,
      .default_cache = "",
      .honours_cache_scheme = true,
      .ignored_scheme = "fp8_ds_mla",
      .run = sglang::run,
  };
  return profile;
}

}  // namespace kvseats::engine
