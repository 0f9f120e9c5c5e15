#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/engine.h"
#include "plan/capacity.h"

/// Fewest GPUs for some users: a search over layouts (tp × pp × dp × dcp × ep) of each candidate
/// accelerator, each computed by the engine's own profile. No formula of its own.
///
/// What a search may combine follows the engines' rules, whichever engine is chosen:
///  * tp divides the attention heads, and either divides the KV heads or is a multiple of them
///    (heads are then replicated); vLLM `ModelConfig.verify_with_parallel_config`
///    (vllm/config/model.py) and TensorRT-LLM refuse others;
///  * tp, and the group that shares routed experts, stay inside one node unless told otherwise:
///  both
///    exchange data for every layer;
///  * pp is at most the number of layers that hold weights; layouts that people run come first
///    (`is_usual`);
///  * dcp, which deals tokens out, divides the number of GPUs of a copy that hold the same heads
///    (`engine::copies_of_heads`);
///  * an engine's own refusals (`E-TP`, `E-DCP` …) rule a layout out;
///  * copies that share experts (ep = tp × dp, which divides the experts; SGLang's
///  `--enable-dp-attention`,
///    vLLM's `--data-parallel-size` with `--enable-expert-parallel`) only with routed experts.
namespace kvseats::plan {

/// What bounds the search.
struct Bounds {
  std::uint32_t node = 8;          ///< GPUs with fast links between them, ≥ 1
  bool multinode = false;          ///< tp and ep may leave the node
  std::uint32_t most_stages = 32;  ///< largest pp tried
  std::uint32_t dcp = 0;           ///< only this one; 0: each that deals out what is held twice
  bool layout_fixed = false;       ///< only the layout of the inputs; copies are counted
};

/// The smallest set of GPUs that serves by itself: one copy, or `dp` copies that share experts.
struct Group {
  engine::Parallel parallel;
  [[nodiscard]] std::uint64_t gpus() const {
    return std::uint64_t{parallel.tp} * parallel.pp * parallel.dp;
  }
};

/// Groups worth trying for a model, smallest first, each of at most 4 nodes (16 with `multinode`).
[[nodiscard]] std::vector<Group> groups(const model::Model& model, const Bounds& bounds);

/// Whether people run it: a pipeline of at most 4 stages, or of at most 8 that hold nearly equal
/// numbers of layers, the fullest at most 5 % above the mean: it decides for all, in memory and in
/// time. vLLM (docs/serving/parallelism_scaling.md) takes a stage for each node with tp inside it,
/// or one for each GPU of a node. Where a device takes whole layers (`Profile::deals_layers`),
/// everything is usual.
[[nodiscard]] bool is_usual(const engine::Profile& profile, const model::Model& model,
                            const Group& group);

/// Why no group of a candidate serves.
enum class Obstacle { kNone, kNoRoom, kRefuses, kNotOne, kRules };

/// Why an engine does not serve, as far as that does not depend on the load.
[[nodiscard]] Obstacle obstacle_of(const engine::Outcome& outcome);

/// The best layout of one candidate. Searched at the typical estimate of the pool; `low_…` and
/// `high_…` are what the ends of the estimate give.
struct Choice {
  Obstacle obstacle = Obstacle::kNone;
  units::Diagnostics refusals;  ///< with `kRules`: what the engine says of the smallest group
  bool slots_end = false;       ///< slots, not memory, end the requests of a copy
  Group group;
  std::uint64_t groups = 0;         ///< how many of them
  std::uint64_t gpus = 0;           ///< groups × group.gpus()
  std::uint64_t rented = 0;         ///< as nodes are rented: 1, 2, 4, 8 … or whole nodes
  std::uint64_t per_copy = 0;       ///< requests at once in one copy; `kOutOfRange`: no limit
  std::uint64_t requests = 0;       ///< in all
  std::uint64_t low_requests = 0;   ///< in all of this layout, with the low pool
  std::uint64_t high_requests = 0;  ///< the same with the high pool
  bool holds_low = false;           ///< `low_requests` are still as many as are wanted
  std::string_view pool{};          ///< of several pools the one that ends them: "window", "state"
  std::uint64_t low_gpus = 0;   ///< fewest GPUs of any layout with the low pools; 0: none serves
  std::uint64_t high_gpus = 0;  ///< with the high pools
  Group low_group;              ///< the layout of `low_gpus`
  std::uint64_t odd_gpus = 0;   ///< fewer, of a layout that is not usual; 0: there is none
  Group odd_group;              ///< that layout
};

/// Requests of `load` in a copy that starts with these pools; 0 where not one of `context` fits and
/// the engine is no division by hand, which starts nothing.
[[nodiscard]] Capacity served(const engine::Profile& profile, const engine::Outcome& outcome,
                              const std::vector<engine::Rank>& ranks, std::uint64_t context,
                              const Load& load);

/// Fewest GPUs of a usual layout, of any where no usual one serves; among equals those that hold
/// with the low pool too, then the smallest dcp, the smallest pp, then the smallest group, then the
/// most requests. `inputs` are complete for the candidate (device, budget …); their parallel sizes
/// are replaced.
[[nodiscard]] Choice fewest_gpus(const engine::Profile& profile, const engine::Inputs& inputs,
                                 const Load& load, std::uint64_t users, const Bounds& bounds);

/// GPUs as they are rented: the next power of two inside a node, whole nodes beyond.
[[nodiscard]] std::uint64_t rented(std::uint64_t gpus, std::uint32_t node);

}  // namespace kvseats::plan
