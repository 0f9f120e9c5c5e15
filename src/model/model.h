#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "units/diagnostic.h"
#include "units/whole.h"

/// What a model is, as far as memory goes: its layers and what each must remember, its parameters.
///
/// A model is a list of *layer groups* (layers with the same cache) and the order in which they
/// stand. Arithmetic uses only these numbers, never a product name.
namespace kvseats::model {

/// What the attention part of a layer keeps.
enum class CacheKind {
  kNone,        ///< nothing (MLP-only layers, NAS no-op blocks, pure recurrent layers)
  kFull,        ///< K and V of every token
  kWindow,      ///< K and V of the last `window` tokens
  kChunked,     ///< K and V of the current chunk of `window` tokens
  kLatent,      ///< MLA: one vector of rank + rope per token, no factor 2, the same on every GPU
  kCross,       ///< K and V of the encoder's tokens, fixed per request
  kShared,      ///< uses another layer's cache, stores nothing itself
  kCompressed,  ///< a window plus one entry per `compress_ratio` tokens (DeepSeek-V4 style)
};

/// The recurrent state that a layer keeps beside (or instead of) attention; constant per request.
enum class StateKind {
  kNone,
  kMamba1,
  kMamba2,
  kGatedDelta,
  kKimiDelta,
  kLinear,
  kShortConv,
  kRwkv
};

/// Bytes of one element of a state; states are often fp32 while the model is bf16.
enum class StateType : std::uint8_t { kF16 = 2, kF32 = 4 };

/// Recurrent state of one layer: a conv part (`conv_columns` × `conv_width`) and a temporal part
/// (`heads` × `rows` × `cols`). Either may be absent (zero).
struct State {
  StateKind kind = StateKind::kNone;
  std::uint32_t conv_columns = 0;  ///< kernel − 1
  std::uint32_t conv_width = 0;    ///< channels that the convolution sees
  std::uint32_t heads = 0;
  std::uint32_t rows = 0;
  std::uint32_t cols = 0;
  std::uint32_t groups = 0;  ///< Mamba-2 groups (TP raises them to at least tp)
  StateType conv_type = StateType::kF16;
  StateType temporal_type = StateType::kF16;
  bool assumed_type = false;  ///< the checkpoint does not declare `temporal_type`: engines that
                              ///< keep it in the model's own type until told otherwise may do so
  friend bool operator==(const State&, const State&) = default;
};

/// Layers with the same cache. `kv_heads`, `k_dim` and `v_dim` are per layer.
struct LayerGroup {
  CacheKind kind = CacheKind::kFull;
  std::uint32_t layers = 0;
  std::uint32_t kv_heads = 0;        ///< latent: 1
  std::uint32_t k_dim = 0;           ///< head dim of K; latent: rank + rope
  std::uint32_t v_dim = 0;           ///< head dim of V; latent and compressed: 0 (K is V)
  std::uint64_t window = 0;          ///< window or chunk in tokens; 0: none
  std::uint32_t latent_rank = 0;     ///< latent: kv_lora_rank (of `k_dim`)
  std::uint32_t index_dim = 0;       ///< sparse indexer: width of its own K per token; 0: none
  std::uint32_t index_layers = 0;    ///< layers of this group that have an indexer
  bool index_has_v = false;          ///< the indexer stores V too
  std::uint32_t compress_ratio = 0;  ///< compressed: tokens per entry
  std::uint32_t compress_dim = 0;    ///< compressed: width of one entry
  State state;                       ///< recurrent state beside the attention part
  bool overlay = false;              ///< a second cache of layers that other groups already count
                                     ///< (an encoder-decoder's cross attention): not in `layers`
  friend bool operator==(const LayerGroup&, const LayerGroup&) = default;
};

/// `count` consecutive layers of group `group` (index into `Model::groups`).
struct Run {
  std::uint16_t group = 0;
  std::uint16_t count = 0;
  friend bool operator==(const Run&, const Run&) = default;
};

/// The type in which the checkpoint declares its activations; decides what `kv=auto` means.
enum class StoredType { kBf16, kF16, kF32 };

/// Mixture of experts; all experts are resident whatever is active.
struct Moe {
  std::uint32_t experts = 0;  ///< routed experts per MoE layer; 0: dense model
  std::uint32_t per_token = 0;
  std::uint32_t shared = 0;
  std::uint64_t expert_width = 0;
  std::uint32_t layers = 0;  ///< how many layers are MoE
  friend bool operator==(const Moe&, const Moe&) = default;
};

/// How the published checkpoint stores its weights, one row per part that is stored alike.
struct WeightPart {
  std::string label;  ///< "experts", "embeddings and head", "everything else"
  units::Params params;
  std::string format;           ///< id of a `WeightFormat`
  bool routed_experts = false;  ///< splits over EP
  units::Bytes bytes{};         ///< exact, from the table of tensors; 0: by the format
  bool kept = false;            ///< re-stored copies of the model keep it as it is (vision towers)
  friend bool operator==(const WeightPart&, const WeightPart&) = default;
};

struct Model {
  std::string slug;  ///< `llama-3.1-8b`; empty for a person's own
  std::string name;  ///< "Llama 3.1 8B"
  std::string hf;    ///< `meta-llama/Llama-3.1-8B`
  std::string family;
  units::Params params;      ///< total, 0: unknown
  units::Params active;      ///< per token, 0: unknown
  std::uint32_t layers = 0;  ///< all layers, with or without a cache
  std::uint32_t hidden = 0;
  std::uint32_t attention_heads = 0;
  std::uint64_t vocab = 0;
  bool tied_embeddings = false;
  std::uint64_t max_tokens = 0;  ///< the model's own limit; 0: none declared
  StoredType stored = StoredType::kBf16;
  std::string cache_scheme;  ///< cache format the checkpoint declares; empty: none
  Moe moe;
  std::vector<LayerGroup> groups;
  std::vector<Run> order;                      ///< empty: groups one after another
  std::optional<units::Bytes> state_override;  ///< bytes per request instead of the groups' states
  std::uint32_t mtp_layers = 0;   ///< next-token-prediction layers, not part of `groups`
  units::Bytes published_bytes;   ///< weights of the published checkpoint, 0: unknown
  std::string published_basis;    ///< where that figure is from
  std::vector<WeightPart> parts;  ///< empty: one part in the stored type
  std::string source;
  std::string date;
  std::string confidence;  ///< `verified-from-config`, `secondary`, `transformers-default`
  std::string notes;
  friend bool operator==(const Model&, const Model&) = default;
};

/// Limits of what is taken for a model; beyond them it is a typing error or an attack.
inline constexpr std::size_t kMaxGroups = 64;
inline constexpr std::uint64_t kMaxLayers = 10000;
inline constexpr std::uint32_t kMaxDim = 1048576;

/// "full", "window" …: as in `shape=` and in the catalogue.
[[nodiscard]] std::string_view kind_name(CacheKind kind);
/// "mamba2", "gated-delta", "kda" …; empty for no state.
[[nodiscard]] std::string_view state_name(StateKind kind);

/// What is wrong with a model's numbers (groups do not add up to `layers`, a zero head dim, a
/// window of 0 …), or an empty string.
[[nodiscard]] std::string find_fault(const Model& model);

/// The group index of every layer, in order. Size `model.layers` for a faultless model.
[[nodiscard]] std::vector<std::uint16_t> layer_groups(const Model& model);

/// "32 × 8 KV heads × 128" or "61 × 576 latent" or "10 × 16 × 128 + 52 × 16 × 128 window 1,024".
[[nodiscard]] std::string geometry_text(const Model& model);

/// The compact geometry of the contract's `shape=` key and back.
///
///     shape  := part { "+" part }
///     part   := kind ":" layers [ "x" kvheads "x" kdim [ "/" vdim ] ] [ "@" window ] { "," option
///     }
///             | "order:" run { "." run }            run := group [ "*" count ], group from 0
///     option := name "=" value
///
/// `full:10x16x128+window:52x16x128@1024`, `latent:61x576`. Latent and compressed layers hold one
/// vector and may leave out the heads; for the others V is as wide as K unless said. Options, each
/// written only where it says something: `rank`, `index` (width), `indexed` (layers, all by
/// default), `indexv`, `ratio`, `dim` (of compressed entries), `overlay`; `state` (a `state_name`)
/// with `conv` (columns x width), `temporal` (heads x rows x cols), `groups`, `convtype=f32`,
/// `statetype=f32`, `assumed`. `order` is left out when the groups stand one after another.
/// Round-trips every model.
[[nodiscard]] std::string to_shape(const Model& model);

/// What a `shape=` says. `order` is empty if it says nothing about it.
struct Shape {
  std::vector<LayerGroup> groups;
  std::vector<Run> order;
  std::uint32_t layers = 0;  ///< of the groups that are no overlay
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// Fails with `E-SHAPE` (where: `shape`), naming the part that it could not read. The result has no
/// `find_fault`.
[[nodiscard]] tl::expected<Shape, units::Diagnostic> read_shape(std::string_view text);

/// Only the groups of `read_shape`.
[[nodiscard]] tl::expected<std::vector<LayerGroup>, units::Diagnostic> parse_shape(
    std::string_view text);

}  // namespace kvseats::model
