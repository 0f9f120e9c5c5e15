#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chart/layout.h"

/// Text in lines: internal to the room's layouts.
namespace kvseats::chart {

inline constexpr double kLineHeight = 1.25;  ///< of the type size
inline constexpr double kCapHalf = 0.36;     ///< from the middle of a line down to its baseline

/// Lines of text as one block, not yet at a place.
struct TextBlock {
  std::vector<std::string> lines;
  std::vector<double> widths;
  double width = 0.0;
  double height = 0.0;
};

[[nodiscard]] TextBlock one_line(const Measure& measure, std::string_view text, double size,
                                 bool strong);
/// Broken at the space that makes the two lines most equal; one line if there is no space.
[[nodiscard]] TextBlock two_lines(const Measure& measure, std::string_view text, double size,
                                  bool strong);
/// Broken into lines of at most `width` px, at spaces, inside a word only where it must be.
[[nodiscard]] std::vector<std::string> wrapped(const Measure& measure, std::string_view text,
                                               double size, double width);

/// The lines of a block whose box starts at (left, top); `align` 0 left, 0.5 centre, 1 right.
[[nodiscard]] std::vector<Text> set(const TextBlock& block, double left, double top, double align,
                                    double size, Ink ink, bool strong);

}  // namespace kvseats::chart
