#include "engine/sglang/waste.h"

#include <algorithm>

namespace kvseats::engine::sglang {
namespace {

using units::checked_mul;
using units::saturating_sub;

std::uint64_t bytes_of(units::Ratio token, std::uint64_t tokens) {
  return units::mul_div_floor(tokens, token.num, token.den);
}

void add(std::vector<WasteRow>& rows, const char* id, const char* label, std::uint64_t bytes) {
  if (bytes != 0) rows.push_back({id, label, units::bytes(bytes)});
}

// What a rank takes beyond exactly `tokens` tokens (and its fixed part).
std::uint64_t beyond(const Rank& rank, std::uint64_t tokens, std::uint64_t exact_tokens) {
  const CostTerm& term = rank.cost.terms().front();
  const std::uint64_t exact =
      units::mul_div_ceil(exact_tokens, term.num, checked_mul(term.den, term.per));
  return saturating_sub(rank.cost.at(tokens), units::checked_add(exact, term.fixed));
}

std::uint64_t unwindowed(const Stage& stage, std::uint64_t tokens) {
  std::uint64_t sum = 0;
  for (const Kept& kept : stage.kept)
    sum += bytes_of(kept.token, saturating_sub(tokens, kept.window));
  return sum;
}

}  // namespace

std::vector<WasteRow> waste_of(const Settings& settings, const Stage& stage, const Sizes& sizes,
                               std::uint64_t tokens) {
  std::uint64_t rounding = 0;
  std::uint64_t window = unwindowed(stage, tokens);
  for (const Rank& rank : ranks_of(settings, stage, sizes)) {
    const CostTerm& term = rank.cost.terms().front();
    if (term.num == 0) continue;
    if (term.cap == UINT64_MAX) {
      rounding += beyond(rank, tokens, tokens);
    } else {
      window += beyond(rank, tokens, std::min(tokens, stage.window_tokens));
    }
  }
  std::vector<WasteRow> rows;
  add(rows, "rounding", "Rounded up to whole pages", rounding);
  add(rows, "window", "Beyond the windows of the layers", window);
  add(rows, "shared", "Copies of shared layers", bytes_of(stage.shared, tokens));
  add(rows, "index", "Index keys of layers without indexer", bytes_of(stage.index, tokens));
  add(rows, "state_copies", "Further slots of states",
      checked_mul(stage.slot, settings.slots_per_request - 1));
  add(rows, "state_type", "States kept in 32 bit", stage.slot_spare);
  return rows;
}

}  // namespace kvseats::engine::sglang
