#include "engine/vllm/specs.h"

#include <algorithm>

#include "engine/split.h"

namespace kvseats::engine::vllm {
namespace {

using units::ceil_div;
using units::Ratio;

// Latents with a sparse indexer have one 8-bit layout: any fp8 is turned into fp8_ds_mla
// (DeepseekV32ForCausalLM.verify_and_update_config, models/config.py).
const model::CacheFormat& sparse_format(const model::LayerGroup& group,
                                        const model::CacheFormat& format) {
  const bool plain_fp8 = format.id == "fp8" || format.id == "fp8_e5m2";
  if (group.index_dim == 0 || !plain_fp8) return format;
  return *model::find_cache_format("fp8_ds_mla");
}

// V0 rounded every row of a latent up to 256 B.
Ratio latent_row(const model::LayerGroup& group, const model::CacheFormat& given,
                 const Settings& s) {
  const model::CacheFormat& format = sparse_format(group, given);
  const Ratio row = model::latent_bytes(format, group.k_dim, group.latent_rank);
  if (!s.align_latent) return row;
  return {units::round_up(ceil_div(row.num, row.den), 256), 1};
}

std::uint64_t page_bytes(Ratio token, std::uint64_t block) {
  return units::mul_div_ceil(block, token.num, token.den);
}

Spec with_page(Spec spec) {
  spec.page = page_bytes(spec.token, spec.block);
  return spec;
}

Keep keep_of(model::CacheKind kind) {
  switch (kind) {
    case model::CacheKind::kWindow:
    case model::CacheKind::kCompressed:
      return Keep::kWindow;
    case model::CacheKind::kChunked:
      return Keep::kChunk;
    case model::CacheKind::kCross:
      return Keep::kEncoder;
    default:
      return Keep::kAll;
  }
}

// What the specs of one group are made with.
struct Maker {
  const Settings& settings;
  std::uint32_t tp;
  const model::CacheFormat& k;
  const model::CacheFormat& v;
  std::uint64_t state_page = 0;  // a person's own state, per layer; 0: from the shapes
};

Spec attention_spec(const model::LayerGroup& group, const Maker& make) {
  Spec spec;
  spec.keep = keep_of(group.kind);
  spec.block = make.settings.block;
  spec.window = spec.keep == Keep::kAll || spec.keep == Keep::kEncoder ? 0 : group.window;
  spec.latent = group.kind == model::CacheKind::kLatent;
  spec.heads = spec.latent ? 1 : floor_heads_on_gpu(group.kv_heads, make.tp);
  spec.token =
      spec.latent
          ? latent_row(group, make.k, make.settings)
          : units::times(model::head_token_bytes({&make.k, &make.v}, group.k_dim, group.v_dim),
                         spec.heads);
  if (group.kind == model::CacheKind::kCompressed) {
    spec.token = model::compressed_bytes(make.k, group.k_dim);
  }
  return with_page(spec);
}

// The entries of the compressed tokens, as a latent of one entry per `compress_ratio` tokens.
Spec compressed_spec(const model::LayerGroup& group, const Maker& make) {
  Spec spec;
  spec.block = make.settings.block;
  spec.latent = true;
  spec.heads = 1;
  const std::uint32_t width = group.compress_dim != 0 ? group.compress_dim : group.k_dim;
  const Ratio entry = model::compressed_bytes(make.k, width);
  spec.token =
      units::detail::reduced(entry.num, units::checked_mul(entry.den, group.compress_ratio));
  return with_page(spec);
}

Spec indexer_spec(const model::LayerGroup& group, const Maker& make) {
  Spec spec;
  spec.block = make.settings.block;
  spec.latent = true;
  spec.heads = 1;
  const std::uint64_t row = group.index_dim + ceil_div(group.index_dim, 128) * 4;
  spec.token = {row * (group.index_has_v ? 2 : 1), 1};
  return with_page(spec);
}

Spec state_spec(const model::LayerGroup& group, const Maker& make) {
  Spec spec;
  spec.keep = Keep::kState;
  spec.block = make.settings.block;
  spec.page =
      make.state_page != 0 ? make.state_page : state_bytes(group.state, make.tp, make.settings);
  spec.state = spec.page;
  return spec;
}

bool keeps_attention(const model::LayerGroup& group) {
  return group.kind != model::CacheKind::kNone && group.kind != model::CacheKind::kShared;
}

std::vector<Spec> specs_of(const model::LayerGroup& group, bool with_indexer, const Maker& make) {
  std::vector<Spec> specs;
  if (keeps_attention(group)) specs.push_back(attention_spec(group, make));
  if (group.kind == model::CacheKind::kCompressed && group.compress_ratio != 0) {
    specs.push_back(compressed_spec(group, make));
  }
  if (with_indexer) specs.push_back(indexer_spec(group, make));
  const bool state = group.state.kind != model::StateKind::kNone;
  if (state && !make.settings.rules->blocks_only) specs.push_back(state_spec(group, make));
  return specs;
}

void add_layer(const std::vector<Spec>& specs, std::uint32_t stage, Layers& layers) {
  for (const Spec& spec : specs) {
    const auto known = std::find(layers.specs.begin(), layers.specs.end(), spec);
    const auto index = static_cast<std::uint32_t>(known - layers.specs.begin());
    if (known == layers.specs.end()) layers.specs.push_back(spec);
    layers.list.push_back({index, stage});
  }
}

// First layer of every pipeline stage and one past the last layer.
std::vector<std::size_t> stage_ends(const model::Model& model, std::uint32_t pp) {
  std::vector<std::size_t> ends;
  std::size_t end = 0;
  for (const auto& stage : stage_layers(model, pp)) {
    for (const std::uint32_t count : stage) end += count;
    ends.push_back(end);
  }
  return ends;
}

// Cross attention lies over the decoder's layers: dealt to the stages as those are.
void add_overlay(const Inputs& in, const Maker& make, const std::vector<std::size_t>& ends,
                 Layers& layers) {
  const std::size_t all = ends.empty() ? 0 : ends.back();
  for (const model::LayerGroup& group : in.model->groups) {
    if (!group.overlay) continue;
    const std::vector<Spec> specs = specs_of(group, group.index_layers != 0, make);
    for (std::uint32_t i = 0; i < group.layers; ++i) {
      const std::size_t at = std::size_t{i} * all / group.layers;
      const auto end = std::upper_bound(ends.begin(), ends.end(), at);
      const auto stage = static_cast<std::uint32_t>(end - ends.begin());
      add_layer(specs, std::min(stage, layers.stages - 1), layers);
    }
  }
}

// A person's own state per request is spread over the layers that have one.
std::uint64_t own_state_page(const Inputs& in) {
  if (!in.model->state_override) return 0;
  std::uint64_t holders = 0;
  for (const model::LayerGroup& group : in.model->groups) {
    if (group.state.kind != model::StateKind::kNone) holders += group.layers;
  }
  if (holders == 0) return 0;
  return ceil_div(in.model->state_override->raw(), holders * in.parallel.tp);
}

void add_model(const Inputs& in, const Maker& make, Layers& layers) {
  const std::vector<std::uint16_t> order = model::layer_groups(*in.model);
  const std::vector<std::size_t> ends = stage_ends(*in.model, layers.stages);
  std::vector<std::uint32_t> seen(in.model->groups.size(), 0);
  const model::CacheFormat& plain = *model::find_cache_format("bf16");
  const Maker make_plain{make.settings, make.tp, plain, plain, make.state_page};
  std::uint32_t stage = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    while (stage + 1 < ends.size() && i >= ends[stage]) ++stage;
    const model::LayerGroup& group = in.model->groups[order[i]];
    const bool indexer = group.index_dim != 0 && seen[order[i]] < group.index_layers;
    ++seen[order[i]];
    layers.has_compressed |= group.kind == model::CacheKind::kCompressed;
    const Maker& maker = model::stays_16_bit(*in.model, in.formats, i) ? make_plain : make;
    add_layer(specs_of(group, indexer, maker), stage, layers);
  }
  add_overlay(in, make, ends, layers);
}

void add_draft(const Inputs& in, const Settings& settings, Layers& layers) {
  const model::CacheFormat* own = in.draft.format;
  const Maker make{settings, in.parallel.tp, own ? *own : *in.formats.k,
                   own ? *own : *in.formats.v};
  for (const model::LayerGroup& group : in.draft.layers) {
    for (std::uint32_t i = 0; i < group.layers; ++i) {
      add_layer(specs_of(group, i < group.index_layers, make), layers.stages - 1, layers);
    }
  }
}

// Bytes per element of the temporal part: given, declared, or that of the convolution; KDA and
// linear attention keep fp32 whatever is declared.
std::uint32_t temporal_bytes(const model::State& state, const Settings& s, std::uint32_t conv) {
  const bool always = state.kind == model::StateKind::kKimiDelta;
  if (always) return 4;
  if (s.state_bytes) return *s.state_bytes;
  const bool follows = state.assumed_type && state.kind != model::StateKind::kLinear;
  return follows ? conv : static_cast<std::uint32_t>(state.temporal_type);
}

}  // namespace

std::uint64_t state_bytes(const model::State& state, std::uint32_t tp, const Settings& s) {
  const std::uint32_t conv = s.conv_bytes.value_or(static_cast<std::uint32_t>(state.conv_type));
  const std::uint32_t temporal = temporal_bytes(state, s, conv);
  return conv_state_on_gpu(state, tp, s.draft_tokens, conv) +
         temporal_state_on_gpu(state, tp, temporal);
}

Layers layer_specs(const Inputs& in, const Settings& settings) {
  Layers layers;
  layers.stages = std::max<std::uint32_t>(1, in.parallel.pp);
  add_model(in, {settings, in.parallel.tp, *in.formats.k, *in.formats.v, own_state_page(in)},
            layers);
  add_draft(in, settings, layers);
  return layers;
}

}  // namespace kvseats::engine::vllm
