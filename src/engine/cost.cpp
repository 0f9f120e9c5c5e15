#include "engine/cost.h"

#include <algorithm>

namespace kvseats::engine {
namespace {

using units::checked_add;
using units::kOutOfRange;
using units::saturating_sub;

// checked_mul without its division for the sizes that occur: this is the inner loop of every plot.
std::uint64_t fast_mul(std::uint64_t a, std::uint64_t b) {
  if (((a | b) >> 32) == 0) return a * b;
  return units::checked_mul(a, b);
}

std::uint64_t entries_of(const CostTerm& term, std::uint64_t tokens) {
  const std::uint64_t kept = std::min(tokens, term.cap);
  return term.per == 1 ? kept : units::ceil_div(kept, term.per);
}

std::uint64_t price(const CostTerm& term, std::uint64_t entries) {
  const std::uint64_t whole = fast_mul(entries, term.num);
  return term.den == 1 ? whole : units::ceil_div(whole, term.den);
}

std::uint64_t shared_entries(const CostTerm& term, std::uint64_t prefix) {
  return term.shareable ? std::min(prefix, term.cap) / term.per : 0;
}

// What requests of that length can have in common. A document of one reader is none: its request
// is rounded as one piece.
Sharing within(std::uint64_t tokens, Sharing sharing) {
  sharing.prefix = std::min(sharing.prefix, tokens);
  const std::uint64_t rest = sharing.readers > 1 ? tokens - sharing.prefix : 0;
  sharing.document = std::min(sharing.document, rest);
  if (sharing.document == 0) sharing.readers = 1;
  return sharing;
}

// Most n that `room` holds: whole groups of readers, then a last one that is not full.
std::uint64_t most_in(std::uint64_t room, const Shares& each) {
  if (each.once > room) return 0;
  room -= each.once;
  const std::uint64_t group =
      checked_add(units::checked_mul(each.own, each.readers), each.document);
  if (group == 0) return kOutOfRange;
  const std::uint64_t full = units::checked_mul(room / group, each.readers);
  const std::uint64_t rest = saturating_sub(room % group, each.document);
  return each.own == 0 ? full : full + rest / each.own;
}

// Requests that share an array of cells reserved for all of them.
std::uint64_t fits_shared(const Rank& rank, std::uint64_t tokens, const Sharing& sharing) {
  if (rank.cost.at(tokens) > rank.capacity) return 0;
  if (tokens > rank.shared_cells || rank.cost.at(rank.shared_cells) > rank.capacity) return 1;
  const Sharing all = within(tokens, sharing);
  const Shares each = {.own = tokens - all.prefix - all.document,
                       .document = all.document,
                       .readers = all.readers,
                       .once = all.prefix};
  return std::max<std::uint64_t>(1, most_in(rank.shared_cells, each));
}

std::uint64_t fits(const Rank& rank, std::uint64_t tokens, const Sharing& sharing) {
  if (rank.shared_cells != 0) return std::min(rank.slots, fits_shared(rank, tokens, sharing));
  const Shares each = shares_of(rank.cost, tokens, sharing);
  if (each.own == kOutOfRange) return 0;
  return std::min(rank.slots, most_in(rank.capacity, each));
}

}  // namespace

std::uint64_t Cost::at(std::uint64_t tokens) const {
  if (tokens > bounds_.longest) return kOutOfRange;
  tokens = std::max(tokens, bounds_.shortest);
  std::uint64_t sum = 0;
  for (const CostTerm& term : terms_) {
    const std::uint64_t entries = entries_of(term, tokens) + term.extra;
    sum = checked_add(sum, checked_add(price(term, entries), term.fixed));
  }
  return sum;
}

std::uint64_t Cost::at(std::uint64_t tokens, std::uint64_t prefix) const {
  if (prefix == 0) return at(tokens);
  if (tokens > bounds_.longest) return kOutOfRange;
  tokens = std::max(tokens, bounds_.shortest);
  std::uint64_t sum = 0;
  for (const CostTerm& term : terms_) {
    const std::uint64_t entries = entries_of(term, tokens) + term.extra;
    const std::uint64_t own = saturating_sub(entries, shared_entries(term, prefix));
    sum = checked_add(sum, checked_add(price(term, own), term.fixed));
  }
  return sum;
}

std::uint64_t Cost::of_prefix(std::uint64_t prefix, std::uint64_t from) const {
  std::uint64_t sum = 0;
  for (const CostTerm& term : terms_) {
    const std::uint64_t entries = shared_entries(term, prefix) - shared_entries(term, from);
    sum = checked_add(sum, price(term, entries));
  }
  return sum;
}

std::uint64_t Cost::next_growth(std::uint64_t tokens) const {
  tokens = std::max(tokens, bounds_.shortest);
  std::uint64_t next = UINT64_MAX;
  for (const CostTerm& term : terms_) {
    if (tokens >= term.cap || term.num == 0) continue;
    const std::uint64_t full = term.per == 1 ? tokens : units::round_up(tokens, term.per);
    next = std::min(next, checked_add(full, 1));
  }
  return next;
}

bool Cost::is_free() const {
  return std::all_of(terms_.begin(), terms_.end(),
                     [](const CostTerm& term) { return term.num == 0 && term.fixed == 0; });
}

bool Cost::grows_forever() const {
  return std::any_of(terms_.begin(), terms_.end(),
                     [](const CostTerm& term) { return term.num != 0 && term.cap == UINT64_MAX; });
}

std::uint64_t Shares::held(std::uint64_t requests) const {
  if (requests == 0) return 0;
  const std::uint64_t documents =
      document == 0 ? 0 : units::checked_mul(document, units::ceil_div(requests, readers));
  return checked_add(checked_add(units::checked_mul(own, requests), documents), once);
}

Shares shares_of(const Cost& cost, std::uint64_t tokens, const Sharing& sharing) {
  const Sharing all = within(tokens, sharing);
  const std::uint64_t both = all.prefix + all.document;
  Shares out = {.own = cost.at(tokens, both), .readers = all.readers};
  if (all.prefix != 0) out.once = cost.of_prefix(all.prefix);
  if (all.document != 0) out.document = cost.of_prefix(both, all.prefix);
  return out;
}

std::uint64_t taken(const Rank& rank, std::uint64_t tokens, const Sharing& sharing,
                    std::uint64_t running) {
  if (running == 0) return 0;
  if (rank.shared_cells != 0) return rank.cost.at(std::max(tokens, rank.shared_cells));
  const bool reserved = rank.cost.bounds().shortest != 0 && rank.slots != UINT64_MAX;
  if (reserved) running = std::max(running, fits(rank, tokens, sharing));
  return shares_of(rank.cost, tokens, sharing).held(running);
}

std::uint64_t fullest_at(const std::vector<Rank>& ranks, std::uint64_t tokens) {
  std::uint64_t most = 0;
  for (const Rank& rank : ranks) {
    std::uint64_t sum = 0;
    for (const Rank& pool : ranks) {
      if (pool.stage == rank.stage) sum = checked_add(sum, pool.cost.at(tokens));
    }
    most = std::max(most, sum);
  }
  return most;
}

std::uint64_t requests_at(const std::vector<Rank>& ranks, std::uint64_t tokens,
                          const Sharing& sharing) {
  std::uint64_t least = kOutOfRange;
  for (const Rank& rank : ranks) least = std::min(least, fits(rank, tokens, sharing));
  return least;
}

bool ends_before_memory(const std::vector<Rank>& ranks, std::uint64_t tokens,
                        const Sharing& sharing) {
  const std::uint64_t count = requests_at(ranks, tokens, sharing);
  if (count == 0 || count == kOutOfRange) return false;
  return std::all_of(ranks.begin(), ranks.end(), [&](const Rank& rank) {
    if (rank.shared_cells != 0) return rank.cost.at(rank.shared_cells) <= rank.capacity;
    Rank open = rank;
    open.slots = UINT64_MAX;
    return fits(open, tokens, sharing) > count;
  });
}

std::uint64_t longest_at(const std::vector<Rank>& ranks, std::uint64_t requests,
                         std::uint64_t limit, const Sharing& sharing) {
  // Cost never falls as a request grows, so "does it fit" is true up to some length and false
  // after.
  std::uint64_t low = 0;
  std::uint64_t high = limit;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2 + 1;
    if (requests_at(ranks, middle, sharing) >= requests) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

std::size_t tightest(const std::vector<Rank>& ranks, std::uint64_t tokens, const Sharing& sharing) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < ranks.size(); ++i) {
    if (fits(ranks[i], tokens, sharing) < fits(ranks[best], tokens, sharing)) best = i;
  }
  return best;
}

}  // namespace kvseats::engine
