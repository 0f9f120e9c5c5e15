#include "model/demand.h"

#include <algorithm>

#include "units/text.h"

namespace kvseats::model {
namespace {

using units::Bytes;
using units::grouped;
using units::Ratio;

// ---- the formula in words

/// "2 B", "34/32 B".
std::string rate_text(const CacheFormat& f) {
  const std::string bytes = grouped(f.block_bytes);
  return (f.block_elements == 1 ? bytes : bytes + "/" + grouped(f.block_elements)) + " B";
}

/// "128 × 2 B", "(128 × 1 B + 4 B)".
std::string row_text(const CacheFormat& f, std::uint32_t dim) {
  const std::string row = grouped(dim) + " × " + rate_text(f);
  if (f.scale_bytes_per_head == 0) return row;
  return "(" + row + " + " + grouped(f.scale_bytes_per_head) + " B)";
}

std::string ratio_text(Ratio r) {
  return r.den == 1 ? grouped(r.num) : grouped(r.num) + "/" + grouped(r.den);
}

std::string layers_text(std::uint32_t layers) {
  return grouped(layers) + (layers == 1 ? " layer" : " layers");
}

std::string heads_text(std::uint32_t heads) {
  return grouped(heads) + (heads == 1 ? " KV head" : " KV heads");
}

/// "2 × 32 layers × 8 KV heads × 128 × 2 B".
std::string attention_text(std::uint32_t layers, const LayerGroup& g, const CacheFormats& f) {
  const std::string where = layers_text(layers) + " × " + heads_text(g.kv_heads) + " × ";
  const bool blocks = f.k->layout != RowLayout::kTurbo && f.v->layout != RowLayout::kTurbo;
  if (!blocks) return where + ratio_text(head_token_bytes(f, g.k_dim, g.v_dim)) + " B";
  if (g.v_dim == 0) return where + row_text(*f.k, g.k_dim);
  const bool same_format = f.k->id == f.v->id;
  if (same_format && g.k_dim == g.v_dim) return "2 × " + where + row_text(*f.k, g.k_dim);
  if (same_format && f.k->scale_bytes_per_head == 0) {
    return where + "(" + grouped(g.k_dim) + " + " + grouped(g.v_dim) + ") × " + rate_text(*f.k);
  }
  return where + "(" + row_text(*f.k, g.k_dim) + " + " + row_text(*f.v, g.v_dim) + ")";
}

std::string element_text(StateType type) {
  return type == StateType::kF32 ? "4 B" : "2 B";
}

std::string state_text(std::uint32_t layers, const State& s) {
  std::string out;
  if (s.conv_columns != 0) {
    out =
        grouped(s.conv_columns) + " × " + grouped(s.conv_width) + " × " + element_text(s.conv_type);
  }
  if (s.heads != 0) {
    out += (out.empty() ? "" : " + ") + grouped(s.heads) + " × " + grouped(s.rows) + " × " +
           grouped(s.cols) + " × " + element_text(s.temporal_type);
  }
  return layers_text(layers) + " × (" + out + ") per request";
}

std::string cap_text(std::uint64_t cap) {
  return cap == kNoCap ? std::string() : ", up to " + grouped(cap) + " tokens";
}

// ---- components

/// Builds the components of one group, in a fixed order: attention, compressed, indexer, state.
class GroupDemand {
 public:
  GroupDemand(const Model& model, std::uint16_t index, const CacheFormats& formats,
              std::vector<Component>& out)
      : model_(model), group_(model.groups[index]), index_(index), formats_(formats), out_(out) {}

  void add() {
    switch (group_.kind) {
      case CacheKind::kNone:
      case CacheKind::kShared:
        break;
      case CacheKind::kFull:
        add_heads(ComponentKind::kFull, kNoCap);
        break;
      case CacheKind::kWindow:
        add_heads(ComponentKind::kWindow, group_.window);
        break;
      case CacheKind::kChunked:
        add_heads(ComponentKind::kChunked, group_.window);
        break;
      case CacheKind::kCross:
        add_heads(ComponentKind::kCross, group_.window == 0 ? kNoCap : group_.window);
        break;
      case CacheKind::kLatent:
        add_latent();
        break;
      case CacheKind::kCompressed:
        add_compressed();
        break;
    }
    if (group_.index_dim != 0 && group_.index_layers != 0) add_indexer();
    if (group_.state.kind != StateKind::kNone && !model_.state_override) add_state();
  }

 private:
  Component base(ComponentKind kind, std::uint32_t layers) const {
    Component c;
    c.kind = kind;
    c.group = index_;
    c.layers = layers;
    return c;
  }

  /// One vector per token that every tensor-parallel GPU holds.
  void add_vector(ComponentKind kind, std::uint32_t layers, Ratio bytes, std::uint64_t cap,
                  std::uint64_t stride, std::string formula) {
    Component c = base(kind, layers);
    c.replicated = true;
    c.per_head_token = bytes;
    c.cap_tokens = cap;
    c.stride = stride;
    c.formula = std::move(formula) + cap_text(cap);
    if (stride != 1) c.formula += ", one per " + grouped(stride) + " tokens";
    out_.push_back(std::move(c));
  }

  void add_heads(ComponentKind kind, std::uint64_t cap) {
    const std::uint32_t plain = layers_kept_16_bit();
    if (plain != 0) {
      const CacheFormat* sixteen = find_cache_format("bf16");
      add_heads(kind, cap, plain, {sixteen, sixteen});
    }
    if (plain < group_.layers) add_heads(kind, cap, group_.layers - plain, formats_);
  }

  void add_heads(ComponentKind kind, std::uint64_t cap, std::uint32_t layers,
                 const CacheFormats& formats) {
    Component c = base(kind, layers);
    c.heads = group_.kv_heads;
    c.per_head_token = head_token_bytes(formats, group_.k_dim, group_.v_dim);
    c.cap_tokens = cap;
    c.of_encoder = kind == ComponentKind::kCross;
    c.formula = attention_text(layers, group_, formats) + cap_text(cap);
    out_.push_back(std::move(c));
  }

  std::uint32_t layers_kept_16_bit() const {
    if (group_.overlay) return 0;
    const std::vector<std::uint16_t> order = layer_groups(model_);
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (order[i] == index_ && stays_16_bit(model_, formats_, i)) ++count;
    }
    return count;
  }

  void add_latent() {
    const Ratio bytes = latent_bytes(*formats_.k, group_.k_dim, group_.latent_rank);
    const std::string row = formats_.k->layout == RowLayout::kBlocks
                                ? row_text(*formats_.k, group_.k_dim)
                                : ratio_text(bytes) + " B";
    add_vector(ComponentKind::kLatent, group_.layers, bytes, kNoCap, 1,
               layers_text(group_.layers) + " × " + row);
  }

  void add_indexer() {
    const Ratio bytes = index_bytes(*formats_.k, group_.index_dim, group_.index_has_v);
    const std::uint64_t stride = group_.kind == CacheKind::kCompressed
                                     ? std::max<std::uint64_t>(1, group_.compress_ratio)
                                     : 1;
    add_vector(ComponentKind::kIndexer, group_.index_layers, bytes, kNoCap, stride,
               layers_text(group_.index_layers) + " × " + ratio_text(bytes) + " B");
  }

  void add_compressed() {
    const auto words = [&](std::uint32_t width, Ratio bytes) {
      const bool blocks = formats_.k->layout == RowLayout::kBlocks;
      return layers_text(group_.layers) + " × " +
             (blocks ? row_text(*formats_.k, width) : ratio_text(bytes) + " B");
    };
    if (group_.window != 0) {
      const Ratio bytes = compressed_bytes(*formats_.k, group_.k_dim);
      add_vector(ComponentKind::kWindow, group_.layers, bytes, group_.window, 1,
                 words(group_.k_dim, bytes));
    }
    if (group_.compress_ratio == 0) return;
    const Ratio bytes = compressed_bytes(*formats_.k, entry_width());
    add_vector(ComponentKind::kCompressed, group_.layers, bytes, kNoCap, group_.compress_ratio,
               words(entry_width(), bytes));
    if (model_.state_override) return;
    add_compressor(group_.layers, entry_width());
    if (group_.index_dim != 0) add_compressor(group_.index_layers, group_.index_dim);
  }

  std::uint32_t entry_width() const {
    return group_.compress_dim != 0 ? group_.compress_dim : group_.k_dim;
  }

  /// What a compressor remembers of the tokens that do not fill an entry yet: values and scores in
  /// fp32, for `ratio` tokens; ratio 4 overlaps its neighbours and keeps twice the tokens at twice
  /// the width (deepseek-ai/DeepSeek-V4 inference/model.py, class Compressor).
  void add_compressor(std::uint32_t layers, std::uint32_t width) {
    const std::uint64_t overlap = group_.compress_ratio == 4 ? 2 : 1;
    const std::uint64_t tokens = overlap * group_.compress_ratio;
    Component c = base(ComponentKind::kState, layers);
    c.replicated = true;
    c.fixed = units::bytes(2) * tokens * (overlap * width) * 4;
    c.formula = layers_text(layers) + " × 2 × " + grouped(tokens) + " × " +
                grouped(overlap * width) + " × 4 B per request, compressor";
    out_.push_back(std::move(c));
  }

  void add_state() {
    Component c = base(ComponentKind::kState, group_.layers);
    c.fixed = state_bytes(group_.state);
    c.formula = state_text(group_.layers, group_.state);
    out_.push_back(std::move(c));
  }

  const Model& model_;
  const LayerGroup& group_;
  std::uint16_t index_;
  const CacheFormats& formats_;
  std::vector<Component>& out_;
};

/// The person's own figure for all recurrent states of a request.
void add_own_state(const Model& model, std::vector<Component>& out) {
  Component c;
  c.kind = ComponentKind::kState;
  c.layers = 1;
  c.fixed = *model.state_override;
  c.formula = grouped(c.fixed.raw()) + " B per request, yours";
  for (std::size_t i = model.groups.size(); i-- > 0;) {
    if (model.groups[i].state.kind != StateKind::kNone) c.group = static_cast<std::uint16_t>(i);
  }
  out.push_back(std::move(c));
}

/// Bytes of one entry over all layers and heads.
Ratio entry_bytes(const Component& part) {
  return units::times(part.per_head_token, units::checked_mul(part.heads, part.layers));
}

Ratio sum_of_rates(const std::vector<Component>& parts, bool beyond_windows) {
  Ratio sum{0, 1};
  for (const Component& part : parts) {
    if (part.of_encoder || (beyond_windows && part.cap_tokens != kNoCap)) continue;
    sum = units::add(sum, per_token(part));
  }
  return sum;
}

}  // namespace

std::string_view component_name(ComponentKind kind) {
  switch (kind) {
    case ComponentKind::kFull:
      return "full";
    case ComponentKind::kWindow:
      return "window";
    case ComponentKind::kChunked:
      return "chunked";
    case ComponentKind::kLatent:
      return "latent";
    case ComponentKind::kIndexer:
      return "indexer";
    case ComponentKind::kState:
      return "state";
    case ComponentKind::kCross:
      return "cross";
    case ComponentKind::kCompressed:
      return "compressed";
  }
  return "full";
}

Bytes state_bytes(const State& s) {
  const std::uint64_t conv = units::checked_mul(s.conv_columns, s.conv_width);
  const std::uint64_t temporal = units::checked_mul(units::checked_mul(s.heads, s.rows), s.cols);
  return units::bytes(conv) * static_cast<std::uint64_t>(s.conv_type) +
         units::bytes(temporal) * static_cast<std::uint64_t>(s.temporal_type);
}

bool stays_16_bit(const Model& model, const CacheFormats& formats, std::size_t layer) {
  const bool turbo =
      formats.k->layout == RowLayout::kTurbo || formats.v->layout == RowLayout::kTurbo;
  if (!turbo || (layer >= 2 && layer + 2 < model.layers)) return false;
  return std::none_of(model.groups.begin(), model.groups.end(),
                      [](const LayerGroup& g) { return g.state.kind != StateKind::kNone; });
}

Ratio per_token(const Component& part) {
  Ratio rate = entry_bytes(part);
  if (part.stride > 1) {
    rate.den = units::checked_mul(rate.den, part.stride);
    rate = units::times(rate, 1);  // reduces
  }
  return rate;
}

std::uint64_t encoder_tokens(const Component& part, std::uint64_t given) {
  return given == 0 || part.cap_tokens == kNoCap ? given : part.cap_tokens;
}

Bytes bytes_at(const Component& part, std::uint64_t tokens) {
  const std::uint64_t kept = std::min(tokens, part.cap_tokens);
  const std::uint64_t entries = part.stride <= 1 ? kept : units::ceil_div(kept, part.stride);
  return units::bytes_ceil(entries, entry_bytes(part)) + part.fixed * part.layers;
}

std::vector<Component> demand(const Model& model, const CacheFormats& formats) {
  std::vector<Component> out;
  for (std::size_t i = 0; i < model.groups.size(); ++i) {
    GroupDemand(model, static_cast<std::uint16_t>(i), formats, out).add();
  }
  if (model.state_override && model.state_override->raw() != 0) add_own_state(model, out);
  return out;
}

Bytes bytes_at(const std::vector<Component>& parts, std::uint64_t tokens, std::uint64_t encoder) {
  Bytes sum;
  for (const Component& part : parts) {
    sum += bytes_at(part, part.of_encoder ? encoder_tokens(part, encoder) : tokens);
  }
  return sum;
}

Ratio per_token(const std::vector<Component>& parts) {
  return sum_of_rates(parts, false);
}

Ratio per_token_beyond_windows(const std::vector<Component>& parts) {
  return sum_of_rates(parts, true);
}

}  // namespace kvseats::model
