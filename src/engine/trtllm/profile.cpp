#include <algorithm>

#include "engine/trtllm/checks.h"
#include "engine/trtllm/lines.h"
#include "engine/trtllm/trtllm.h"
#include "units/text.h"

namespace kvseats::engine {
namespace trtllm {
namespace {

using units::Bytes;
using units::grouped;

using Tokens = std::vector<std::uint64_t>;

bool pool_given(const Inputs& in) {
  return in.pool || in.pool_blocks || in.pool_tokens;
}

// Tokens of every pool on every stage that a person gave as tokens or blocks.
std::optional<std::uint64_t> given_tokens(const Inputs& in, const Settings& s) {
  if (in.pool_tokens) return in.pool_tokens;
  if (in.pool_blocks) return units::checked_mul(*in.pool_blocks, s.block);
  return std::nullopt;
}

Bytes bytes_of(const Stage& stage, const Tokens& tokens) {
  Bytes sum;
  for (const CacheRow& row : rows_of(stage, tokens)) sum += row.bytes;
  return sum;
}

// Ranks agree on the fewest tokens; pools of one kind stand in the same order on every stage.
std::vector<Tokens> tokens_at(const Inputs& in, const Settings& s, const std::vector<Stage>& stages,
                              Bytes memory) {
  std::vector<Tokens> all;
  for (const Stage& stage : stages) {
    if (const auto tokens = given_tokens(in, s)) {
      all.emplace_back(stage.windows.size(), *tokens);
    } else {
      all.push_back(pool_tokens(s, stage, memory));
    }
  }
  for (Tokens& tokens : all) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      for (const Tokens& other : all) {
        if (i < other.size()) tokens[i] = std::min(tokens[i], other[i]);
      }
    }
  }
  return all;
}

// The stage with most bytes per token, whose share decides.
std::size_t tightest_stage(const std::vector<Stage>& stages) {
  const auto rate = [](const Stage& stage) {
    units::Ratio sum{0, 1};
    for (const Window& window : stage.windows) sum = units::add(sum, window.token);
    return units::bytes_ceil(1, sum);
  };
  const auto most =
      std::max_element(stages.begin(), stages.end(),
                       [&](const Stage& a, const Stage& b) { return rate(a) < rate(b); });
  return static_cast<std::size_t>(most - stages.begin());
}

void fill_pool(const Inputs& in, const Settings& s, const Stage& stage, const Tokens& tokens,
               const Budget& budget, Pool& pool) {
  pool.given = pool_given(in);
  if (pool.given) {
    pool.bytes = in.pool ? *in.pool : bytes_of(stage, tokens);
    pool.low_bytes = pool.high_bytes = pool.bytes;
  } else {
    pool.bytes = budget.typical;
    pool.low_bytes = budget.low;
    pool.high_bytes = budget.high;
  }
  pool.block_tokens = s.block;
  const std::uint64_t most = tokens.empty() ? 0 : *std::max_element(tokens.begin(), tokens.end());
  pool.no_room = most == 0 && !tokens.empty();
  if (tokens.empty()) return;
  pool.tokens = most;
  pool.blocks = most / s.block;
}

bool same_costs(const std::vector<Rank>& a, const std::vector<Rank>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Rank& x, const Rank& y) {
    return x.cost == y.cost && x.capacity == y.capacity;
  });
}

void fill_ranks(const Inputs& in, const Settings& s, const std::vector<Stage>& stages,
                Outcome& out) {
  const std::vector<Tokens> now = tokens_at(in, s, stages, out.pool.bytes);
  const std::vector<Tokens> low = tokens_at(in, s, stages, out.pool.low_bytes);
  const std::vector<Tokens> high = tokens_at(in, s, stages, out.pool.high_bytes);
  std::vector<std::pair<std::size_t, std::vector<Rank>>> known;  // where its pools begin
  for (std::uint32_t at = 0; at < stages.size(); ++at) {
    const std::vector<Rank> pools = ranks_of(s, stages[at], now[at]);
    const auto same = std::find_if(known.begin(), known.end(), [&](const auto& other) {
      return same_costs(other.second, pools);
    });
    if (same != known.end()) {
      for (std::size_t i = 0; i < pools.size(); ++i) ++out.ranks[same->first + i].stages;
      continue;
    }
    known.emplace_back(out.ranks.size(), pools);
    const std::vector<Rank> least = ranks_of(s, stages[at], low[at]);
    const std::vector<Rank> most = ranks_of(s, stages[at], high[at]);
    for (std::size_t i = 0; i < pools.size(); ++i) {
      out.ranks.push_back(pools[i]);
      out.ranks.back().stage = at;
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

void fill_ledger(const Settings& s, const Stage& stage, Outcome& out) {
  if (!out.pool.blocks || stage.windows.empty()) return;
  const units::Ratio token = stage.windows.front().token;
  units::LedgerRow r;
  r.id = "engine.blocks";
  r.label = "Blocks in the pool";
  r.value = units::whole_value(*out.pool.blocks);
  r.unit = "blocks";
  const std::string shares =
      stage.windows.size() > 1 ? " ÷ " + grouped(stage.windows.size()) + " windows" : "";
  r.formula = grouped(out.pool.bytes.raw()) + " B" + shares + " ÷ " +
              grouped(units::bytes_ceil(1, token).raw()) + " B a token ÷ " + grouped(s.block) +
              (s.pytorch ? ", rounded down" : ", rounded up");
  r.source = s.pytorch ? "TensorRT-LLM's rules, _torch/pyexecutor/resource_manager.py"
                       : "TensorRT-LLM's rules, batch_manager/kvCacheManager.cpp";
  out.ledger.push_back(std::move(r));
}

double ratio_of(const Inputs& in, const Settings& s, const Pool& pool) {
  const std::uint64_t need = units::ceil_div(in.context, s.block);
  if (!pool.blocks || need == 0) return 0;
  return static_cast<double>(*pool.blocks) / static_cast<double>(need);
}

void fill_lines(const Inputs& in, const Settings& s, const Stage& stage, const Tokens& tokens,
                const Budget& budget, Outcome& out) {
  Result result;
  result.settings = &s;
  result.stage = &stage;
  result.budget = &budget;
  result.tokens = tokens;
  result.allocated = bytes_of(stage, tokens);
  result.available = out.pool.bytes;
  result.given = out.pool.given;
  out.start_lines = start_lines(in, result);
  out.refusal = refusal_of(in, result);
  out.flags = flags_of(in, s, tokens);
}

Outcome run(const Inputs& in) {
  Outcome out;
  const Settings s = settings_of(in);
  const std::vector<Stage> stages = stages_of(in, s);
  const Budget budget = budget_of(in, s);
  const std::size_t at = tightest_stage(stages);
  const Tokens tokens = tokens_at(in, s, stages, in.pool.value_or(budget.typical))[at];
  out.version = to_text(s.version);
  out.rules = s.rules->id;
  out.seen = s.seen;
  out.util = s.fraction;
  out.budget = budget.terms;
  out.unit_bytes = units::bytes(1);
  out.grain = s.block;
  out.seq_cap = s.seqs;
  out.diagnostics = s.diagnostics;
  for (units::Diagnostic& d : check(in, s)) out.diagnostics.push_back(std::move(d));
  fill_pool(in, s, stages[at], tokens, budget, out.pool);
  fill_ranks(in, s, stages, out);
  out.caches = rows_of(stages[at], tokens);
  out.ratio = ratio_of(in, s, out.pool);
  const bool reserved = in.alloc == Alloc::kReserved;
  out.waste = waste_of(in, s, stages[at], reserved ? in.context : in.length());
  fill_lines(in, s, stages[at], tokens, budget, out);
  fill_ledger(s, stages[at], out);
  return out;
}

}  // namespace
}  // namespace trtllm

const Profile& trtllm_profile() {
  static const Profile profile = {
      .id = "trtllm",
      .name = "TensorRT-LLM",
      .doc = "Blocks of tokens in a fraction of the memory that is free after loading",
      .rules = trtllm::rule_sets(),
      .options = trtllm::option_specs(),
      .default_util = 0.90,
      .has_util = true,
      .util_remedy = "",
      .default_alloc = Alloc::kPaged,
      .default_cache = "",
      .honours_cache_scheme = true,
      .ignored_scheme = "fp8_ds_mla",
      .run = trtllm::run,
  };
  return profile;
}

}  // namespace kvseats::engine
