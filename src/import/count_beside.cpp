#include "import/count_beside.h"

#include <algorithm>

#include "import/config_tables.h"

namespace kvseats::import {
namespace {

using units::checked_add;
using units::checked_mul;

/// Product that stays out of range once it is.
std::uint64_t times(std::initializer_list<std::uint64_t> factors) {
  std::uint64_t n = 1;
  for (const std::uint64_t f : factors) n = checked_mul(n, f);
  return n;
}

std::uint64_t sum(std::initializer_list<std::uint64_t> terms) {
  std::uint64_t n = 0;
  for (const std::uint64_t t : terms) n = checked_add(n, t);
  return n;
}

}  // namespace

std::uint64_t ParamCount::total() const {
  return sum({ends, attention, feed_forward, routed, norms});
}

std::uint64_t ParamCount::active() const {
  if (moe.experts == 0) return total();
  const std::uint64_t used = units::mul_div_floor(routed, moe.per_token, moe.experts);
  return sum({ends, attention, feed_forward, used, norms});
}

std::uint64_t per_layer_embeddings(Config& config, const Geometry& g) {
  const std::uint64_t width =
      config.whole("per-layer embedding", "hidden_size_per_layer_input", kMostWidth);
  if (width == 0) return 0;
  const std::uint64_t rows =
      config.text.get("vocab_size_per_layer_input").whole().value_or(g.vocab);
  return sum({times({std::min(rows, kMostTokens), g.layers, width}),
              times({3, g.hidden, g.layers, width})});
}

void count_next_token(const Config& config, const Geometry& g, std::uint32_t layers,
                      std::uint64_t attention, std::uint64_t feed_forward, std::uint64_t routed,
                      ParamCount& n) {
  const std::uint64_t joined = times({2, g.hidden, g.hidden});
  n.next_token = times({layers, sum({attention, feed_forward, joined, times({5, g.hidden})})});
  n.next_token_routed = times({layers, routed});
  if (copies_ends_to_next_token(config.model_type)) {
    n.next_token_ends = times({layers, 2, g.vocab, g.hidden});
  }
}

}  // namespace kvseats::import
