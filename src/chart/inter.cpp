#include <cstddef>
#include <cstdint>
#include <iterator>

#include "chart/layout.h"

// Advance widths of Inter 3.19 (Regular and SemiBold, feature `tnum` on) in thousandths of an em,
// rounded, read from the hmtx table of Debian 12's package fonts-inter. Inter is by Rasmus
// Andersson, SIL Open Font License 1.1, rsms.me/inter. Only widths are kept here, no outlines.
namespace kvseats::chart {
namespace {

constexpr std::uint32_t kFirst = 32;  // U+0020 … U+007E
constexpr std::uint16_t kRegular[] = {
    281, 278, 403, 631, 638, 812, 639, 222, 362, 362, 500, 659, 276, 460, 276, 357, 648, 648, 648,
    648, 648, 648, 648, 648, 648, 648, 276, 276, 659, 659, 659, 507, 936, 676, 651, 727, 719, 598,
    587, 743, 740, 264, 543, 652, 562, 889, 753, 761, 635, 761, 639, 638, 642, 741, 676, 949, 642,
    665, 625, 362, 357, 362, 469, 452, 497, 564, 621, 558, 621, 582, 361, 609, 591, 237, 237, 544,
    237, 869, 585, 597, 609, 609, 372, 523, 364, 581, 557, 812, 540, 557, 541, 362, 327, 362, 659,
};
constexpr std::uint16_t kSemiBold[] = {
    248, 309, 396, 643, 649, 844, 663, 213, 393, 393, 543, 673, 291, 466, 290, 379, 670, 670,  670,
    670, 669, 670, 670, 670, 670, 670, 290, 289, 673, 673, 673, 544, 999, 724, 657, 744, 724,  608,
    586, 755, 744, 275, 561, 677, 566, 906, 741, 775, 643, 776, 651, 649, 660, 734, 724, 1007, 690,
    705, 653, 393, 379, 393, 481, 468, 497, 575, 630, 577, 630, 593, 377, 625, 613, 261, 261,  569,
    261, 898, 610, 608, 625, 625, 397, 549, 380, 608, 576, 837, 562, 576, 562, 393, 358, 393,  673,
};

struct Wide {
  std::uint16_t code;
  std::uint16_t regular;
  std::uint16_t semi_bold;
};
constexpr Wide kBeyondAscii[] = {
    {0x00A0, 281, 248}, {0x00B0, 455, 458}, {0x00B1, 659, 673},   {0x00B2, 420, 423},
    {0x00B3, 430, 438}, {0x00B5, 622, 652}, {0x00B7, 276, 290},   {0x00BC, 884, 881},
    {0x00BD, 926, 919}, {0x00BE, 949, 960}, {0x00D7, 659, 673},   {0x00E4, 564, 575},
    {0x00E9, 582, 593}, {0x00F6, 597, 608}, {0x00F7, 659, 673},   {0x00FC, 581, 608},
    {0x2009, 182, 164}, {0x2013, 500, 500}, {0x2014, 1000, 1000}, {0x2018, 199, 228},
    {0x2019, 185, 214}, {0x201C, 381, 408}, {0x201D, 381, 407},   {0x2026, 821, 806},
    {0x202F, 182, 164}, {0x2190, 955, 955}, {0x2192, 955, 955},   {0x2212, 659, 673},
    {0x2248, 659, 673}, {0x2264, 659, 673}, {0x2265, 659, 673},   {0x221E, 930, 966},
};

constexpr double kUnknown = 620;  // a guess between "e" and "m"
constexpr double kEastAsian = 1000;

/// The next code point; malformed bytes count as one unknown character each.
std::uint32_t next_code(std::string_view text, std::size_t& i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(i++);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
  std::uint32_t code = lead & (0x3FU >> more);
  for (int k = 0; k < more && i < text.size() && (byte(i) & 0xC0U) == 0x80U; ++k) {
    code = code << 6U | (byte(i++) & 0x3FU);
  }
  return code;
}

double advance(std::uint32_t code, bool strong) {
  if (code >= kFirst && code - kFirst < std::size(kRegular)) {
    return strong ? kSemiBold[code - kFirst] : kRegular[code - kFirst];
  }
  for (const Wide& wide : kBeyondAscii) {
    if (wide.code == code) return strong ? wide.semi_bold : wide.regular;
  }
  return code >= 0x1100 && code < 0xFB00 && !(code >= 0x2000 && code < 0x2E80) ? kEastAsian
                                                                               : kUnknown;
}

double inter_width(const void* /*self*/, std::string_view text, double size, bool strong) {
  double sum = 0.0;
  for (std::size_t i = 0; i < text.size();) sum += advance(next_code(text, i), strong);
  return sum * size / 1000.0;
}

}  // namespace

Measure inter_measure() {
  return {inter_width, nullptr};
}

}  // namespace kvseats::chart
