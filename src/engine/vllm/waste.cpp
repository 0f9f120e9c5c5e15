#include "engine/vllm/waste.h"

#include <algorithm>
#include <array>

namespace kvseats::engine::vllm {
namespace {

using units::ceil_div;
using units::checked_add;
using units::checked_mul;
using units::saturating_sub;

enum Cause { kPadding, kRounding, kWindow, kStateCopies, kStatePadding, kCauses };

using Sums = std::array<std::uint64_t, kCauses>;

void add(Sums& sums, Cause cause, std::uint64_t bytes) {
  sums[cause] = checked_add(sums[cause], bytes);
}

// Blocks that one group of this bucket gives to a request.
std::uint64_t blocks_of(const Bucket& bucket, const Settings& s, std::uint64_t tokens) {
  Layout one;
  one.buckets = {bucket};
  one.buckets.front().count = 1;
  return cost_of(one, s).at(tokens);
}

// Real layers of a bucket: what their blocks hold beyond the tokens they keep.
void add_layers(const Bucket& bucket, std::uint64_t blocks, const Layout& layout, const Settings& s,
                std::uint64_t tokens, std::uint64_t layers, Sums& sums) {
  const Spec& spec = bucket.spec;
  const std::uint64_t held = checked_mul(blocks, layout.page);
  if (spec.keep == Keep::kEncoder) return;
  if (spec.keep == Keep::kState) {
    add(sums, kStatePadding, checked_mul(layers, saturating_sub(layout.page, spec.state)));
    add(sums, kStateCopies, checked_mul(layers, saturating_sub(held, layout.page)));
    return;
  }
  const bool bounded = spec.keep != Keep::kAll;
  const std::uint64_t own = bounded ? tokens : ceil_div(tokens, s.context_parallel);
  const std::uint64_t kept = bounded ? std::min(own, spec.window) : own;
  const std::uint64_t needed = units::mul_div_ceil(kept, spec.token.num, spec.token.den);
  const std::uint64_t whole = checked_mul(ceil_div(kept, spec.block), layout.page);
  add(sums, kRounding, checked_mul(layers, saturating_sub(whole, needed)));
  add(sums, kWindow, checked_mul(layers, saturating_sub(held, whole)));
}

std::uint64_t fullest_block(const Layout& layout) {
  return layout.block_bytes.empty()
             ? 0
             : *std::max_element(layout.block_bytes.begin(), layout.block_bytes.end());
}

// One block table, layers that keep every token: only the last block can be partly empty.
void add_one_group(const Layout& layout, const Settings& s, std::uint64_t tokens, Sums& sums) {
  const std::uint64_t bytes = fullest_block(layout);
  const std::uint64_t held = checked_mul(cost_of(layout, s).at(tokens), bytes);
  const std::uint64_t own = ceil_div(tokens, s.context_parallel);
  const std::uint64_t block = layout.buckets.front().spec.block;
  add(sums, kRounding, saturating_sub(held, units::mul_div_ceil(bytes, own, block)));
}

void add_buckets(const Layout& layout, const Settings& s, std::uint64_t tokens, Sums& sums) {
  const std::uint64_t size = layout.page == 0 ? 0 : fullest_block(layout) / layout.page;
  const std::uint64_t stages = std::max<std::size_t>(1, layout.block_bytes.size());
  for (const Bucket& bucket : layout.buckets) {
    const std::uint64_t slots = checked_mul(bucket.count, size);
    const std::uint64_t real = std::min<std::uint64_t>(ceil_div(bucket.layers, stages), slots);
    const std::uint64_t blocks = blocks_of(bucket, s, tokens);
    add(sums, kPadding, checked_mul(checked_mul(slots - real, blocks), layout.page));
    add_layers(bucket, blocks, layout, s, tokens, real, sums);
  }
}

}  // namespace

std::vector<WasteRow> waste_of(const Layout& layout, const Settings& settings,
                               std::uint64_t tokens) {
  if (layout.buckets.empty() || layout.note == LayoutNote::kCompressed) return {};
  Sums sums{};
  if (layout.groups == 1 && layout.buckets.front().spec.keep == Keep::kAll) {
    add_one_group(layout, settings, tokens, sums);
  } else {
    add_buckets(layout, settings, tokens, sums);
  }
  constexpr std::array<std::pair<const char*, const char*>, kCauses> kRows = {{
      {"padding", "Padding layers of groups"},
      {"rounding", "Rounded up to whole blocks"},
      {"window", "Windows held for the step budget"},
      {"state_copies", "Further pages of states"},
      {"state_padding", "States smaller than their page"},
  }};
  std::vector<WasteRow> rows;
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (sums[i] != 0) rows.push_back({kRows[i].first, kRows[i].second, units::bytes(sums[i])});
  }
  return rows;
}

}  // namespace kvseats::engine::vllm
