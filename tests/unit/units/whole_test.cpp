#include "units/whole.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace kvseats::units {
namespace {

// What must not compile.
template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Divisible = requires(A a, B b) {
  a / b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
  a == b;
};
template <class A, class B>
concept Multipliable = requires(A a, B b) {
  a* b;
};

static_assert(Addable<Bytes, Bytes>);
static_assert(!Addable<Bytes, Tokens>);
static_assert(!Addable<Bytes, std::uint64_t>);
static_assert(!Addable<Requests, Blocks>);
static_assert(Divisible<Bytes, Bytes>);
static_assert(!Divisible<Bytes, Tokens>);
static_assert(!Multipliable<Bytes, Bytes>);
static_assert(Multipliable<Bytes, std::uint64_t>);
static_assert(!Comparable<Bytes, Tokens>);
static_assert(!std::is_convertible_v<std::uint64_t, Bytes>);
static_assert(!std::is_convertible_v<Bytes, std::uint64_t>);
static_assert(!std::is_constructible_v<Bytes, Tokens>);

// What a report may rely on.
static_assert(!Bytes::out_of_range().in_range());
static_assert(!(bytes(1) * UINT64_MAX).in_range());
static_assert(!(bytes(UINT64_MAX - 1) + bytes(1)).in_range());
static_assert((bytes(UINT64_MAX - 2) + bytes(1)).in_range());
static_assert(!(gib(1) * gib(1).raw() * gib(1).raw()).in_range());
static_assert(!(Bytes::out_of_range() * 0).in_range());
static_assert(!left_after(Bytes::out_of_range(), bytes(1)).in_range());
static_assert(left_after(bytes(1), bytes(2)) == bytes(0));
static_assert(Bytes::out_of_range() > bytes(UINT64_MAX - 1));
static_assert(bytes(1) / bytes(0) == kOutOfRange);
static_assert(bytes(9007199254740991).exact_in_json());
static_assert(!bytes(9007199254740992).exact_in_json());

TEST(Whole, TheLessonsDivisionIsWhole) {
  EXPECT_EQ(bytes(131072) * 8192, gib(1));
  EXPECT_EQ(gigabytes(53) / bytes(131072), 404357U);
  EXPECT_EQ(gigabytes(53) / (bytes(131072) * 8192), 49U);
}

TEST(Whole, OutOfRangeIsKeptByEveryLaterStep) {
  Bytes sum = bytes(1) * UINT64_MAX;
  sum += bytes(1);
  sum = sum + sum;
  EXPECT_FALSE(sum.in_range());
  EXPECT_EQ(sum, Bytes::out_of_range());
}

// The static_asserts above hold while compiling; a program that is changed on purpose
// (tests/mutate.py) differs only when it runs.
TEST(Whole, TheEndsOfTheRangeHoldAtRunTimeToo) {
  const std::uint64_t most = kOutOfRange - 1;
  EXPECT_EQ(checked_add(most, 0), most);
  EXPECT_EQ(checked_add(most - 1, 1), most);
  EXPECT_EQ(checked_add(most, 1), kOutOfRange);
  EXPECT_EQ(checked_add(0, kOutOfRange), kOutOfRange);
  EXPECT_EQ(checked_add(kOutOfRange, 0), kOutOfRange);
  EXPECT_EQ(checked_mul(most, 1), most);
  EXPECT_EQ(checked_mul(most / 2, 2), most);
  EXPECT_EQ(checked_mul(most / 2 + 1, 2), kOutOfRange);
  EXPECT_EQ(checked_mul(0, kOutOfRange), kOutOfRange);
  EXPECT_EQ(checked_mul(kOutOfRange, 0), kOutOfRange);
  EXPECT_EQ(saturating_sub(5, 5), 0U);
  EXPECT_EQ(saturating_sub(6, 5), 1U);
  EXPECT_EQ(saturating_sub(5, kOutOfRange), 0U);
  EXPECT_EQ(saturating_sub(kOutOfRange, 5), kOutOfRange);
  EXPECT_EQ(ceil_div(5, kOutOfRange), kOutOfRange);
  EXPECT_EQ(ceil_div(kOutOfRange, 5), kOutOfRange);
  EXPECT_EQ(mul_div_floor(kOutOfRange, 1, 2), kOutOfRange);
  EXPECT_EQ(bytes(1) / Bytes::out_of_range(), kOutOfRange);
  EXPECT_EQ(Bytes::out_of_range() / bytes(1), kOutOfRange);
  EXPECT_EQ(bytes(1) / bytes(0), kOutOfRange);
  EXPECT_TRUE(bytes(kMaxExactJson).exact_in_json());
  EXPECT_FALSE(bytes(kMaxExactJson + 1).exact_in_json());
  EXPECT_EQ(kib(3).raw(), 3072U);
  EXPECT_EQ(mib(3).raw(), 3145728U);
  EXPECT_EQ(megabytes(3).raw(), 3000000U);
}

TEST(Whole, CeilingAndRounding) {
  EXPECT_EQ(ceil_div(0, 16), 0U);
  EXPECT_EQ(ceil_div(1, 16), 1U);
  EXPECT_EQ(ceil_div(16, 16), 1U);
  EXPECT_EQ(ceil_div(17, 16), 2U);
  EXPECT_EQ(ceil_div(UINT64_MAX - 1, 1), UINT64_MAX - 1);
  EXPECT_EQ(ceil_div(1, 0), kOutOfRange);
  EXPECT_EQ(round_up(17, 16), 32U);
  EXPECT_EQ(round_up(UINT64_MAX - 3, 16), kOutOfRange);
}

TEST(Whole, MulDivNeedsNoWiderType) {
  EXPECT_EQ(mul_div_floor(10, 9, 16), 5U);
  EXPECT_EQ(mul_div_ceil(10, 9, 16), 6U);
  EXPECT_EQ(mul_div_floor(UINT64_MAX - 1, 3, 4), 13835058055282163710U);
  EXPECT_EQ(mul_div_floor(UINT64_MAX - 1, 4, 3), kOutOfRange);
  EXPECT_EQ(mul_div_floor(1, 1, 0), kOutOfRange);
  EXPECT_EQ(mul_div_floor(0, 1ULL << 40, 3), 0U);
  EXPECT_EQ(mul_div_floor(1, kOutOfRange, 2), kOutOfRange);
  // The embedding of a 70B model in 4 bit: bytes × numbers ÷ parameters, a product of 66 bits.
  EXPECT_EQ(mul_div_floor(43164757635U, 128256ULL * 8192, 70553706496U), 642801834U);
  EXPECT_EQ(mul_div_ceil(43164757635U, 128256ULL * 8192, 70553706496U), 642801835U);
  EXPECT_EQ(mul_div_floor(UINT64_MAX - 1, UINT64_MAX - 1, UINT64_MAX - 1), UINT64_MAX - 1);
  EXPECT_EQ(mul_div_ceil(UINT64_MAX - 1, UINT64_MAX - 2, UINT64_MAX - 1), UINT64_MAX - 2);
  EXPECT_EQ(mul_div_floor(1ULL << 63, 1ULL << 63, 1ULL << 63), 1ULL << 63);
}

TEST(Whole, RatiosAddExactly) {
  EXPECT_EQ(add({9, 16}, {7, 16}), (Ratio{1, 1}));
  EXPECT_EQ(add({34, 32}, {18, 32}), (Ratio{13, 8}));
  EXPECT_EQ(times({34, 32}, 128), (Ratio{136, 1}));
  EXPECT_EQ(times({9, 16}, 0), (Ratio{0, 1}));
  EXPECT_EQ(times({2, 1}, UINT64_MAX).num, kOutOfRange);
  EXPECT_EQ(bytes_ceil(3, {9, 16}), bytes(2));
}

}  // namespace
}  // namespace kvseats::units
