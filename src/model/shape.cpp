#include <array>
#include <optional>
#include <utility>

#include "model/model.h"
#include "units/text.h"

// The `shape=` grammar of model.h, both ways. Every number is read with a limit, so that a hostile
// link can neither overflow nor ask for gigabytes.
namespace kvseats::model {
namespace {

constexpr std::size_t kLongestShape = 8192;
constexpr std::array<CacheKind, 8> kKinds = {
    CacheKind::kNone,   CacheKind::kFull,  CacheKind::kWindow, CacheKind::kChunked,
    CacheKind::kLatent, CacheKind::kCross, CacheKind::kShared, CacheKind::kCompressed};
constexpr std::array<StateKind, 7> kStates = {
    StateKind::kMamba1, StateKind::kMamba2,    StateKind::kGatedDelta, StateKind::kKimiDelta,
    StateKind::kLinear, StateKind::kShortConv, StateKind::kRwkv};

bool one_vector(CacheKind kind) {
  return kind == CacheKind::kLatent || kind == CacheKind::kCompressed;
}

/// The width of V when a shape does not say it.
std::uint32_t default_v(const LayerGroup& g) {
  return one_vector(g.kind) ? 0 : g.k_dim;
}

// ---- writing

std::string number(std::uint64_t n) {
  return units::plain(n);
}

std::string dims(const LayerGroup& g) {
  if (g.kv_heads == 0 && g.k_dim == 0 && g.v_dim == 0) return {};
  std::string out = one_vector(g.kind) && g.kv_heads == 1 ? "" : "x" + number(g.kv_heads);
  out += "x" + number(g.k_dim);
  return g.v_dim == default_v(g) ? out : out + "/" + number(g.v_dim);
}

std::string option(std::string_view name, std::uint64_t value) {
  return value == 0 ? std::string() : "," + std::string(name) + "=" + number(value);
}

std::string state_options(const State& s) {
  if (s.kind == StateKind::kNone) return {};
  std::string out = ",state=" + std::string(state_name(s.kind));
  if (s.conv_columns != 0 || s.conv_width != 0) {
    out += ",conv=" + number(s.conv_columns) + "x" + number(s.conv_width);
  }
  if (s.heads != 0 || s.rows != 0 || s.cols != 0) {
    out += ",temporal=" + number(s.heads) + "x" + number(s.rows) + "x" + number(s.cols);
  }
  out += option("groups", s.groups);
  if (s.conv_type == StateType::kF32) out += ",convtype=f32";
  if (s.temporal_type == StateType::kF32) out += ",statetype=f32";
  out += option("assumed", s.assumed_type ? 1 : 0);
  return out;
}

std::string group_shape(const LayerGroup& g) {
  std::string out = std::string(kind_name(g.kind)) + ":" + number(g.layers) + dims(g);
  if (g.window != 0) out += "@" + number(g.window);
  out += option("rank", g.latent_rank) + option("index", g.index_dim);
  const std::uint32_t usual = g.index_dim == 0 ? 0 : g.layers;
  if (g.index_layers != usual) out += ",indexed=" + number(g.index_layers);
  out += option("indexv", g.index_has_v ? 1 : 0) + option("ratio", g.compress_ratio) +
         option("dim", g.compress_dim);
  return out + state_options(g.state) + option("overlay", g.overlay ? 1 : 0);
}

// ---- reading

std::optional<std::uint64_t> read_whole(std::string_view text, std::uint64_t limit) {
  if (text.empty() || text.size() > 12) return std::nullopt;
  std::uint64_t n = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    n = n * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return n <= limit ? std::optional(n) : std::nullopt;
}

bool read_dim(std::string_view text, std::uint32_t& out) {
  const auto n = read_whole(text, kMaxDim);
  if (n) out = static_cast<std::uint32_t>(*n);
  return n.has_value();
}

/// Cuts `text` at the first `mark`: returns what stands before it and leaves what follows.
std::string_view cut(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  const std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return head;
}

/// "32x128x128" into exactly the given places.
template <class... Places>
bool read_product(std::string_view text, Places&... places) {
  bool good = true;
  std::size_t left = sizeof...(places);
  const auto one = [&](std::uint32_t& place) {
    --left;
    good = good && (left != 0 || text.find('x') == std::string_view::npos) &&
           read_dim(cut(text, 'x'), place);
  };
  (one(places), ...);
  return good;
}

bool read_type(std::string_view text, StateType& out) {
  if (text != "f32" && text != "f16" && text != "bf16") return false;
  out = text == "f32" ? StateType::kF32 : StateType::kF16;
  return true;
}

bool read_flag(std::string_view text, bool& out) {
  out = text == "1";
  return text == "1" || text == "0";
}

bool read_state_kind(std::string_view text, StateKind& out) {
  for (const StateKind kind : kStates) {
    if (state_name(kind) == text) {
      out = kind;
      return true;
    }
  }
  return false;
}

bool read_state_option(std::string_view name, std::string_view value, State& s) {
  if (name == "state") return read_state_kind(value, s.kind);
  if (name == "conv") return read_product(value, s.conv_columns, s.conv_width);
  if (name == "temporal") return read_product(value, s.heads, s.rows, s.cols);
  if (name == "groups") return read_dim(value, s.groups);
  if (name == "convtype") return read_type(value, s.conv_type);
  if (name == "statetype") return read_type(value, s.temporal_type);
  if (name == "assumed") return read_flag(value, s.assumed_type);
  return false;
}

bool read_option(std::string_view text, LayerGroup& g) {
  const std::string_view name = cut(text, '=');
  if (name == "rank") return read_dim(text, g.latent_rank);
  if (name == "index") {
    const bool good = read_dim(text, g.index_dim);
    if (good && g.index_dim != 0) g.index_layers = g.layers;
    return good;
  }
  if (name == "indexed") return read_dim(text, g.index_layers);
  if (name == "indexv") return read_flag(text, g.index_has_v);
  if (name == "ratio") return read_dim(text, g.compress_ratio);
  if (name == "dim") return read_dim(text, g.compress_dim);
  if (name == "overlay") return read_flag(text, g.overlay);
  return read_state_option(name, text, g.state);
}

bool read_kind(std::string_view text, CacheKind& out) {
  for (const CacheKind kind : kKinds) {
    if (kind_name(kind) == text) {
      out = kind;
      return true;
    }
  }
  return false;
}

/// "61x576", "10x16x128", "36x8x192/128", "54".
bool read_dims(std::string_view text, LayerGroup& g) {
  const auto layers = read_whole(cut(text, 'x'), kMaxLayers);
  if (!layers || *layers == 0) return false;
  g.layers = static_cast<std::uint32_t>(*layers);
  if (text.empty()) return g.kind == CacheKind::kNone || g.kind == CacheKind::kShared;
  const bool has_v = text.find('/') != std::string_view::npos;
  std::string_view before = cut(text, '/');
  const bool has_heads = before.find('x') != std::string_view::npos;
  if (!has_heads && !one_vector(g.kind)) return false;
  g.kv_heads = 1;
  if (has_heads && !read_dim(cut(before, 'x'), g.kv_heads)) return false;
  if (!read_dim(before, g.k_dim)) return false;
  g.v_dim = default_v(g);
  return !has_v || read_dim(text, g.v_dim);
}

bool read_group(std::string_view text, LayerGroup& g) {
  std::string_view options = text;
  std::string_view head = cut(options, ',');
  if (!read_kind(cut(head, ':'), g.kind)) return false;
  const bool has_window = head.find('@') != std::string_view::npos;
  if (!read_dims(cut(head, '@'), g)) return false;
  constexpr std::uint64_t kMaxWindow = std::uint64_t{1} << 32;
  const auto window = has_window ? read_whole(head, kMaxWindow) : std::optional<std::uint64_t>(0);
  if (!window || (has_window && *window == 0)) return false;
  g.window = *window;
  if (options.empty()) return text.back() != ',';
  while (!options.empty()) {
    if (!read_option(cut(options, ','), g)) return false;
  }
  return text.back() != ',';
}

bool read_order(std::string_view text, std::vector<Run>& order) {
  while (!text.empty()) {
    std::string_view run = cut(text, '.');
    const bool counted = run.find('*') != std::string_view::npos;
    const auto group = read_whole(cut(run, '*'), kMaxGroups);
    const auto count = counted ? read_whole(run, kMaxLayers) : std::optional<std::uint64_t>(1);
    if (!group || !count || *count == 0 || order.size() >= kMaxLayers) return false;
    order.push_back({static_cast<std::uint16_t>(*group), static_cast<std::uint16_t>(*count)});
  }
  return !order.empty();
}

units::Diagnostic trouble(std::string text) {
  return units::diagnose(
      "E-SHAPE", "shape", std::move(text),
      "Write kind:layers x kvheads x kdim without the spaces, as full:32x8x128 or "
      "full:10x16x128+window:52x16x128@1024 or latent:61x576.");
}

std::string quoted(std::string_view part) {
  constexpr std::size_t kShown = 60;
  return "\"" + units::valid_utf8(part.substr(0, kShown)) + (part.size() > kShown ? "…\"" : "\"");
}

/// Faults of the whole: layers, order, sizes that are zero.
std::string shape_fault(const Shape& shape) {
  Model model;
  model.groups = shape.groups;
  model.order = shape.order;
  model.layers = shape.layers;
  return find_fault(model);
}

}  // namespace

std::string to_shape(const Model& model) {
  std::string out;
  for (const LayerGroup& group : model.groups) {
    if (!out.empty()) out += "+";
    out += group_shape(group);
  }
  if (model.order.empty()) return out;
  out += "+order:";
  for (std::size_t i = 0; i < model.order.size(); ++i) {
    const Run& run = model.order[i];
    out += (i == 0 ? "" : ".") + number(run.group);
    if (run.count != 1) out += "*" + number(run.count);
  }
  return out;
}

tl::expected<Shape, units::Diagnostic> read_shape(std::string_view text) {
  text = units::trimmed(text);
  if (text.empty()) return tl::unexpected(trouble("The shape is empty."));
  if (text.size() > kLongestShape) return tl::unexpected(trouble("The shape is too long."));
  constexpr std::string_view kOrder = "order:";
  Shape shape;
  const bool open_end = text.back() == '+';
  while (!text.empty()) {
    const std::string_view part = cut(text, '+');
    bool good = shape.groups.size() < kMaxGroups || part.starts_with(kOrder);
    if (part.starts_with(kOrder)) {
      good = shape.order.empty() && read_order(part.substr(kOrder.size()), shape.order);
    } else if (good) {
      LayerGroup group;
      good = read_group(part, group);
      if (!group.overlay) shape.layers += group.layers;
      shape.groups.push_back(group);
    }
    if (!good) return tl::unexpected(trouble("The part " + quoted(part) + " cannot be read."));
    if (part.starts_with("full:") && shape.groups.back().window != 0) {
      return tl::unexpected(trouble("The part " + quoted(part) +
                                    " has a window, so its kind is window: and not full:."));
    }
  }
  if (open_end) return tl::unexpected(trouble("The shape ends with a +."));
  const std::string fault = shape_fault(shape);
  if (!fault.empty()) return tl::unexpected(trouble(fault));
  return shape;
}

tl::expected<std::vector<LayerGroup>, units::Diagnostic> parse_shape(std::string_view text) {
  auto shape = read_shape(text);
  if (!shape) return tl::unexpected(std::move(shape.error()));
  return std::move(shape->groups);
}

}  // namespace kvseats::model
