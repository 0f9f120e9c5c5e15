#include "engine/vllm/needs.h"

#include <algorithm>

namespace kvseats::engine::vllm {
namespace {

using units::ceil_div;
using units::checked_add;
using units::checked_mul;

std::uint64_t step_budget(const Settings& s) {
  return checked_mul(s.batched, s.inflight);
}

CostTerm state_term(const Bucket& bucket, const Settings& s) {
  CostTerm term;
  term.shareable = false;
  if (s.states == StateMode::kAll) {
    term.num = bucket.count;
    term.per = bucket.spec.block;
    term.fixed = checked_mul(bucket.count, s.draft_tokens);
    return term;
  }
  const std::uint64_t pages = s.states == StateMode::kAlign ? 2 : 1;
  term.fixed = checked_mul(bucket.count, pages + s.draft_tokens);
  return term;
}

CostTerm term_of(const Bucket& bucket, const Settings& s) {
  const Spec& spec = bucket.spec;
  if (spec.keep == Keep::kState) return state_term(bucket, s);
  CostTerm term;
  term.num = bucket.count;
  term.per = spec.block;
  term.shareable = spec.keep == Keep::kAll && s.prefix_caching;
  switch (spec.keep) {
    case Keep::kAll:
      term.per = checked_mul(spec.block, s.context_parallel);
      break;
    case Keep::kWindow:
      term.cap = checked_add(units::saturating_sub(spec.window, 1), step_budget(s));
      term.extra = 1;
      break;
    case Keep::kChunk:
      term.cap = checked_add(spec.window, step_budget(s));
      break;
    case Keep::kEncoder:
      term.num = 0;
      term.fixed = checked_mul(bucket.count, ceil_div(s.encoder, spec.block));
      break;
    case Keep::kState:
      break;
  }
  return term;
}

// Before 0.14: every real layer's own need, without padding layers.
std::uint64_t sum_over_layers(const Layout& layout, const Settings& s, std::uint64_t tokens) {
  std::uint64_t sum = 0;
  for (const Bucket& bucket : layout.buckets) {
    Bucket one = bucket;
    one.count = 1;
    const std::uint64_t blocks = Cost({term_of(one, s)}).at(tokens);
    sum = checked_add(sum, checked_mul(checked_mul(blocks, layout.page), bucket.layers));
  }
  return sum;
}

std::uint64_t fullest_block(const Layout& layout) {
  std::uint64_t most = 0;
  for (const std::uint64_t bytes : layout.block_bytes) most = std::max(most, bytes);
  return most;
}

std::uint64_t old_tokens(const Layout& layout, const Settings& s, std::uint64_t blocks,
                         std::uint64_t context) {
  const std::uint64_t block = layout.smallest_block == UINT64_MAX ? context : layout.smallest_block;
  return checked_mul(checked_mul(blocks / std::max<std::uint32_t>(1, layout.groups), block),
                     s.context_parallel);
}

}  // namespace

Cost cost_of(const Layout& layout, const Settings& settings) {
  std::vector<CostTerm> terms;
  for (const Bucket& bucket : layout.buckets) terms.push_back(term_of(bucket, settings));
  return Cost(std::move(terms));
}

std::uint64_t needed_bytes(const Layout& layout, const Settings& settings, std::uint64_t tokens) {
  const bool simple = layout.groups <= 1 || layout.block_bytes.size() > 1;
  if (!simple && !checks_by_groups(settings.version)) {
    return sum_over_layers(layout, settings, tokens);
  }
  return checked_mul(cost_of(layout, settings).at(tokens), fullest_block(layout));
}

std::uint64_t longest_that_fits(const Layout& layout, const Settings& settings,
                                std::uint64_t available, std::uint64_t limit) {
  std::uint64_t low = 0;
  std::uint64_t high = limit;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2 + 1;
    if (needed_bytes(layout, settings, middle) <= available) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

double printed_ratio(const Layout& layout, const Settings& settings, std::uint64_t blocks,
                     std::uint64_t context) {
  if (!settings.rules->groups) {
    const std::uint64_t tokens = old_tokens(layout, settings, blocks, context);
    return static_cast<double>(tokens) / static_cast<double>(context);
  }
  const std::uint64_t need = cost_of(layout, settings).at(context);
  if (need == 0 || need == units::kOutOfRange) return 0;
  return static_cast<double>(blocks) / static_cast<double>(need);
}

std::optional<std::uint64_t> printed_tokens(const Layout& layout, const Settings& settings,
                                            std::uint64_t blocks, std::uint64_t context) {
  if (!cost_of(layout, settings).grows_forever()) {
    const bool windows =
        !cost_of(layout, settings).is_free() && layout.smallest_block != UINT64_MAX;
    if (!windows) return std::nullopt;
  }
  if (!settings.rules->tokens_by_ratio) return old_tokens(layout, settings, blocks, context);
  const double tokens =
      printed_ratio(layout, settings, blocks, context) * static_cast<double>(context);
  // Windows alone, and a context far beyond them: as good as endless.
  if (!(tokens < static_cast<double>(units::kMaxExactJson))) return std::nullopt;
  return static_cast<std::uint64_t>(tokens);
}

std::uint64_t blocks_for_tokens(const Layout& layout, const Settings& settings,
                                std::uint64_t tokens, std::uint64_t context) {
  const std::uint64_t need = cost_of(layout, settings).at(context);
  if (settings.rules->tokens_by_ratio) {
    return units::mul_div_ceil(need, tokens, std::max<std::uint64_t>(1, context));
  }
  const std::uint64_t per =
      std::max<std::uint64_t>(1, old_tokens(layout, settings, layout.groups, context));
  return checked_mul(ceil_div(tokens, per), layout.groups);
}

}  // namespace kvseats::engine::vllm
