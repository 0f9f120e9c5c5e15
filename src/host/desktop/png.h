// A PNG file from pixels, small enough for a README: for `--screenshot`.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace kvseats::host {

// `rgba`: 4 bytes a pixel, tightly packed, the top row first; opacity is dropped. Each row is
// stored as its difference from the row above, and repeated bytes as one match, so that flat
// surfaces cost next to nothing. Empty when the sizes do not agree.
// Source: PNG, https://www.w3.org/TR/png-3/; deflate, RFC 1951 (one block, fixed codes);
// zlib, RFC 1950.
std::string png_file(std::span<const std::uint8_t> rgba, int width, int height);

}  // namespace kvseats::host
