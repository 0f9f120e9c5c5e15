#include "traffic/simulation.h"

#include <algorithm>

// One step of the engine: who runs, who is thrown out, who is admitted, how long it takes.
namespace kvseats::traffic {

using units::checked_add;

Simulation::Simulation(Experiment setup)
    : setup_(std::move(setup)), arrivals_(setup_.streams, setup_.seed) {
  std::uint64_t tokens = 0;
  for (const Stream& s : setup_.streams) {
    tokens = std::max(tokens, s.prompt.mean_up() + s.output.mean_up());
  }
  shown_ = engine::tightest(setup_.ranks, setup_.reserved ? setup_.longest : tokens);
  most_running_ = setup_.seq_cap.value_or(UINT64_MAX);
  std::uint64_t block = 1;
  for (const engine::Rank& rank : setup_.ranks) {
    pools_.emplace_back(rank.shared_cells != 0 ? rank.shared_cells : rank.capacity);
    most_running_ = std::min(most_running_, rank.slots);
    for (const engine::CostTerm& term : rank.cost.terms()) {
      if (term.shareable) block = std::max(block, term.per);
    }
  }
  shared_tokens_ = setup_.prefix / block * block;
  setup_.batched = std::max<std::uint64_t>(setup_.batched, 1);
  setup_.sample_ns = std::max<std::uint64_t>(setup_.sample_ns, 1);
}

bool Simulation::step(std::uint64_t budget) {
  for (; budget > 0 && !done_; --budget) one_step();
  return done_;
}

double Simulation::progress() const {
  if (done_ || setup_.horizon_ns == 0) return 1;
  return static_cast<double>(std::min(now_, setup_.horizon_ns)) /
         static_cast<double>(setup_.horizon_ns);
}

void Simulation::one_step() {
  deliver();
  if (running_.empty() && waiting_.empty()) {
    const std::uint64_t next = arrivals_.next_ns();
    if (next != UINT64_MAX) pass(std::min(next, setup_.horizon_ns) - now_);
    done_ = next == UINT64_MAX || now_ >= setup_.horizon_ns;
    return;
  }
  std::uint64_t tokens = setup_.batched;
  std::uint64_t prefilled = 0;
  if (!run_running(tokens, prefilled)) admit(tokens, prefilled);
  totals_.prefilled += prefilled;
  totals_.peak_running = std::max<std::uint64_t>(totals_.peak_running, running_.size());
  totals_.peak_waiting = std::max<std::uint64_t>(totals_.peak_waiting, waiting_.size());
  ++totals_.steps;
  pass(duration(prefilled));
  if (any_done_) finish_done();
  done_ = now_ >= setup_.horizon_ns;
}

std::uint64_t Simulation::duration(std::uint64_t prefilled) const {
  const Pace& pace = setup_.pace;
  const std::uint64_t units = setup_.reserved ? read_ : pools_[shown_].used();
  const std::uint64_t read = units::mul_div_floor(units, pace.unit_ns.num, pace.unit_ns.den);
  const std::uint64_t prefill = units::mul_div_floor(prefilled, pace.prefill_ps, 1000);
  const std::uint64_t ns = checked_add(checked_add(pace.step_ns, prefill), read);
  return std::clamp<std::uint64_t>(ns, 1, std::max<std::uint64_t>(setup_.horizon_ns, 1));
}

// True if somebody was thrown out.
bool Simulation::run_running(std::uint64_t& tokens, std::uint64_t& prefilled) {
  const std::uint64_t before = totals_.preemptions;
  // Indices, since the youngest may leave from the end meanwhile.
  for (std::size_t i = 0; i < running_.size() && tokens > 0; ++i) {
    const std::uint32_t slot = running_[i];
    Live& request = lives_[slot];
    const bool grows = request.todo == 0 && request.length + 1 >= request.next_growth;
    if (grows && setup_.reserved) grow_in_place(request);
    if (grows && !setup_.reserved && !make_room(slot)) break;
    advance(request, tokens, prefilled);
  }
  return totals_.preemptions != before;
}

// Computes the next part of the prompt, or one more token.
void Simulation::advance(Live& request, std::uint64_t& tokens, std::uint64_t& prefilled) {
  if (request.todo > 0) {
    const std::uint64_t part = std::min(request.todo, tokens);
    request.todo -= part;
    request.length += part;
    tokens -= part;
    prefilled += part;
  } else if (request.left > 0) {
    ++request.length;
    --request.left;
    --tokens;
    ++totals_.generated;
  }
  any_done_ = any_done_ || (request.todo == 0 && request.left == 0);
}

// What is reserved is not read before tokens are in it.
void Simulation::grow_in_place(Live& request) {
  const std::uint64_t length = request.length + (request.todo == 0 ? 1 : request.todo);
  const std::uint64_t now = cost(shown_, length, request.shares);
  read_ += now - request.read;
  request.read = now;
  request.next_growth = growth_after(length);
}

// Room for one token more; false if the request had to leave itself.
bool Simulation::make_room(std::uint32_t slot) {
  while (!hold(slot, lives_[slot].length + 1)) {
    const bool itself = running_.back() == slot;
    preempt_youngest();
    if (itself) return false;
  }
  return true;
}

void Simulation::preempt_youngest() {
  const std::uint32_t slot = running_.back();
  running_.pop_back();
  Live& request = lives_[slot];
  release(slot);
  totals_.recomputed += units::saturating_sub(request.length, request.shares ? shared_tokens_ : 0);
  request.length = 0;
  waiting_.push_front(slot);
  ++totals_.preemptions;
}

void Simulation::admit(std::uint64_t& tokens, std::uint64_t& prefilled) {
  while (!waiting_.empty() && tokens > 0 && running_.size() < most_running_) {
    const std::uint32_t slot = waiting_.front();
    if (!try_admit(slot)) return;
    waiting_.pop_front();
    running_.push_back(slot);
    Live& request = lives_[slot];
    note_wait(request);
    if (request.todo > 0) advance(request, tokens, prefilled);
    any_done_ = any_done_ || (request.todo == 0 && request.left == 0);
  }
}

bool Simulation::try_admit(std::uint32_t slot) {
  Live& request = lives_[slot];
  const std::uint64_t so_far = request.arrival.output - request.left;
  const std::uint64_t length = request.arrival.prompt + so_far;
  const bool first_sharer = request.shares && sharers_ == 0;
  if (first_sharer && !hold_prefix()) return false;
  if (!hold(slot, setup_.reserved ? setup_.longest : length)) {
    if (first_sharer) drop_prefix();
    return false;
  }
  const std::uint64_t there = request.shares && !first_sharer ? shared_tokens_ : 0;
  request.length = there;
  request.todo = length - there;
  sharers_ += request.shares;
  if (setup_.reserved) grow_in_place(request);
  totals_.shared += there;
  return true;
}

void Simulation::note_wait(Live& request) {
  if (request.ran) return;
  request.ran = true;
  const std::uint64_t wait = now_ - request.arrival.time_ns;
  waits_.push_back(wait);
  totals_.queued += totals_.steps > request.entered;
  totals_.wait_ns += wait;
  totals_.longest_wait_ns = std::max(totals_.longest_wait_ns, wait);
}

void Simulation::finish_done() {
  any_done_ = false;
  std::erase_if(running_, [this](std::uint32_t slot) {
    const Live& request = lives_[slot];
    if (request.todo != 0 || request.left != 0) return false;
    release(slot);
    ++totals_.finished;
    totals_.stay_ns += now_ - request.arrival.time_ns;
    arrivals_.answered(request.arrival, now_);
    vacant_.push_back(slot);
    return true;
  });
}

std::uint64_t Simulation::wait_ns(std::uint64_t percent) const {
  if (waits_.empty()) return 0;
  std::vector<std::uint64_t> sorted = waits_;
  std::sort(sorted.begin(), sorted.end());
  const std::uint64_t rank = units::mul_div_ceil(sorted.size(), percent, 100);
  return sorted[static_cast<std::size_t>(std::max<std::uint64_t>(rank, 1) - 1)];
}

}  // namespace kvseats::traffic
