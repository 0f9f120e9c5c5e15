#include "chart/text_box.h"

#include <cmath>
#include <cstddef>

namespace kvseats::chart {
namespace {

/// The end of the longest start of `text` that fits, at least one character.
std::size_t fitting(const Measure& measure, std::string_view text, double size, double width) {
  std::size_t end = 1;
  const auto continues = [&](std::size_t i) {
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
  };
  while (continues(end)) ++end;
  for (std::size_t next = end; next < text.size();) {
    ++next;
    while (continues(next)) ++next;
    if (measure.width(measure.self, text.substr(0, next), size, false) > width) break;
    end = next;
  }
  return end;
}

}  // namespace

TextBlock one_line(const Measure& measure, std::string_view text, double size, bool strong) {
  TextBlock block;
  block.lines[0] = text;
  block.width = block.widths[0] = measure.width(measure.self, text, size, strong);
  block.height = size * kLineHeight;
  return block;
}

TextBlock two_lines(const Measure& measure, std::string_view text, double size, bool strong) {
  TextBlock block = one_line(measure, text, size, strong);
  for (std::size_t i = text.find(' '); i != std::string_view::npos; i = text.find(' ', i + 1)) {
    const double first = measure.width(measure.self, text.substr(0, i), size, strong);
    const double second = measure.width(measure.self, text.substr(i + 1), size, strong);
    if (std::fmax(first, second) >= block.width) continue;
    block.lines[0] = text.substr(0, i);
    block.lines[1] = text.substr(i + 1);
    block.widths[0] = first;
    block.widths[1] = second;
    block.count = 2;
    block.width = std::fmax(first, second);
    block.height = 2.0 * size * kLineHeight;
  }
  return block;
}

std::string_view take_line(const Measure& measure, std::string_view& text, double size,
                           double width) {
  std::size_t end = text.size();
  if (measure.width(measure.self, text, size, false) > width) {
    end = fitting(measure, text, size, width);
    const std::size_t space = text.rfind(' ', end);
    if (space != std::string_view::npos && space > 0) end = space;
  }
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return line;
}

std::vector<Text> set(const TextBlock& block, double left, double top, double align, double size,
                      Ink ink, bool strong) {
  std::vector<Text> texts;
  for (int i = 0; i < block.count; ++i) {
    const double middle = top + (i + 0.5) * size * kLineHeight;
    texts.push_back({std::string(block.lines[i]),
                     {left + (block.width - block.widths[i]) * align, middle + kCapHalf * size},
                     block.widths[i],
                     size,
                     ink,
                     strong});
  }
  return texts;
}

}  // namespace kvseats::chart
