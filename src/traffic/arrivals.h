#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "traffic/random.h"
#include "traffic/workload.h"

/// Who comes when. Each stream draws from generators of its own, one for sessions that begin and
/// one for what follows in them, so that the same sessions begin at the same time whatever the
/// engine does with them.
namespace kvseats::traffic {

struct Arrival {
  std::uint64_t time_ns = 0;
  std::uint32_t stream = 0;
  std::uint64_t turn = 1;                ///< of its session, 1-based
  std::uint64_t prompt = 0, output = 0;  ///< tokens; the prompt has the history in it
  bool person = false;                   ///< asks again for ever
};

class Arrivals {
 public:
  /// `streams` must outlive it.
  Arrivals(const std::vector<Stream>& streams, std::uint64_t seed);

  /// Time of the next arrival; `UINT64_MAX`: nobody comes any more.
  [[nodiscard]] std::uint64_t next_ns() const;
  /// Takes it off; there must be one.
  [[nodiscard]] Arrival take();
  /// The request of `arrival` was answered at `now`: whoever asked may ask again.
  void answered(const Arrival& arrival, std::uint64_t now);
  /// It was too long. The session ends; a person begins another, a second later at the earliest.
  void refused(const Arrival& arrival, std::uint64_t now);

 private:
  struct Event {
    std::uint64_t time_ns = 0;
    std::uint64_t order = 0;  ///< of events at the same time: the one put in first
    std::uint32_t stream = 0;
    std::uint64_t turn = 1;
    std::uint64_t history = 0;
    bool opens = false;  ///< another session of the stream begins after this one
    bool person = false;
  };
  static bool later(const Event& a, const Event& b);
  void put(Event event);
  void start(std::uint32_t stream);

  const std::vector<Stream>* streams_;
  std::vector<Random> begin_, follow_;
  std::vector<Event> heap_;
  std::uint64_t put_ = 0;
};

}  // namespace kvseats::traffic
