#pragma once

#include <cstdint>
#include <vector>

#include "import/config_geometry.h"
#include "import/config_reader.h"
#include "model/model.h"

/// Parameters worked out from a config.json: what the checkpoint's tensors add up to.
///
///     embeddings   vocabulary × hidden, once when tied
///     attention    q, k, v, o; latent: q_a q_b kv_a kv_b o; recurrent: the projections of its kind
///     feed forward 3 × hidden × width (2 without a gate), for every resident expert
///
/// Norms and biases are counted by class (count_norms.h). Vision towers and next-token-prediction
/// layers are counted apart; audio towers are not.
namespace kvseats::import {

struct ParamCount {
  std::uint64_t ends = 0;          ///< embeddings and output head
  std::uint64_t attention = 0;     ///< attention and recurrent layers
  std::uint64_t feed_forward = 0;  ///< dense and shared-expert layers, routers
  std::uint64_t routed = 0;        ///< routed experts, all resident
  std::uint64_t norms = 0;
  // Next-token-prediction layers, not part of `total`: experts, copies of `ends`, what else.
  std::uint64_t next_token = 0;
  std::uint64_t next_token_routed = 0;
  std::uint64_t next_token_ends = 0;
  std::uint64_t vision = 0;  ///< vision tower and projector, not part of `total`
  model::Moe moe;
  bool known = false;  ///< false: a width is missing, so there is no count
  [[nodiscard]] std::uint64_t total() const;
  [[nodiscard]] std::uint64_t active() const;
};

/// `layers` as `read_layer_groups` gave them; `next_token` of MTP layers. Out-of-range products
/// make it unknown.
[[nodiscard]] ParamCount count_params(Config& config, const Geometry& geometry,
                                      const std::vector<model::LayerGroup>& layers, bool tied,
                                      std::uint32_t next_token);

}  // namespace kvseats::import
