#include "engine/llamacpp/caches.h"

#include <algorithm>
#include <array>

namespace kvseats::engine::llamacpp {
namespace {

using model::CacheFormat;
using model::CacheKind;
using model::LayerGroup;
using units::checked_mul;

constexpr std::uint32_t kDeepSeekNope = 128;
constexpr std::uint32_t kDeepSeekV = 128;

// Families whose GGUF has no window (llama-model.cpp: no swa_type for llama, phi3, qwen2,
// starcoder2); an imported config's family is its model_type.
constexpr std::array<std::string_view, 12> kNoWindow = {
    "Mistral", "Ministral", "Mixtral", "Phi", "Qwen", "StarCoder2",
    "mistral", "ministral", "mixtral", "phi", "qwen", "starcoder2"};
// Families whose next-token layer stays in the main cache (models/glm4-moe.cpp).
constexpr std::array<std::string_view, 5> kKeepNextToken = {"GLM-4.5", "GLM-4.6", "GLM-4.7",
                                                            "glm4_moe", "glm4moe"};

template <std::size_t N>
bool starts_with_any(std::string_view text, const std::array<std::string_view, N>& heads) {
  return std::any_of(heads.begin(), heads.end(),
                     [text](std::string_view head) { return text.substr(0, head.size()) == head; });
}

// Whole blocks; a row that does not divide is refused elsewhere and rounded up here.
std::uint64_t row(const CacheFormat& format, std::uint64_t elements) {
  const units::Ratio bytes = model::row_bytes(format, elements);
  return units::ceil_div(bytes.num, bytes.den);
}

bool is_window(const Inputs& in, const LayerGroup& group, const Settings& s) {
  const bool has = group.kind == CacheKind::kWindow || group.kind == CacheKind::kChunked;
  return has && s.rules->windows && !starts_with_any(in.model->family, kNoWindow);
}

// K and V heads of one layer of a group, as the engine sees them.
struct Rows {
  std::uint64_t k = 0;
  std::uint64_t v = 0;
};

Rows row_elements(const Inputs& in, const LayerGroup& group, const Settings& s) {
  if (group.kind != CacheKind::kLatent) {
    return {std::uint64_t{group.kv_heads} * group.k_dim,
            std::uint64_t{group.kv_heads} * group.v_dim};
  }
  if (!s.latents) {
    const HeadWidths widths = widths_without_latent(group);
    const std::uint64_t heads = std::max<std::uint64_t>(1, in.model->attention_heads);
    return {heads * widths.k, heads * widths.v};
  }
  const bool has_v = s.rules->latent == Latent::kKAndV;
  return {group.k_dim, has_v ? group.latent_rank : 0};
}

// What keeps a cache of its own among the ordinary ones.
bool is_cached(const LayerGroup& group) {
  return group.kind == CacheKind::kFull || group.kind == CacheKind::kWindow ||
         group.kind == CacheKind::kChunked || group.kind == CacheKind::kLatent;
}

bool has_compressed(const model::Model& model) {
  return std::any_of(model.groups.begin(), model.groups.end(),
                     [](const LayerGroup& g) { return g.kind == CacheKind::kCompressed; });
}

// Transposed V: as wide as the widest layer of the model.
std::uint64_t widest_v(const Inputs& in, const Settings& s) {
  std::uint64_t most = 0;
  for (const LayerGroup& group : in.model->groups) {
    if (is_cached(group)) most = std::max(most, row_elements(in, group, s).v);
  }
  return most;
}

class Maker {
 public:
  Maker(const Inputs& in, const Settings& s) : in_(in), s_(s), widest_(widest_v(in, s)) {}

  void add_attention(const LayerGroup& group, std::uint32_t layers, std::string_view name) {
    Rows rows = row_elements(in_, group, s_);
    const std::uint64_t needed = name == "mla" ? 0 : rows.v;
    const bool transposed = !s_.flash && s_.rules->streams && rows.v != 0;
    if (transposed) rows.v = std::max(rows.v, widest_);
    Cache& cache = find(name, *in_.formats.k, *in_.formats.v);
    if (is_window(in_, group, s_) && name == "kv_swa") set_window(cache, group.window);
    const std::uint64_t v_row = row(*in_.formats.v, rows.v);
    grow(cache, layers, row(*in_.formats.k, rows.k), v_row);
    cache.v_spare += checked_mul(v_row - row(*in_.formats.v, needed), layers);
  }

  // Beside ordinary keys an indexer keeps one head of values, whether the model reads them or not
  // (llama-kv-cache-msa.cpp); beside a latent it has none.
  void add_indexer(const LayerGroup& group, std::uint32_t layers) {
    const bool values = group.index_has_v || group.kind == model::CacheKind::kFull;
    const std::uint64_t key = row(*in_.formats.k, group.index_dim);
    const std::uint32_t width = group.v_dim != 0 ? group.v_dim : group.index_dim;
    const std::uint64_t value = values ? row(*in_.formats.v, width) : 0;
    grow(find("indexer", *in_.formats.k, *in_.formats.v), layers, key, value);
  }

  // DeepSeek-V4: the window of every layer, one entry per ratio, index keys, compressor states.
  void add_raw(const LayerGroup& group, std::uint32_t layers) {
    Cache& raw = find("raw", *in_.formats.k, *in_.formats.k);
    raw.per_slot = true;
    set_window(raw, group.window);
    grow(raw, layers, row(*in_.formats.k, group.k_dim), 0);
  }
  void add_compressed(const LayerGroup& group, std::uint32_t layers) {
    const bool indexed = group.index_dim != 0;
    add_entries(indexed ? "csa" : "hca", group.compress_dim, group, layers);
    if (indexed) add_entries("lid", group.index_dim, group, layers);
  }
  void add_compressor(const LayerGroup& group, std::uint32_t layers) {
    const bool indexed = group.index_dim != 0;
    add_compressor_state(indexed ? "csa_state" : "hca_state", group.compress_dim, group, layers);
    if (indexed) add_compressor_state("lid_state", group.index_dim, group, layers);
  }

  void add_state(const model::State& state, std::uint32_t layers) {
    Cache& cache = find("recurrent", nullptr, nullptr);
    cache.rule = Cells::kFixed;
    cache.amount = s_.seqs;
    cache.copies = s_.copies;
    cache.layers = in_.model->layers;
    cache.k_cell += std::uint64_t{state.conv_columns} * state.conv_width * 4 * layers;
    cache.v_cell += std::uint64_t{state.heads} * state.rows * state.cols * 4 * layers;
  }

  void add_own_state(std::uint64_t bytes) {
    Cache& cache = find("recurrent", nullptr, nullptr);
    cache.rule = Cells::kFixed;
    cache.amount = s_.seqs;
    cache.copies = s_.copies;
    cache.layers = in_.model->layers;
    cache.k_cell = 0;
    cache.v_cell += bytes;
  }

  // The drafter's context has cells for every token of the target's.
  void add_draft(const LayerGroup& group) {
    const CacheFormat& k = in_.draft.format ? *in_.draft.format : *in_.formats.k;
    const CacheFormat& v = in_.draft.format ? *in_.draft.format : *in_.formats.v;
    const Rows rows = row_elements(in_, group, s_);
    grow(find("draft", k, v), group.layers, row(k, rows.k), row(v, rows.v));
  }

  [[nodiscard]] std::vector<Cache> take() { return std::move(list_); }

 private:
  Cache& find(std::string_view name, const CacheFormat* k, const CacheFormat* v) {
    for (Cache& cache : list_) {
      if (cache.name == name) return cache;
    }
    Cache cache;
    cache.name = name;
    cache.k_type = k;
    cache.v_type = v;
    list_.push_back(cache);
    return list_.back();
  }
  Cache& find(std::string_view name, const CacheFormat& k, const CacheFormat& v) {
    return find(name, &k, &v);
  }
  void set_window(Cache& cache, std::uint64_t window) {
    if (s_.full_windows || window == 0) return;
    cache.rule = Cells::kWindow;
    cache.amount = std::max(cache.amount, window);
  }
  static void grow(Cache& cache, std::uint32_t layers, std::uint64_t k, std::uint64_t v) {
    cache.layers += layers;
    cache.k_cell += checked_mul(k, layers);
    cache.v_cell += checked_mul(v, layers);
  }
  void add_entries(std::string_view name, std::uint32_t width, const LayerGroup& group,
                   std::uint32_t layers) {
    Cache& cache = find(name, *in_.formats.k, *in_.formats.k);
    cache.per_slot = true;
    cache.rule = Cells::kRatio;
    cache.amount = std::max<std::uint64_t>(1, group.compress_ratio);
    grow(cache, layers, row(*in_.formats.k, width), 0);
  }
  // Overlapping windows keep two entries' worth of values and scores.
  void add_compressor_state(std::string_view name, std::uint32_t width, const LayerGroup& group,
                            std::uint32_t layers) {
    const std::uint64_t overlap = group.index_dim != 0 ? 2 : 1;
    Cache& cache = find(name, nullptr, nullptr);
    cache.per_slot = true;
    cache.rule = Cells::kFixed;
    cache.amount = group.compress_ratio * overlap;
    const std::uint64_t cell = overlap * width * 4;
    grow(cache, layers, cell, cell);
  }

  const Inputs& in_;
  const Settings& s_;
  std::uint64_t widest_;
  std::vector<Cache> list_;
};

std::string_view name_of(const Inputs& in, const LayerGroup& group, const Settings& s) {
  if (is_window(in, group, s)) return "kv_swa";
  return group.kind == CacheKind::kLatent && s.latents ? "mla" : "kv";
}

void add_ordinary(const Inputs& in, const Settings& s, const LayerCounts& counts, Maker& make) {
  const std::vector<LayerGroup>& groups = in.model->groups;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (counts[i] == 0 || !is_cached(groups[i])) continue;
    make.add_attention(groups[i], counts[i], name_of(in, groups[i], s));
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const LayerGroup& group = groups[i];
    if (counts[i] == 0 || !is_cached(group) || group.index_dim == 0) continue;
    const std::uint32_t layers = counts[i] == group.layers
                                     ? group.index_layers
                                     : static_cast<std::uint32_t>(units::mul_div_ceil(
                                           group.index_layers, counts[i], group.layers));
    if (layers != 0) make.add_indexer(group, layers);
  }
}

bool has_entries(const LayerGroup& group) {
  return group.kind == CacheKind::kCompressed && group.compress_ratio != 0;
}

void add_dsv4(const Inputs& in, const LayerCounts& counts, Maker& make) {
  const std::vector<LayerGroup>& groups = in.model->groups;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (counts[i] != 0 && groups[i].k_dim != 0) make.add_raw(groups[i], counts[i]);
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (has_entries(groups[i]) && counts[i] != 0) make.add_compressed(groups[i], counts[i]);
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (has_entries(groups[i]) && counts[i] != 0) make.add_compressor(groups[i], counts[i]);
  }
}

// A person's own state per request lies on the layers that have one.
void add_states(const Inputs& in, const LayerCounts& counts, Maker& make) {
  std::uint64_t holders = 0;
  std::uint64_t here = 0;
  for (std::size_t i = 0; i < in.model->groups.size(); ++i) {
    const LayerGroup& group = in.model->groups[i];
    if (group.state.kind == model::StateKind::kNone) continue;
    holders += group.layers;
    here += counts[i];
    if (counts[i] != 0 && !in.model->state_override) make.add_state(group.state, counts[i]);
  }
  if (!in.model->state_override || here == 0) return;
  make.add_own_state(units::mul_div_ceil(in.model->state_override->raw(), here, holders));
}

// The next-token layer that some GGUFs keep among the others: one more of the last full group.
void add_next_token(const Inputs& in, Maker& make) {
  if (in.model->mtp_layers == 0 || !starts_with_any(in.model->family, kKeepNextToken)) return;
  const std::vector<LayerGroup>& groups = in.model->groups;
  if (groups.empty() || groups.back().kind != CacheKind::kFull) return;
  make.add_attention(groups.back(), in.model->mtp_layers, "kv");
}

}  // namespace

HeadWidths widths_without_latent(const LayerGroup& group) {
  const std::uint32_t rope = group.latent_rank != 0 && group.k_dim > group.latent_rank
                                 ? group.k_dim - group.latent_rank
                                 : 64;
  return {kDeepSeekNope + rope, kDeepSeekV};
}

namespace {

// The device of layer `at` of `active`: the first whose share of all memory ends beyond it.
std::size_t device_of(const Inputs& in, std::uint64_t at, std::uint64_t active) {
  const std::size_t pp = std::max<std::uint32_t>(1, in.parallel.pp);
  if (in.memories.size() != pp) return static_cast<std::size_t>(at * pp / active);
  std::uint64_t all = 0;
  for (const units::Bytes memory : in.memories) all += memory.raw() >> 20;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i + 1 < pp; ++i) {
    end += in.memories[i].raw() >> 20;
    if (checked_mul(at, all) < checked_mul(end, active)) return i;
  }
  return pp - 1;
}

}  // namespace

std::vector<LayerCounts> deal_layers(const Inputs& in, const Settings& settings) {
  const std::vector<std::uint16_t> order = model::layer_groups(*in.model);
  const std::size_t pp = std::max<std::uint32_t>(1, in.parallel.pp);
  const std::uint64_t all = std::uint64_t{order.size()} + 1;
  const std::uint64_t active = std::min(settings.gpu_layers, all);
  const std::uint64_t first = all - active;
  std::vector<LayerCounts> devices(pp + 1, LayerCounts(in.model->groups.size(), 0));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool in_host = i < first;
    const std::size_t device = in_host ? pp : device_of(in, i - first, active);
    ++devices[device][order[i]];
  }
  return devices;
}

std::vector<Cache> caches_of(const Inputs& in, const Settings& settings, const LayerCounts& counts,
                             bool last) {
  Maker make(in, settings);
  if (has_compressed(*in.model)) {
    add_dsv4(in, counts, make);
  } else {
    add_ordinary(in, settings, counts, make);
    if (last) add_next_token(in, make);
  }
  add_states(in, counts, make);
  if (last) {
    for (const LayerGroup& group : in.draft.layers) {
      if (is_cached(group)) make.add_draft(group);
    }
  }
  return make.take();
}

std::uint64_t window_tokens(const Settings& settings, std::uint64_t window) {
  const bool all_slots = settings.unified || settings.one_array;
  const std::uint64_t step = settings.rules->by_batch ? settings.batch : settings.ubatch;
  return units::checked_add(checked_mul(window, all_slots ? settings.seqs : 1), step);
}

CacheRow row_of(const Cache& cache, const Settings& settings) {
  CacheRow out;
  out.name = cache.name;
  out.layers = cache.layers;
  out.copies = cache.copies;
  const bool separate = !settings.unified && !settings.one_array;
  out.streams = separate || cache.per_slot ? settings.seqs : 1;
  switch (cache.rule) {
    case Cells::kAll:
      out.cells = settings.cells;
      break;
    case Cells::kWindow: {
      const std::uint64_t window = cache.per_slot
                                       ? units::checked_add(cache.amount, settings.ubatch)
                                       : window_tokens(settings, cache.amount);
      out.cells = padded(settings, std::min(settings.cells, window));
      break;
    }
    case Cells::kRatio:
      out.cells = padded(settings, units::ceil_div(settings.cells, cache.amount));
      break;
    case Cells::kFixed:
      out.cells = cache.amount;
      if (!cache.per_slot) out.streams = 1;
      break;
  }
  const std::uint64_t count = checked_mul(checked_mul(out.cells, out.streams), out.copies);
  out.k_bytes = units::bytes(checked_mul(cache.k_cell, count));
  out.v_bytes = units::bytes(checked_mul(cache.v_cell, count));
  out.bytes = out.k_bytes + out.v_bytes;
  return out;
}

units::Bytes total_bytes(const std::vector<Cache>& caches, const Settings& settings) {
  units::Bytes sum;
  for (const Cache& cache : caches) sum += row_of(cache, settings).bytes;
  return sum;
}

}  // namespace kvseats::engine::llamacpp
