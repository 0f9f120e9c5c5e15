#include <gtest/gtest.h>

#include <random>

#include "engine/cost.h"

// Requests with a common prefix and with documents that several of them read.
namespace kvseats::engine {
namespace {

Sharing sharing(std::uint64_t prefix, std::uint64_t document, std::uint64_t readers) {
  Sharing out = prefix;
  out.document = document;
  out.readers = readers;
  return out;
}

Rank blocks_of(std::uint64_t tokens, std::uint64_t capacity) {
  return {.cost = Cost(std::vector<CostTerm>{{.num = 1, .per = tokens}}), .capacity = capacity};
}

struct Shared {
  Sharing sharing;
  std::uint64_t own, document, once, fit;
};

// Requests of 100 tokens are 7 blocks of 16; 30 blocks.
TEST(Sharing, DocumentsAreStoredOnceForTheirReaders) {
  const Shared cases[] = {
      {sharing(0, 0, 1), 7, 0, 0, 4},
      // 2 whole blocks of 40 tokens: (30 − 2) ÷ 5.
      {sharing(40, 0, 1), 5, 0, 2, 5},
      // 80 tokens end in block 5, so 3 blocks of the document: two groups of 4 × 2 + 3, and of the
      // 6 blocks left 3 for a third document and one reader.
      {sharing(40, 40, 4), 2, 3, 2, 9},
      {sharing(40, 40, 1), 5, 0, 2, 5},
      // A document of 15 tokens within one block is nobody's.
      {sharing(0, 15, 4), 7, 0, 0, 4},
      // All of it: 6 whole blocks for two readers, each with one of its own.
      {sharing(0, 100, 2), 1, 6, 0, 6},
      {sharing(0, 1000, 2), 1, 6, 0, 6},
  };
  for (const Shared& c : cases) {
    const Rank rank = blocks_of(16, 30);
    const Shares each = shares_of(rank.cost, 100, c.sharing);
    EXPECT_EQ(each.own, c.own);
    EXPECT_EQ(each.document, c.document);
    EXPECT_EQ(each.once, c.once);
    EXPECT_EQ(requests_at({rank}, 100, c.sharing), c.fit);
  }
  EXPECT_EQ(taken(blocks_of(16, 30), 100, sharing(40, 40, 4), 9), 2u + 9 * 2 + 3 * 3);
}

// Cells that all requests share: 1,000 of them, 100 a request, 60 of these the document's.
TEST(Sharing, CellsHoldADocumentOnce) {
  Rank rank = blocks_of(1, 1000);
  rank.shared_cells = 1000;
  EXPECT_EQ(requests_at({rank}, 100), 10u);
  // Groups of 5 × 40 + 60 = 260: three of them, and of the 220 left (220 − 60) ÷ 40 = 4.
  EXPECT_EQ(requests_at({rank}, 100, sharing(0, 60, 5)), 19u);
}

TEST(Sharing, StatesAndWindowsAreNobodysDocument) {
  const Rank rank = {.cost = Cost({{.num = 1, .shareable = false}}), .capacity = 1000};
  EXPECT_EQ(requests_at({rank}, 100, sharing(10, 50, 4)), 10u);
}

// One random rank and what its requests share.
struct Drawn {
  Rank rank;
  Sharing shared;
  std::uint64_t tokens = 1;
};

Drawn drawn(std::mt19937_64& random) {
  const auto below = [&random](std::uint64_t n) { return random() % n; };
  std::vector<CostTerm> terms;
  for (std::uint64_t i = 1 + below(3); i > 0; --i) {
    terms.push_back({.num = 1 + below(9),
                     .den = 1 + below(3),
                     .per = 1 + below(40),
                     .fixed = below(20),
                     .shareable = below(4) != 0});
  }
  Drawn out = {.rank = {.cost = Cost(std::move(terms)), .capacity = below(100000)}};
  out.tokens = 1 + below(2000);
  out.shared = sharing(below(out.tokens), below(out.tokens), 1 + below(12));
  return out;
}

TEST(Sharing, HoldsForRandomCosts) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const Drawn d = drawn(random);
    const std::vector<Rank> ranks = {d.rank};
    const std::uint64_t fit = requests_at(ranks, d.tokens, d.shared);
    const auto held = [&](std::uint64_t n) { return taken(d.rank, d.tokens, d.shared, n); };
    // As many fit, and one more does not.
    if (fit != 0) {
      EXPECT_LE(held(fit), d.rank.capacity);
    }
    EXPECT_GT(held(fit + 1), d.rank.capacity);
    // Another request never takes less.
    EXPECT_LE(held(fit), held(fit + 1));
    // One reader is no document.
    Sharing one = d.shared;
    one.readers = 1;
    EXPECT_EQ(requests_at(ranks, d.tokens, one), requests_at(ranks, d.tokens, d.shared.prefix));
  }
}

// In whole units a longer document or more readers never cost requests. (Where units are fractions
// of an entry, each piece is rounded up.)
TEST(Sharing, MoreInCommonNeverHoldsFewer) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 20000; ++i) {
    Drawn d = drawn(random);
    std::vector<CostTerm> terms = d.rank.cost.terms();
    for (CostTerm& term : terms) term.den = 1;
    d.rank.cost = Cost(std::move(terms));
    const std::uint64_t fit = requests_at({d.rank}, d.tokens, d.shared);
    Sharing more = d.shared;
    ++more.document;
    EXPECT_GE(requests_at({d.rank}, d.tokens, more), fit);
  }
}

}  // namespace
}  // namespace kvseats::engine
