#pragma once

#include <gtest/gtest.h>

#include "catalogue/catalogue.h"
#include "embedded/catalogue.h"

namespace kvseats {

/// The catalogue that ships, read once for each test that asks.
inline catalogue::Catalogue shipped_catalogue() {
  auto read = catalogue::read_catalogue(embedded::catalogue("catalogue.txt"));
  EXPECT_TRUE(read.has_value());
  return read ? std::move(*read) : catalogue::Catalogue{};
}

}  // namespace kvseats
