#pragma once

#include <string>
#include <vector>

#include "logs/read_log.h"
#include "scenario/check.h"

/// Comparing printed numbers, and llama.cpp's list of caches. Internal to the log check.
namespace kvseats::scenario::detail {

/// Half of the last printed digit.
[[nodiscard]] double half_unit(int decimals);

/// What a prediction allows, both ends as they would be printed.
struct Interval {
  double low = 0, high = 0;
  int decimals = 0;
};

/// "404,352" or "404,221 to 404,413".
[[nodiscard]] std::string interval_text(const Interval& interval);

/// Whether the printed value lies in the interval. With fewer digits on one side than on the other,
/// that side stands for half a digit more and less.
[[nodiscard]] bool agrees(const logs::Number& printed, const Interval& predicted);

/// Each printed cache line beside the predicted one of the same layers and kind; `predicted` may be
/// null. Pools of one kind pair by size first, then by layers, then in order.
void add_cache_rows(const logs::Log& printed, const logs::Log* predicted,
                    std::vector<LogRow>& rows);

}  // namespace kvseats::scenario::detail
