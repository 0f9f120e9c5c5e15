#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/format.h"
#include "model/model.h"
#include "units/whole.h"

/// What one request must store, by hand: exact bytes from the geometry, no engine.
///
/// The model is reduced once to a few *components*; after that the bytes of a request of any length
/// cost a few integer operations.
///
///     full      2 × layers × KV heads × head dim × bytes   per token, without end
///     window    the same, up to `window` tokens
///     latent    layers × (rank + rope) × bytes             per token, once, no factor 2
///     state     a constant per request
///     compressed  a window, plus one entry (and one index key) per `ratio` tokens, plus what the
///                 compressor remembers of the tokens that do not fill an entry yet
///
/// Sources: Ainslie et al., GQA (arXiv 2305.13245); DeepSeek-V2 (arXiv 2405.04434, section 2.1:
/// per token (d_c + d_R) × layers elements); Mamba-2 (arXiv 2405.21060); Gated DeltaNet
/// (arXiv 2412.06464).
namespace kvseats::model {

inline constexpr std::uint64_t kNoCap = UINT64_MAX;

enum class ComponentKind {
  kFull,
  kWindow,
  kChunked,
  kLatent,
  kIndexer,
  kState,
  kCross,
  kCompressed
};

/// "full", "window", "latent" …: the JSON's `kind`.
[[nodiscard]] std::string_view component_name(ComponentKind kind);

/// One part of the demand: all layers of one group, one kind of cache.
struct Component {
  ComponentKind kind = ComponentKind::kFull;
  std::uint16_t group = 0;  ///< index into `Model::groups`
  std::uint32_t layers = 0;
  std::uint32_t heads = 1;      ///< KV heads that TP can split; 1 with `replicated`
  bool replicated = false;      ///< the same on every tensor-parallel GPU (latent, indexer)
  units::Ratio per_head_token;  ///< bytes of one head, one layer, one token (K and V together)
  std::uint64_t cap_tokens = kNoCap;  ///< tokens after which it stops growing
  std::uint64_t stride = 1;           ///< one entry per `stride` tokens (compressed attention)
  units::Bytes fixed;                 ///< bytes per request and layer, whatever its length (states)
  bool of_encoder = false;            ///< counts encoder tokens instead of the request's; with
                                      ///< `cap_tokens` always so many (inputs are padded to it)
  std::string formula;  ///< "2 × 32 layers × 8 KV heads × 128 × 2 B", with the numbers in
};

/// True where layer `layer` stays 16-bit although the formats are TurboQuant: the first two and the
/// last two of a model without recurrent layers (vLLM TurboQuantConfig.get_boundary_skip_layers:
/// hybrids have too few attention layers to spare any).
[[nodiscard]] bool stays_16_bit(const Model& model, const CacheFormats& formats, std::size_t layer);

/// Bytes that this component adds per token over all its layers and heads, while below its cap.
[[nodiscard]] units::Ratio per_token(const Component& part);

/// Bytes of one layer's recurrent state: conv columns × width and heads × rows × cols, each in its
/// own type.
[[nodiscard]] units::Bytes state_bytes(const State& state);

/// Encoder tokens that an `of_encoder` component holds for an input of `given`; 0: no input.
[[nodiscard]] std::uint64_t encoder_tokens(const Component& part, std::uint64_t given);

/// Bytes of this component for a request of `tokens` (encoder tokens where it is `of_encoder`).
[[nodiscard]] units::Bytes bytes_at(const Component& part, std::uint64_t tokens);

/// All components of a model under these formats, in order of the groups; empty for a model that
/// keeps nothing. Formats must be non-null.
[[nodiscard]] std::vector<Component> demand(const Model& model, const CacheFormats& formats);

/// Sum over components, rounded up once per component. Cross attention counts `encoder` tokens.
[[nodiscard]] units::Bytes bytes_at(const std::vector<Component>& parts, std::uint64_t tokens,
                                    std::uint64_t encoder = 0);

/// One more token of one request while it is below every window (`per_token.bytes`), and above them
/// all (`beyond_windows_bytes`), exact. Encoder tokens are not among them.
[[nodiscard]] units::Ratio per_token(const std::vector<Component>& parts);
[[nodiscard]] units::Ratio per_token_beyond_windows(const std::vector<Component>& parts);

}  // namespace kvseats::model
