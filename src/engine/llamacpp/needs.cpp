#include "engine/llamacpp/needs.h"

#include <algorithm>

namespace kvseats::engine::llamacpp {
namespace {

using units::checked_mul;

// Streams that the cost of one request counts: all of them when it is the whole server's.
std::uint64_t streams_of(const Cache& cache, const Settings& s) {
  return s.unified && cache.per_slot ? s.seqs : 1;
}

// One array of cells for all slots: a slot takes its part of the window's cells.
std::uint64_t window_of(const Cache& cache, const Settings& s) {
  if (cache.per_slot) return units::checked_add(cache.amount, s.ubatch);
  const std::uint64_t all = window_tokens(s, cache.amount);
  return s.one_array ? units::ceil_div(all, s.seqs) : all;
}

CostTerm state_term(const Cache& cache, const Settings& s) {
  const std::uint64_t bytes = checked_mul(cache.k_cell + cache.v_cell, cache.copies);
  const std::uint64_t slots = s.unified ? s.seqs : 1;
  CostTerm term;
  // A compressor's state has cells of its own; a recurrent one is one cell a slot.
  term.fixed = checked_mul(bytes, checked_mul(slots, cache.per_slot ? cache.amount : 1));
  term.shareable = false;
  return term;
}

CostTerm term_of(const Cache& cache, const Settings& s) {
  if (cache.rule == Cells::kFixed) return state_term(cache, s);
  const std::uint64_t pad = s.one_array ? 1 : s.pad;
  const std::uint64_t cell = checked_mul(cache.k_cell + cache.v_cell, streams_of(cache, s));
  CostTerm term;
  term.num = checked_mul(cell, pad);
  term.per = pad;
  if (cache.rule == Cells::kRatio) term.per = checked_mul(pad, cache.amount);
  if (cache.rule == Cells::kWindow) term.cap = window_of(cache, s);
  term.shareable = false;
  return term;
}

}  // namespace

std::vector<Device> devices_of(const Inputs& in, const Settings& settings) {
  const std::vector<LayerCounts> counts = deal_layers(in, settings);
  const std::uint32_t pp = std::max<std::uint32_t>(1, in.parallel.pp);
  std::vector<Device> devices;
  for (std::uint32_t i = 0; i < pp; ++i) {
    Device device;
    device.index = i;
    if (!settings.host_cache) device.caches = caches_of(in, settings, counts[i], i + 1 == pp);
    device.reserved = total_bytes(device.caches, settings);
    devices.push_back(std::move(device));
  }
  return devices;
}

Cost cost_of(const std::vector<Cache>& caches, const Settings& settings) {
  std::vector<CostTerm> terms;
  for (const Cache& cache : caches) terms.push_back(term_of(cache, settings));
  SlotBounds bounds;
  if (!settings.unified) bounds.shortest = settings.slot_tokens;
  if (!settings.grows) bounds.longest = settings.slot_tokens;
  return Cost::in_slots(std::move(terms), bounds);
}

Rank rank_of(const Device& device, const Settings& settings) {
  Rank rank;
  rank.stage = device.index;
  rank.cost = cost_of(device.caches, settings);
  rank.slots = settings.seqs;
  if (settings.unified) rank.shared_cells = settings.cells;
  return rank;
}

}  // namespace kvseats::engine::llamacpp
