#include <algorithm>

#include "traffic/simulation.h"

// Who holds what, who enters, and what is written down of it.
namespace kvseats::traffic {

std::uint64_t Simulation::cost(std::size_t rank, std::uint64_t length, bool shares) const {
  const engine::Rank& r = setup_.ranks[rank];
  const std::uint64_t prefix = shares ? setup_.prefix : 0;
  if (r.shared_cells != 0) return units::saturating_sub(length, prefix);
  return r.cost.at(length, prefix);
}

std::uint64_t Simulation::prefix_cost(std::size_t rank) const {
  const engine::Rank& r = setup_.ranks[rank];
  return r.shared_cells != 0 ? setup_.prefix : r.cost.of_prefix(setup_.prefix);
}

std::uint64_t Simulation::growth_after(std::uint64_t length) const {
  std::uint64_t next = UINT64_MAX;
  for (const engine::Rank& rank : setup_.ranks) {
    next = std::min(next, rank.shared_cells != 0 ? length + 1 : rank.cost.next_growth(length));
  }
  return next;
}

// Raises what the request holds on every rank to what `length` costs, or changes nothing.
bool Simulation::hold(std::uint32_t slot, std::uint64_t length) {
  Live& request = lives_[slot];
  const Owner owner = slot + 1;
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    const std::uint64_t more =
        units::saturating_sub(cost(i, length, request.shares), pools_[i].held_by(owner));
    if (more > pools_[i].left()) return false;
  }
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    const std::uint64_t all = cost(i, length, request.shares);
    const std::uint64_t more = units::saturating_sub(all, pools_[i].held_by(owner));
    if (more > 0 && !pools_[i].take(owner, more)) return false;
  }
  request.next_growth = growth_after(length);
  return true;
}

bool Simulation::hold_prefix() {
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    if (pools_[i].take(kShared, prefix_cost(i))) continue;
    drop_prefix();
    return false;
  }
  return true;
}

void Simulation::drop_prefix() {
  for (Pool& pool : pools_) pool.give_back(kShared);
}

void Simulation::release(std::uint32_t slot) {
  for (Pool& pool : pools_) pool.give_back(slot + 1);
  read_ -= lives_[slot].read;
  lives_[slot].read = 0;
  if (!lives_[slot].shares) return;
  if (--sharers_ == 0) drop_prefix();
}

bool Simulation::ever_fits(const Arrival& arrival, bool shares) const {
  const std::uint64_t all = units::checked_add(arrival.prompt, arrival.output);
  if (all > setup_.longest) return false;
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    const std::uint64_t own = cost(i, setup_.reserved ? setup_.longest : all, shares);
    const std::uint64_t shared = shares ? prefix_cost(i) : 0;
    if (units::checked_add(own, shared) > pools_[i].capacity()) return false;
  }
  return most_running_ > 0;
}

void Simulation::deliver() {
  while (arrivals_.next_ns() <= now_) enter(arrivals_.take());
}

// A request joins the queue, or is told that it will never fit.
void Simulation::enter(const Arrival& arrival) {
  Live request = {.arrival = arrival, .id = ++totals_.arrived};
  Arrival& asked = request.arrival;
  if (asked.prompt < setup_.longest) {
    asked.output = std::min(asked.output, setup_.longest - asked.prompt);
  }
  request.left = asked.output;
  request.entered = totals_.steps;
  request.shares = setup_.prefix > 0 && asked.prompt >= setup_.prefix;
  if (asked.prompt > kMostTokens || !ever_fits(asked, request.shares)) {
    ++totals_.refused;
    return arrivals_.refused(arrival, now_);
  }
  std::uint32_t slot = static_cast<std::uint32_t>(lives_.size());
  if (vacant_.empty()) {
    lives_.push_back(request);
  } else {
    slot = vacant_.back();
    vacant_.pop_back();
    lives_[slot] = request;
  }
  waiting_.push_back(slot);
}

// Time goes on while nothing changes; the samples that fall into it are written.
void Simulation::pass(std::uint64_t ns) {
  const std::uint64_t until = std::min(units::checked_add(now_, ns), setup_.horizon_ns);
  while (next_sample_ <= until && next_sample_ <= setup_.horizon_ns) {
    samples_.push_back(sample_at(next_sample_));
    next_sample_ += setup_.sample_ns;
  }
  const double span = static_cast<double>(until - now_);
  totals_.running_ns += span * static_cast<double>(running_.size());
  totals_.held_ns += span * static_cast<double>(pools_[shown_].used());
  now_ = until;
}

Sample Simulation::sample_at(std::uint64_t time_ns) const {
  Sample s = {.time_ns = time_ns, .running = running_.size(), .waiting = waiting_.size()};
  s.held = pools_[shown_].used();
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    if (setup_.ranks[i].stage != setup_.ranks[shown_].stage) continue;
    s.held_bytes += units::checked_mul(pools_[i].used(), setup_.unit_bytes.raw());
  }
  s.needed_bytes = needed_bytes();
  s.preemptions = totals_.preemptions;
  return s;
}

std::uint64_t Simulation::needed_bytes() const {
  std::uint64_t sum = 0;
  for (const engine::Rank& rank : setup_.need) {
    if (rank.stage != setup_.ranks[shown_].stage) continue;
    for (const std::uint32_t slot : running_) {
      const Live& request = lives_[slot];
      const std::uint64_t prefix = request.shares ? setup_.prefix : 0;
      sum = units::checked_add(sum, rank.cost.at(request.length, prefix));
    }
    if (sharers_ > 0) sum = units::checked_add(sum, rank.cost.of_prefix(setup_.prefix));
  }
  return sum;
}

}  // namespace kvseats::traffic
