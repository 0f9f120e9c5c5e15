#include "engine/sglang/cells.h"

#include <algorithm>

#include "engine/split.h"

namespace kvseats::engine::sglang {
namespace {

using model::CacheKind;
using model::LayerGroup;
using units::Ratio;
using units::times;

constexpr Version kWorkspace{0, 5, 17};  // of 4-bit keys and values

constexpr Ratio kNothing{0, 1};

// Compressor states are fp32 values and scores.
constexpr std::uint64_t kStateBytes = 2 * 4;

bool is_empty(Ratio ratio) {
  return ratio.num == 0;
}

// Sparse latents have one 8-bit layout.
const model::CacheFormat& latent_format(const model::CacheFormat& k, bool sparse) {
  return sparse && k.id == "fp8" ? *model::find_cache_format("fp8_ds_mla") : k;
}

// What the parts of one stage are made with.
struct Maker {
  const Inputs& in;
  const Settings& settings;
  model::CacheFormats formats;
  std::uint32_t index_dim = 0;  // of the model's latents
  Stage stage;

  void add(std::string_view name, Where where, std::uint32_t layers, Ratio k, Ratio v) {
    for (Part& part : stage.parts) {
      if (part.name != name) continue;
      part.layers += layers;
      part.k = units::add(part.k, k);
      part.v = units::add(part.v, v);
      return;
    }
    stage.parts.push_back({.name = name, .where = where, .layers = layers, .k = k, .v = v});
  }

  [[nodiscard]] bool windowed(const LayerGroup& group) const {
    const bool window = group.kind == CacheKind::kWindow || group.kind == CacheKind::kChunked;
    return window && settings.window_pool;
  }

  void add_heads(const LayerGroup& group, std::uint32_t layers) {
    const std::uint64_t heads =
        std::uint64_t{floor_heads_on_gpu(group.kv_heads, in.parallel.tp)} * layers;
    const Ratio k = times(model::row_bytes(*formats.k, group.k_dim), heads);
    const Ratio v = times(model::row_bytes(*formats.v, group.v_dim), heads);
    if (windowed(group)) {
      stage.window_tokens = std::max(stage.window_tokens, group.window);
      add("kv_swa", Where::kWindow, layers, k, v);
    } else {
      add("kv", Where::kFull, layers, k, v);
      const bool cross = group.kind == CacheKind::kCross;
      if (group.window != 0 && !cross) stage.kept.push_back({group.window, units::add(k, v)});
      if (cross) stage.encoder_tokens = encoder_tokens_of(group, in);
    }
  }

  void add_latent(const LayerGroup& group, std::uint32_t layers) {
    const model::CacheFormat& format = latent_format(*formats.k, index_dim != 0);
    const Ratio row = model::latent_bytes(format, group.k_dim, group.latent_rank);
    add("mla", Where::kFull, layers, times(row, layers), kNothing);
    if (index_dim == 0) return;
    const std::uint64_t key = index_dim + units::ceil_div(index_dim, 128) * 4;
    add("indexer", Where::kFull, layers, {key * layers, 1}, kNothing);
    const std::uint64_t own = group.index_dim == 0 || group.layers == 0
                                  ? 0
                                  : units::mul_div_ceil(layers, group.index_layers, group.layers);
    stage.index =
        units::add(stage.index, {key * (layers - std::min<std::uint64_t>(own, layers)), 1});
  }

  // Block-sparse attention over ordinary keys: an indexer of one head in the model's own type.
  void add_indexer(const LayerGroup& group, std::uint32_t layers) {
    if (group.index_dim == 0 || group.index_layers == 0 || group.layers == 0) return;
    const std::uint64_t indexed = units::mul_div_ceil(layers, group.index_layers, group.layers);
    const Ratio k{indexed * group.index_dim * 2, 1};
    add("indexer", Where::kFull, static_cast<std::uint32_t>(indexed), k,
        group.index_has_v ? k : kNothing);
  }

  void add_compressed(const LayerGroup& group, std::uint32_t layers) {
    const Ratio row = model::compressed_bytes(*formats.k, group.k_dim);
    const std::uint64_t width = group.compress_dim != 0 ? group.compress_dim : group.k_dim;
    stage.window_tokens = std::max(stage.window_tokens, group.window);
    stage.estimated = true;
    add("raw", Where::kWindow, layers, times(row, layers), kNothing);
    if (group.compress_ratio == 0) return;
    const Ratio entries = units::detail::reduced(row.num * layers, row.den * group.compress_ratio);
    add(group.index_dim != 0 ? "csa" : "hca", Where::kFull, layers, entries, kNothing);
    if (group.index_dim == 0) {
      stage.per_request += group.compress_ratio * kStateBytes * width * layers;
      return;
    }
    const std::uint64_t key = group.index_dim + units::ceil_div(group.index_dim, 128) * 4;
    add("lid", Where::kFull, layers, units::detail::reduced(key * layers, group.compress_ratio),
        kNothing);
    const std::uint64_t rows = 8 * 2 * kStateBytes * (width + group.index_dim) * layers;
    add("csa_state", Where::kWindow, layers,
        units::detail::reduced(rows, std::max<std::uint64_t>(1, group.window)), kNothing);
  }

  void add_state(const LayerGroup& group, std::uint32_t layers) {
    if (group.state.kind == model::StateKind::kNone) return;
    const model::State& state = group.state;
    const std::uint32_t tp = in.parallel.tp;
    const std::uint32_t declared =
        state.assumed_type ? 4 : static_cast<std::uint32_t>(state.temporal_type);
    const std::uint32_t wide = settings.temporal_bytes != 0 ? settings.temporal_bytes : declared;
    const std::uint64_t conv = conv_state_on_gpu(state, tp, 0, 2) * layers;
    const std::uint64_t temporal = temporal_state_on_gpu(state, tp, wide) * layers;
    add("recurrent", Where::kSlots, layers, {conv, 1}, {temporal, 1});
    stage.slot += conv + temporal;
    const std::uint64_t stored = units::ceil_div(model::state_bytes(state).raw(), tp) * layers;
    stage.slot_spare += units::saturating_sub(conv + temporal, stored);
  }

  void add_shared(const LayerGroup& group, std::uint32_t layers) {
    const std::size_t kept = stage.kept.size();
    add_heads(group, layers);
    stage.kept.resize(kept);
    const std::uint64_t heads =
        std::uint64_t{floor_heads_on_gpu(group.kv_heads, in.parallel.tp)} * layers;
    if (windowed(group)) return;  // a share of the window pool, which is there anyway
    stage.shared = units::add(
        stage.shared, times(model::head_token_bytes(formats, group.k_dim, group.v_dim), heads));
  }

  void add_group(const LayerGroup& group, std::uint32_t layers) {
    if (layers == 0) return;
    switch (group.kind) {
      case CacheKind::kLatent:
        add_latent(group, layers);
        break;
      case CacheKind::kCompressed:
        add_compressed(group, layers);
        break;
      case CacheKind::kNone:
      case CacheKind::kShared:
        break;
      default:
        add_heads(group, layers);
        add_indexer(group, layers);
    }
    add_state(group, layers);
  }
};

std::uint32_t indexer_width(const model::Model& model) {
  std::uint32_t width = 0;
  for (const LayerGroup& group : model.groups) {
    if (group.kind == CacheKind::kLatent) width = std::max(width, group.index_dim);
  }
  return width;
}

// Layers of each group that read another layer's cache but get one of their own: dealt out over the
// groups that have one, in proportion.
std::vector<std::uint32_t> shared_layers(const model::Model& model,
                                         const std::vector<std::uint32_t>& counts) {
  const auto keeps = [&](std::size_t i) {
    const CacheKind kind = model.groups[i].kind;
    return kind != CacheKind::kShared && kind != CacheKind::kNone && !model.groups[i].overlay;
  };
  std::uint64_t shared = 0;
  std::uint64_t own = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (model.groups[i].kind == CacheKind::kShared) shared += counts[i];
    if (keeps(i)) own += model.groups[i].layers;
  }
  std::vector<std::uint32_t> more(counts.size(), 0);
  for (std::size_t i = 0; i < counts.size() && own != 0; ++i) {
    if (!keeps(i)) continue;
    more[i] = static_cast<std::uint32_t>(units::mul_div_floor(shared, model.groups[i].layers, own));
  }
  return more;
}

// An overlay (cross attention over layers that are counted already) lies evenly over the stages.
std::uint32_t on_stage(const LayerGroup& group, std::uint32_t dealt, std::uint32_t stages) {
  if (!group.overlay) return dealt;
  return static_cast<std::uint32_t>(units::ceil_div(group.layers, stages));
}

// The engine's own estimate scales the target's layers; the draft's pool has its own shape.
void add_draft(const Inputs& in, const Settings& settings, Stage& stage) {
  std::uint64_t layers = 0;
  std::uint64_t full = 0;
  for (const LayerGroup& group : in.draft.layers) layers += group.layers;
  for (const Part& part : stage.parts) {
    if (part.where == Where::kFull && part.name != "indexer") full += part.layers;
  }
  if (layers == 0 || full == 0) return;
  stage.full = units::detail::reduced(units::checked_mul(stage.full.num, full + layers),
                                      units::checked_mul(stage.full.den, full));
  const model::CacheFormat* own = in.draft.format;
  Maker make{.in = in,
             .settings = settings,
             .formats = {own ? own : in.formats.k, own ? own : in.formats.v},
             .index_dim = indexer_width(*in.model),
             .stage = {}};
  for (const LayerGroup& group : in.draft.layers) make.add_group(group, group.layers);
  Part draft{
      .name = "draft", .where = Where::kFull, .layers = 0, .k = {}, .v = {}, .charged = false};
  for (const Part& part : make.stage.parts) {
    if (part.where == Where::kSlots) continue;
    draft.layers += part.layers;
    draft.k = units::add(draft.k, part.k);
    draft.v = units::add(draft.v, part.v);
  }
  stage.parts.push_back(draft);
}

// One 8-bit workspace of a layer for 4-bit keys and values.
Ratio workspace(const Inputs& in, const Settings& settings) {
  if (in.formats.k->id != "fp4" || settings.version < kWorkspace) return kNothing;
  for (const LayerGroup& group : in.model->groups) {
    if (group.kind != CacheKind::kFull) continue;
    const std::uint64_t heads = floor_heads_on_gpu(group.kv_heads, in.parallel.tp);
    return {heads * group.k_dim * 2, 1};
  }
  return kNothing;
}

// A person's own state per request, instead of what the shapes give.
void override_state(const Inputs& in, Stage& stage) {
  if (!in.model->state_override || stage.slot == 0) return;
  std::uint64_t holders = 0;
  for (const LayerGroup& group : in.model->groups) {
    if (group.state.kind != model::StateKind::kNone) holders += group.layers;
  }
  for (Part& part : stage.parts) {
    if (part.where != Where::kSlots) continue;
    stage.slot_spare = 0;  // what is given is what is kept
    stage.slot = units::mul_div_ceil(in.model->state_override->raw(), part.layers,
                                     std::uint64_t{in.parallel.tp} * holders);
    part.k = kNothing;
    part.v = {stage.slot, 1};
  }
}

void sum_up(const Inputs& in, const Settings& settings, Stage& stage) {
  override_state(in, stage);
  for (const Part& part : stage.parts) {
    if (part.where == Where::kSlots) continue;
    Ratio& sum = part.where == Where::kWindow ? stage.window : stage.full;
    sum = units::add(sum, units::add(part.k, part.v));
  }
  const bool windows = !is_empty(stage.window);
  if (!windows) stage.full = units::add(stage.full, workspace(in, settings));
}

}  // namespace

std::vector<Stage> stages_of(const Inputs& in, const Settings& settings) {
  const auto dealt = stage_layers(*in.model, in.parallel.pp);
  const auto stages = static_cast<std::uint32_t>(dealt.size());
  std::vector<Stage> list;
  for (std::uint32_t at = 0; at < stages; ++at) {
    Maker make{.in = in,
               .settings = settings,
               .formats = in.formats,
               .index_dim = indexer_width(*in.model),
               .stage = {}};
    const std::vector<std::uint32_t> shared = shared_layers(*in.model, dealt[at]);
    for (std::size_t i = 0; i < shared.size(); ++i) {
      const LayerGroup& group = in.model->groups[i];
      make.add_group(group, on_stage(group, dealt[at][i], stages));
      if (shared[i] != 0) make.add_shared(group, shared[i]);
    }
    sum_up(in, settings, make.stage);
    if (at + 1 == stages) add_draft(in, settings, make.stage);
    list.push_back(std::move(make.stage));
  }
  return list;
}

}  // namespace kvseats::engine::sglang
