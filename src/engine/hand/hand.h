#pragma once

#include "engine/engine.h"

/// By hand: the division of the lesson, with nothing that an engine adds.
///
/// Pool units are bytes. A request takes exactly what its tokens need (rounded up to `block` tokens
/// if one is given); `reserved` is handled by whoever asks for the cost at `context`.
///
///     usable = min(floor(util × seen), seen − used)
///     pool   = usable − weights on one GPU − overhead        (cut off at 0)
///     fits   = floor(pool ÷ bytes of one request on the fullest GPU)
///
/// Tensor parallelism: the fullest GPU holds ceil(KV heads / tp); latents and indexers are held by
/// every GPU. Decode context parallelism deals tokens out over the GPUs that would hold copies.
/// Pipeline: each stage holds its own layers, the tightest decides. States split over tp.
///
/// Overhead (activations, graphs, runtime) is estimated at 3.5 / 4.9 / 8.0 GiB per GPU: the spread
/// of what vLLM 0.11 start-up logs print for dense and MoE models on 80 GB cards (peak
/// activation 2.1 to 7.4 GiB, other memory 0.1 to 1.4 GiB; llm-d benchmark logs, H100).
namespace kvseats::engine {

[[nodiscard]] const Profile& hand_profile();

/// Bytes that one more token of a request adds on the fullest GPU while below every window, exact.
[[nodiscard]] units::Ratio token_rate(const Inputs& in);

/// What one request must store of one kind of layers on one GPU of a stage, in bytes.
struct HandPart {
  model::ComponentKind kind = model::ComponentKind::kFull;
  std::uint32_t layers = 0;
  std::uint64_t copies = 1;  ///< tensor-parallel GPUs of the stage that hold the same
  Cost cost;
};

/// The parts of one pipeline stage, its drafter's last.
struct HandStage {
  std::vector<HandPart> parts;
};

/// Every stage of a deployment by hand, without blocks.
[[nodiscard]] std::vector<HandStage> hand_stages(const Inputs& in);

/// The by-hand costs of any deployment: what a request must store on each stage's fullest GPU, in
/// bytes, without blocks. Capacities are left at 0.
[[nodiscard]] std::vector<Rank> hand_ranks(const Inputs& in);

inline constexpr units::Bytes kHandOverheadLow = units::mib(3584);
inline constexpr units::Bytes kHandOverheadTypical = units::bytes(5261334937);  ///< 4.9 GiB
inline constexpr units::Bytes kHandOverheadHigh = units::mib(8192);

}  // namespace kvseats::engine
