#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/vllm/specs.h"

/// How layers share the pool: groups of layers that draw block ids from one pool.
///
///  1. All specs equal: one group. All of one type but of different sizes (latent and indexer,
///     layers with different heads): one group whose block is the *sum* of its layers' pages.
///  2. Else pages are unified: attention blocks grow until a page holds a state
///     (`a × ceil(state ÷ (a × bytes per token))`, a = smallest block the kernels take), the
///     largest page wins, a smaller page that divides it gets a larger block, states are padded.
///  3. Layers are bucketed by spec. The smallest bucket sets the group size, or the largest where
///  it
///     is less than 1.5 times that; each bucket is cut into ceil(n ÷ size) groups, the last padded.
///  4. The pool is `size` tensors, each shared by one layer of every group: a block costs
///     size × page. Layers of a bucket are dealt to its groups in turn, so that pipeline stages
///     hold about the same of each; a stage's own size is its largest group.
///
/// Without the hybrid manager (V0, early V1, `hybrid=off`) windows and chunks keep every token
/// wherever some layer does.
///
/// Source: kv_cache_utils.py at 001cabc1 (get_kv_cache_groups, unify_kv_cache_spec_page_size,
/// _get_kv_cache_groups_uniform_page_size, get_kv_cache_config_from_groups,
/// unify_hybrid_kv_cache_specs); state pages: platforms/interface.py
/// (update_block_size_for_backend) and models/config.py (HybridAttentionMambaModelConfig).
namespace kvseats::engine::vllm {

/// One or more groups alike: `count` groups of `layers` layers of one spec.
struct Bucket {
  Spec spec;                  ///< after unification
  std::uint32_t layers = 0;   ///< real layers, over all stages
  std::uint32_t count = 1;    ///< groups
  std::uint32_t padding = 0;  ///< layers added to fill the last group
};

/// Why a layout is not simply the engine's.
enum class LayoutNote {
  kNone,
  kPadded,      ///< pages do not divide: older versions refuse, newer pad where the kernels can
  kNotUniform,  ///< `hybrid=off` with states: the engine refuses
  kCompressed,  ///< packed layout of compressed attention, not reproduced exactly
};

struct Layout {
  std::vector<Bucket> buckets;
  bool summed = false;                      ///< one group of unequal pages
  std::uint32_t groups = 0;                 ///< over all buckets
  std::uint32_t group_size = 0;             ///< layers per group, whole model
  std::uint64_t page = 0;                   ///< bytes of one block of one layer (summed: of all)
  std::uint64_t smallest_block = 0;         ///< tokens, over groups
  std::vector<std::uint64_t> block_bytes;   ///< bytes of one pool block, by stage; 0: holds nothing
  std::vector<std::uint32_t> block_layers;  ///< layers whose pages make up that block
  LayoutNote note = LayoutNote::kNone;
};

/// `layers` may hold no cache at all (then no bucket results).
[[nodiscard]] Layout layout_of(Layers layers, const Settings& settings);

/// The attention block that holds a state page: see above. `chunk` is the multiple that state mode
/// "all" asks for (0: none).
[[nodiscard]] std::uint64_t enlarged_block(std::uint64_t state_page, units::Ratio token,
                                           std::uint64_t kernel_block, std::uint64_t chunk);

}  // namespace kvseats::engine::vllm
