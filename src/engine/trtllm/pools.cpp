#include "engine/trtllm/pools.h"

#include <algorithm>

#include "engine/split.h"

namespace kvseats::engine::trtllm {
namespace {

using model::CacheKind;
using model::LayerGroup;
using units::checked_mul;
using units::Ratio;
using units::times;

constexpr Ratio kNothing{0, 1};

// What the pools of one stage are made with.
struct Maker {
  const Inputs& in;
  const Settings& settings;
  model::CacheFormats formats;
  Stage stage;

  Window& window_of(std::uint64_t tokens) {
    for (Window& window : stage.windows) {
      if (window.tokens == tokens) return window;
    }
    stage.windows.push_back({.tokens = tokens, .parts = {}, .token = kNothing});
    return stage.windows.back();
  }

  void add(std::uint64_t tokens, std::string_view name, std::uint32_t layers, Ratio k, Ratio v) {
    Window& window = window_of(tokens);
    window.token = units::add(window.token, units::add(k, v));
    for (Part& part : window.parts) {
      if (part.name != name) continue;
      part.layers += layers;
      part.k = units::add(part.k, k);
      part.v = units::add(part.v, v);
      return;
    }
    window.parts.push_back({.name = name, .layers = layers, .k = k, .v = v});
  }

  // max_attention_window of a layer: as given where the layer has a window, or where none has.
  [[nodiscard]] std::uint64_t kept(const LayerGroup& group) const {
    if (!settings.window || *settings.window >= in.context) return UINT64_MAX;
    const auto& groups = in.model->groups;
    const bool mixed = std::any_of(groups.begin(), groups.end(),
                                   [](const LayerGroup& g) { return g.window != 0; });
    return mixed && group.window == 0 ? UINT64_MAX : *settings.window;
  }

  void add_heads(const LayerGroup& group, std::uint32_t layers) {
    const std::uint64_t tp = std::max<std::uint32_t>(1, in.parallel.tp);
    const std::uint64_t heads = units::ceil_div(group.kv_heads, tp) * layers;
    const Ratio k = times(model::row_bytes(*formats.k, group.k_dim), heads);
    const Ratio v = times(model::row_bytes(*formats.v, group.v_dim), heads);
    if (group.kind == CacheKind::kCross) {
      const Ratio both = units::add(k, v);
      stage.encoder += units::mul_div_ceil(encoder_tokens_of(group, in), both.num, both.den);
      return;
    }
    add(kept(group), "kv", layers, k, v);
  }

  void add_indexer(const LayerGroup& group, std::uint32_t layers) {
    if (group.index_dim == 0 || group.index_layers == 0 || group.layers == 0) return;
    const std::uint64_t indexed = units::mul_div_ceil(layers, group.index_layers, group.layers);
    const std::uint64_t key = group.index_dim + units::ceil_div(group.index_dim, 128) * 4;
    add(kept(group), "indexer", static_cast<std::uint32_t>(indexed), {key * indexed, 1},
        group.index_has_v ? Ratio{key * indexed, 1} : kNothing);
  }

  void add_group(const LayerGroup& group, std::uint32_t layers) {
    if (layers == 0) return;
    const bool keeps = group.kind != CacheKind::kNone && group.kind != CacheKind::kShared;
    if (group.kind == CacheKind::kLatent) {
      const Ratio row = model::latent_bytes(*formats.k, group.k_dim, group.latent_rank);
      add(kept(group), "mla", layers, times(row, layers), kNothing);
    } else if (group.kind == CacheKind::kCompressed) {
      add(kept(group), "raw", layers,
          times(model::compressed_bytes(*formats.k, group.k_dim), layers), kNothing);
    } else if (keeps) {
      add_heads(group, layers);
    }
    add_indexer(group, layers);
    if (group.state.kind == model::StateKind::kNone) return;
    const std::uint64_t all = checked_mul(model::state_bytes(group.state).raw(), layers);
    stage.state += units::ceil_div(all, std::max<std::uint32_t>(1, in.parallel.tp));
  }
};

void add_draft(const Inputs& in, Maker& make) {
  const model::CacheFormat* own = in.draft.format;
  if (own != nullptr) make.formats = {.k = own, .v = own};
  for (const LayerGroup& group : in.draft.layers) make.add_group(group, group.layers);
}

std::uint32_t on_stage(const LayerGroup& group, std::uint32_t dealt, std::uint32_t stages) {
  if (!group.overlay) return dealt;
  return static_cast<std::uint32_t>(units::ceil_div(group.layers, stages));
}

}  // namespace

std::vector<Stage> stages_of(const Inputs& in, const Settings& settings) {
  const auto dealt = stage_layers(*in.model, in.parallel.pp);
  const auto stages = static_cast<std::uint32_t>(dealt.size());
  std::vector<Stage> list;
  for (std::uint32_t at = 0; at < stages; ++at) {
    Maker make{.in = in, .settings = settings, .formats = in.formats, .stage = {}};
    for (std::size_t i = 0; i < in.model->groups.size(); ++i) {
      const LayerGroup& group = in.model->groups[i];
      make.add_group(group, on_stage(group, dealt[at][i], stages));
    }
    if (at + 1 == stages) add_draft(in, make);
    list.push_back(std::move(make.stage));
  }
  return list;
}

std::uint64_t tokens_in(const Settings& settings, const Window& window, units::Bytes share) {
  if (window.token.num == 0) return 0;
  const std::uint64_t tokens =
      units::mul_div_floor(share.raw(), window.token.den, window.token.num);
  const std::uint64_t blocks =
      settings.pytorch ? tokens / settings.block : units::ceil_div(tokens, settings.block);
  return checked_mul(blocks, settings.block);
}

std::vector<std::uint64_t> pool_tokens(const Settings& settings, const Stage& stage,
                                       units::Bytes memory) {
  std::vector<std::uint64_t> tokens;
  const std::uint64_t shares = std::max<std::size_t>(1, stage.windows.size());
  for (const Window& window : stage.windows) {
    tokens.push_back(tokens_in(settings, window, units::bytes(memory.raw() / shares)));
  }
  return tokens;
}

std::vector<Rank> ranks_of(const Settings& settings, const Stage& stage,
                           const std::vector<std::uint64_t>& tokens) {
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < stage.windows.size(); ++i) {
    const Window& window = stage.windows[i];
    const bool whole = window.tokens == UINT64_MAX;
    const Ratio block = times(window.token, settings.block);
    CostTerm term;
    term.num = block.num;
    term.den = block.den;
    term.per = settings.block;
    term.cap = whole ? UINT64_MAX : units::round_up(window.tokens, settings.block);
    term.extra = !whole && settings.rules->linear ? 1 : 0;
    // States and cross attention are charged to the first pool.
    term.fixed = i == 0 ? units::checked_add(stage.state, stage.encoder) : 0;
    term.shareable = whole && settings.reuse;
    ranks.push_back({.cost = Cost({term}),
                     .capacity = units::bytes_ceil(tokens[i], window.token).raw(),
                     .pool = whole ? "" : "window"});
  }
  return ranks;
}

std::vector<CacheRow> rows_of(const Stage& stage, const std::vector<std::uint64_t>& tokens) {
  std::vector<CacheRow> rows;
  for (std::size_t i = 0; i < stage.windows.size(); ++i) {
    for (const Part& part : stage.windows[i].parts) {
      const bool window = stage.windows[i].tokens != UINT64_MAX && part.name == "kv";
      CacheRow row;
      row.name = window ? "kv_swa" : std::string(part.name);
      row.layers = part.layers;
      row.cells = tokens[i];
      row.k_bytes = units::bytes_ceil(tokens[i], part.k);
      row.v_bytes = units::bytes_ceil(tokens[i], part.v);
      row.bytes = row.k_bytes + row.v_bytes;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<WasteRow> waste_of(const Inputs& in, const Settings& settings, const Stage& stage,
                               std::uint64_t tokens) {
  std::uint64_t rounding = 0;
  std::uint64_t beyond = 0;
  const std::vector<std::uint64_t> none(stage.windows.size(), 0);
  const std::vector<Rank> ranks = ranks_of(settings, stage, none);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Window& window = stage.windows[i];
    const std::uint64_t kept = std::min(tokens, window.tokens);
    const std::uint64_t exact = units::mul_div_ceil(kept, window.token.num, window.token.den);
    const std::uint64_t held =
        units::saturating_sub(ranks[i].cost.at(tokens), ranks[i].cost.terms().front().fixed);
    (window.tokens == UINT64_MAX ? rounding : beyond) += units::saturating_sub(held, exact);
  }
  // Layers with a window that keep every token.
  const std::uint64_t tp = std::max<std::uint32_t>(1, in.parallel.tp);
  for (const LayerGroup& group : in.model->groups) {
    const bool windowed = group.kind == CacheKind::kWindow || group.kind == CacheKind::kChunked;
    if (!windowed || settings.window || tokens <= group.window) continue;
    const Ratio head = model::head_token_bytes(in.formats, group.k_dim, group.v_dim);
    const std::uint64_t layers = units::ceil_div(group.layers, in.parallel.pp);
    const Ratio token = times(head, units::ceil_div(group.kv_heads, tp) * layers);
    beyond += units::mul_div_floor(tokens - group.window, token.num, token.den);
  }
  std::vector<WasteRow> rows;
  if (rounding != 0) {
    rows.push_back({"rounding", "Rounded up to whole blocks", units::bytes(rounding)});
  }
  if (beyond != 0) {
    rows.push_back({"window", "Beyond the windows of the layers", units::bytes(beyond)});
  }
  return rows;
}

}  // namespace kvseats::engine::trtllm
