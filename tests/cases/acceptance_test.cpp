#include <gtest/gtest.h>

#include <cstdio>

#include "exceptions.h"
#include "vllm_case.h"

// All engines together, and the one table of what does not come out.
namespace kvseats::cases {
namespace {

TEST(Acceptance, NinetySevenOfAHundredPrintedLinesComeOut) {
  Tally sum;
  for (const Suite& suite : {vllm_suite(), sglang_suite(), llamacpp_suite(), trtllm_suite()}) {
    sum.computable += suite.tally.computable;
    sum.right += suite.tally.right;
  }
  EXPECT_GE(sum.right * 100, sum.computable * 97) << sum.right << " of " << sum.computable;
  std::printf("all engines: %d of %d\n", sum.right, sum.computable);
}

// tests/cases/README.md is where people look: every exception stands there with its cause.
TEST(Acceptance, TheReadmeListsEveryException) {
  const std::string readme = read_case_file("README.md");
  std::vector<Exception> all(weight_exceptions().begin(), weight_exceptions().end());
  for (const Suite& suite : {vllm_suite(), sglang_suite(), llamacpp_suite(), trtllm_suite()}) {
    all.insert(all.end(), suite.exceptions.begin(), suite.exceptions.end());
  }
  for (const Exception& one : all) {
    const std::string row = "| `" + std::string(one.id) + "` | " + one.cause + " |";
    EXPECT_NE(readme.find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace kvseats::cases
