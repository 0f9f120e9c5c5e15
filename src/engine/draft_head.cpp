#include "engine/draft_head.h"

#include <algorithm>

#include "engine/activations.h"
#include "engine/split.h"

namespace kvseats::engine {
namespace {

constexpr std::uint64_t kDraftVocabulary = 32000;

struct Rows {
  std::uint64_t query = 0;
  std::uint64_t cache = 0;  // K and V
};

// A head is an ordinary decoder layer: a latent's rows are taken as wide as the hidden size.
Rows rows_of(const model::Model& model) {
  const auto layers = eagle_draft_layers(model);
  if (layers.empty() || layers.front().kind != model::CacheKind::kFull) {
    return {model.hidden, 2 * std::uint64_t{model.hidden}};
  }
  const model::LayerGroup& one = layers.front();
  return {std::uint64_t{model.attention_heads} * one.k_dim,
          std::uint64_t{one.kv_heads} * (one.k_dim + one.v_dim)};
}

}  // namespace

units::Params eagle_params(const model::Model& model, bool third) {
  const std::uint64_t h = model.hidden;
  const Rows rows = rows_of(model);
  const std::uint64_t inputs = third ? 2 : 1;
  std::uint64_t columns = (third ? 3 : 2) * h + inputs * (rows.query + rows.cache) + rows.query +
                          3 * intermediate_width(model);
  if (third) columns += std::min(kDraftVocabulary, model.vocab) + model.vocab;
  return units::params(h) * columns;
}

}  // namespace kvseats::engine
