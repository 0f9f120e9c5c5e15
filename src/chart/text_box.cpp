#include "chart/text_box.h"

#include <cmath>
#include <cstddef>

namespace kvseats::chart {
namespace {

TextBlock block_of(const Measure& measure, std::vector<std::string> lines, double size,
                   bool strong) {
  TextBlock block;
  for (const std::string& line : lines) {
    block.widths.push_back(measure.width(measure.self, line, size, strong));
    block.width = std::fmax(block.width, block.widths.back());
  }
  block.height = static_cast<double>(lines.size()) * size * kLineHeight;
  block.lines = std::move(lines);
  return block;
}

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
  return block_of(measure, {std::string(text)}, size, strong);
}

TextBlock two_lines(const Measure& measure, std::string_view text, double size, bool strong) {
  std::size_t best = std::string_view::npos;
  double best_width = 0.0;
  for (std::size_t i = text.find(' '); i != std::string_view::npos; i = text.find(' ', i + 1)) {
    const double width = std::fmax(measure.width(measure.self, text.substr(0, i), size, strong),
                                   measure.width(measure.self, text.substr(i + 1), size, strong));
    if (best != std::string_view::npos && width >= best_width) continue;
    best = i;
    best_width = width;
  }
  if (best == std::string_view::npos) return one_line(measure, text, size, strong);
  return block_of(measure, {std::string(text.substr(0, best)), std::string(text.substr(best + 1))},
                  size, strong);
}

std::vector<std::string> wrapped(const Measure& measure, std::string_view text, double size,
                                 double width) {
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() < 12) {
    std::size_t end = text.size();
    if (measure.width(measure.self, text, size, false) > width) {
      end = fitting(measure, text, size, width);
      const std::size_t space = text.rfind(' ', end);
      if (space != std::string_view::npos && space > 0) end = space;
    }
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  return lines;
}

std::vector<Text> set(const TextBlock& block, double left, double top, double align, double size,
                      Ink ink, bool strong) {
  std::vector<Text> texts;
  const double step = size * kLineHeight;
  for (std::size_t i = 0; i < block.lines.size(); ++i) {
    const double baseline = top + (static_cast<double>(i) + 0.5) * step + kCapHalf * size;
    texts.push_back({block.lines[i],
                     {left + (block.width - block.widths[i]) * align, baseline},
                     block.widths[i],
                     size,
                     ink,
                     strong});
  }
  return texts;
}

}  // namespace kvseats::chart
