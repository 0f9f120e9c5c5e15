#include "engine/sglang/pools.h"

#include <algorithm>
#include <cmath>

namespace kvseats::engine::sglang {
namespace {

using units::checked_add;
using units::checked_mul;
using units::Ratio;
using units::saturating_sub;

double as_double(Ratio ratio) {
  return static_cast<double>(ratio.num) / static_cast<double>(ratio.den);
}

std::uint64_t floored(double value) {
  if (!(value > 0)) return 0;
  return value >= 9.0e15 ? units::kMaxExactJson : static_cast<std::uint64_t>(value);
}

std::uint64_t whole_pages(std::uint64_t tokens, const Settings& s) {
  return tokens / s.page * s.page;
}

std::uint64_t window_share(const Settings& s, std::uint64_t tokens) {
  return whole_pages(floored(static_cast<double>(tokens) * s.window_ratio), s);
}

std::uint64_t fullest_slot(const std::vector<Stage>& stages) {
  std::uint64_t most = 0;
  for (const Stage& stage : stages) most = std::max(most, stage.slot);
  return most;
}

// Requests that may run at once before tokens are known.
std::uint64_t most_requests(const Settings& s, std::uint64_t slots) {
  const std::uint64_t by_slots = slots / s.slots_per_request;
  return s.seqs ? std::min(*s.seqs, by_slots) : by_slots;
}

std::uint64_t slots_by_ratio(const Inputs& in, const Settings& s, std::uint64_t slot, double rest) {
  const double budget = rest * s.state_ratio / (1 + s.state_ratio);
  const auto each = static_cast<double>(slot);
  const auto draft = static_cast<double>(in.draft.tokens);
  if (draft != 0) {
    const auto share = static_cast<double>(s.slots_per_request);
    return floored((budget - each * (1 + draft)) / (each * (1 + draft / share)));
  }
  return floored((s.rules->pads_states ? budget - each : budget) / each);
}

std::uint64_t slots_in(const Inputs& in, const Settings& s, std::uint64_t slot, double rest) {
  if (slot == 0) return 0;
  if (s.state_slots) return *s.state_slots;
  if (!s.radix && s.seqs) return *s.seqs;
  return slots_by_ratio(in, s, slot, rest);
}

// States with their padding slot, and the further ones that drafts are checked with.
std::uint64_t state_bytes(const Inputs& in, const Settings& s, std::uint64_t slot,
                          std::uint64_t slots) {
  if (slot == 0) return 0;
  const std::uint64_t kept = slots + (s.rules->pads_states ? 1 : 0);
  const std::uint64_t drafts = checked_mul(most_requests(s, slots) + 1, in.draft.tokens);
  return checked_mul(slot, checked_add(kept, drafts));
}

// Bytes per token of the full pool, its window share included.
double bytes_per_token(const Settings& s, const Stage& stage) {
  const double full = as_double(stage.full);
  const double window = as_double(stage.window);
  if (window == 0) return full;
  return full == 0 ? window : full + s.window_ratio * window;
}

std::uint32_t layers_in(const Stage& stage, Where where) {
  std::uint32_t layers = 0;
  for (const Part& part : stage.parts) {
    if (part.where == where && part.charged) layers += part.layers;
  }
  return layers;
}

// Before 0.5.9 every layer was taken to be like those of the full pool; until 0.5.12 the pools were
// solved from tokens that had been rounded once.
std::uint64_t tokens_in(const Settings& s, const Stage& stage, double rest) {
  const double each = bytes_per_token(s, stage);
  if (each == 0) return units::kMaxExactJson;
  const bool windows = stage.window.num != 0 && stage.full.num != 0;
  if (!windows || s.rules->pads_states) return floored(std::floor(rest / each));
  if (s.rules->weighs_windows) {
    const double plain = as_double(stage.full) + as_double(stage.window);
    return floored(std::floor(rest / plain) * plain / each);
  }
  const auto full = static_cast<double>(layers_in(stage, Where::kFull));
  const auto window = static_cast<double>(layers_in(stage, Where::kWindow));
  const double profiled = std::floor(rest / (as_double(stage.full) / full * (full + window)));
  return floored(profiled * (full + window) / (full + s.window_ratio * window));
}

std::uint64_t clamped_requests(const Inputs& in, const Settings& s, std::uint64_t tokens) {
  const double share =
      static_cast<double>(tokens) / static_cast<double>(std::max<std::uint64_t>(1, in.context));
  const std::uint64_t estimate = std::clamp<std::uint64_t>(floored(share * 512), 2048, 4096);
  return s.seqs.value_or(estimate);
}

void fill_requests(const Inputs& in, const Settings& s, Sizes& sizes, bool states) {
  sizes.requests = clamped_requests(in, s, sizes.tokens);
  if (s.rules->pads_states) sizes.requests = std::min(sizes.requests, sizes.tokens / 2);
  if (states) sizes.requests = std::min(sizes.requests, sizes.slots / s.slots_per_request);
}

void fill_windows(const Settings& s, const std::vector<Stage>& stages, Sizes& sizes) {
  for (const Stage& stage : stages) {
    if (stage.window.num == 0) continue;
    sizes.window_tokens = stage.full.num == 0 ? sizes.tokens : window_share(s, sizes.tokens);
  }
}

Cost paged(Ratio token, std::uint64_t page, std::uint64_t cap, std::uint64_t fixed,
           bool shareable) {
  const Ratio per_page = units::times(token, page);
  return Cost({CostTerm{.num = per_page.num,
                        .den = per_page.den,
                        .per = page,
                        .cap = cap,
                        .fixed = fixed,
                        .shareable = shareable}});
}

// Bytes per token as they are stored: drafts in their own shape.
Ratio stored(const Stage& stage, Where where) {
  Ratio sum{0, 1};
  for (const Part& part : stage.parts) {
    if (part.where == where) sum = units::add(sum, units::add(part.k, part.v));
  }
  return sum;
}

}  // namespace

Sizes sizes_for(const Inputs& in, const Settings& settings, const std::vector<Stage>& stages,
                units::Bytes rest) {
  const std::uint64_t slot = fullest_slot(stages);
  const auto left = static_cast<double>(rest.raw());
  Sizes sizes;
  sizes.slots = slots_in(in, settings, slot, left);
  const std::uint64_t states = state_bytes(in, settings, slot, sizes.slots);
  sizes.tokens = units::kMaxExactJson;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const std::uint64_t fixed =
        checked_mul(stages[i].per_request, settings.seqs.value_or(2048) + 1);
    const std::uint64_t charged = checked_add(states, fixed);
    const std::uint64_t tokens =
        tokens_in(settings, stages[i], left - static_cast<double>(charged));
    if (i != 0 && tokens >= sizes.tokens) continue;
    sizes.tokens = std::min(sizes.tokens, tokens);
    sizes.charged = charged;
    sizes.stage = i;
  }
  const bool free_of_tokens = sizes.tokens == units::kMaxExactJson;
  if (free_of_tokens) sizes.tokens = in.context;  // states only: nothing else to size
  sizes.tokens = whole_pages(sizes.tokens, settings);
  sizes.no_tokens = sizes.tokens == 0 || (slot != 0 && sizes.slots == 0);
  fill_windows(settings, stages, sizes);
  fill_requests(in, settings, sizes, slot != 0);
  return sizes;
}

Sizes sizes_of_tokens(const Inputs& in, const Settings& settings, const std::vector<Stage>& stages,
                      std::uint64_t tokens) {
  const std::uint64_t slot = fullest_slot(stages);
  Sizes sizes;
  sizes.tokens = tokens;
  double most = 0;
  for (const Stage& stage : stages) most = std::fmax(most, bytes_per_token(settings, stage));
  // Keys and values are 1 ÷ (1 + ratio) of what was left.
  const double rest = most * static_cast<double>(tokens) * (1 + settings.state_ratio);
  sizes.slots = slots_in(in, settings, slot, rest);
  fill_windows(settings, stages, sizes);
  fill_requests(in, settings, sizes, slot != 0);
  sizes.no_tokens = tokens == 0;
  return sizes;
}

units::Bytes allocated(const Settings& settings, const Stage& stage, const Sizes& sizes) {
  units::Bytes sum;
  for (const CacheRow& row : rows_of(settings, stage, sizes)) sum += row.bytes;
  return sum;
}

std::vector<CacheRow> rows_of(const Settings& settings, const Stage& stage, const Sizes& sizes) {
  std::vector<CacheRow> rows;
  for (const Part& part : stage.parts) {
    CacheRow row;
    row.name = part.name;
    row.layers = part.layers;
    row.cells = part.where == Where::kSlots    ? sizes.slots
                : part.where == Where::kWindow ? sizes.window_tokens
                                               : sizes.tokens;
    const std::uint64_t spare = part.where == Where::kSlots ? 1 : settings.page;
    const std::uint64_t held = checked_add(row.cells, spare);
    row.k_bytes = units::bytes_ceil(held, part.k);
    row.v_bytes = units::bytes_ceil(held, part.v);
    row.bytes = row.k_bytes + row.v_bytes;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Rank> ranks_of(const Settings& settings, const Stage& stage, const Sizes& sizes) {
  std::vector<Rank> ranks;
  const Ratio full = stored(stage, Where::kFull);
  const Ratio window = stored(stage, Where::kWindow);
  const std::uint64_t page = settings.page;
  if (full.num != 0) {
    const std::uint64_t encoder = units::round_up(stage.encoder_tokens, page);
    const std::uint64_t fixed = units::mul_div_ceil(encoder, full.num, full.den);
    ranks.push_back({.cost = paged(full, page, UINT64_MAX, fixed, settings.radix),
                     .capacity = units::bytes_ceil(sizes.tokens, full).raw()});
  }
  if (window.num != 0) {
    const std::uint64_t cap = checked_add(stage.window_tokens, page);
    const bool all = full.num == 0;
    ranks.push_back({.cost = paged(window, page, units::round_up(cap, page), 0, false),
                     .capacity = units::bytes_ceil(sizes.window_tokens, window).raw(),
                     .pool = all ? "" : "window"});
  }
  if (stage.slot != 0) {
    CostTerm term;
    term.fixed = checked_mul(stage.slot, settings.slots_per_request);
    term.shareable = false;
    ranks.push_back({.cost = Cost({term}),
                     .capacity = checked_mul(stage.slot, sizes.slots),
                     .pool = full.num == 0 && window.num == 0 ? "" : "state"});
  }
  return ranks;
}

}  // namespace kvseats::engine::sglang
