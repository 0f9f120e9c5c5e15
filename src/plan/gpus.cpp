#include "plan/gpus.h"

#include <algorithm>
#include <tuple>

#include "engine/hand/hand.h"
#include "engine/parallel.h"

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

// A copy with each dcp that its copies of heads can be dealt over, or with the one that is given.
void add_copies(const model::Model& model, engine::Parallel copy, const Bounds& bounds,
                std::uint32_t room, std::vector<Group>& out) {
  engine::Inputs inputs;
  inputs.model = &model;
  inputs.parallel = copy;
  const std::uint32_t held = engine::copies_of_heads(inputs);
  for (copy.dcp = 1; copy.dcp <= copy.tp; copy.dcp *= 2) {
    if (bounds.dcp == 0 ? held % copy.dcp != 0 : copy.dcp != bounds.dcp) continue;
    out.push_back({copy});
    add_shared_experts(model, copy, room, out);
  }
}

// Requests at once, and sessions that hold a cache beside them.
struct Wanted {
  std::uint64_t users = 1, idle = 0;
};

// GPUs of such groups for the users; `kOutOfRange`: not one request fits.
std::uint64_t gpus_for(const Wanted& wanted, const Capacity& one, const Group& group) {
  const auto copies = copies_needed(wanted.users, wanted.idle, one);
  if (!copies) return kOutOfRange;
  const std::uint64_t groups = units::ceil_div(*copies, std::uint64_t{group.parallel.dp});
  return units::checked_mul(groups, group.gpus());
}

struct Tried {
  Choice choice;
  Capacity low, high;  // of one copy
};

// Of all its groups.
std::uint64_t in_all(const Capacity& one, const Wanted& wanted, const Choice& choice) {
  return at_once(one, wanted.idle, units::checked_mul(choice.groups, choice.group.parallel.dp));
}

void fill_counts(const Load& load, const Wanted& wanted, const engine::Outcome& outcome,
                 const Bounds& bounds, const Capacity& fit, Choice& choice) {
  choice.pool = outcome.ranks[engine::tightest(outcome.ranks, load.tokens, load.shared)].pool;
  choice.gpus = gpus_for(wanted, fit, choice.group);
  choice.groups = choice.gpus / choice.group.gpus();
  choice.rented = rented(choice.gpus, bounds.node);
  choice.requests = in_all(fit, wanted, choice);
}

Tried try_group(const engine::Profile& profile, engine::Inputs inputs, const Load& load,
                const Wanted& wanted, const Group& group, const Bounds& bounds) {
  inputs.parallel = group.parallel;
  const engine::Outcome outcome = profile.run(inputs);
  Tried tried;
  Choice& choice = tried.choice;
  choice.obstacle = obstacle_of(outcome);
  choice.group = group;
  if (choice.obstacle == Obstacle::kRules) choice.refusals = outcome.diagnostics;
  if (choice.obstacle == Obstacle::kRules) return tried;
  const auto with = [&](const std::vector<std::uint64_t>& sizes) {
    const auto ranks = with_capacity(outcome.ranks, sizes);
    return served(profile, outcome, ranks, inputs.context, load);
  };
  tried.high = with(outcome.high_capacity);
  if (choice.obstacle != Obstacle::kNone) return tried;
  const Capacity fit = served(profile, outcome, outcome.ranks, inputs.context, load);
  choice.per_copy = fit.most;
  choice.slots_end = fit.limited_by == Limit::kEngine;
  if (choice.per_copy == 0) {
    choice.obstacle = Obstacle::kNotOne;
    return tried;
  }
  tried.low = with(outcome.low_capacity);
  fill_counts(load, wanted, outcome, bounds, fit, choice);
  choice.low_requests = in_all(tried.low, wanted, choice);
  choice.high_requests = in_all(tried.high, wanted, choice);
  choice.holds_low = choice.low_requests >= wanted.users;
  return tried;
}

// The best of some layouts, and what they come to at the ends of the estimate.
struct Search {
  Choice best;
  bool any = false;
  std::uint64_t low = kOutOfRange, high = kOutOfRange;
  Group low_group;
};

// Less is better: fewest GPUs, then what also holds with the low pool, then the least talk.
auto rank_of(const Choice& c) {
  return std::tuple(c.obstacle != Obstacle::kNone, c.gpus, !c.holds_low, c.group.parallel.dcp,
                    c.group.parallel.pp, c.group.gpus(), ~c.requests);
}

void take(const Tried& one, const Wanted& wanted, Search& search) {
  const Group& group = one.choice.group;
  if (!search.any || rank_of(one.choice) < rank_of(search.best)) search.best = one.choice;
  search.any = true;
  search.high = std::min(search.high, gpus_for(wanted, one.high, group));
  const std::uint64_t gpus = gpus_for(wanted, one.low, group);
  if (gpus < search.low) search.low_group = group;
  search.low = std::min(search.low, gpus);
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
      add_copies(model, {.tp = tp, .pp = pp}, bounds, room, out);
    }
  }
  const auto size = [](const Group& g) { return std::pair(g.gpus(), g.parallel.dcp); };
  std::stable_sort(out.begin(), out.end(),
                   [&](const Group& a, const Group& b) { return size(a) < size(b); });
  return out;
}

bool is_usual(const engine::Profile& profile, const model::Model& model, const Group& group) {
  constexpr std::uint32_t kFew = 4;
  constexpr std::uint32_t kMost = 8;
  const std::uint32_t pp = group.parallel.pp;
  if (profile.deals_layers || pp <= kFew) return true;
  const std::uint64_t layers = layers_of(model);
  return pp <= kMost && units::ceil_div(layers, pp) * pp * 20 <= layers * 21;
}

Capacity served(const engine::Profile& profile, const engine::Outcome& outcome,
                const std::vector<engine::Rank>& ranks, std::uint64_t context, const Load& load) {
  const bool by_hand = &profile == &engine::hand_profile();
  if (!by_hand && engine::requests_at(ranks, context) == 0) return {};
  // A larger pool undoes a refusal only if that was for want of memory.
  if (outcome.refusal.refused && engine::requests_at(outcome.ranks, context) != 0) return {};
  return capacity(ranks, load, outcome.seq_cap, 1);
}

Choice fewest_gpus(const engine::Profile& profile, const engine::Inputs& inputs, const Load& load,
                   std::uint64_t users, const Bounds& bounds) {
  std::vector<Group> tried = groups(*inputs.model, bounds);
  if (bounds.layout_fixed) tried = {{inputs.parallel}};
  const Wanted wanted = {users, load.shared.idle};
  Search usual;
  Search all;
  for (const Group& group : tried) {
    // The smallest come first: no larger one needs fewer, even at the low end.
    if (usual.low < group.gpus()) break;
    const Tried one = try_group(profile, inputs, load, wanted, group, bounds);
    if (is_usual(profile, *inputs.model, group)) take(one, wanted, usual);
    take(one, wanted, all);
  }
  const bool is_served = usual.any && usual.best.obstacle == Obstacle::kNone;
  const Search& search = is_served ? usual : all;
  Choice best = search.best;
  if (!all.any) best.obstacle = Obstacle::kRules;  // no layout has the given dcp
  best.low_gpus = search.low == kOutOfRange ? 0 : search.low;
  best.high_gpus = search.high == kOutOfRange ? 0 : search.high;
  best.low_group = search.low_group;
  if (is_served && all.best.gpus < best.gpus) {
    best.odd_gpus = all.best.gpus;
    best.odd_group = all.best.group;
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
