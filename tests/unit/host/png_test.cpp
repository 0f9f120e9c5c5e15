#include "host/desktop/png.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace kvseats::host {
namespace {

std::string hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<std::uint8_t>(c);
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

TEST(Png, TwoByTwoPixelsAreTheseBytes) {
  // Two rows of one red and one green pixel. Checked with zlib: the data inflate to
  // 02 ff0000 00ff00 02 000000 000000, and every CRC is right.
  const std::array<std::uint8_t, 16> pixels{255, 0, 0, 255, 0, 255, 0, 255,
                                            255, 0, 0, 255, 0, 255, 0, 255};
  EXPECT_EQ(hex(png_file(pixels, 2, 2)),
            "89504e470d0a1a0a"
            "0000000d49484452000000020000000208020000"
            "00fdd49a73"
            "0000001249444154"
            "780163facfc0c0f09f8189010c0016220203"
            "c27edbc8"
            "0000000049454e44ae426082");
}

TEST(Png, FlatPicturesAreSmall) {
  const std::vector<std::uint8_t> white(std::size_t{1440} * 900 * 4, 255);
  EXPECT_LT(png_file(white, 1440, 900).size(), 40000U);
}

TEST(Png, SizesThatDoNotAgreeGiveNothing) {
  const std::array<std::uint8_t, 4> pixel{};
  EXPECT_EQ(png_file(pixel, 2, 1), "");
  EXPECT_EQ(png_file(pixel, 0, 0), "");
  EXPECT_EQ(png_file(pixel, -1, 1), "");
}

}  // namespace
}  // namespace kvseats::host
