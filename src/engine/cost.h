#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "units/whole.h"

/// What a request of a given length takes out of a pool, compiled to a few integers.
///
/// A pool is counted in *pool units*: bytes for the by-hand division, blocks for paged engines,
/// cells for llama.cpp. A request's cost is a sum of terms, one per cache component:
///
///     entries(L) = ceil(min(L, cap) / per) + extra         (0 for L = 0 and extra = 0)
///     cost(L)    = Σ ceil(entries × num / den) + fixed
///
/// Everything that asks "how many", "how long", "what if" – the plot, the inverses, the simulation
/// – uses this one function; there is no second formula. Cost is monotone in L, so inverses bisect.
/// A call takes a few nanoseconds per term.
namespace kvseats::engine {

struct CostTerm {
  std::uint64_t num = 0;  ///< pool units per `den` entries
  std::uint64_t den = 1;
  std::uint64_t per = 1;           ///< tokens per entry
  std::uint64_t cap = UINT64_MAX;  ///< tokens beyond which it stops growing
  std::uint64_t extra = 0;         ///< entries on top (a window's straddling block …)
  std::uint64_t fixed = 0;         ///< pool units per request, whatever its length
  bool shareable = true;           ///< a common prefix is stored once (false: states, windows)
  friend bool operator==(const CostTerm&, const CostTerm&) = default;
};

/// What requests that are held at once have in common. A plain count is a prefix.
struct Sharing {
  // NOLINTNEXTLINE(google-explicit-constructor): a prefix alone is the usual case
  Sharing(std::uint64_t first = 0) : prefix(first) {}
  std::uint64_t prefix = 0;    ///< first tokens of all, held once
  std::uint64_t document = 0;  ///< tokens after them, held once for every `readers` requests
  std::uint64_t readers = 1;   ///< requests of one document, at least 1; 1 shares none
  std::uint64_t idle = 0;      ///< sessions over all copies that hold a request's cache and do not
                               ///< run: they count where requests of all copies do (room `plan`)
  [[nodiscard]] std::uint64_t first() const { return units::checked_add(prefix, document); }
  friend bool operator==(const Sharing&, const Sharing&) = default;
};

/// Lengths that a slot of fixed size admits: a shorter request takes all of it, a longer one does
/// not fit at all.
struct SlotBounds {
  std::uint64_t shortest = 0;          ///< any request costs at least what this many tokens cost
  std::uint64_t longest = UINT64_MAX;  ///< beyond it the cost is out of range
  friend bool operator==(const SlotBounds&, const SlotBounds&) = default;
};

/// The cost of one request on one GPU of one pipeline stage.
class Cost {
 public:
  Cost() = default;
  explicit Cost(std::vector<CostTerm> terms) : terms_(std::move(terms)) {}

  /// The cost in slots of fixed size.
  [[nodiscard]] static Cost in_slots(std::vector<CostTerm> terms, SlotBounds bounds) {
    Cost cost(std::move(terms));
    cost.bounds_ = bounds;
    return cost;
  }

  /// Pool units that a request of `tokens` takes; `kOutOfRange` if it does not fit 64 bits.
  [[nodiscard]] std::uint64_t at(std::uint64_t tokens) const;

  /// The same for a request whose first `prefix` tokens are held once for everybody: only whole
  /// entries (blocks) of the prefix are shared.
  [[nodiscard]] std::uint64_t at(std::uint64_t tokens, std::uint64_t prefix) const;

  /// What the shared prefix itself takes, once; of it, what lies behind the whole entries of its
  /// first `from` tokens (a document behind a prefix).
  [[nodiscard]] std::uint64_t of_prefix(std::uint64_t prefix, std::uint64_t from = 0) const;

  /// The least length above `tokens` at which some term has another entry: before it, a growing
  /// request costs what it does now. `UINT64_MAX`: it never grows again.
  [[nodiscard]] std::uint64_t next_growth(std::uint64_t tokens) const;

  /// True if no length costs anything (a model without a cache).
  [[nodiscard]] bool is_free() const;

  /// True if some term grows without end, so that a longest request exists.
  [[nodiscard]] bool grows_forever() const;

  [[nodiscard]] const std::vector<CostTerm>& terms() const { return terms_; }
  [[nodiscard]] const SlotBounds& bounds() const { return bounds_; }
  friend bool operator==(const Cost&, const Cost&) = default;

 private:
  std::vector<CostTerm> terms_;
  SlotBounds bounds_;
};

/// One kind of GPU of the deployment: what a request costs there and what the pool holds.
///
/// An engine that reserves everything at start-up (llama.cpp) says so here. With `slots`, that many
/// requests run at once and no more. With `shared_cells`, the cost is that of the whole server
/// started for a request of this length, all slots included: requests no longer than `shared_cells`
/// share that many cells, a longer one needs a server started for it and runs alone.
///
/// An engine that keeps separate pools on one GPU (a window pool beside the full one, slots for
/// recurrent states) gives one rank for each, with the same `stage`: a request must find room in
/// all of them.
struct Rank {
  std::uint32_t stage = 0;   ///< pipeline stage, 0-based; the first of several alike
  std::uint32_t stages = 1;  ///< how many stages are like this one
  Cost cost;
  std::uint64_t capacity = 0;        ///< pool units
  std::uint64_t slots = UINT64_MAX;  ///< requests at once, whatever the memory
  std::uint64_t shared_cells = 0;    ///< tokens that all requests together may hold; 0: no such cap
  units::Bytes weights{};            ///< on this GPU, where stages differ; 0: as the budget says
  units::Bytes unit_bytes{};         ///< of one pool unit on this GPU, where stages differ; 0: as
                                     ///< the outcome says
  std::string_view pool{};           ///< which of several pools: "window", "state"; else empty
};

/// What requests of one length take, in pool units: `held` of them are
/// n × own + ceil(n / readers) × document + once.
struct Shares {
  std::uint64_t own = 0;       ///< of each request
  std::uint64_t document = 0;  ///< once for `readers` of them
  std::uint64_t readers = 1;
  std::uint64_t once = 0;  ///< for all
  [[nodiscard]] std::uint64_t held(std::uint64_t requests) const;
};

/// The division of requests of `tokens`, which share no more than they have.
[[nodiscard]] Shares shares_of(const Cost& cost, std::uint64_t tokens, const Sharing& sharing);

/// Pool units that one request of `tokens` takes on the fullest GPU, all its pools together.
[[nodiscard]] std::uint64_t fullest_at(const std::vector<Rank>& ranks, std::uint64_t tokens);

/// Pool units that `running` requests of `tokens` (with what they share) hold on this rank. What an
/// engine reserves at start-up counts in full as soon as one request runs.
[[nodiscard]] std::uint64_t taken(const Rank& rank, std::uint64_t tokens, const Sharing& sharing,
                                  std::uint64_t running);

/// Requests of `tokens` (with what they share) that run at once on the tightest rank.
/// `kOutOfRange` means "no limit by memory" (a request costs nothing).
[[nodiscard]] std::uint64_t requests_at(const std::vector<Rank>& ranks, std::uint64_t tokens,
                                        const Sharing& sharing = {});

/// True if slots or shared cells, and not the capacity, end that count: the pool has room left for
/// one request more.
[[nodiscard]] bool ends_before_memory(const std::vector<Rank>& ranks, std::uint64_t tokens,
                                      const Sharing& sharing = {});

/// Longest length (1 … `limit`) at which `requests` equal requests run at once; 0 if not even one
/// token each fits. `limit` itself if nothing binds before.
[[nodiscard]] std::uint64_t longest_at(const std::vector<Rank>& ranks, std::uint64_t requests,
                                       std::uint64_t limit, const Sharing& sharing = {});

/// Index of the rank that decides at this length.
[[nodiscard]] std::size_t tightest(const std::vector<Rank>& ranks, std::uint64_t tokens,
                                   const Sharing& sharing = {});

}  // namespace kvseats::engine
