#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chart/geometry.h"
#include "chart/layout.h"

/// What is promised about the labels of every chart: inside the plot, on no other label, on no
/// stroke.
namespace kvseats::scenario::testing {

inline bool on_line(const chart::Rect& box, const std::vector<chart::Px>& line) {
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (chart::touches(box, line[i - 1], line[i])) return true;
  }
  return false;
}

inline void expect_clear(const chart::Layout& l, const std::string& what) {
  for (std::size_t i = 0; i < l.labels.size(); ++i) {
    const chart::PlacedLabel& a = l.labels[i];
    EXPECT_TRUE(chart::contains(chart::grown(l.plot, 0.01), a.box)) << what;
    for (std::size_t k = i + 1; k < l.labels.size(); ++k) {
      EXPECT_FALSE(chart::overlap(a.box, l.labels[k].box)) << what << a.lines[0].text;
    }
    for (const chart::Stroke& s : l.strokes) {
      EXPECT_FALSE(on_line(chart::grown(a.box, 0.5), s.points)) << what << a.lines[0].text;
    }
  }
}

}  // namespace kvseats::scenario::testing
