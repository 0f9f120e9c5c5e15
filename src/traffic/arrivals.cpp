#include "traffic/arrivals.h"

#include <algorithm>

namespace kvseats::traffic {

bool Arrivals::later(const Event& a, const Event& b) {
  return a.time_ns != b.time_ns ? a.time_ns > b.time_ns : a.order > b.order;
}

void Arrivals::put(Event event) {
  event.order = put_++;
  heap_.push_back(event);
  std::push_heap(heap_.begin(), heap_.end(), later);
}

void Arrivals::start(std::uint32_t stream) {
  const Stream& s = (*streams_)[stream];
  for (std::uint64_t i = 0; i < s.at_start; ++i) put({.stream = stream});
  for (std::uint64_t i = 0; i < s.people; ++i) {
    // Whoever thinks has begun at some time before: what is left of an exponential is one again.
    put({.time_ns = follow_[stream].exponential(s.think_ns), .stream = stream, .person = true});
  }
  if (s.gap_ns == 0) return;
  put({.time_ns = begin_[stream].exponential(s.gap_ns), .stream = stream, .opens = true});
}

Arrivals::Arrivals(const std::vector<Stream>& streams, std::uint64_t seed) : streams_(&streams) {
  Random root(seed);
  for (std::uint32_t i = 0; i < streams.size(); ++i) {
    begin_.push_back(root.split());
    follow_.push_back(root.split());
    start(i);
  }
}

std::uint64_t Arrivals::next_ns() const {
  return heap_.empty() ? UINT64_MAX : heap_.front().time_ns;
}

Arrival Arrivals::take() {
  std::pop_heap(heap_.begin(), heap_.end(), later);
  const Event event = heap_.back();
  heap_.pop_back();
  const Stream& stream = (*streams_)[event.stream];
  Random& random = event.opens ? begin_[event.stream] : follow_[event.stream];
  Arrival out = {.time_ns = event.time_ns, .stream = event.stream, .turn = event.turn};
  out.person = event.person;
  out.prompt = units::checked_add(event.history, stream.prompt.sample(random));
  out.output = stream.output.sample(random);
  if (event.opens) {
    Event next = event;
    next.time_ns = event.time_ns + random.exponential(stream.gap_ns);
    put(next);
  }
  return out;
}

void Arrivals::answered(const Arrival& arrival, std::uint64_t now) {
  const Stream& stream = (*streams_)[arrival.stream];
  const bool goes_on = arrival.turn < stream.turns;
  if (!goes_on && !arrival.person) return;
  Event next = {.stream = arrival.stream, .person = arrival.person};
  next.time_ns = now + follow_[arrival.stream].exponential(stream.think_ns);
  if (goes_on) {
    next.turn = arrival.turn + 1;
    next.history = units::checked_add(arrival.prompt, arrival.output);
  }
  put(next);
}

void Arrivals::refused(const Arrival& arrival, std::uint64_t now) {
  constexpr std::uint64_t kSecond = 1000000000;
  if (!arrival.person) return;
  const std::uint64_t think = (*streams_)[arrival.stream].think_ns;
  put({.time_ns = now + std::max(kSecond, follow_[arrival.stream].exponential(think)),
       .stream = arrival.stream,
       .person = true});
}

}  // namespace kvseats::traffic
