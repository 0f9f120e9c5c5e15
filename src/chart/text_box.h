#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chart/layout.h"

/// Text in lines: internal to the room's layouts.
namespace kvseats::chart {

inline constexpr double kLineHeight = 1.25;  ///< of the type size
inline constexpr double kCapHalf = 0.36;     ///< from the middle of a line down to its baseline

/// One or two lines of text as one block, not yet at a place. Borrows the text.
struct TextBlock {
  std::string_view lines[2];
  double widths[2] = {0.0, 0.0};
  int count = 1;
  double width = 0.0;
  double height = 0.0;
};

[[nodiscard]] TextBlock one_line(const Measure& measure, std::string_view text, double size,
                                 bool strong);
/// Broken at the space that makes the two lines most equal; one line if there is no space.
[[nodiscard]] TextBlock two_lines(const Measure& measure, std::string_view text, double size,
                                  bool strong);
/// The longest start of `text` that is at most `width` px wide, broken at a space, inside a word
/// only where it must be; removed from `text`, together with the space.
[[nodiscard]] std::string_view take_line(const Measure& measure, std::string_view& text,
                                         double size, double width);

/// The lines of a block whose box starts at (left, top); `align` 0 left, 0.5 centre, 1 right.
[[nodiscard]] std::vector<Text> set(const TextBlock& block, double left, double top, double align,
                                    double size, Ink ink, bool strong);

}  // namespace kvseats::chart
