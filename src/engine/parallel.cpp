#include "engine/parallel.h"

#include <algorithm>

#include "units/text.h"

namespace kvseats::engine {
namespace {

using units::diagnose;
using units::grouped;

}  // namespace

void refuse_uneven_heads(std::string_view engine, const Inputs& in, units::Diagnostics& list) {
  const std::uint32_t heads = in.model->attention_heads;
  const std::uint32_t tp = in.parallel.tp;
  if (heads == 0 || tp == 0 || heads % tp == 0) return;
  list.push_back(diagnose("E-TP", "tp",
                          std::string(engine) + " refuses tp = " + grouped(tp) + ": the model's " +
                              grouped(heads) + " attention heads must be divisible by it",
                          "Choose a tp that divides " + grouped(heads) + "."));
}

std::uint32_t copies_of_heads(const Inputs& in) {
  std::uint32_t least = in.parallel.tp;
  for (const model::LayerGroup& group : in.model->groups) {
    const bool heads = group.kv_heads != 0 && group.kind != model::CacheKind::kLatent &&
                       group.kind != model::CacheKind::kNone &&
                       group.kind != model::CacheKind::kShared;
    if (heads) least = std::min(least, std::max<std::uint32_t>(1, in.parallel.tp / group.kv_heads));
  }
  return least;
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

}  // namespace kvseats::engine
