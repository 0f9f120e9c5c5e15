#include "engine/llamacpp/waste.h"

#include <algorithm>
#include <array>

namespace kvseats::engine::llamacpp {
namespace {

using units::checked_mul;
using units::saturating_sub;

enum Cause { kSlot, kWindow, kSlots, kStateCopies, kSpareV, kCauses };

constexpr std::array<const char*, kCauses> kIds = {"slot", "window", "slots", "state_copies",
                                                   "spare_v"};
constexpr std::array<const char*, kCauses> kLabels = {
    "Cells of the slot beyond the request", "Window cells for the step and other slots",
    "Streams of the other slots", "States of other slots and of speculation",
    "V wider than the layer needs"};

using Amounts = std::array<std::uint64_t, kCauses>;

// Cells that one request of `tokens` reads.
std::uint64_t needed_cells(const Cache& cache, std::uint64_t tokens) {
  if (cache.rule == Cells::kWindow) return std::min(tokens, cache.amount);
  if (cache.rule == Cells::kRatio) return units::ceil_div(tokens, cache.amount);
  return tokens;
}

void add_state(const Cache& cache, std::uint64_t cost, Amounts& out) {
  const std::uint64_t one =
      checked_mul(cache.k_cell + cache.v_cell, cache.per_slot ? cache.amount : 1);
  out[kStateCopies] = units::checked_add(out[kStateCopies], saturating_sub(cost, one));
}

void add_cells(const Cache& cache, const Settings& s, std::uint64_t tokens, std::uint64_t cost,
               Amounts& out) {
  const std::uint64_t cell = cache.k_cell + cache.v_cell;
  const std::uint64_t streams = s.unified && cache.per_slot ? s.seqs : 1;
  const std::uint64_t one = cost / streams;
  out[kSlots] = units::checked_add(out[kSlots], saturating_sub(cost, one));
  const std::uint64_t spare = cell == 0 ? 0 : units::mul_div_floor(one, cache.v_spare, cell);
  out[kSpareV] = units::checked_add(out[kSpareV], spare);
  const std::uint64_t need = checked_mul(needed_cells(cache, tokens), cell - cache.v_spare);
  const Cause cause = cache.rule == Cells::kWindow ? kWindow : kSlot;
  out[cause] = units::checked_add(out[cause], saturating_sub(saturating_sub(one, spare), need));
}

}  // namespace

std::vector<WasteRow> waste_of(const std::vector<Cache>& caches, const Settings& settings,
                               std::uint64_t tokens) {
  Amounts amounts{};
  for (const Cache& cache : caches) {
    const std::uint64_t cost = cost_of({cache}, settings).at(tokens);
    if (cost == units::kOutOfRange) return {};
    if (cache.rule == Cells::kFixed) {
      add_state(cache, cost, amounts);
    } else {
      add_cells(cache, settings, tokens, cost, amounts);
    }
  }
  std::vector<WasteRow> rows;
  for (std::size_t i = 0; i < kCauses; ++i) {
    if (amounts[i] == 0) continue;
    rows.push_back({.id = kIds[i], .label = kLabels[i], .bytes = units::bytes(amounts[i])});
  }
  return rows;
}

}  // namespace kvseats::engine::llamacpp
