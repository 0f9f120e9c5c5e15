#pragma once

#include <cstdint>
#include <vector>

#include "engine/cost.h"
#include "units/whole.h"

/// How fast a deployment answers, from nothing but its bytes, its arithmetic and what one GPU
/// offers: the roofline. A bound and an estimate below it, never a measurement.
///
/// One decoding step gives one token to every request that runs. Each GPU reads its weights once
/// and the caches of the requests once, and computes; the longer of both counts (Samuel Williams,
/// Andrew Waterman, David Patterson, "Roofline", CACM 52, 2009; for transformers Reiner Pope et
/// al., "Efficiently Scaling Transformer Inference", 2022, arXiv:2211.05102, section 2):
///
///     step = max((weights + caches) ÷ bandwidth, FLOP ÷ arithmetic)
///
/// Pipeline stages work one after another, each on its share ⌈N ÷ stages⌉ of the requests, so a
/// token takes the sum over all stages. FLOP of one token: 2 for every active parameter (Jared
/// Kaplan et al., 2020, arXiv:2001.08361, section 2.1) and 2 × heads × (K + V width) for every
/// token of context that a layer looks at. The bytes of the caches are those of the compiled cost
/// (engine/cost.h), the same that capacity is divided by.
///
/// Left out, because they depend on the program: links between GPUs, start of kernels, sampling.
/// That is why what servers reach is a share of the roof, in three sizes, each with its source.
/// Doubles throughout: rates, not counts.
namespace kvseats::plan {

/// Slow, typical and fast (or cheap, typical and dear, as is said).
struct Range {
  double low = 0, typical = 0, high = 0;
};

/// What servers reach of the memory's bandwidth while decoding. Low, typical: the least and the
/// median of the seven 16-bit rows (Llama 2 7B and 70B on 1 to 8 GPUs) of gpt-fast's README,
/// "Benchmarks", 704 to 1,482 of the A100's 2,039 GB/s (github.com/pytorch-labs/gpt-fast). High:
/// the roof.
inline constexpr Range kReadShare = {.low = 0.345, .typical = 0.58, .high = 1};

/// Of the arithmetic. Low: 38 %, the least in training Llama 3 405B (arXiv:2407.21783, table 4);
/// typical: halfway to the 76 % of PaLM's prefill (arXiv:2211.05102, abstract). High: the roof.
inline constexpr Range kComputeShare = {.low = 0.38, .typical = 0.57, .high = 1};

/// A cache that a GPU reads in every step.
struct CacheRead {
  engine::Cost cost;      ///< units of one request
  double unit_bytes = 1;  ///< of one unit on one GPU
};

/// One GPU of a pipeline stage.
struct Stage {
  std::uint32_t stages = 1;  ///< how many stages are like this one
  double weights = 0;        ///< bytes, routed experts left out
  double experts = 0;        ///< bytes of routed experts: read where some token chooses them
  std::vector<CacheRead> caches;
};

/// Attention of some layers: FLOP of one token for each token it looks at, at most `window`.
struct Look {
  double flop = 0;
  std::uint64_t window = UINT64_MAX;
};

/// One copy of a deployment.
struct Roofline {
  double bandwidth = 0;   ///< bytes per second of one GPU, > 0
  double arithmetic = 0;  ///< FLOP per second of one GPU; 0: not known, and never the limit
  double gpus = 1;        ///< of one copy
  std::vector<Stage> stages;
  double flop_per_token = 0;  ///< 2 × active parameters, of the whole copy
  std::vector<Look> looks;
  double chosen = 1;   ///< share of the routed experts that one token chooses, in (0, 1]
  double sharing = 1;  ///< copies whose tokens choose among the same experts' bytes
};

/// What the GPUs of the slowest stage do in one step.
struct StepParts {
  double weight_bytes = 0;  ///< experts that are chosen included
  double cache_bytes = 0;
  double flop = 0;  ///< on one GPU
};
enum class Bound { kWeights, kCaches, kArithmetic };

/// Bytes of weights, all experts among them, that a token passes: one GPU of every stage.
[[nodiscard]] double weight_bytes(const Roofline& roof);

/// Pipeline stages in all.
[[nodiscard]] std::uint64_t stage_count(const Roofline& roof);

/// One step of the stage that takes longest, with `running` requests that see `tokens` each.
[[nodiscard]] StepParts step_parts(const Roofline& roof, std::uint64_t running,
                                   std::uint64_t tokens);

/// Which of them decides, at the typical shares.
[[nodiscard]] Bound bound_of(const Roofline& roof, const StepParts& parts);

/// Seconds from one token to the next of each of `running` requests (at least 1 of them), when
/// these shares of bandwidth and arithmetic are reached.
[[nodiscard]] double step_seconds(const Roofline& roof, std::uint64_t running, std::uint64_t tokens,
                                  double read_share, double compute_share);

/// Output tokens per second that each of `running` gets.
[[nodiscard]] Range decode_rate(const Roofline& roof, std::uint64_t running, std::uint64_t tokens);

/// Seconds to compute a prompt alone, until its first token is there: arithmetic on all GPUs of a
/// copy, or reading the weights once where that takes longer. Low is the shortest.
[[nodiscard]] Range prompt_time(const Roofline& roof, std::uint64_t prompt);

/// Seconds of a whole copy that one request takes up while `running` are served in turn: its prompt
/// and its share of `output` steps. Low is the shortest.
[[nodiscard]] Range request_time(const Roofline& roof, std::uint64_t running, std::uint64_t prompt,
                                 std::uint64_t output);

/// Most requests at once, at most `limit`, of which each gets `wanted` tokens per second; 0: not
/// even one alone does. Bisects: more requests are never faster (pp stages rounded aside).
[[nodiscard]] std::uint64_t most_at_rate(const Roofline& roof, std::uint64_t tokens, double wanted,
                                         std::uint64_t limit, double read_share,
                                         double compute_share);

/// The least number of requests whose caches take longer to read than the weights, and from which
/// arithmetic takes longer than both, at the typical shares; none up to `limit`: 0.
struct TakeOver {
  std::uint64_t caches = 0, arithmetic = 0;
};
[[nodiscard]] TakeOver take_over(const Roofline& roof, std::uint64_t tokens, std::uint64_t limit);

}  // namespace kvseats::plan
