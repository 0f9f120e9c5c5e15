#pragma once

#include "plan/overflow.h"

/// What the tests of overflow share.
namespace kvseats::plan::testing {

/// That `count` requests of one law take more than `capacity`.
inline Chance chance(const CostLaw& law, std::uint64_t count, std::uint64_t capacity) {
  const Crowd crowd = {.law = &law, .count = count};
  return overflow({&crowd, 1}, capacity);
}

}  // namespace kvseats::plan::testing
