#include "plan/gpus.h"

#include <algorithm>
#include <tuple>

namespace kvseats::plan {
namespace {

using units::kOutOfRange;

bool splits_heads(const model::Model& model, std::uint32_t tp) {
  if (model.attention_heads % tp != 0) return false;
  return std::all_of(model.groups.begin(), model.groups.end(),
                     [tp](const model::LayerGroup& group) {
                       const std::uint32_t heads = group.kv_heads;
                       return heads == 0 || heads % tp == 0 || tp % heads == 0;
                     });
}

std::uint32_t layers_of(const model::Model& model) {
  std::uint32_t layers = 0;
  for (const model::LayerGroup& group : model.groups) layers += group.layers;
  return layers;
}

// Copies that share experts fill the rest of a node (or of all of them).
void add_shared_experts(const model::Model& model, const engine::Parallel& copy, std::uint32_t room,
                        std::vector<Group>& out) {
  for (std::uint32_t dp = 2; copy.tp * dp <= room; dp *= 2) {
    if (model.moe.experts == 0 || model.moe.experts % (copy.tp * dp) != 0) return;
    engine::Parallel parallel = copy;
    parallel.dp = dp;
    parallel.ep = copy.tp * dp;
    out.push_back({parallel});
  }
}

Choice try_group(const engine::Profile& profile, engine::Inputs inputs, const Load& load,
                 std::uint64_t users, const Group& group, const Bounds& bounds) {
  inputs.parallel = group.parallel;
  const engine::Outcome outcome = profile.run(inputs);
  Choice choice;
  choice.obstacle = obstacle_of(outcome);
  choice.group = group;
  if (choice.obstacle == Obstacle::kRules) choice.refusals = outcome.diagnostics;
  if (choice.obstacle != Obstacle::kNone) return choice;
  const Capacity fit = capacity(outcome.ranks, load, outcome.seq_cap, 1);
  choice.per_copy = fit.per_replica;
  choice.slots_end = fit.limited_by == Limit::kEngine;
  if (choice.per_copy == 0) {
    choice.obstacle = Obstacle::kNotOne;
    return choice;
  }
  const std::uint64_t per_group = units::checked_mul(choice.per_copy, group.parallel.dp);
  choice.groups = per_group == kOutOfRange ? 1 : units::ceil_div(users, per_group);
  choice.gpus = units::checked_mul(choice.groups, group.gpus());
  choice.rented = rented(choice.gpus, bounds.node);
  choice.requests = units::checked_mul(per_group, choice.groups);
  return choice;
}

// Less is better: fewest GPUs, then the least talk between them.
auto rank_of(const Choice& c) {
  return std::tuple(c.obstacle != Obstacle::kNone, c.gpus, c.group.parallel.pp, c.group.gpus(),
                    ~c.requests);
}

}  // namespace

Obstacle obstacle_of(const engine::Outcome& outcome) {
  for (const units::Diagnostic& d : outcome.diagnostics) {
    if (d.severity == units::Severity::kError) return Obstacle::kRules;
  }
  if (outcome.pool.no_room) return Obstacle::kNoRoom;
  return outcome.refusal.refused ? Obstacle::kRefuses : Obstacle::kNone;
}

std::vector<Group> groups(const model::Model& model, const Bounds& bounds) {
  std::vector<Group> out;
  const std::uint32_t room = bounds.multinode ? bounds.node * 16 : bounds.node;
  const std::uint32_t stages =
      std::clamp(layers_of(model), std::uint32_t{1}, std::max(bounds.most_stages, 1U));
  for (std::uint32_t pp = 1; pp <= stages; ++pp) {
    for (std::uint32_t tp = 1; tp <= room; tp *= 2) {
      if (!splits_heads(model, tp) || tp * pp > 4 * room) continue;
      const engine::Parallel copy = {.tp = tp, .pp = pp};
      out.push_back({copy});
      add_shared_experts(model, copy, room, out);
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Group& a, const Group& b) { return a.gpus() < b.gpus(); });
  return out;
}

Choice fewest_gpus(const engine::Profile& profile, const engine::Inputs& inputs, const Load& load,
                   std::uint64_t users, const Bounds& bounds) {
  std::vector<Group> tried = groups(*inputs.model, bounds);
  if (bounds.layout_fixed) tried = {{inputs.parallel}};
  Choice best;
  bool any = false;
  for (const Group& group : tried) {
    const Choice choice = try_group(profile, inputs, load, users, group, bounds);
    if (!any || rank_of(choice) < rank_of(best)) best = choice;
    any = true;
  }
  return best;
}

std::uint64_t rented(std::uint64_t gpus, std::uint32_t node) {
  if (gpus == kOutOfRange) return gpus;
  if (gpus >= node) return units::checked_mul(units::ceil_div(gpus, node), node);
  std::uint64_t size = 1;
  while (size < gpus) size *= 2;
  return std::min<std::uint64_t>(size, node);
}

}  // namespace kvseats::plan
