#include "engine/vllm/checks.h"

#include <algorithm>

#include "engine/parallel.h"
#include "units/text.h"

namespace kvseats::engine::vllm {
namespace {

using units::diagnose;
using units::grouped;

void check_dcp(const Inputs& in, units::Diagnostics& list) {
  const std::uint32_t dcp = in.parallel.dcp;
  if (dcp <= 1) return;
  const bool windows =
      std::any_of(in.model->groups.begin(), in.model->groups.end(), [](const auto& group) {
        return group.kind == model::CacheKind::kWindow || group.kind == model::CacheKind::kChunked;
      });
  if (windows) {
    list.push_back(diagnose("E-DCP", "dcp", "vLLM refuses dcp for layers with a window",
                            "Leave dcp at 1 for this model."));
    return;
  }
  const std::uint32_t most = copies_of_heads(in);
  if (dcp <= most && most % dcp == 0) return;
  list.push_back(diagnose("E-DCP", "dcp",
                          "dcp = " + grouped(dcp) + " must divide the " + grouped(most) +
                              " GPUs that hold the same heads at tp = " + grouped(in.parallel.tp),
                          "Raise tp or choose a dcp that divides " + grouped(most) + "."));
}

// --block-size (vllm/config/cache.py): 1, 8, 16, 32, 64, 128, 256; kernels take multiples of 16.
void check_block(const Inputs& in, units::Diagnostics& list) {
  const std::uint64_t block = in.block.value_or(16);
  if (block % 16 == 0 || block == 1 || block == 8) return;
  list.push_back(diagnose("E-BLOCK", "block",
                          "vLLM has no blocks of " + grouped(block) +
                              " tokens: they come in "
                              "multiples of 16",
                          "The next larger is " + grouped(units::round_up(block, 16)) + "."));
}

void note_layout(const Settings& s, const Layout& layout, units::Diagnostics& list) {
  if (layout.note == LayoutNote::kPadded) {
    list.push_back(diagnose(
        "W-LAYOUT", "model",
        "Blocks of this model's layers do not divide each other: vLLM before 0.24 refuses, newer "
        "versions pad them where the kernels allow it",
        "Counted with every block padded to the largest; compare with the engine's own log."));
  }
  if (layout.note == LayoutNote::kCompressed) {
    list.push_back(
        diagnose("W-LAYOUT", "model", "vLLM packs compressed attention in a layout of its own",
                 "Taken as one slab of two groups, an estimate: printed logs contradict each other "
                 "(cases vllm-dsv4-flash-h200-131k, 52.66 GiB for 131,072 tokens, and "
                 "vllm-dsv4-flash-2spark, 10.08 GiB for 1,048,576)."));
  }
  const bool states = std::any_of(layout.buckets.begin(), layout.buckets.end(),
                                  [](const Bucket& b) { return b.spec.keep == Keep::kState; });
  if (states && s.states == StateMode::kAlign) {
    list.push_back(diagnose(
        "N-STATE-PAGES", "statecache",
        "Prefix caching may keep one state per block beside the two counted for each request",
        "prefixcaching=off counts one page; measured capacity can be lower than the log's."));
  }
}

}  // namespace

units::Diagnostics check(const Inputs& in, const Settings& settings, const Layout& layout) {
  units::Diagnostics list;
  refuse_uneven_heads("vLLM", in, list);
  check_dcp(in, list);
  check_block(in, list);
  note_copies(in, list);
  note_layout(settings, layout, list);
  return list;
}

}  // namespace kvseats::engine::vllm
