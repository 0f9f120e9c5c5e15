#include "chart/theme.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

namespace kvseats::chart {
namespace {

const Theme* const kThemes[] = {&light_theme(), &dark_theme()};

Rgb over(Rgb top, Rgb bottom, double opacity) {
  const auto mix = [&](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(b + (a - b) * opacity + 0.5);
  };
  return {mix(top.r, bottom.r), mix(top.g, bottom.g), mix(top.b, bottom.b)};
}

TEST(ChartTheme, ContrastIsThatOfWcag) {
  EXPECT_NEAR(contrast({0, 0, 0}, {255, 255, 255}), 21.0, 1e-9);
  EXPECT_NEAR(contrast({255, 255, 255}, {255, 255, 255}), 1.0, 1e-9);
  // #767676 on white is the well-known lightest grey that passes 4.5:1 (WebAIM: 4.54).
  EXPECT_NEAR(contrast({0x76, 0x76, 0x76}, {255, 255, 255}), 4.54, 0.005);
}

TEST(ChartTheme, TextReadsOnEveryPaper) {
  for (const Theme* t : kThemes) {
    for (const Ink text : {Ink::kInk, Ink::kSoft, Ink::kBad, Ink::kPointText, Ink::kData}) {
      for (const Ink paper : {Ink::kGround, Ink::kPanel, Ink::kField}) {
        EXPECT_GE(contrast((*t)[text], (*t)[paper]), 4.5)
            << ink_name(text) << " on " << ink_name(paper) << (t->dark ? " dark" : " light");
      }
    }
  }
}

TEST(ChartTheme, TextReadsOnTheShadingAtItsStrongest) {
  for (const Theme* t : kThemes) {
    const Rgb shaded = over((*t)[Ink::kDataTint], (*t)[Ink::kGround], kShadeMost);
    const Rgb beyond = over((*t)[Ink::kSoft], (*t)[Ink::kGround], 4 * kShadeAbove);
    for (const Ink text : {Ink::kInk, Ink::kSoft}) {
      EXPECT_GE(contrast((*t)[text], shaded), 4.5) << ink_name(text) << t->dark;
      EXPECT_GE(contrast((*t)[text], beyond), 4.5) << ink_name(text) << t->dark;
    }
    // The curve, the marks and their labels (which have a halo of ground): 3:1.
    for (const Ink line : {Ink::kData, Ink::kBad, Ink::kPointText}) {
      EXPECT_GE(contrast((*t)[line], shaded), 3.0) << ink_name(line) << t->dark;
    }
  }
}

TEST(ChartTheme, LinesAndMarksStandOutFromThePaper) {
  for (const Theme* t : kThemes) {
    for (const Ink line : {Ink::kData, Ink::kPoint, Ink::kBad, Ink::kSoft, Ink::kInk}) {
      for (const Ink paper : {Ink::kGround, Ink::kPanel}) {
        EXPECT_GE(contrast((*t)[line], (*t)[paper]), 3.0) << ink_name(line) << t->dark;
      }
    }
    EXPECT_GE(contrast((*t)[Ink::kWeights], (*t)[Ink::kGround]), 3.0);
  }
}

TEST(ChartTheme, TextReadsOnItsFill) {
  for (const Theme* t : kThemes) {
    for (const Ink fill : {Ink::kData, Ink::kDataTint, Ink::kWeights, Ink::kOverhead, Ink::kUnused,
                           Ink::kBad, Ink::kPoint}) {
      EXPECT_GE(contrast((*t)[text_on(fill)], (*t)[fill]), 4.45) << ink_name(fill) << t->dark;
    }
  }
}

// Colour vision. Full dichromacy after Machado, Oliveira and Fernandes, "A Physiologically-based
// Model for Simulation of Color Vision Deficiency", IEEE TVCG 15 (6), 2009, table for severity 1.0,
// applied to linear sRGB. Differences are CIE 1976 ΔE in L*a*b* under D65.
using Matrix = std::array<double, 9>;
constexpr Matrix kNormal{1, 0, 0, 0, 1, 0, 0, 0, 1};
constexpr Matrix kProtan{0.152286, 1.052583,  -0.204868, 0.114503, 0.786281,
                         0.099216, -0.003882, -0.048116, 1.051998};
constexpr Matrix kDeutan{0.367322, 0.860646,  -0.227968, 0.280085, 0.672501,
                         0.047413, -0.011820, 0.042940,  0.968881};
constexpr Matrix kTritan{1.255528, -0.076749, -0.178779, -0.078411, 0.930809,
                         0.147602, 0.004733,  0.691367,  0.303900};

std::array<double, 3> lab(Rgb color, const Matrix& m) {
  double in[3] = {color.r / 255.0, color.g / 255.0, color.b / 255.0};
  for (double& c : in) c = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  double s[3];
  for (int i = 0; i < 3; ++i) {
    s[i] = m[i * 3] * in[0] + m[i * 3 + 1] * in[1] + m[i * 3 + 2] * in[2];
    s[i] = std::fmin(1.0, std::fmax(0.0, s[i]));
  }
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116.0; };
  const double x = f((0.4124564 * s[0] + 0.3575761 * s[1] + 0.1804375 * s[2]) / 0.95047);
  const double y = f(0.2126729 * s[0] + 0.7151522 * s[1] + 0.0721750 * s[2]);
  const double z = f((0.0193339 * s[0] + 0.1191920 * s[1] + 0.9503041 * s[2]) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double difference(Rgb a, Rgb b, const Matrix& m) {
  const auto p = lab(a, m);
  const auto q = lab(b, m);
  return std::sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                   (p[2] - q[2]) * (p[2] - q[2]));
}

TEST(ChartTheme, InksThatMeanDifferentThingsDifferToEveryEye) {
  // ΔE 2.3 is just noticeable; 15 is told apart at a glance. Form and label tell them apart, too.
  constexpr double kLeast = 15.0;
  const struct {
    Ink a;
    Ink b;
  } kPairs[] = {
      {Ink::kData, Ink::kPoint},       {Ink::kData, Ink::kBad},        {Ink::kPoint, Ink::kBad},
      {Ink::kPoint, Ink::kInk},        {Ink::kBad, Ink::kInk},         {Ink::kBad, Ink::kSoft},
      {Ink::kData, Ink::kSoft},        {Ink::kData, Ink::kWeights},    {Ink::kData, Ink::kDataTint},
      {Ink::kWeights, Ink::kOverhead}, {Ink::kOverhead, Ink::kUnused},
  };
  for (const Theme* t : kThemes) {
    for (const auto& pair : kPairs) {
      for (const Matrix* eye : {&kNormal, &kProtan, &kDeutan, &kTritan}) {
        EXPECT_GE(difference((*t)[pair.a], (*t)[pair.b], *eye), kLeast)
            << ink_name(pair.a) << " and " << ink_name(pair.b) << (t->dark ? " dark" : " light")
            << " eye "
            << (eye == &kProtan   ? "protan"
                : eye == &kDeutan ? "deutan"
                                  : "other");
      }
    }
  }
}

TEST(ChartTheme, NamesAreThePagesProperties) {
  EXPECT_EQ(ink_name(Ink::kGround), "ground");
  EXPECT_EQ(ink_name(Ink::kDataTint), "data-tint");
  EXPECT_EQ(ink_name(Ink::kPointText), "point-text");
  EXPECT_EQ(hex({0x2A, 0x6F, 0x0B}), "#2a6f0b");
}

}  // namespace
}  // namespace kvseats::chart
