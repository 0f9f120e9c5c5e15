#include "engine/vllm/groups.h"

#include <algorithm>
#include <numeric>

namespace kvseats::engine::vllm {
namespace {

using units::ceil_div;

bool any_keep(const Layers& layers, Keep keep) {
  return std::any_of(layers.specs.begin(), layers.specs.end(),
                     [keep](const Spec& s) { return s.keep == keep; });
}

void set_block(Spec& spec, std::uint64_t block) {
  spec.block = block;
  spec.page = units::mul_div_ceil(block, spec.token.num, spec.token.den);
}

// Makes equal specs one again after they were changed.
void merge_equal(Layers& layers) {
  std::vector<Spec> merged;
  std::vector<std::uint32_t> index;
  for (const Spec& spec : layers.specs) {
    const auto known = std::find(merged.begin(), merged.end(), spec);
    index.push_back(static_cast<std::uint32_t>(known - merged.begin()));
    if (known == merged.end()) merged.push_back(spec);
  }
  for (Layer& layer : layers.list) layer.spec = index[layer.spec];
  layers.specs = std::move(merged);
}

// Windows and chunks keep everything wherever some layer does.
void keep_everything(Layers& layers, bool always) {
  if (!always && !any_keep(layers, Keep::kAll)) return;
  for (Spec& spec : layers.specs) {
    if (spec.keep != Keep::kWindow && spec.keep != Keep::kChunk) continue;
    spec.keep = Keep::kAll;
    spec.window = 0;
  }
  merge_equal(layers);
}

// Latents beside plain windows: the engine treats the windows as full attention.
bool mixes_latent_and_window(const Layers& layers) {
  const bool latent =
      std::any_of(layers.specs.begin(), layers.specs.end(), [](const Spec& s) { return s.latent; });
  return latent && any_keep(layers, Keep::kWindow) && !layers.has_compressed;
}

// All layers keep the same tokens, so one block table serves them all.
bool one_type(const Layers& layers) {
  const Spec& first = layers.specs.front();
  return std::all_of(layers.specs.begin(), layers.specs.end(), [&first](const Spec& s) {
    return s.keep == first.keep && s.window == first.window && s.block == first.block;
  });
}

// Attention blocks grow until their page holds the largest state.
void enlarge_for_states(Layers& layers, const Settings& settings) {
  std::uint64_t state = 0;
  units::Ratio token;
  for (const Spec& spec : layers.specs) {
    if (spec.keep == Keep::kState) state = std::max(state, spec.page);
    const bool wider = spec.token.num * token.den > token.num * spec.token.den;
    if (spec.keep != Keep::kState && wider) token = spec.token;
  }
  if (state == 0 || token.num == 0) return;
  const std::uint64_t chunk = settings.states == StateMode::kAll ? settings.state_chunk : 0;
  const std::uint64_t block = enlarged_block(state, token, settings.block, chunk);
  for (Spec& spec : layers.specs) {
    if (spec.keep == Keep::kState) {
      spec.block = block;
    } else {
      set_block(spec, std::max(spec.block, block));
    }
  }
}

// The largest page wins. False if some attention page could only be padded.
bool unify_pages(Layers& layers) {
  std::uint64_t largest = 0;
  for (const Spec& spec : layers.specs) largest = std::max(largest, spec.page);
  bool exact = true;
  for (Spec& spec : layers.specs) {
    if (spec.page == 0 || spec.page == largest) continue;
    if (spec.keep != Keep::kState && largest % spec.page == 0) {
      set_block(spec, spec.block * (largest / spec.page));
      continue;
    }
    exact &= spec.keep == Keep::kState;
    spec.page = largest;
  }
  merge_equal(layers);
  return exact;
}

std::vector<Bucket> count_buckets(const Layers& layers) {
  std::vector<Bucket> buckets;
  for (const Spec& spec : layers.specs) buckets.push_back({.spec = spec});
  for (const Layer& layer : layers.list) ++buckets[layer.spec].layers;
  return buckets;
}

std::uint32_t group_size_of(const std::vector<Bucket>& buckets, Version version) {
  std::uint32_t least = UINT32_MAX;
  std::uint32_t most = 0;
  for (const Bucket& bucket : buckets) {
    least = std::min(least, bucket.layers);
    most = std::max(most, bucket.layers);
  }
  const bool near = std::uint64_t{most} * 100 < std::uint64_t{least} * bucket_percent(version);
  return near ? most : least;
}

// Layers that each group of each bucket has on one stage: the stage's own group size.
std::uint32_t size_on_stage(const Layers& layers, const Layout& layout, std::uint32_t stage) {
  std::vector<std::uint32_t> next(layout.buckets.size(), 0);
  std::vector<std::vector<std::uint32_t>> held(layout.buckets.size());
  for (std::size_t i = 0; i < held.size(); ++i) held[i].assign(layout.buckets[i].count, 0);
  for (const Layer& layer : layers.list) {
    const std::uint32_t group = next[layer.spec]++ % layout.buckets[layer.spec].count;
    if (layer.stage == stage) ++held[layer.spec][group];
  }
  std::uint32_t most = 0;
  for (const auto& groups : held) {
    for (const std::uint32_t count : groups) most = std::max(most, count);
  }
  return most;
}

void fill_summed(const Layers& layers, Layout& layout) {
  layout.summed = layers.specs.size() > 1;
  layout.groups = 1;
  layout.group_size = static_cast<std::uint32_t>(layers.list.size());
  layout.block_bytes.assign(layers.stages, 0);
  layout.block_layers.assign(layers.stages, 0);
  for (const Layer& layer : layers.list) {
    ++layout.block_layers[layer.stage];
    const std::uint64_t page = layers.specs[layer.spec].page;
    layout.page = units::checked_add(layout.page, page);
    layout.block_bytes[layer.stage] = units::checked_add(layout.block_bytes[layer.stage], page);
  }
  layout.buckets.push_back({.spec = layers.specs.front(), .layers = layout.group_size});
  if (!layout.summed) layout.page = layers.specs.front().page;
}

void fill_grouped(const Layers& layers, const Settings& settings, Layout& layout) {
  layout.buckets = count_buckets(layers);
  layout.group_size = group_size_of(layout.buckets, settings.version);
  layout.page = layers.specs.front().page;
  for (Bucket& bucket : layout.buckets) {
    bucket.count = static_cast<std::uint32_t>(ceil_div(bucket.layers, layout.group_size));
    bucket.padding = bucket.count * layout.group_size - bucket.layers;
    layout.groups += bucket.count;
  }
  for (std::uint32_t stage = 0; stage < layers.stages; ++stage) {
    const std::uint32_t size = size_on_stage(layers, layout, stage);
    layout.block_layers.push_back(size);
    layout.block_bytes.push_back(units::checked_mul(layout.page, size));
  }
}

// Compressed attention: layers that keep every (compressed) token and layers that keep a window are
// two groups of unequal pages in one slab; a block is as large as the larger group's sum.
void fill_packed(const Layers& layers, Layout& layout) {
  std::vector<std::uint64_t> stage_sums[2];
  for (auto& sums : stage_sums) sums.assign(layers.stages, 0);
  std::vector<std::uint32_t> counts[2];
  for (auto& count : counts) count.assign(layers.stages, 0);
  std::vector<Bucket> buckets(2);
  for (const Layer& layer : layers.list) {
    const Spec& spec = layers.specs[layer.spec];
    const std::size_t which = spec.keep == Keep::kWindow ? 1 : 0;
    if (buckets[which].layers++ == 0) buckets[which].spec = spec;
    stage_sums[which][layer.stage] += spec.page;
    ++counts[which][layer.stage];
  }
  for (const Bucket& bucket : buckets) {
    if (bucket.layers != 0) layout.buckets.push_back(bucket);
    layout.group_size = std::max(layout.group_size, bucket.layers);
  }
  layout.summed = true;
  layout.groups = static_cast<std::uint32_t>(layout.buckets.size());
  for (std::uint32_t stage = 0; stage < layers.stages; ++stage) {
    const std::size_t larger = stage_sums[0][stage] >= stage_sums[1][stage] ? 0 : 1;
    layout.block_bytes.push_back(stage_sums[larger][stage]);
    layout.block_layers.push_back(counts[larger][stage]);
    layout.page = units::checked_add(layout.page, layout.block_bytes.back());
  }
}

void fill_smallest_block(const Settings& settings, Layout& layout) {
  layout.smallest_block = UINT64_MAX;
  for (const Bucket& bucket : layout.buckets) {
    const bool whole = bucket.spec.keep == Keep::kState && settings.states == StateMode::kNone;
    if (!whole) layout.smallest_block = std::min(layout.smallest_block, bucket.spec.block);
  }
}

}  // namespace

std::uint64_t enlarged_block(std::uint64_t state_page, units::Ratio token,
                             std::uint64_t kernel_block, std::uint64_t chunk) {
  const std::uint64_t a = chunk == 0 ? kernel_block : std::lcm(chunk, kernel_block);
  // a × ceil(state ÷ (a × num ÷ den)), in whole numbers.
  const std::uint64_t per = units::checked_mul(a, token.num);
  return units::checked_mul(a, ceil_div(units::checked_mul(state_page, token.den), per));
}

Layout layout_of(Layers layers, const Settings& settings) {
  Layout layout;
  if (layers.list.empty()) {
    layout.block_bytes.assign(layers.stages, 0);
    return layout;
  }
  if (!settings.groups) keep_everything(layers, settings.rules->blocks_only);
  if (mixes_latent_and_window(layers)) keep_everything(layers, false);
  enlarge_for_states(layers, settings);
  merge_equal(layers);
  if (layers.has_compressed && settings.groups) {
    fill_packed(layers, layout);
  } else if (one_type(layers)) {
    fill_summed(layers, layout);
  } else {
    if (!unify_pages(layers)) layout.note = LayoutNote::kPadded;
    if (!settings.groups) layout.note = LayoutNote::kNotUniform;
    fill_grouped(layers, settings, layout);
  }
  if (layers.has_compressed) layout.note = LayoutNote::kCompressed;
  fill_smallest_block(settings, layout);
  return layout;
}

}  // namespace kvseats::engine::vllm
