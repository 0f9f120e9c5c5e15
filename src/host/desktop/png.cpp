#include "host/desktop/png.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace kvseats::host {

namespace {

void put_u32(std::string& out, std::uint32_t value) {
  for (unsigned shift = 32; shift > 0; shift -= 8) {
    out.push_back(static_cast<char>((value >> (shift - 8)) & 0xFFU));
  }
}

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

std::uint32_t adler32(std::string_view bytes) {
  constexpr std::uint32_t kPrime = 65521;
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const char c : bytes) {
    a = (a + static_cast<std::uint8_t>(c)) % kPrime;
    b = (b + a) % kPrime;
  }
  return (b << 16U) | a;
}

// Bits into bytes, lowest first; codes of deflate go in highest bit first.
class Bits {
 public:
  void put(std::uint32_t value, int count) {
    for (int i = 0; i < count; ++i) put_bit((value >> i) & 1U);
  }
  void put_code(std::uint32_t code, int count) {
    for (int i = count - 1; i >= 0; --i) put_bit((code >> i) & 1U);
  }
  std::string take() {
    if (used_ > 0) out_.push_back(static_cast<char>(byte_));
    return std::move(out_);
  }

 private:
  void put_bit(std::uint32_t bit) {
    byte_ |= bit << used_;
    if (++used_ < 8) return;
    out_.push_back(static_cast<char>(byte_));
    byte_ = 0;
    used_ = 0;
  }
  std::string out_;
  std::uint32_t byte_ = 0;
  int used_ = 0;
};

// Literal or length symbol by the fixed code, RFC 1951 section 3.2.6.
void put_symbol(Bits& bits, std::uint32_t symbol) {
  if (symbol < 144) {
    bits.put_code(0x30 + symbol, 8);
  } else if (symbol < 256) {
    bits.put_code(0x190 + symbol - 144, 9);
  } else if (symbol < 280) {
    bits.put_code(symbol - 256, 7);
  } else {
    bits.put_code(0xC0 + symbol - 280, 8);
  }
}

// Length codes of section 3.2.5: the shortest length of each, and its number of extra bits.
struct LengthCode {
  std::uint32_t first;
  int extra;
};
constexpr std::array<LengthCode, 29> kLengths{
    {{3, 0},  {4, 0},  {5, 0},  {6, 0},   {7, 0},   {8, 0},   {9, 0},   {10, 0},  {11, 1}, {13, 1},
     {15, 1}, {17, 1}, {19, 2}, {23, 2},  {27, 2},  {31, 2},  {35, 3},  {43, 3},  {51, 3}, {59, 3},
     {67, 4}, {83, 4}, {99, 4}, {115, 4}, {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0}}};

// A repetition of the byte before: a match at distance 1 (distance code 0).
void put_repeat(Bits& bits, std::uint32_t length) {
  std::size_t code = kLengths.size() - 1;
  while (kLengths[code].first > length) --code;
  put_symbol(bits, 257 + static_cast<std::uint32_t>(code));
  bits.put(length - kLengths[code].first, kLengths[code].extra);
  bits.put_code(0, 5);
}

std::string deflate(std::string_view bytes) {
  constexpr std::size_t kLongest = 258;
  constexpr std::size_t kShortest = 3;
  Bits bits;
  bits.put(1, 1);  // the last block
  bits.put(1, 2);  // fixed codes
  for (std::size_t i = 0; i < bytes.size();) {
    std::size_t run = 0;
    while (i > 0 && run < kLongest && i + run < bytes.size() && bytes[i + run] == bytes[i - 1]) {
      ++run;
    }
    if (run >= kShortest) {
      put_repeat(bits, static_cast<std::uint32_t>(run));
      i += run;
    } else {
      put_symbol(bits, static_cast<std::uint8_t>(bytes[i]));
      ++i;
    }
  }
  put_symbol(bits, 256);  // end of block
  return bits.take();
}

void put_chunk(std::string& out, std::string_view type, std::string_view body) {
  put_u32(out, static_cast<std::uint32_t>(body.size()));
  std::string checked(type);
  checked += body;
  out += checked;
  put_u32(out, crc32(checked));
}

// Rows as PNG wants them: filter type 2 ("up"), then RGB differences from the row above.
std::string filtered_rows(std::span<const std::uint8_t> rgba, std::size_t width,
                          std::size_t height) {
  std::string rows;
  rows.reserve(height * (width * 3 + 1));
  for (std::size_t y = 0; y < height; ++y) {
    rows.push_back(2);
    for (std::size_t x = 0; x < width; ++x) {
      for (std::size_t channel = 0; channel < 3; ++channel) {
        const std::size_t at = (y * width + x) * 4 + channel;
        const int above = y > 0 ? rgba[at - width * 4] : 0;
        rows.push_back(static_cast<char>((rgba[at] - above) & 0xFF));
      }
    }
  }
  return rows;
}

}  // namespace

std::string png_file(std::span<const std::uint8_t> rgba, int width, int height) {
  const auto columns = static_cast<std::size_t>(std::max(width, 0));
  const auto lines = static_cast<std::size_t>(std::max(height, 0));
  if (columns == 0 || lines == 0 || rgba.size() != columns * lines * 4) return {};
  const std::string rows = filtered_rows(rgba, columns, lines);
  std::string header;
  put_u32(header, static_cast<std::uint32_t>(width));
  put_u32(header, static_cast<std::uint32_t>(height));
  header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, RGB, no interlace
  std::string body("\x78\x01", 2);
  body += deflate(rows);
  put_u32(body, adler32(rows));
  std::string file("\x89PNG\r\n\x1A\n", 8);
  put_chunk(file, "IHDR", header);
  put_chunk(file, "IDAT", body);
  put_chunk(file, "IEND", "");
  return file;
}

}  // namespace kvseats::host
