#include "device/device.h"

#include <gtest/gtest.h>

namespace kvseats::device {
namespace {

using units::bytes;
using units::gigabytes;
using units::mib;

// NVIDIA H100 SXM5 80 GB: nvidia-smi lists 81,559 MiB; torch sees 79.11 GiB or so.
TEST(Device, WhatAnEngineSeesIsNotWhatIsMarketed) {
  Device d;
  d.marketed = gigabytes(80);
  d.source = "data sheet";
  EXPECT_EQ(seen_memory(d), gigabytes(80));
  EXPECT_NE(seen_memory_source(d).find("marketed"), std::string::npos);
  d.reported = mib(81559);
  EXPECT_EQ(seen_memory(d), mib(81559));
  EXPECT_NE(seen_memory_source(d).find("driver's total;"), std::string::npos);
  d.driver_reserved = mib(551);
  EXPECT_EQ(seen_memory(d), mib(81008));
  EXPECT_NE(seen_memory_source(d).find("reserves"), std::string::npos);
  d.torch_total = bytes(84942979072);
  EXPECT_EQ(seen_memory(d), bytes(84942979072));
  EXPECT_NE(seen_memory_source(d).find("engine's own print"), std::string::npos);
  EXPECT_NE(seen_memory_source(d).find("data sheet"), std::string::npos);
}

TEST(Device, ReservingMoreThanThereIsLeavesNothing) {
  Device d;
  d.reported = mib(100);
  d.driver_reserved = mib(200);
  EXPECT_EQ(seen_memory(d), bytes(0));
}

}  // namespace
}  // namespace kvseats::device
