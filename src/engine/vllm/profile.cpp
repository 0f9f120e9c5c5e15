#include <algorithm>

#include "engine/vllm/checks.h"
#include "engine/vllm/formats.h"
#include "engine/vllm/lines.h"
#include "engine/vllm/vllm.h"
#include "engine/vllm/waste.h"
#include "units/text.h"

namespace kvseats::engine {
namespace vllm {
namespace {

using units::Bytes;
using units::grouped;

std::uint64_t fullest_block(const Layout& layout) {
  return layout.block_bytes.empty()
             ? 0
             : *std::max_element(layout.block_bytes.begin(), layout.block_bytes.end());
}

// Block 0 is the null block; V0 had none.
std::uint64_t usable_blocks(std::uint64_t blocks, const Settings& s) {
  return s.rules->blocks_only ? blocks : units::saturating_sub(blocks, 1);
}

bool pool_given(const Inputs& in) {
  return in.pool || in.pool_blocks || in.pool_tokens;
}

// Blocks that a person gave, directly or as the log's tokens.
std::optional<std::uint64_t> given_blocks(const Inputs& in, const Settings& s,
                                          const Layout& layout) {
  if (in.pool_blocks) return in.pool_blocks;
  if (in.pool_tokens) return blocks_for_tokens(layout, s, *in.pool_tokens, in.context);
  return std::nullopt;
}

void fill_pool_bytes(const Inputs& in, const Settings& s, const Layout& layout,
                     const Budget& budget, Pool& pool) {
  pool.given = pool_given(in);
  if (!pool.given) {
    pool.bytes = budget.typical;
    pool.low_bytes = budget.low;
    pool.high_bytes = budget.high;
    pool.no_room = budget.no_room;
    return;
  }
  const auto blocks = given_blocks(in, s, layout);
  pool.bytes =
      in.pool && !blocks ? *in.pool : units::bytes(fullest_block(layout)) * blocks.value_or(0);
  pool.low_bytes = pool.high_bytes = pool.bytes;
}

std::uint64_t blocks_in(Bytes bytes, std::uint64_t block_bytes) {
  return block_bytes == 0 ? 0 : (bytes / units::bytes(block_bytes));
}

// One rank per distinct block size: stages that hold the same cost the same.
void fill_ranks(const Settings& s, const Layout& layout, Outcome& out) {
  const Cost cost = cost_of(layout, s);
  std::vector<std::uint64_t> known;
  for (std::uint32_t stage = 0; stage < layout.block_bytes.size(); ++stage) {
    const std::uint64_t bytes = layout.block_bytes[stage];
    if (bytes == 0) continue;
    const auto at = std::find(known.begin(), known.end(), bytes);
    if (at != known.end()) {
      ++out.ranks[static_cast<std::size_t>(at - known.begin())].stages;
      continue;
    }
    known.push_back(bytes);
    out.ranks.push_back({.stage = stage,
                         .stages = 1,
                         .cost = cost,
                         .capacity = usable_blocks(blocks_in(out.pool.bytes, bytes), s),
                         .unit_bytes = units::bytes(bytes)});
    out.low_capacity.push_back(usable_blocks(blocks_in(out.pool.low_bytes, bytes), s));
    out.high_capacity.push_back(usable_blocks(blocks_in(out.pool.high_bytes, bytes), s));
  }
  if (!out.ranks.empty()) return;
  out.ranks.push_back({.stage = 0,
                       .stages = static_cast<std::uint32_t>(layout.block_bytes.size()),
                       .cost = {},
                       .capacity = 0});
  out.low_capacity = out.high_capacity = {0};
}

void fill_pool(const Inputs& in, const Settings& s, const Layout& layout, Pool& pool) {
  const std::uint64_t blocks = blocks_in(pool.bytes, fullest_block(layout));
  pool.block_tokens = layout.smallest_block == UINT64_MAX || layout.smallest_block == 0
                          ? in.context
                          : layout.smallest_block;
  if (layout.buckets.empty()) return;
  pool.blocks = blocks;
  pool.tokens = printed_tokens(layout, s, blocks, in.context);
  if (blocks == 0) pool.no_room = true;
}

units::LedgerRow row(std::string id, std::string label, std::uint64_t value, std::string unit,
                     std::string formula, std::vector<std::string> inputs) {
  units::LedgerRow r;
  r.id = std::move(id);
  r.label = std::move(label);
  r.value = units::whole_value(value);
  r.unit = std::move(unit);
  r.formula = std::move(formula);
  r.inputs = std::move(inputs);
  r.source = "vLLM's rules, vllm/v1/core/kv_cache_utils.py";
  return r;
}

// Of the stage whose block is the largest.
std::string block_formula(const Layout& layout) {
  const auto most = std::max_element(layout.block_bytes.begin(), layout.block_bytes.end());
  const auto stage = static_cast<std::size_t>(most - layout.block_bytes.begin());
  const std::string layers = grouped(layout.block_layers[stage]) + " layers";
  if (layout.summed) return "sum of the pages of " + layers;
  return grouped(layout.page) + " B per layer × " + layers;
}

std::string need_formula(const Layout& layout, const Settings& s, std::uint64_t context) {
  std::string text;
  for (const Bucket& bucket : layout.buckets) {
    Layout one = layout;
    one.buckets = {bucket};
    one.buckets.front().count = 1;
    if (!text.empty()) text += " + ";
    text += grouped(bucket.count) + " × " + grouped(cost_of(one, s).at(context));
  }
  return text;
}

void fill_ledger(const Inputs& in, const Settings& s, const Layout& layout, Outcome& out) {
  if (layout.buckets.empty()) return;
  out.ledger.push_back(row("engine.block_bytes", "One block of all layers of a group on one GPU",
                           fullest_block(layout), "B", block_formula(layout), {}));
  out.ledger.push_back(row("engine.groups", "Groups of layers", layout.groups, "groups", "", {}));
  out.ledger.push_back(row(
      "engine.blocks", "Blocks in the pool", out.pool.blocks.value_or(0), "blocks",
      grouped(out.pool.bytes.raw()) + " B ÷ " + grouped(fullest_block(layout)) + " B, rounded down",
      {"engine.block_bytes"}));
  out.ledger.push_back(row("engine.need", "Blocks of one request of the full context",
                           cost_of(layout, s).at(in.context), "blocks",
                           need_formula(layout, s, in.context), {"engine.groups"}));
  if (s.offload_gib == 0) return;
  const std::uint64_t share = units::checked_mul(fullest_block(layout), in.parallel.tp);
  out.ledger.push_back(row("engine.offload_blocks", "Blocks that fit into host memory",
                           blocks_in(units::gib(s.offload_gib), share), "blocks",
                           grouped(s.offload_gib) + " GiB ÷ (" + grouped(fullest_block(layout)) +
                               " B × tp " + grouped(in.parallel.tp) + ")",
                           {"engine.block_bytes"}));
}

void fill_lines(const Inputs& in, const Settings& s, const Layout& layout, const Budget& budget,
                Outcome& out) {
  Result result;
  result.settings = &s;
  result.layout = &layout;
  result.available = out.pool.bytes;
  result.blocks = out.pool.blocks.value_or(0);
  result.context = in.context;
  result.block_bytes = fullest_block(layout);
  result.no_room = out.pool.no_room;
  out.start_lines = start_lines(result);
  out.refusal = refusal_of(in, result, budget);
  out.flags = flags_of(in, s, result.blocks);
  out.ratio = printed_ratio(layout, s, result.blocks, in.context);
  if (out.ratio != 0) out.ratio_text = two_decimals(out.ratio) + "x";
}

Outcome run(const Inputs& in) {
  Outcome out;
  Chosen chosen = choose_rules(in.version);
  const Settings s = settings_of(in, chosen);
  const Layout layout = layout_of(layer_specs(in, s), s);
  const Budget budget = budget_of(in, s);
  out.version = chosen.text;
  out.rules = chosen.rules->id;
  out.seen = s.seen;
  out.util = s.util;
  out.budget = budget.terms;
  out.diagnostics = std::move(chosen.diagnostics);
  fill_pool_bytes(in, s, layout, budget, out.pool);
  fill_ranks(s, layout, out);
  fill_pool(in, s, layout, out.pool);
  out.unit_bytes = units::bytes(fullest_block(layout));
  out.seq_cap = s.seqs;
  out.grain = 1;
  for (units::Diagnostic& d : check(in, s, layout)) out.diagnostics.push_back(std::move(d));
  const std::string name = "vLLM " + chosen.text;
  for (units::Diagnostic& d : check_formats(name, formats_of(chosen.version), in)) {
    out.diagnostics.push_back(std::move(d));
  }
  fill_ledger(in, s, layout, out);
  fill_lines(in, s, layout, budget, out);
  const bool reserved = in.alloc == Alloc::kReserved;
  out.waste = waste_of(layout, s, reserved ? in.context : in.length());
  return out;
}

}  // namespace
}  // namespace vllm

const Profile& vllm_profile() {
  static const Profile profile = {
      .id = "vllm",
      .name = "vLLM",
      .doc = "Paged blocks; groups of layers share one pool, windows and states are reserved",
      .rules = vllm::rule_sets(),
      .options = vllm::option_specs(),
      .default_util = 0.92,
      .has_util = true,
      .util_remedy = "",
      .default_alloc = Alloc::kPaged,
      .default_cache = "",
      .honours_cache_scheme = true,
      .run = vllm::run,
  };
  return profile;
}

}  // namespace kvseats::engine
