#include "engine/vllm/checks.h"

#include <algorithm>

#include "units/text.h"

namespace kvseats::engine::vllm {
namespace {

using units::diagnose;
using units::grouped;

void check_tp(const Inputs& in, units::Diagnostics& list) {
  const std::uint32_t heads = in.model->attention_heads;
  const std::uint32_t tp = in.parallel.tp;
  if (heads == 0 || tp == 0 || heads % tp == 0) return;
  list.push_back(diagnose("E-TP", "tp",
                          "vLLM refuses tp = " + grouped(tp) + ": the model's " + grouped(heads) +
                              " attention heads must be divisible by it",
                          "Choose a tp that divides " + grouped(heads) + "."));
}

// GQA keeps copies only when tp exceeds its heads; latents are copied on every GPU.
std::uint32_t copies(const Inputs& in) {
  std::uint32_t least = in.parallel.tp;
  for (const model::LayerGroup& group : in.model->groups) {
    const bool heads = group.kv_heads != 0 && group.kind != model::CacheKind::kLatent &&
                       group.kind != model::CacheKind::kNone &&
                       group.kind != model::CacheKind::kShared;
    if (heads) least = std::min(least, std::max<std::uint32_t>(1, in.parallel.tp / group.kv_heads));
  }
  return least;
}

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
  const std::uint32_t most = copies(in);
  if (dcp <= most && most % dcp == 0) return;
  list.push_back(diagnose("E-DCP", "dcp",
                          "dcp = " + grouped(dcp) + " must divide the " + grouped(most) +
                              " GPUs that hold the same heads at tp = " + grouped(in.parallel.tp),
                          "Raise tp or choose a dcp that divides " + grouped(most) + "."));
}

void note_copies(const Inputs& in, units::Diagnostics& list) {
  const std::uint32_t tp = in.parallel.tp;
  if (tp <= 1 || in.parallel.dcp > 1) return;
  for (const model::LayerGroup& group : in.model->groups) {
    const bool latent = group.kind == model::CacheKind::kLatent;
    if (!latent && (group.kv_heads == 0 || tp <= group.kv_heads)) continue;
    const std::string what =
        latent ? std::string("the latent vector") : grouped(group.kv_heads) + " KV heads";
    list.push_back(diagnose(
        "N-REPLICATED", "tp",
        "With tp = " + grouped(tp) + ", " + what + " cannot be split further: GPUs hold copies",
        "dcp deals tokens out over the copies; dp gives each copy a pool of its own."));
    return;
  }
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
                 "Taken as one slab of two groups; an estimate until checked by a log."));
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
  check_tp(in, list);
  check_dcp(in, list);
  note_copies(in, list);
  note_layout(settings, layout, list);
  return list;
}

}  // namespace kvseats::engine::vllm
