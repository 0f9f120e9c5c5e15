#include "units/math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace kvseats::units {
namespace {

struct Point {
  double x;
  double y;
};
struct PowerPoint {
  double x;
  double y;
  double z;
};

// Correctly rounded values, computed with mpmath 1.3 at 60 digits.
// clang-format off
constexpr Point kExp[] = {
    {-0x1.7480000000000p+9, 0x0.0000000000001p-1022},
    {-0x1.6233333333333p+9, 0x0.ff15b469edf89p-1022},
    {-0x1.9000000000000p+6, 0x1.a8c1f14e2af5dp-145},
    {-0x1.4800000000000p+4, 0x1.57a3afeed00abp-30},
    {-0x1.0000000000000p+0, 0x1.78b56362cef38p-2},
    {-0x1.62e42fefa39efp-2, 0x1.6a09e667f3bcdp-1},
    {-0x1.12e0be826d695p-30, 0x1.fffffff768fa1p-1},
    {0x1.56e1fc2f8f359p-997, 0x1.0000000000000p+0},
    {0x1.999999999999ap-4, 0x1.1aec7b35a00d4p+0},
    {0x1.62e42fefa39efp-2, 0x1.6a09e667f3bccp+0},
    {0x1.0000000000000p-1, 0x1.a61298e1e069cp+0},
    {0x1.0000000000000p+0, 0x1.5bf0a8b145769p+1},
    {0x1.0000000000000p+1, 0x1.d8e64b8d4ddaep+2},
    {0x1.921fb54442d18p+1, 0x1.724046eb09339p+4},
    {0x1.4000000000000p+3, 0x1.5829dcf950560p+14},
    {0x1.62ccccccccccdp+6, 0x1.f4705bbffae5cp+127},
    {0x1.2c40000000000p+8, 0x1.1fda3eaeb3d0ep+433},
    {0x1.5e00000000000p+9, 0x1.d945df4f8ec8ep+1009},
    {0x1.62e3d70a3d70ap+9, 0x1.fe9ce5c4c52b4p+1023},
};
constexpr Point kLog[] = {
    {0x0.0000000000001p-1022, -0x1.74385446d71c3p+9},
    {0x1.56e1fc2f8f359p-997, -0x1.5963447f87fb5p+9},
    {0x1.b7cdfd9d7bdbbp-34, -0x1.7069e2aa2aa5bp+4},
    {0x1.999999999999ap-4, -0x1.26bb1bbb55515p+1},
    {0x1.0000000000000p-1, -0x1.62e42fefa39efp-1},
    {0x1.6a09e667f3bccp-1, -0x1.62e42fefa39f1p-2},
    {0x1.6a09e667f3bcdp-1, -0x1.62e42fefa39eep-2},
    {0x1.ccccccccccccdp-1, -0x1.af8e8210a415cp-4},
    {0x1.fffffffffffffp-1, -0x1.0000000000000p-53},
    {0x1.0000000000001p+0, 0x1.fffffffffffffp-53},
    {0x1.199999999999ap+0, 0x1.8663f793c46ccp-4},
    {0x1.6a09e667f3bcdp+0, 0x1.62e42fefa39f0p-2},
    {0x1.0000000000000p+1, 0x1.62e42fefa39efp-1},
    {0x1.5bf0a8b145769p+1, 0x1.0000000000000p+0},
    {0x1.4000000000000p+3, 0x1.26bb1bbb55516p+1},
    {0x1.0000000000000p+17, 0x1.791272ee9dd8ep+3},
    {0x1.8ae1400000000p+18, 0x1.9d1f285efdc92p+3},
    {0x1.2a05f20000000p+33, 0x1.7069e2aa2aa5bp+4},
    {0x1.249ad2594c37dp+332, 0x1.cc845b54b54f2p+7},
    {0x1.fffffffffffffp+1023, 0x1.62e42fefa39efp+9},
};
constexpr Point kErf[] = {
    {0x1.56e1fc2f8f359p-997, 0x1.82e6d98711d3ap-997},
    {0x1.12e0be826d695p-30, 0x1.362a9ffc610ddp-30},
    {0x1.47ae147ae147bp-7, 0x1.71bc266657b66p-7},
    {0x1.999999999999ap-4, 0x1.cca5ea24fb334p-4},
    {0x1.0000000000000p-2, 0x1.1af54e232d609p-2},
    {0x1.0000000000000p-1, 0x1.0a7ef5c18edd2p-1},
    {0x1.b000000000000p-1, 0x1.88d1cd474a2e0p-1},
    {0x1.0000000000000p+0, 0x1.af767a741088bp-1},
    {0x1.4000000000000p+0, 0x1.d8865d98abe01p-1},
    {0x1.8000000000000p+0, 0x1.eea5557137ae0p-1},
    {0x1.0000000000000p+1, 0x1.fd9ae142795e3p-1},
    {0x1.4000000000000p+1, 0x1.ffcaa8f4c9beap-1},
    {0x1.7ffffffffffffp+1, 0x1.fffd1ac4135f9p-1},
    {0x1.8000000000000p+1, 0x1.fffd1ac4135f9p-1},
    {0x1.c000000000000p+1, 0x1.ffffe710d565ep-1},
    {0x1.0000000000000p+2, 0x1.ffffff7b91176p-1},
    {0x1.4000000000000p+2, 0x1.fffffffffc9e8p-1},
    {0x1.799999999999ap+2, 0x1.fffffffffffffp-1},
    {0x1.a000000000000p+2, 0x1.0000000000000p+0},
};
constexpr Point kLgamma[] = {
    {0x1.5798ee2308c3ap-27, 0x1.26bb1bb9c8a88p+4},
    {0x1.0624dd2f1a9fcp-10, 0x1.ba0f3807161acp+2},
    {0x1.999999999999ap-4, 0x1.2058e35f3deeep+1},
    {0x1.0000000000000p-1, 0x1.250d048e7a1bdp-1},
    {0x1.ccccccccccccdp-1, 0x1.0fe0882e465b1p-4},
    {0x1.199999999999ap+0, -0x1.988e1705d89eap-5},
    {0x1.8000000000000p+0, -0x1.eeb95b094c191p-4},
    {0x1.e666666666666p+0, -0x1.3f5bf3c4bb75ap-5},
    {0x1.0cccccccccccdp+1, 0x1.7439d821b03afp-5},
    {0x1.4000000000000p+1, 0x1.2383e809a67e8p-2},
    {0x1.8000000000000p+1, 0x1.62e42fefa39efp-1},
    {0x1.6000000000000p+2, 0x1.fa99a5e94985ap+1},
    {0x1.4000000000000p+3, 0x1.99a8921a7f7cfp+3},
    {0x1.7ffffffffffffp+3, 0x1.180973f3a8d73p+4},
    {0x1.8000000000000p+3, 0x1.180973f3a8d74p+4},
    {0x1.9c00000000000p+4, 0x1.c98faa40d529dp+5},
    {0x1.9000000000000p+6, 0x1.67225b4879462p+8},
    {0x1.f440000000000p+9, 0x1.714ac96c9d5d3p+12},
    {0x1.e848000000000p+19, 0x1.871921236750dp+23},
    {0x1.c6bf526340000p+49, 0x1.dc9d5b94e12f3p+54},
};
constexpr PowerPoint kPow[] = {
    {0x1.0000000000000p+1, 0x1.0000000000000p-1, 0x1.6a09e667f3bcdp+0},
    {0x1.0000000000000p+1, 0x1.4000000000000p+3, 0x1.0000000000000p+10},
    {0x1.4000000000000p+3, -0x1.8000000000000p+1, 0x1.0624dd2f1a9fcp-10},
    {0x1.000001ad7f29bp+0, 0x1.312d000000000p+23, 0x1.5bf0a790ce6f2p+1},
    {0x1.0000000000000p-1, 0x1.f400000000000p+9, 0x1.0000000000000p-1000},
    {0x1.d99999999999ap+1, 0x1.9266666666666p+5, 0x1.ec0093cc3369ep+94},
    {0x1.4f8b588e368f1p-17, 0x1.7ae147ae147aep-2, 0x1.cedc3ccaea15cp-7},
    {0x1.c000000000000p+2, -0x1.ccccccccccccdp-1, 0x1.636b7d46b5303p-3},
    {0x1.7e43c8800759cp+996, 0x1.fae147ae147aep-1, 0x1.87706b0213ce0p+986},
    {0x1.fffffff768fa1p-1, 0x1.dcd6500000000p+29, 0x1.78b5641264c0bp-2},
    {0x1.0000000000000p+17, 0x1.4000000000000p+0, 0x1.306fe0a31b715p+21},
    {0x1.8000000000000p+0, 0x1.7700000000000p+10, 0x1.5c31e21e3e7cdp+877},
    {0x1.56e1fc2f8f359p-997, -0x1.028f5c28f5c29p+0, 0x1.754e31cd07302p+1006},
    {0x1.3ff7ced916873p+3, 0x1.6000000000000p+4, 0x1.0e74718ccf258p+73},
};
// clang-format on

constexpr double kUlp = 0x1p-52;

/// |got − want| in units of the last place of `want` (at least one subnormal step).
double ulps(double got, double want) {
  return std::fabs(got - want) / std::fmax(std::fabs(want) * kUlp, 0x1p-1074);
}

TEST(Math, ExpIsWithinTwoUlp) {
  for (const Point& p : kExp) EXPECT_LE(ulps(exp(p.x), p.y), 2) << p.x;
  EXPECT_EQ(exp(0), 1);
  EXPECT_EQ(exp(-800), 0);
  EXPECT_EQ(exp(710), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(exp(std::numeric_limits<double>::quiet_NaN())));
}

TEST(Math, LogIsWithinTwoUlp) {
  for (const Point& p : kLog) EXPECT_LE(ulps(log(p.x), p.y), 2) << p.x;
  EXPECT_EQ(log(1), 0);
  EXPECT_EQ(log(0), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(log(-1)));
}

TEST(Math, LogarithmsOfPowersAreWhole) {
  for (int k = -1074; k <= 1023; ++k) EXPECT_EQ(log2(std::ldexp(1.0, k)), k);
  double power = 1;
  for (int k = 0; k <= 22; ++k, power *= 10) EXPECT_EQ(log10(power), k);
}

TEST(Math, PowKeepsThirteenDigits) {
  for (const PowerPoint& p : kPow) {
    EXPECT_LE(std::fabs(pow(p.x, p.y) - p.z), 1e-13 * p.z) << p.x << "^" << p.y;
  }
  EXPECT_EQ(pow(0, 0), 1);
  EXPECT_EQ(pow(0, 2), 0);
  EXPECT_EQ(pow(2, 2000), std::numeric_limits<double>::infinity());
  EXPECT_EQ(pow(2, -2000), 0);
  EXPECT_TRUE(std::isnan(pow(-1, 0.5)));
}

// IEEE 754-2019, section 9.2.1.
TEST(Math, PowersOfAndToInfinity) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(pow(2, kInfinite), kInfinite);
  EXPECT_EQ(pow(2, -kInfinite), 0);
  EXPECT_EQ(pow(0.5, kInfinite), 0);
  EXPECT_EQ(pow(0.5, -kInfinite), kInfinite);
  EXPECT_EQ(pow(kInfinite, 2), kInfinite);
  EXPECT_EQ(pow(kInfinite, -1), 0);
  EXPECT_EQ(pow(0, 2), 0);
  EXPECT_EQ(pow(0, -2), kInfinite);
}

TEST(Math, ErfAndLgammaKeepThirteenDigits) {
  for (const Point& p : kErf) {
    EXPECT_LE(std::fabs(erf(p.x) - p.y), 1e-13 * p.y) << p.x;
    EXPECT_EQ(erf(-p.x), -erf(p.x));
  }
  for (const Point& p : kLgamma) {
    EXPECT_LE(std::fabs(lgamma(p.x) - p.y), 1e-13 * std::fmax(1, std::fabs(p.y))) << p.x;
  }
  EXPECT_EQ(erf(0), 0);
  EXPECT_EQ(erf(7), 1);
  EXPECT_EQ(erf(-7), -1);
  EXPECT_EQ(lgamma(0), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(lgamma(-0.5)));
  EXPECT_EQ(lgamma(std::numeric_limits<double>::infinity()),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(lgamma(1), 0);
  EXPECT_EQ(lgamma(2), 0);
}

// One hash over the bits of 60,000 results: the same number natively and in wasm.
TEST(Math, SameBitsOnEveryPlatform) {
  std::uint64_t hash = 14695981039346656037U;
  const auto mix = [&hash](double x) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    hash = (hash ^ bits) * 1099511628211U;
  };
  std::uint64_t state = 1;
  for (int i = 0; i < 10000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const double u = static_cast<double>(state >> 11) * 0x1p-53;
    mix(exp(1400 * u - 700));
    mix(log(u * 1e6));
    mix(log10(u));
    mix(pow(u * 100, 20 * u - 10));
    mix(erf(12 * u - 6));
    mix(lgamma(u * 200 + 1e-6));
  }
  EXPECT_EQ(hash, 38677532494025042U);
}

}  // namespace
}  // namespace kvseats::units
