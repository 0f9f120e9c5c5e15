#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "known_models.h"
#include "model/demand.h"

namespace kvseats::model {
namespace {

/// PCG32 (O'Neill, 2014): the same sequence everywhere, unlike the standard distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint32_t next() {
    const std::uint64_t old = state_;
    state_ = old * 6364136223846793005U + 1442695040888963407U;
    const auto word = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
    const auto turn = static_cast<std::uint32_t>(old >> 59);
    return (word >> turn) | (word << ((32 - turn) & 31));
  }
  std::uint32_t up_to(std::uint32_t most) { return 1 + next() % most; }
  bool coin() { return (next() & 1) != 0; }

 private:
  std::uint64_t state_;
};

State random_state(Random& random) {
  State s;
  s.kind = static_cast<StateKind>(random.up_to(7));
  const bool conv = random.coin();
  if (conv) {
    s.conv_columns = random.up_to(7);
    s.conv_width = random.up_to(20000);
  }
  if (!conv || random.coin()) {
    s.heads = random.up_to(128);
    s.rows = random.up_to(256);
    s.cols = random.up_to(256);
  }
  if (random.coin()) s.temporal_type = StateType::kF32;
  return s;
}

LayerGroup random_group(Random& random) {
  LayerGroup g;
  g.kind = static_cast<CacheKind>(random.next() % 8);
  g.layers = random.up_to(60);
  if (random.next() % 4 == 0) g.state = random_state(random);
  if (g.kind == CacheKind::kNone || g.kind == CacheKind::kShared) return g;
  const bool one_vector = g.kind == CacheKind::kLatent || g.kind == CacheKind::kCompressed;
  g.kv_heads = one_vector ? 1 : random.up_to(64);
  g.k_dim = random.up_to(512);
  g.v_dim = one_vector ? 0 : (random.coin() ? g.k_dim : random.up_to(512));
  const bool windowed = g.kind == CacheKind::kWindow || g.kind == CacheKind::kChunked ||
                        g.kind == CacheKind::kCompressed;
  if (windowed) g.window = random.up_to(9000);
  if (g.kind == CacheKind::kLatent) g.latent_rank = random.up_to(g.k_dim);
  if (g.kind == CacheKind::kCompressed && random.coin()) {
    g.compress_ratio = random.up_to(128);
    g.compress_dim = random.up_to(512);
  }
  if (random.next() % 3 == 0) {
    g.index_dim = random.up_to(256);
    g.index_layers = random.up_to(g.layers);
  }
  return g;
}

Model random_model(Random& random) {
  Model m;
  const std::uint32_t groups = random.up_to(5);
  for (std::uint32_t i = 0; i < groups; ++i) {
    m.groups.push_back(random_group(random));
    m.layers += m.groups.back().layers;
  }
  return m;
}

CacheFormats random_formats(Random& random) {
  const auto formats = cache_formats();
  const CacheFormat& k = formats[random.next() % formats.size()];
  return {&k, random.coin() ? &k : &formats[random.next() % formats.size()]};
}

TEST(Property, MoreTokensNeverNeedLess) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const auto parts = demand(random_model(random), random_formats(random));
    std::uint64_t tokens = 0;
    units::Bytes before = bytes_at(parts, 0);
    for (int step = 0; step < 40; ++step) {
      tokens += random.up_to(1u << (step / 2));
      const units::Bytes now = bytes_at(parts, tokens, tokens);
      ASSERT_GE(now, before);
      before = now;
    }
  }
}

// Cutting a group in two changes nothing but the rounding of each part.
TEST(Property, LayersAddUp) {
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    Model whole = random_model(random);
    Model cut = whole;
    LayerGroup& first = cut.groups[0];
    if (first.layers < 2 || first.index_dim != 0) continue;
    LayerGroup rest = first;
    first.layers = random.up_to(first.layers - 1);
    rest.layers -= first.layers;
    cut.groups.insert(cut.groups.begin() + 1, rest);
    const CacheFormats formats = random_formats(random);
    const auto a = demand(whole, formats);
    const auto b = demand(cut, formats);
    EXPECT_EQ(per_token(a), per_token(b));
    EXPECT_EQ(per_token_beyond_windows(a), per_token_beyond_windows(b));
    const std::uint64_t one = bytes_at(a, 12345).raw();
    const std::uint64_t two = bytes_at(b, 12345).raw();
    EXPECT_GE(two, one);
    EXPECT_LE(two - one, b.size());
  }
}

// Against the same sum in floating point: a wrapped product would be far off.
TEST(Property, NothingWraps) {
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    Model m = random_model(random);
    for (LayerGroup& g : m.groups) {
      if (random.coin()) g.k_dim = random.up_to(kMaxDim);
      if (random.coin()) g.kv_heads = random.up_to(kMaxDim);
      g.latent_rank = 0;
    }
    const auto parts = demand(m, random_formats(random));
    const std::uint64_t tokens = std::uint64_t{random.next()} << (random.next() % 32);
    double expected = 0;
    for (const Component& part : parts) {
      const double entries = std::ceil(static_cast<double>(std::min(tokens, part.cap_tokens)) /
                                       static_cast<double>(part.stride));
      expected += entries * part.layers * part.heads *
                      static_cast<double>(part.per_head_token.num) /
                      static_cast<double>(part.per_head_token.den) +
                  static_cast<double>(part.fixed.raw()) * part.layers;
    }
    const units::Bytes got = bytes_at(parts, tokens, tokens);
    if (got.in_range()) {
      EXPECT_NEAR(static_cast<double>(got.raw()), expected, expected * 1e-9 + 64);
    } else {
      // Out of range is only said when the sum, or a product before its division, is really large.
      EXPECT_GT(expected * 64 * 32, 0x1p64);
    }
  }
}

TEST(Property, ShapesRoundTrip) {
  Random random(4);
  for (int i = 0; i < 1000; ++i) {
    const Model m = random_model(random);
    const auto back = read_shape(to_shape(m));
    ASSERT_TRUE(back) << to_shape(m) << ": " << back.error().text;
    ASSERT_EQ(back->groups, m.groups) << to_shape(m);
  }
}

// Damaged links: any answer will do, but an answer, and never a model with a fault.
TEST(Property, DamagedShapesAreReadOrRefused) {
  Random random(5);
  constexpr std::string_view kSpice = "0123456789x:/@+,=.*fulatenwidoshr-\xFF";
  for (int i = 0; i < 4000; ++i) {
    const auto& known = test::kKnownModels[random.next() % std::size(test::kKnownModels)];
    std::string text = known.shape;
    for (std::uint32_t k = random.up_to(3); k > 0; --k) {
      const std::size_t at = random.next() % text.size();
      const char c = kSpice[random.next() % kSpice.size()];
      if (random.coin()) {
        text[at] = c;
      } else if (random.coin()) {
        text.insert(at, 1, c);
      } else {
        text.erase(at, random.up_to(4));
      }
      if (text.empty()) text = "x";
    }
    const auto shape = read_shape(text);
    if (!shape) {
      EXPECT_EQ(shape.error().code, "E-SHAPE");
      continue;
    }
    Model m;
    m.groups = shape->groups;
    m.order = shape->order;
    m.layers = shape->layers;
    EXPECT_EQ(find_fault(m), "") << text;
    EXPECT_EQ(layer_groups(m).size(), m.layers);
  }
}

}  // namespace
}  // namespace kvseats::model
